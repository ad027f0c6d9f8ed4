/* converge.h: for warp.c, which runs the paths of a warp, and converge.c, which says where those of machine code part and
 * meet. Private to exec. */
#pragma once

#include "exec/run/warp.h"

/* BRX, RET: these lanes go where the first one does, and the others stay there; the fewer of the two go on, as the path. */
void diverge_switch(Warp *warp, Path *path, uint32_t lanes, uint32_t target);
/* limit.c: the path enters its basic block, and its executions are counted. false: more than the launch may have. */
bool path_count_block(Warp *warp, Path *path);

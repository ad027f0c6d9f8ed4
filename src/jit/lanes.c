/* lanes.c: the functions of exec/lanes/ops_lanes.h, compiled by clang to bitcode that the plug-in contains
 * (jit.cmake). Never linked as machine code. */
#define LANE
#include "exec/lanes/ops_lanes.h"

/* live.h: the registers that something reads behind a basic block: what compiled code must have in memory there. Private to exec. */
#pragma once

#include "exec/tier/compiled.h"

/* CompileTask.live of the program; NULL: it would take too much memory. kinds: as the task's. */
const uint32_t *live_find(Arena *arena, const Program *program, const uint8_t *kinds);

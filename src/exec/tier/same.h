/* same.h: registers of which all lanes have one value where a basic block begins. Private to exec. */
#pragma once

#include "exec/tier/compiled.h"

/* CompileTask.same of the program; NULL: nothing is known, or it would take too much memory. kinds: as the task's. */
const bool *same_find(Arena *arena, const Program *program, const uint8_t *kinds);

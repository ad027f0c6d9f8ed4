/* execute.c: kernels of a plan on the CPU. */
#pragma once

#include "exec/exec.h"
#include "vectors.h"

/* The results of the kernel, in `out`; NULL: diags says why there are none. */
const uint8_t *kernel_execute(Arena *arena, const Kernel *kernel, Memory *memory, uint8_t *out,
                              Diags *diags);

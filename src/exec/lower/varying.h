/* varying.h: which registers may differ between the threads of a warp (as ptxas decides it). Within
 * exec. */
#pragma once

#include "exec/run/warp.h"

/* ---- varying.c ---- */

/* [regs.count]: true where lanes that run together may have different values. */
bool *varying_registers(Arena *arena, const Function *function);

/* ---- decode.c ---- */

/* A register of the function at hand. */
bool decode_varies(const Program *program, uint32_t reg);

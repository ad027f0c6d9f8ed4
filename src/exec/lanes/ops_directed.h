/* ops_directed.h: results that are rounded toward zero, down or up, where the processor rounds to nearest alone (WebAssembly: there is no
 * FE_TOWARDZERO): computed exactly, then rounded. Private to exec/lanes and exec/matrix. */
#pragma once

#include "exec/lanes/ops.h"

/* The function of a row whose modifier is such a rounding; NULL: it cannot be computed so. `nearest`: the same row rounded to nearest,
 * whose results for infinities and NaNs stay. */
Execute AT_LEVEL(ops_directed)(Op op);
/* Defined by ops_rows.c: what executes the instruction as if it said .rn. */
Execute AT_LEVEL(ops_nearest)(const Code *code);

/* a * b + c of doubles under that rounding. */
double AT_LEVEL(fma_directed)(double a, double b, double c, Round round);

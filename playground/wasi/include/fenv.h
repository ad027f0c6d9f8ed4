/* fenv.h: how results are rounded. WebAssembly rounds to nearest; what asks for another way is computed exactly and then
 * rounded (exec/lanes/ops_directed.h). */
#pragma once

#include_next <fenv.h>

#ifndef FE_TOWARDZERO
#define FE_TOWARDZERO 1
#define FE_DOWNWARD 2
#define FE_UPWARD 3
#endif

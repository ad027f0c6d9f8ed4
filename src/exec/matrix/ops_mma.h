/* ops_mma.h: what the files of the matrix products that are built for each level share. */
#pragma once

#include "exec/lanes/ops.h"
#include "exec/matrix/mma.h"

enum { COLUMNS = 8 }; /* of the result that are done side by side; n is a multiple of it */

#ifdef OPS_LEVEL
void AT_LEVEL(ops_product)(Product *product);                         /* ops_mma.c */
void AT_LEVEL(run_fused)(const Product *product, Matrices *matrices); /* ops_mma_fused.c */
#endif

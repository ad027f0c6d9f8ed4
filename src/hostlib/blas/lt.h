/* lt: cublasLt's descriptors. Programs may keep them in memory of their own, of the sizes that are asserted
 * here, and copy them. */
#pragma once

#include "hostlib/blas/blas.h"

typedef struct LtLayout { /* of a matrix */
    int type, order, batch, batch_mode;
    uint64_t rows, columns;
    int64_t lead, stride, plane;
} LtLayout;
_Static_assert(sizeof(LtLayout) <= 64, "cublasLtMatrixLayoutOpaque_t");

enum { LT_BY_COLUMNS, LT_BY_ROWS };

typedef struct LtMatmul { /* what is to be done */
    int compute, scale_type, pointer_mode, transa, transb, transc, fill;
    uint32_t epilogue;
    int sm_target, aux_type, bias_type;
    int scale_modes[6]; /* of A, B, C, D, aux, D's own */
    int8_t fast_accum;
    void *bias, *aux;
    int64_t bias_stride, aux_lead, aux_stride, alpha_stride;
    const float *scales[4]; /* of A, B, C, D */
    void *amax, *aux_scale, *aux_amax, *out_scale, *emulation;
} LtMatmul;
_Static_assert(sizeof(LtMatmul) <= 256, "cublasLtMatmulDescOpaque_t");

typedef struct LtPreference { /* of an algorithm: there is one */
    uint32_t search, reductions, alignments[4];
    uint64_t workspace, implementations;
    float waves;
} LtPreference;
_Static_assert(sizeof(LtPreference) <= 64, "cublasLtMatmulPreferenceOpaque_t");

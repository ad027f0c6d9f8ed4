/* gemm: D = alpha op(A) op(B) + beta C, of matrices of all types, one product or a batch of them.
 *
 * Products are summed up in single precision, of double-precision matrices in double precision, and of
 * integers exactly; alpha, beta and the result are rounded once, at the end. A GPU sums in another order,
 * and for CUBLAS_COMPUTE_16F in half precision; for TF32 it rounds A and B first. */
#pragma once

#include "hostlib/blas/blas.h"
#include "hostlib/blas/element.h"
#include "hostlib/blas/epilogue.h"

/* cublasComputeType_t: each kind has several, which differ in what a GPU may do to be faster. */
enum { COMPUTE_16F = 64, COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32I = 72 };
typedef enum ComputeKind {
    COMPUTES_HALF,
    COMPUTES_SINGLE,
    COMPUTES_DOUBLE,
    COMPUTES_INTEGER,
    COMPUTES_NOTHING
} ComputeKind;
ComputeKind compute_kind(int compute); /* COMPUTES_NOTHING: there is no such type */
/* What products of such elements are summed up in. */
ElementType gemm_precision(int compute, int type);

typedef struct GemmMatrix {
    const char *name;
    const void *at; /* the matrix; `pointers`: an array with that of each product */
    bool pointers;
    bool by_rows; /* its rows lie one behind the other */
    int type;
    int64_t lead, stride; /* elements, from one column, and one product, to the next */
    int64_t rows, columns;
} GemmMatrix;

typedef struct GemmWork {
    HostWork work;
    Fortran gemm;
    int op_a, op_b;
    int64_t m, n, k, batch;
    ElementType computed;     /* in this precision */
    int scale_type;           /* of alpha and beta */
    const void *alpha, *beta; /* of the device; NULL: of the host, below */
    double host_alpha[2], host_beta[2];
    GemmMatrix a, b, c, d;
    Epilogue epilogue;
} GemmWork;

/* Fills in rows and columns of the operands, and the scalars; BLAS_INVALID_VALUE: what it says does not
 * fit together. */
BlasStatus gemm_check(GemmWork *work, bool device_scalars, const void *alpha, const void *beta);
BlasStatus gemm_enqueue(GemmWork *work, CUstream stream);

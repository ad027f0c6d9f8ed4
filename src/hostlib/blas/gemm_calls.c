/* The calls of cuBLAS that multiply matrices of any type, one product or a batch of them. */
#include "hostlib/blas/gemm.h"

/* What such a call computes with, and of which type its scalars are. */
static BlasStatus set_compute(GemmWork *work, int compute) {
    const int from = work->a.type, to = work->c.type;
    const bool is_complex = element_is_complex(to), same = from == to;
    bool good;
    work->scale_type = to;
    work->computed = gemm_precision(compute, from);
    switch (compute_kind(compute)) {
    case COMPUTES_HALF:
        good = same && to == R_16F;
        break;
    case COMPUTES_DOUBLE:
        good = same && (to == R_64F || to == C_64F);
        break;
    case COMPUTES_INTEGER:
        good = from == R_8I && to == R_32I;
        break;
    case COMPUTES_SINGLE:
        work->scale_type = is_complex ? C_32F : R_32F;
        good = same ? to == R_32F || to == R_16F || to == R_16BF || to == C_32F
                    : to == R_32F && (from == R_16F || from == R_16BF || from == R_8I);
        break;
    default:
        return BLAS_INVALID_VALUE;
    }
    return good && from == work->b.type ? BLAS_SUCCESS : BLAS_NOT_SUPPORTED;
}

/* ---- what all of them end with ---- */

static BlasStatus multiply(const BlasHandle *handle, GemmWork *work, int compute, const void *alpha,
                           const void *beta) {
    BlasStatus wrong = handle_check(handle);
    work->d = work->c;
    if (!wrong)
        wrong = set_compute(work, compute);
    if (!wrong)
        wrong = gemm_check(work, handle->scalars == SCALARS_DEVICE, alpha, beta);
    return wrong ? wrong : gemm_enqueue(work, handle->stream);
}

#define WORK(text, products)                                                                       \
    .work = {.library = "cublas", .function = "cublas" text}, .op_a = transa, .op_b = transb,      \
    .m = m, .n = n, .k = k, .batch = products
#define MATRIX(x, of_type)                                                                         \
    { .name = #x, .at = x, .type = of_type, .lead = ld##x }
#define POINTERS(x, of_type)                                                                       \
    { .name = #x, .at = x, .type = of_type, .lead = ld##x, .pointers = true }
#define STRIDED(x, of_type)                                                                        \
    { .name = #x, .at = x, .type = of_type, .lead = ld##x, .stride = stride##x }

#define HEAD(I) BlasHandle *handle, int transa, int transb, I m, I n, I k, const void *alpha
#define DECLARED(name, ...)                                                                        \
    BlasStatus name(__VA_ARGS__);                                                                  \
    BlasStatus name(__VA_ARGS__)

#pragma GCC visibility push(default)

/* ---- matrices of one type ---- */

#define PRODUCT(name, suffix, I, type, compute)                                                    \
    DECLARED(cublas##name##suffix, HEAD(I), const void *a, I lda, const void *b, I ldb,            \
             const void *beta, void *c, I ldc) {                                                   \
        GemmWork work = {WORK(#name, 1), .a = MATRIX(a, type), .b = MATRIX(b, type),               \
                         .c = MATRIX(c, type)};                                                    \
        return multiply(handle, &work, compute, alpha, beta);                                      \
    }
#define BATCHED(name, suffix, I, type, compute)                                                    \
    DECLARED(cublas##name##Batched##suffix, HEAD(I), const void *a, I lda, const void *b, I ldb,   \
             const void *beta, const void *c, I ldc, I count) {                                    \
        GemmWork work = {WORK(#name "Batched", count), .a = POINTERS(a, type),                     \
                         .b = POINTERS(b, type), .c = POINTERS(c, type)};                          \
        return multiply(handle, &work, compute, alpha, beta);                                      \
    }
#define IN_STRIDES(name, suffix, I, type, compute)                                                 \
    DECLARED(cublas##name##StridedBatched##suffix, HEAD(I), const void *a, I lda,                  \
             long long stridea, const void *b, I ldb, long long strideb, const void *beta,         \
             void *c, I ldc, long long stridec, I count) {                                         \
        GemmWork work = {WORK(#name "StridedBatched", count), .a = STRIDED(a, type),               \
                         .b = STRIDED(b, type), .c = STRIDED(c, type)};                            \
        return multiply(handle, &work, compute, alpha, beta);                                      \
    }
#define BATCHES(name, type, compute)                                                               \
    BATCHED(name, , int, type, compute)                                                            \
    BATCHED(name, _64, int64_t, type, compute)                                                     \
    IN_STRIDES(name, , int, type, compute)                                                         \
    IN_STRIDES(name, _64, int64_t, type, compute)

PRODUCT(Hgemm, , int, R_16F, COMPUTE_16F)
PRODUCT(Hgemm, _64, int64_t, R_16F, COMPUTE_16F)
BATCHES(Hgemm, R_16F, COMPUTE_16F)
BATCHES(Sgemm, R_32F, COMPUTE_32F)
BATCHES(Dgemm, R_64F, COMPUTE_64F)
BATCHES(Cgemm, C_32F, COMPUTE_32F)
BATCHES(Zgemm, C_64F, COMPUTE_64F)
BATCHES(Cgemm3m, C_32F, COMPUTE_32F)

/* ---- of several types ---- */

#define TYPED(name, suffix, I, compute)                                                            \
    DECLARED(cublas##name##suffix, HEAD(I), const void *a, int typea, I lda, const void *b,        \
             int typeb, I ldb, const void *beta, void *c, int typec, I ldc) {                      \
        GemmWork work = {WORK(#name, 1), .a = MATRIX(a, typea), .b = MATRIX(b, typeb),             \
                         .c = MATRIX(c, typec)};                                                   \
        return multiply(handle, &work, compute, alpha, beta);                                      \
    }
TYPED(SgemmEx, , int, COMPUTE_32F)
TYPED(SgemmEx, _64, int64_t, COMPUTE_32F)
TYPED(CgemmEx, , int, COMPUTE_32F)
TYPED(CgemmEx, _64, int64_t, COMPUTE_32F)
TYPED(Cgemm3mEx, , int, COMPUTE_32F)
TYPED(Cgemm3mEx, _64, int64_t, COMPUTE_32F)

#define EX(suffix, I)                                                                              \
    DECLARED(cublasGemmEx##suffix, HEAD(I), const void *a, int typea, I lda, const void *b,        \
             int typeb, I ldb, const void *beta, void *c, int typec, I ldc, int compute,           \
             int algorithm) {                                                                      \
        GemmWork work = {WORK("GemmEx", 1), .a = MATRIX(a, typea), .b = MATRIX(b, typeb),          \
                         .c = MATRIX(c, typec)};                                                   \
        (void)algorithm;                                                                           \
        return multiply(handle, &work, compute, alpha, beta);                                      \
    }                                                                                              \
    DECLARED(cublasGemmBatchedEx##suffix, HEAD(I), const void *a, int typea, I lda, const void *b, \
             int typeb, I ldb, const void *beta, const void *c, int typec, I ldc, I count,         \
             int compute, int algorithm) {                                                         \
        GemmWork work = {WORK("GemmBatchedEx", count), .a = POINTERS(a, typea),                    \
                         .b = POINTERS(b, typeb), .c = POINTERS(c, typec)};                        \
        (void)algorithm;                                                                           \
        return multiply(handle, &work, compute, alpha, beta);                                      \
    }                                                                                              \
    DECLARED(cublasGemmStridedBatchedEx##suffix, HEAD(I), const void *a, int typea, I lda,         \
             long long stridea, const void *b, int typeb, I ldb, long long strideb,                \
             const void *beta, void *c, int typec, I ldc, long long stridec, I count, int compute, \
             int algorithm) {                                                                      \
        GemmWork work = {WORK("GemmStridedBatchedEx", count), .a = STRIDED(a, typea),              \
                         .b = STRIDED(b, typeb), .c = STRIDED(c, typec)};                          \
        (void)algorithm;                                                                           \
        return multiply(handle, &work, compute, alpha, beta);                                      \
    }
EX(, int)
EX(_64, int64_t)

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

/* ---- groups of products, each of a shape of its own ---- */

#define OF_GROUPS(name, typea, typeb, typec, compute)                                              \
    {                                                                                              \
        BlasStatus wrong = handle_check(handle);                                                   \
        if (!wrong && (groups < 0 || (groups && (!transa || !transb || !m || !n || !k || !sizes || \
                                                 !lda || !ldb || !ldc || !alpha || !beta))))       \
            wrong = BLAS_INVALID_VALUE;                                                            \
        for (int pass = 0; pass < 2 && !wrong; pass++) { /* first whether all of it is right */    \
            int64_t first = 0;                                                                     \
            for (int64_t g = 0; g < groups && !wrong; first += sizes[g++]) {                       \
                GemmWork work = {WORK_OF_GROUP(name, g), .a = OF_GROUP(a, typea, g),               \
                                 .b = OF_GROUP(b, typeb, g), .c = OF_GROUP(c, typec, g)};          \
                wrong = group(handle, &work, compute, (const char *)alpha, (const char *)beta, g,  \
                              pass == 1);                                                          \
            }                                                                                      \
        }                                                                                          \
        return wrong;                                                                              \
    }
#define WORK_OF_GROUP(text, g)                                                                     \
    .work = {.library = "cublas", .function = "cublas" text}, .op_a = transa[g],                   \
    .op_b = transb[g], .m = m[g], .n = n[g], .k = k[g], .batch = sizes[g]
#define OF_GROUP(x, of_type, g)                                                                    \
    { .name = #x, .at = x ? x + first : NULL, .type = of_type, .lead = ld##x[g], .pointers = true }

/* Scalars are of the host, an array with those of each group. */
static BlasStatus group(const BlasHandle *handle, GemmWork *work, int compute, const char *alpha,
                        const char *beta, int64_t number, bool enqueue) {
    work->d = work->c;
    BlasStatus wrong = set_compute(work, compute);
    const size_t bytes = element_bytes(work->scale_type);
    if (!wrong)
        wrong =
            gemm_check(work, false, alpha + (size_t)number * bytes, beta + (size_t)number * bytes);
    return wrong || !enqueue ? wrong : gemm_enqueue(work, handle->stream);
}

#define GROUPS(suffix, I)                                                                          \
    DECLARED(cublasGemmGroupedBatchedEx##suffix, const BlasHandle *handle, const int *transa,      \
             const int *transb, const I *m, const I *n, const I *k, const void *alpha,             \
             const void *const *a, int typea, const I *lda, const void *const *b, int typeb,       \
             const I *ldb, const void *beta, void *const *c, int typec, const I *ldc, I groups,    \
             const I *sizes, int compute)                                                          \
    OF_GROUPS("GemmGroupedBatchedEx", typea, typeb, typec, compute)                                \
    GROUPS_OF(Sgemm, suffix, I, float, R_32F, COMPUTE_32F)                                         \
    GROUPS_OF(Dgemm, suffix, I, double, R_64F, COMPUTE_64F)
#define GROUPS_OF(name, suffix, I, T, type, compute)                                               \
    DECLARED(cublas##name##GroupedBatched##suffix, const BlasHandle *handle, const int *transa,    \
             const int *transb, const I *m, const I *n, const I *k, const T *alpha,                \
             const T *const *a, const I *lda, const T *const *b, const I *ldb, const T *beta,      \
             T *const *c, const I *ldc, I groups, const I *sizes)                                  \
    OF_GROUPS(#name "GroupedBatched", type, type, type, compute)
GROUPS(, int)
GROUPS(_64, int64_t)

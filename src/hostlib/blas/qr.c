/* QR factors of a batch of matrices, and least squares with them. */
#include "hostlib/blas/batch.h"

#include <stdlib.h>

/* LAPACK's work area: it needs one number for each column of what it works on, and is faster with more. */
enum { BLOCK = 32 };

static void *area_new(const BatchWork *work, int columns, int *numbers) {
    *numbers = BLOCK * (columns + 1);
    return malloc((size_t)*numbers * batch_bytes(work));
}

static bool factor_one(const BatchWork *work, int product) {
    typedef void Geqrf(const int *, const int *, void *, const int *, void *, void *, const int *,
                       int *);
    const int reflections = work->m < work->n ? work->m : work->n;
    void *matrix = work->matrices[product], *tau = work->to[product];
    int numbers, info;
    if (!batch_reaches(work, matrix, work->lead, work->m, work->n) ||
        !batch_reaches(work, tau, 1, reflections, 1))
        return false;
    void *area = area_new(work, work->n, &numbers);
    if (area)
        ((Geqrf *)work->first)(&work->m, &work->n, matrix, &work->lead, tau, area, &numbers, &info);
    free(area);
    return true;
}

static bool solve_one(const BatchWork *work, int product) {
    typedef void Gels(const char *, const int *, const int *, const int *, void *, const int *,
                      void *, const int *, void *, const int *, int *, size_t);
    void *matrix = work->matrices[product], *to = work->to[product];
    int numbers, info = 0;
    if (!batch_reaches(work, matrix, work->lead, work->m, work->n) ||
        !batch_reaches(work, to, work->lead_to, work->m, work->columns))
        return false;
    void *area = area_new(work, work->n + work->columns, &numbers);
    if (area)
        ((Gels *)work->first)("N", &work->m, &work->n, &work->columns, matrix, &work->lead, to,
                              &work->lead_to, area, &numbers, &info, 1);
    free(area);
    if (work->info)
        work->info[product] = info;
    return true;
}

static BlasStatus enqueue(const BlasHandle *handle, BatchWork *work, const char *routine,
                          int *info) {
    BlasStatus wrong = handle_check(handle);
    if (wrong)
        return wrong;
    if (work->m < 0 || work->n < 0 || work->columns < 0 || work->count < 0 || work->lead < 1 ||
        work->lead < work->m || !info)
        return BLAS_INVALID_VALUE;
    *info = 0; /* of the host: whether the arguments are right */
    return batch_enqueue(handle, work, routine, NULL);
}

#define DECLARED(name, ...)                                                                        \
    BlasStatus name(__VA_ARGS__);                                                                  \
    BlasStatus name(__VA_ARGS__)

#define WORK(T, name)                                                                              \
    .work.function = "cublas" #T name, .type = TYPE_##T, .m = m, .n = n, .lead = lda,              \
    .count = count, .matrices = a

#define QR(T)                                                                                      \
    DECLARED(cublas##T##geqrfBatched, BlasHandle *handle, int m, int n, void *const *a, int lda,   \
             void *const *tau, int *info, int count) {                                             \
        BatchWork work = {WORK(T, "geqrfBatched"), .to = tau, .one = factor_one};                  \
        return enqueue(handle, &work, "?geqrf_", info);                                            \
    }                                                                                              \
    DECLARED(cublas##T##gelsBatched, BlasHandle *handle, int op, int m, int n, int columns,        \
             void *const *a, int lda, void *const *c, int ldc, int *info, int *infos, int count) { \
        BatchWork work = {WORK(T, "gelsBatched"), .columns = columns, .lead_to = ldc, .to = c,     \
                          .info = infos,          .one = solve_one};                               \
        if (ldc < m || ldc < 1)                                                                    \
            return BLAS_INVALID_VALUE;                                                             \
        if (op != OP_N || m < n) /* nor has cuBLAS */                                              \
            return BLAS_NOT_SUPPORTED;                                                             \
        return enqueue(handle, &work, "?gels_", info);                                             \
    }

#pragma GCC visibility push(default)
QR(S)
QR(D)
QR(C)
QR(Z)

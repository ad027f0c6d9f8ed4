/* LU factors of a batch of matrices, and what is solved with them. */
#include "hostlib/blas/batch.h"
#include "hostlib/blas/own.h"

#include <stdlib.h>
#include <string.h>

typedef void Getrf(const int *, const int *, void *, const int *, int *, int *);
typedef void Getrs(const char *, const int *, const int *, const void *, const int *, const int *,
                   void *, const int *, int *, size_t);

/* Pivots of a matrix whose rows stay where they are. The caller frees them; NULL: no memory. */
static int *in_order(int n) {
    int *pivots = malloc((size_t)n * sizeof *pivots + 1);
    for (int i = 0; pivots && i < n; i++)
        pivots[i] = i + 1;
    return pivots;
}

static void solve(const BatchWork *work, const void *factors, int lead, void *to, int columns,
                  const int *pivots) {
    int info;
    int *plain = pivots ? NULL : in_order(work->n);
    if (pivots || plain)
        ((Getrs *)work->second)(&work->op, &work->n, &columns, factors, &lead,
                                pivots ? pivots : plain, to, &work->lead_to, &info, 1);
    free(plain);
}

static int *pivots_of(const BatchWork *work, int product) {
    return work->pivots ? work->pivots + (size_t)product * (size_t)work->n : NULL;
}

static int factor(const BatchWork *work, void *matrix, int lead, int *pivots) {
    static const OwnRoutine without[] = {sgetrf_plain, dgetrf_plain, cgetrf_plain, zgetrf_plain};
    int info = 0;
    if (pivots)
        ((Getrf *)work->first)(&work->n, &work->n, matrix, &lead, pivots, &info);
    else
        without[work->type]((const void *const[]){&work->n, matrix, &lead, &info}, NULL);
    return info;
}

static bool factor_one(const BatchWork *work, int product) {
    void *matrix = work->matrices[product];
    if (!batch_reaches(work, matrix, work->lead, work->n, work->n))
        return false;
    work->info[product] = factor(work, matrix, work->lead, pivots_of(work, product));
    return true;
}

static bool solve_one(const BatchWork *work, int product) {
    void *matrix = work->matrices[product], *to = work->to[product];
    if (!batch_reaches(work, matrix, work->lead, work->n, work->n) ||
        !batch_reaches(work, to, work->lead_to, work->n, work->columns))
        return false;
    solve(work, matrix, work->lead, to, work->columns, pivots_of(work, product));
    return true;
}

/* The inverse is what is solved for the unit matrix. */
static void invert(const BatchWork *work, const void *factors, int lead, void *to,
                   const int *pivots) {
    for (int j = 0; j < work->n; j++) {
        void *one = batch_at(work, to, work->lead_to, j, j);
        memset(batch_at(work, to, work->lead_to, 0, j), 0, (size_t)work->n * batch_bytes(work));
        if (work->type == TYPE_S || work->type == TYPE_C)
            *(float *)one = 1;
        else
            *(double *)one = 1;
    }
    solve(work, factors, lead, to, work->n, pivots);
}

static bool reaches_both(const BatchWork *work, int product) {
    return batch_reaches(work, work->matrices[product], work->lead, work->n, work->n) &&
           batch_reaches(work, work->to[product], work->lead_to, work->n, work->n);
}

static bool invert_one(const BatchWork *work, int product) {
    if (!reaches_both(work, product))
        return false;
    work->info[product] = 0;
    invert(work, work->matrices[product], work->lead, work->to[product], pivots_of(work, product));
    return true;
}

/* Of a matrix without factors, which stays as it is. */
static bool invert_whole(const BatchWork *work, int product) {
    const size_t column = (size_t)work->n * batch_bytes(work);
    if (!reaches_both(work, product))
        return false;
    char *factors = malloc((size_t)work->n * column + 1);
    int *pivots = in_order(work->n);
    for (int j = 0; factors && pivots && j < work->n; j++)
        memcpy(factors + (size_t)j * column,
               batch_at(work, work->matrices[product], work->lead, 0, j), column);
    if (factors && pivots) {
        work->info[product] = factor(work, factors, work->n, pivots);
        if (!work->info[product])
            invert(work, factors, work->n, work->to[product], pivots);
    }
    free(factors);
    free(pivots);
    return true;
}

static BlasStatus enqueue(const BlasHandle *handle, BatchWork *work,
                          bool (*one)(const BatchWork *, int)) {
    BlasStatus wrong = handle_check(handle);
    if (wrong)
        return wrong;
    if (work->n < 0 || work->count < 0 || work->columns < 0 || work->lead < 1 ||
        work->lead < work->n || (one != factor_one && work->lead_to < work->n) ||
        (one != solve_one && !work->info))
        return BLAS_INVALID_VALUE;
    work->one = one;
    return batch_enqueue(handle, work, "?getrf_", "?getrs_");
}

enum { INVERTED_MOST = 32 }; /* rows of a matrix that matinvBatched takes */

#define DECLARED(name, ...)                                                                        \
    BlasStatus name(__VA_ARGS__);                                                                  \
    BlasStatus name(__VA_ARGS__)

#define WORK(T, name)                                                                              \
    .work.function = "cublas" #T name, .type = TYPE_##T, .n = n, .lead = lda, .count = count,      \
    .matrices = a

#define LU(T)                                                                                      \
    DECLARED(cublas##T##getrfBatched, BlasHandle *handle, int n, void *const *a, int lda,          \
             int *pivots, int *info, int count) {                                                  \
        BatchWork work = {WORK(T, "getrfBatched"), .pivots = pivots, .info = info};                \
        return enqueue(handle, &work, factor_one);                                                 \
    }                                                                                              \
    DECLARED(cublas##T##getriBatched, BlasHandle *handle, int n, void *const *a, int lda,          \
             int *pivots, void *const *c, int ldc, int *info, int count) {                         \
        BatchWork work = {WORK(T, "getriBatched"), .op = 'N',   .lead_to = ldc, .to = c,           \
                          .pivots = pivots,        .info = info};                                  \
        return enqueue(handle, &work, invert_one);                                                 \
    }                                                                                              \
    DECLARED(cublas##T##matinvBatched, BlasHandle *handle, int n, void *const *a, int lda,         \
             void *const *c, int ldc, int *info, int count) {                                      \
        BatchWork work = {WORK(T, "matinvBatched"), .op = 'N', .lead_to = ldc, .to = c,            \
                          .info = info};                                                           \
        return n > INVERTED_MOST ? BLAS_INVALID_VALUE : enqueue(handle, &work, invert_whole);      \
    }                                                                                              \
    DECLARED(cublas##T##getrsBatched, BlasHandle *handle, int op, int n, int columns,              \
             void *const *a, int lda, int *pivots, void *const *b, int ldb, int *info,             \
             int count) {                                                                          \
        BatchWork work = {WORK(T, "getrsBatched"), .columns = columns, .lead_to = ldb, .to = b,    \
                          .pivots = pivots};                                                       \
        if (op < OP_N || op > OP_C || !info)                                                       \
            return BLAS_INVALID_VALUE;                                                             \
        work.op = "NTC"[op];                                                                       \
        *info = 0; /* of the host: whether the arguments are right */                              \
        return enqueue(handle, &work, solve_one);                                                  \
    }

#pragma GCC visibility push(default)
LU(S)
LU(D)
LU(C)
LU(Z)

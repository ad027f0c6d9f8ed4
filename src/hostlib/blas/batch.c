/* LU factorisations of a batch of small matrices, and what is solved with them, by LAPACK, one matrix after the
 * other. */
#include "hostlib/blas/blas.h"

#include <stdlib.h>
#include <string.h>

typedef struct LuWork {
    HostWork work;
    ElementType type;
    Fortran getrf, getrs;
    char op;
    int n, columns, lead, lead_to, count;
    void *const *matrices; /* arrays of pointers, of the device */
    void *const *to;       /* right-hand sides, or what becomes of the matrices */
    int *pivots;           /* NULL: there are none */
    int *info;             /* 0, or the first pivot that is 0 */
    bool factorises, inverts;
} LuWork;

static size_t bytes_of(const LuWork *work) {
    static const size_t bytes[] = {4, 8, 8, 16};
    return bytes[work->type];
}

static bool reaches(const LuWork *work, const void *at, size_t bytes) {
    return warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)at, bytes);
}

static bool reaches_matrix(const LuWork *work, const void *at, int lead, int columns) {
    size_t count = columns && work->n ? (size_t)(columns - 1) * (size_t)lead + (size_t)work->n : 0;
    return reaches(work, at, count * bytes_of(work));
}

static void *at(const LuWork *work, void *matrix, int lead, int row, int column) {
    return (char *)matrix + ((size_t)column * (size_t)lead + (size_t)row) * bytes_of(work);
}

typedef void Getrf(const int *, const int *, void *, const int *, int *, int *);
typedef void Getrs(const char *, const int *, const int *, const void *, const int *, const int *,
                   void *, const int *, int *, size_t);

static void solve(const LuWork *work, int product, void *to, int columns, const int *pivots) {
    int info;
    ((Getrs *)work->getrs)(&work->op, &work->n, &columns, work->matrices[product], &work->lead,
                           pivots, to, &work->lead_to, &info, 1);
}

/* The inverse is what is solved for the unit matrix. */
static void invert(const LuWork *work, int product, void *to, const int *pivots) {
    for (int j = 0; j < work->n; j++) {
        memset(at(work, to, work->lead_to, 0, j), 0, (size_t)work->n * bytes_of(work));
        if (work->type == TYPE_S || work->type == TYPE_C)
            *(float *)at(work, to, work->lead_to, j, j) = 1;
        else
            *(double *)at(work, to, work->lead_to, j, j) = 1;
    }
    solve(work, product, to, work->n, pivots);
}

static void run_one(const LuWork *work, int product, const int *in_order) {
    void *matrix = work->matrices[product];
    const int *pivots = work->pivots ? work->pivots + (size_t)product * (size_t)work->n : in_order;
    if (!reaches_matrix(work, matrix, work->lead, work->n))
        return;
    if (work->factorises) {
        ((Getrf *)work->getrf)(&work->n, &work->n, matrix, &work->lead, (int *)(uintptr_t)pivots,
                               &work->info[product]);
        return;
    }
    if (!reaches_matrix(work, work->to[product], work->lead_to,
                        work->inverts ? work->n : work->columns))
        return;
    if (work->inverts) {
        work->info[product] = 0;
        invert(work, product, work->to[product], pivots);
    } else {
        solve(work, product, work->to[product], work->columns, pivots);
    }
}

static void run(const HostWork *host) {
    const LuWork *work = (const LuWork *)(const void *)host;
    const size_t count = (size_t)work->count, pointers = count * sizeof(void *);
    int *in_order = malloc((size_t)work->n * sizeof *in_order + 1);
    bool good =
        in_order && reaches(work, work->matrices, pointers) &&
        (work->factorises || reaches(work, work->to, pointers)) &&
        (!work->info || reaches(work, work->info, count * sizeof(int))) &&
        (!work->pivots || reaches(work, work->pivots, count * (size_t)work->n * sizeof(int)));
    for (int i = 0; good && i < work->n; i++)
        in_order[i] = i + 1;
    for (int i = 0; good && i < work->count; i++)
        run_one(work, i, in_order);
    free(in_order);
}

static BlasStatus enqueue(const BlasHandle *handle, LuWork *work) {
    static const char *const getrf[] = {"sgetrf_", "dgetrf_", "cgetrf_", "zgetrf_"},
                             *const getrs[] = {"sgetrs_", "dgetrs_", "cgetrs_", "zgetrs_"};
    BlasStatus wrong = handle_check(handle);
    if (wrong)
        return wrong;
    if (work->n < 0 || work->count < 0 || work->columns < 0 || work->lead < 1 ||
        work->lead < work->n || (!work->factorises && work->lead_to < work->n) ||
        ((work->factorises || work->inverts) && !work->info))
        return BLAS_INVALID_VALUE;
    if (work->factorises && !work->pivots) { /* LAPACK has none without pivots */
        warplens_message("getrfBatched",
                         "cuBLAS: getrfBatched without pivots is not supported, and fails");
        return BLAS_NOT_SUPPORTED;
    }
    *(void **)&work->getrf = provider_function(PROVIDER_BLAS, getrf[work->type]);
    *(void **)&work->getrs = provider_function(PROVIDER_BLAS, getrs[work->type]);
    work->work.run = run;
    if (!work->getrf || !work->getrs)
        return BLAS_NOT_SUPPORTED;
    return status_of(warplens_enqueue(handle->stream, &work->work, sizeof *work));
}

#define DECLARED(name, ...)                                                                        \
    BlasStatus name(__VA_ARGS__);                                                                  \
    BlasStatus name(__VA_ARGS__)

#define LU(T)                                                                                      \
    DECLARED(cublas##T##getrfBatched, BlasHandle *handle, int n, void *const *a, int lda,          \
             int *pivots, int *info, int count) {                                                  \
        LuWork work = {.work = {.library = "cublas", .function = "cublas" #T "getrfBatched"},      \
                       .type = TYPE_##T,                                                           \
                       .n = n,                                                                     \
                       .lead = lda,                                                                \
                       .count = count,                                                             \
                       .matrices = a,                                                              \
                       .pivots = pivots,                                                           \
                       .info = info,                                                               \
                       .factorises = true};                                                        \
        return enqueue(handle, &work);                                                             \
    }                                                                                              \
    DECLARED(cublas##T##getriBatched, BlasHandle *handle, int n, void *const *a, int lda,          \
             int *pivots, void *const *c, int ldc, int *info, int count) {                         \
        LuWork work = {.work = {.library = "cublas", .function = "cublas" #T "getriBatched"},      \
                       .type = TYPE_##T,                                                           \
                       .op = 'N',                                                                  \
                       .n = n,                                                                     \
                       .lead = lda,                                                                \
                       .lead_to = ldc,                                                             \
                       .count = count,                                                             \
                       .matrices = a,                                                              \
                       .to = c,                                                                    \
                       .pivots = pivots,                                                           \
                       .info = info,                                                               \
                       .inverts = true};                                                           \
        return enqueue(handle, &work);                                                             \
    }                                                                                              \
    DECLARED(cublas##T##getrsBatched, BlasHandle *handle, int op, int n, int columns,              \
             void *const *a, int lda, int *pivots, void *const *b, int ldb, int *info,             \
             int count) {                                                                          \
        LuWork work = {.work = {.library = "cublas", .function = "cublas" #T "getrsBatched"},      \
                       .type = TYPE_##T,                                                           \
                       .n = n,                                                                     \
                       .columns = columns,                                                         \
                       .lead = lda,                                                                \
                       .lead_to = ldb,                                                             \
                       .count = count,                                                             \
                       .matrices = a,                                                              \
                       .to = b,                                                                    \
                       .pivots = pivots};                                                          \
        if (op < OP_N || op > OP_C || !info)                                                       \
            return BLAS_INVALID_VALUE;                                                             \
        work.op = "NTC"[op];                                                                       \
        *info = 0; /* of the host: whether the arguments are right */                              \
        return enqueue(handle, &work);                                                             \
    }

#pragma GCC visibility push(default)
LU(S)
LU(D)
LU(C)
LU(Z)

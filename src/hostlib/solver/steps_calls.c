/* The exported functions that solve sparse systems in steps: csrchol…, csrqr…. Nothing is found out by their analysis; objects keep
 * the factors. */
#include "hostlib/solver/sparse_calls.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef float T_S; /* how programs pass numbers of each type */
typedef double T_D;
typedef float complex T_C;
typedef double complex T_Z;

static SolverStatus steps_new(Steps **steps, int pivots) {
    if (!steps)
        return SOLVER_INVALID_VALUE;
    *steps = calloc(1, sizeof **steps);
    if (!*steps)
        return SOLVER_ALLOC_FAILED;
    (*steps)->tag = STEPS_TAG;
    (*steps)->pivots = pivots;
    return SOLVER_SUCCESS;
}

static SolverStatus steps_destroy(Steps *steps) {
    if (!steps || steps->tag != STEPS_TAG)
        return SOLVER_INVALID_VALUE;
    steps->tag = 0;
    steps_clear(steps);
    free(steps);
    return SOLVER_SUCCESS;
}

static SolverStatus sizes(const SolverHandle *handle, const Steps *steps, size_t *inside,
                          size_t *work) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!steps || !inside || !work)
        return SOLVER_INVALID_VALUE;
    *inside = *work = sizeof(double) * 2;
    return SOLVER_SUCCESS;
}

/* The first column without a pivot, or with one below the tolerance; -1: none. Cholesky's are those of L. */
static SolverStatus zero_pivot(const SolverHandle *handle, const Steps *steps, double tolerance,
                               int *position) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!steps || !position)
        return SOLVER_INVALID_VALUE;
    const Columns *upper = &steps->factors.upper;
    *position = steps->factors.column ? steps->factors.singular : -1;
    for (int k = 0; k < upper->count; k++) {
        const double size = cabs(upper->values[upper->begin[k + 1] - 1]);
        if ((steps->pivots == PIVOT_DIAGONAL ? sqrt(size) : size) < tolerance) {
            *position = k;
            break;
        }
    }
    return SOLVER_SUCCESS;
}

#define GIVEN(T, rows, columns)                                                                    \
    {                                                                                              \
        rows, columns, count, cusparseGetMatIndexBase(description), offsets, places, values,       \
            TYPE_##T                                                                               \
    }

#define OBJECT(Name, kind)                                                                         \
    EXPORTED(cusolverSpCreate##Name, Steps **steps) {                                              \
        return steps_new(steps, PIVOT_##kind);                                                     \
    }                                                                                              \
    EXPORTED(cusolverSpDestroy##Name, Steps *steps) {                                              \
        return steps_destroy(steps);                                                               \
    }
OBJECT(CsrcholInfo, DIAGONAL)
OBJECT(CsrcholInfoHost, DIAGONAL)
OBJECT(CsrqrInfo, LARGEST)
OBJECT(CsrqrInfoHost, LARGEST)

#define ANALYSIS_OF_SQUARE(name)                                                                   \
    EXPORTED(cusolverSpX##name, SolverHandle *handle, int n, int count, PATTERN, Steps *steps) {   \
        (void)n, (void)count;                                                                      \
        return !is_sparse(handle)                          ? SOLVER_NOT_INITIALIZED                \
               : description && offsets && places && steps ? SOLVER_SUCCESS                        \
                                                           : SOLVER_INVALID_VALUE;                 \
    }
#define ANALYSIS(name)                                                                             \
    EXPORTED(cusolverSpX##name, SolverHandle *handle, int m, int n, int count, PATTERN,            \
             Steps *steps) {                                                                       \
        (void)m, (void)n, (void)count;                                                             \
        return !is_sparse(handle)                          ? SOLVER_NOT_INITIALIZED                \
               : description && offsets && places && steps ? SOLVER_SUCCESS                        \
                                                           : SOLVER_INVALID_VALUE;                 \
    }
ANALYSIS_OF_SQUARE(csrcholAnalysis)
ANALYSIS_OF_SQUARE(csrcholAnalysisHost)
ANALYSIS(csrqrAnalysis)
ANALYSIS(csrqrAnalysisHost)
ANALYSIS(csrqrAnalysisBatched)

#define CHOLESKY(T, Host, on_host, real)                                                           \
    EXPORTED(cusolverSp##T##csrcholBufferInfo##Host, SolverHandle *handle, int n, int count,       \
             MATRIX, Steps *steps, size_t *inside, size_t *work) {                                 \
        (void)n, (void)count, (void)description, (void)values, (void)offsets, (void)places;        \
        return sizes(handle, steps, inside, work);                                                 \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrcholFactor##Host, SolverHandle *handle, int n, int count, MATRIX,   \
             Steps *steps, void *area) {                                                           \
        (void)area;                                                                                \
        if (!description || !values || !offsets || !places || !steps)                              \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_factor,                                                  \
                           .host = on_host,                                                        \
                           .a = GIVEN(T, n, n),                                                    \
                           .steps = steps};                                                        \
        return sparse_call(handle, &call);                                                         \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrcholZeroPivot##Host, SolverHandle *handle, Steps *steps,            \
             real tolerance, int *position) {                                                      \
        return zero_pivot(handle, steps, (double)tolerance, position);                             \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrcholSolve##Host, SolverHandle *handle, int n, const void *b,        \
             void *x, Steps *steps, void *area) {                                                  \
        (void)area;                                                                                \
        if (!b || !x || !steps || steps->factors.lower.count != n)                                 \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_solve,                                                   \
                           .host = on_host,                                                        \
                           .a = {n, n, 0, 0, NULL, NULL, NULL, TYPE_##T},                          \
                           .b = b,                                                                 \
                           .x = x,                                                                 \
                           .steps = steps};                                                        \
        return sparse_call(handle, &call);                                                         \
    }

#define QR(T, Host, on_host, real)                                                                 \
    EXPORTED(cusolverSp##T##csrqrBufferInfo##Host, SolverHandle *handle, int m, int n, int count,  \
             MATRIX, Steps *steps, size_t *inside, size_t *work) {                                 \
        (void)m, (void)n, (void)count, (void)description, (void)values, (void)offsets;             \
        (void)places;                                                                              \
        return sizes(handle, steps, inside, work);                                                 \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrqrSetup##Host, SolverHandle *handle, int m, int n, int count,       \
             MATRIX, T_##T shift, Steps *steps) {                                                  \
        if (!description || !values || !offsets || !places || !steps)                              \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_set_up,                                                  \
                           .host = on_host,                                                        \
                           .a = GIVEN(T, m, n),                                                    \
                           .steps = steps,                                                         \
                           .shift = creal(shift)};                                                 \
        return cimag(shift) != 0 ? SOLVER_NOT_SUPPORTED : sparse_call(handle, &call);              \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrqrFactor##Host, SolverHandle *handle, int m, int n, int count,      \
             void *b, void *x, Steps *steps, void *area) {                                         \
        (void)area, (void)count;                                                                   \
        if (!steps || m < n)                                                                       \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = b && x ? sparse_factor_and_solve : sparse_factor,               \
                           .host = on_host,                                                        \
                           .a = {m, n, 0, 0, NULL, NULL, NULL, TYPE_##T},                          \
                           .b = b && x ? b : NULL,                                                 \
                           .x = b && x ? x : NULL,                                                 \
                           .steps = steps};                                                        \
        return sparse_call(handle, &call);                                                         \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrqrZeroPivot##Host, SolverHandle *handle, Steps *steps,              \
             real tolerance, int *position) {                                                      \
        return zero_pivot(handle, steps, (double)tolerance, position);                             \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrqrSolve##Host, SolverHandle *handle, int m, int n, void *b,         \
             void *x, Steps *steps, void *area) {                                                  \
        (void)area;                                                                                \
        if (!b || !x || !steps || m < n)                                                           \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_solve,                                                   \
                           .host = on_host,                                                        \
                           .a = {m, n, 0, 0, NULL, NULL, NULL, TYPE_##T},                          \
                           .b = b,                                                                 \
                           .x = x,                                                                 \
                           .steps = steps};                                                        \
        return sparse_call(handle, &call);                                                         \
    }

#define BOTH(T, real)                                                                              \
    CHOLESKY(T, , false, real)                                                                     \
    CHOLESKY(T, Host, true, real)                                                                  \
    QR(T, , false, real)                                                                           \
    QR(T, Host, true, real)
BOTH(S, float)
BOTH(D, double)
BOTH(C, float)
BOTH(Z, double)

/* The exported functions of LU on the host, whose factors can be had, and of cusolverRf, which solves again with other values: by
 * factors of its own, from the matrix alone, so that those which it is given are not looked at. */
#include "hostlib/solver/sparse_calls.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

/* ---- LU on the host ---- */

EXPORTED(cusolverSpCreateCsrluInfoHost, Steps **steps) {
    if (!steps)
        return SOLVER_INVALID_VALUE;
    *steps = calloc(1, sizeof **steps);
    if (!*steps)
        return SOLVER_ALLOC_FAILED;
    **steps = (Steps){.tag = STEPS_TAG, .pivots = PIVOT_LARGEST};
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverSpDestroyCsrluInfoHost, Steps *steps) {
    if (!steps || steps->tag != STEPS_TAG)
        return SOLVER_INVALID_VALUE;
    steps->tag = 0;
    steps_clear(steps);
    free(steps);
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverSpXcsrluAnalysisHost, SolverHandle *handle, int n, int count, PATTERN,
         Steps *steps) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    return n < 0 || count < 0 || !description || !offsets || !places || !steps
               ? SOLVER_INVALID_VALUE
               : SOLVER_SUCCESS;
}

static bool has_factors(const Steps *steps) {
    return steps && steps->tag == STEPS_TAG && steps->factors.column && steps->factors.singular < 0;
}

/* L's diagonal, which is 1, is counted. */
EXPORTED(cusolverSpXcsrluNnzHost, SolverHandle *handle, int *lower, int *upper, Steps *steps) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!has_factors(steps) || !lower || !upper)
        return SOLVER_INVALID_VALUE;
    *lower = steps->factors.lower.begin[steps->factors.lower.count];
    *upper = steps->factors.upper.begin[steps->factors.upper.count];
    return SOLVER_SUCCESS;
}

/* Columns as rows, the elements of each in order. */
static bool store_rows(const Columns *columns, SolverType type, int base, void *values,
                       int *offsets, int *places) {
    const int n = columns->count, count = columns->begin[n];
    double complex *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    int *ends = calloc((size_t)n + 1, sizeof *ends);
    const Matrix to = {values, count > 0 ? count : 1, count, 1};
    if (numbers && ends) {
        for (int p = 0; p < count; p++)
            ends[columns->rows[p]]++;
        for (int i = 0, sum = 0; i <= n; i++) {
            const int mine = i < n ? ends[i] : 0;
            offsets[i] = sum + base;
            ends[i] = sum;
            sum += mine;
        }
        for (int j = 0; j < n; j++)
            for (int p = columns->begin[j]; p < columns->begin[j + 1]; p++) {
                const int at = ends[columns->rows[p]]++;
                places[at] = j + base;
                numbers[at] = columns->values[p];
            }
        matrix_write(&to, numbers, type);
    }
    const bool made = numbers && ends;
    free(numbers), free(ends);
    return made;
}

static SolverStatus extract(const SolverHandle *handle, SolverType type, int *p, int *q,
                            const struct SparseMatrix *lower, void *lower_values,
                            int *lower_offsets, int *lower_places, const struct SparseMatrix *upper,
                            void *upper_values, int *upper_offsets, int *upper_places,
                            const Steps *steps) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!has_factors(steps) || !p || !q || !lower || !upper || !lower_values || !lower_offsets ||
        !lower_places || !upper_values || !upper_offsets || !upper_places)
        return SOLVER_INVALID_VALUE;
    const Factors *factors = &steps->factors;
    for (int i = 0; i < factors->lower.count; i++) {
        p[factors->row_place[i]] = i;
        q[i] = factors->column[i];
    }
    return store_rows(&factors->lower, type, cusparseGetMatIndexBase(lower), lower_values,
                      lower_offsets, lower_places) &&
                   store_rows(&factors->upper, type, cusparseGetMatIndexBase(upper), upper_values,
                              upper_offsets, upper_places)
               ? SOLVER_SUCCESS
               : SOLVER_ALLOC_FAILED;
}

#define LU(T, real)                                                                                \
    EXPORTED(cusolverSp##T##csrluBufferInfoHost, SolverHandle *handle, int n, int count, MATRIX,   \
             Steps *steps, size_t *inside, size_t *work) {                                         \
        (void)n, (void)count, (void)description, (void)values, (void)offsets, (void)places;        \
        if (!is_sparse(handle) || !steps || !inside || !work)                                      \
            return handle ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;                         \
        *inside = *work = sizeof(double) * 2;                                                      \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrluFactorHost, SolverHandle *handle, int n, int count, MATRIX,       \
             Steps *steps, real threshold, void *area) {                                           \
        (void)area, (void)threshold;                                                               \
        if (!description || !values || !offsets || !places || !steps)                              \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_factor,                                                  \
                           .host = true,                                                           \
                           .a = {n, n, count, cusparseGetMatIndexBase(description), offsets,       \
                                 places, values, TYPE_##T},                                        \
                           .steps = steps};                                                        \
        return sparse_call(handle, &call);                                                         \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrluZeroPivotHost, SolverHandle *handle, Steps *steps,                \
             real tolerance, int *position) {                                                      \
        (void)tolerance;                                                                           \
        if (!is_sparse(handle) || !steps || !position)                                             \
            return handle ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;                         \
        *position = steps->factors.column ? steps->factors.singular : -1;                          \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrluSolveHost, SolverHandle *handle, int n, const void *b, void *x,   \
             Steps *steps, void *area) {                                                           \
        (void)area;                                                                                \
        if (!b || !x || !has_factors(steps) || steps->factors.lower.count != n)                    \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_solve,                                                   \
                           .host = true,                                                           \
                           .a = {n, n, 0, 0, NULL, NULL, NULL, TYPE_##T},                          \
                           .b = b,                                                                 \
                           .x = x,                                                                 \
                           .steps = steps};                                                        \
        return sparse_call(handle, &call);                                                         \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrluExtractHost, SolverHandle *handle, int *p, int *q,                \
             const struct SparseMatrix *lower, void *lower_values, int *lower_offsets,             \
             int *lower_places, const struct SparseMatrix *upper, void *upper_values,              \
             int *upper_offsets, int *upper_places, Steps *steps, void *area) {                    \
        (void)area;                                                                                \
        return extract(handle, TYPE_##T, p, q, lower, lower_values, lower_offsets, lower_places,   \
                       upper, upper_values, upper_offsets, upper_places, steps);                   \
    }
LU(S, float)
LU(D, double)
LU(C, float)
LU(Z, double)

/* ---- again with other values ---- */

typedef struct Refactor {
    SolverHandle handle; /* of the first stream */
    Steps steps;
    int format, unit, fast, factoring, solving;
    double zero, boost;
} Refactor;

static bool is_refactor(const Refactor *again) {
    return again && again->steps.tag == REFACTOR_TAG;
}

EXPORTED(cusolverRfCreate, Refactor **again) {
    if (!again)
        return SOLVER_INVALID_VALUE;
    *again = calloc(1, sizeof **again);
    if (!*again)
        return SOLVER_ALLOC_FAILED;
    (*again)->handle.tag = SPARSE_TAG;
    (*again)->steps = (Steps){.tag = REFACTOR_TAG, .pivots = PIVOT_LARGEST};
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverRfDestroy, Refactor *again) {
    if (!is_refactor(again))
        return SOLVER_NOT_INITIALIZED;
    again->steps.tag = 0;
    steps_clear(&again->steps);
    free(again);
    return SOLVER_SUCCESS;
}

#define PAIR(Name, T, first, second)                                                               \
    EXPORTED(cusolverRfSet##Name, Refactor *again, T a, T b) {                                     \
        if (!is_refactor(again))                                                                   \
            return SOLVER_NOT_INITIALIZED;                                                         \
        again->first = a, again->second = b;                                                       \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverRfGet##Name, Refactor *again, T *a, T *b) {                                   \
        if (!is_refactor(again) || !a || !b)                                                       \
            return again ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;                          \
        *a = again->first, *b = again->second;                                                     \
        return SOLVER_SUCCESS;                                                                     \
    }
PAIR(MatrixFormat, int, format, unit)
PAIR(NumericProperties, double, zero, boost)
PAIR(Algs, int, factoring, solving)

EXPORTED(cusolverRfSetResetValuesFastMode, Refactor *again, int fast) {
    if (!is_refactor(again))
        return SOLVER_NOT_INITIALIZED;
    again->fast = fast;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverRfGetResetValuesFastMode, Refactor *again, int *fast) {
    if (!is_refactor(again) || !fast)
        return again ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;
    *fast = again->fast;
    return SOLVER_SUCCESS;
}

/* A is given by rows, or by columns (format 1): then it is the transposed one's rows. */
static SolverStatus take(Refactor *again, const char *function, bool host, int n, int count,
                         const int *offsets, const int *places, const double *values) {
    if (!is_refactor(again))
        return SOLVER_NOT_INITIALIZED;
    if (n < 1 || count < 1 || !offsets || !places || !values)
        return SOLVER_INVALID_VALUE;
    if (again->format)
        return SOLVER_NOT_SUPPORTED;
    SparseCall call = {.work.function = function,
                       .does = sparse_set_up,
                       .host = host,
                       .a = {n, n, count, 0, offsets, places, values, TYPE_D},
                       .steps = &again->steps};
    return sparse_call(&again->handle, &call);
}

#define SETUP(name, on_host)                                                                       \
    EXPORTED(cusolverRfSetup##name, int n, int count, int *offsets, int *places, double *values,   \
             int count_lower, int *lower_offsets, int *lower_places, double *lower_values,         \
             int count_upper, int *upper_offsets, int *upper_places, double *upper_values, int *p, \
             int *q, Refactor *again) {                                                            \
        (void)count_lower, (void)lower_offsets, (void)lower_places, (void)lower_values;            \
        (void)count_upper, (void)upper_offsets, (void)upper_places, (void)upper_values;            \
        (void)p, (void)q;                                                                          \
        return take(again, __func__, on_host, n, count, offsets, places, values);                  \
    }
SETUP(Host, true)
SETUP(Device, false)

EXPORTED(cusolverRfResetValues, int n, int count, int *offsets, int *places, double *values, int *p,
         int *q, Refactor *again) {
    (void)p, (void)q;
    return take(again, __func__, false, n, count, offsets, places, values);
}

EXPORTED(cusolverRfAnalyze, Refactor *again) {
    return !is_refactor(again) ? SOLVER_NOT_INITIALIZED
           : again->steps.set  ? SOLVER_SUCCESS
                               : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverRfRefactor, Refactor *again) {
    if (!is_refactor(again) || !again->steps.set)
        return again ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;
    const int n = again->steps.columns.count;
    SparseCall call = {.work.function = __func__,
                       .does = sparse_factor,
                       .a = {n, n, 0, 0, NULL, NULL, NULL, TYPE_D},
                       .steps = &again->steps};
    const SolverStatus status = sparse_call(&again->handle, &call);
    return !status && again->steps.factors.singular >= 0 ? SOLVER_ZERO_PIVOT : status;
}

/* Right sides become solutions. */
EXPORTED(cusolverRfSolve, Refactor *again, int *p, int *q, int count, double *spare, int lead_spare,
         double *x, int lead) {
    (void)p, (void)q, (void)spare, (void)lead_spare;
    if (!is_refactor(again) || !again->steps.factors.column)
        return again ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;
    const int n = again->steps.columns.count;
    if (count < 0 || !x || lead < n)
        return SOLVER_INVALID_VALUE;
    for (int k = 0; k < count; k++) {
        double *column = x + (size_t)k * (size_t)lead;
        SparseCall call = {.work.function = __func__,
                           .does = sparse_solve,
                           .a = {n, n, 0, 0, NULL, NULL, NULL, TYPE_D},
                           .b = column,
                           .x = column,
                           .steps = &again->steps};
        const SolverStatus status = sparse_call(&again->handle, &call);
        if (status)
            return status;
    }
    return SOLVER_SUCCESS;
}

/* The exported functions that solve in low precision and refine: here in the precision of the result at once, so that no steps
 * of refinement are told and matrix and right sides stay as they are. */
#include "hostlib/solver/exported.h"

#include <limits.h>
#include <stdlib.h>

enum {
    PARAMS_NOT_INITIALIZED = 12,
    PRECISION_WRONG = 14,
    REFINE_WRONG = 15,
    ITERATIONS_WRONG = 16
};
enum { RESULTS_NOT_INITIALIZED = 25 };

/* What a cusolverDnIRSParams_t points to, and a cusolverDnIRSInfos_t. */
typedef struct Refine {
    uint32_t tag;
    int solver, main, lowest, most, most_inner;
    bool falls_back;
    double tolerance, inner_tolerance;
} Refine;

typedef struct Refined {
    uint32_t tag;
    int most;
} Refined;

static bool is_refine(const Refine *params) {
    return params && params->tag == REFINE_TAG;
}

static bool is_refined(const Refined *results) {
    return results && results->tag == REFINED_TAG;
}

EXPORTED(cusolverDnIRSParamsCreate, Refine **params) {
    enum { NOT_SET = 1100, ITERATIONS = 50 };
    if (!params)
        return SOLVER_INVALID_VALUE;
    *params = malloc(sizeof **params);
    if (!*params)
        return SOLVER_ALLOC_FAILED;
    **params = (Refine){.tag = REFINE_TAG,
                        .solver = NOT_SET,
                        .most = ITERATIONS,
                        .most_inner = ITERATIONS,
                        .falls_back = true};
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnIRSParamsDestroy, Refine *params) {
    if (!is_refine(params))
        return (SolverStatus)PARAMS_NOT_INITIALIZED;
    params->tag = 0;
    free(params);
    return SOLVER_SUCCESS;
}

#define SETTING(Name, T, member, good, status)                                                     \
    EXPORTED(cusolverDnIRSParams##Name, Refine *params, T value) {                                 \
        if (!is_refine(params))                                                                    \
            return (SolverStatus)PARAMS_NOT_INITIALIZED;                                           \
        if (!(good))                                                                               \
            return (SolverStatus)(status);                                                         \
        params->member = value;                                                                    \
        return SOLVER_SUCCESS;                                                                     \
    }

static bool is_precision(int value) {
    enum { FIRST = 1201, LAST = 1218 };
    return value >= FIRST && value <= LAST;
}

SETTING(SetRefinementSolver, int, solver, value >= 1100 && value <= 1106, REFINE_WRONG)
SETTING(SetSolverMainPrecision, int, main, is_precision(value), PRECISION_WRONG)
SETTING(SetSolverLowestPrecision, int, lowest, is_precision(value), PRECISION_WRONG)
SETTING(SetTol, double, tolerance, value >= 0, SOLVER_INVALID_VALUE)
SETTING(SetTolInner, double, inner_tolerance, value >= 0, SOLVER_INVALID_VALUE)
SETTING(SetMaxIters, int, most, value >= 0, ITERATIONS_WRONG)
SETTING(SetMaxItersInner, int, most_inner, value >= 0, ITERATIONS_WRONG)

EXPORTED(cusolverDnIRSParamsSetSolverPrecisions, Refine *params, int main, int lowest) {
    const SolverStatus status = cusolverDnIRSParamsSetSolverMainPrecision(params, main);
    return status ? status : cusolverDnIRSParamsSetSolverLowestPrecision(params, lowest);
}

EXPORTED(cusolverDnIRSParamsGetMaxIters, Refine *params, int *value) {
    if (!is_refine(params))
        return (SolverStatus)PARAMS_NOT_INITIALIZED;
    if (!value)
        return SOLVER_INVALID_VALUE;
    *value = params->most;
    return SOLVER_SUCCESS;
}

static SolverStatus fall_back(Refine *params, bool does) {
    if (!is_refine(params))
        return (SolverStatus)PARAMS_NOT_INITIALIZED;
    params->falls_back = does;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnIRSParamsEnableFallback, Refine *params) {
    return fall_back(params, true);
}

EXPORTED(cusolverDnIRSParamsDisableFallback, Refine *params) {
    return fall_back(params, false);
}

EXPORTED(cusolverDnIRSInfosCreate, Refined **results) {
    if (!results)
        return SOLVER_INVALID_VALUE;
    *results = calloc(1, sizeof **results);
    if (!*results)
        return SOLVER_ALLOC_FAILED;
    (*results)->tag = REFINED_TAG;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnIRSInfosDestroy, Refined *results) {
    if (!is_refined(results))
        return (SolverStatus)RESULTS_NOT_INITIALIZED;
    results->tag = 0;
    free(results);
    return SOLVER_SUCCESS;
}

static SolverStatus none(const Refined *results, int *value) {
    if (!is_refined(results))
        return (SolverStatus)RESULTS_NOT_INITIALIZED;
    if (!value)
        return SOLVER_INVALID_VALUE;
    *value = 0;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnIRSInfosGetNiters, Refined *results, int *value) {
    return none(results, value);
}

EXPORTED(cusolverDnIRSInfosGetOuterNiters, Refined *results, int *value) {
    return none(results, value);
}

EXPORTED(cusolverDnIRSInfosGetMaxIters, Refined *results, int *value) {
    const SolverStatus status = none(results, value);
    if (!status)
        *value = results->most;
    return status;
}

/* ---- calls ---- */

static SolverStatus work_bytes(const SolverHandle *handle, size_t *bytes) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!bytes)
        return SOLVER_INVALID_VALUE;
    *bytes = sizeof(double);
    return SOLVER_SUCCESS;
}

static SolverStatus refined(SolverHandle *handle, SolverCall *call, int *iterations) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!iterations || !call->c.at)
        return SOLVER_INVALID_VALUE;
    *iterations = 0;
    call->first = call->second = 'N';
    call->steps = solver_linear;
    return solver_call(handle, call);
}

#define GESV(type_, function_)                                                                     \
    {                                                                                              \
        .work.function = function_, .routine = ROUTINE_GESV, .type = type_, .m = n, .n = n,        \
        .k = k, .a = {a, lead, n, n}, .b = {b, lead_b, n, k}, .c = {x, lead_x, n, k},              \
        .pivots = pivots, .info = info                                                             \
    }
#define GELS(type_, function_)                                                                     \
    {                                                                                              \
        .work.function = function_, .routine = ROUTINE_GELS, .type = type_, .m = m, .n = n,        \
        .k = k, .a = {a, lead, m, n}, .b = {b, lead_b, m, k}, .c = {x, lead_x, n, k}, .info = info \
    }

#define SOLVES(T, low)                                                                             \
    EXPORTED(cusolverDn##T##low##gesv_bufferSize, SolverHandle *handle, int n, int k, void *a,     \
             int lead, int *pivots, void *b, int lead_b, void *x, int lead_x, void *work,          \
             size_t *bytes) {                                                                      \
        (void)n, (void)k, (void)a, (void)lead, (void)pivots, (void)b, (void)lead_b, (void)x;       \
        (void)lead_x, (void)work;                                                                  \
        return work_bytes(handle, bytes);                                                          \
    }                                                                                              \
    EXPORTED(cusolverDn##T##low##gesv, SolverHandle *handle, int n, int k, void *a, int lead,      \
             int *pivots, void *b, int lead_b, void *x, int lead_x, void *work, size_t bytes,      \
             int *iterations, int *info) {                                                         \
        (void)work, (void)bytes;                                                                   \
        SolverCall call = GESV(TYPE_##T, __func__);                                                \
        return refined(handle, &call, iterations);                                                 \
    }                                                                                              \
    EXPORTED(cusolverDn##T##low##gels_bufferSize, SolverHandle *handle, int m, int n, int k,       \
             void *a, int lead, void *b, int lead_b, void *x, int lead_x, void *work,              \
             size_t *bytes) {                                                                      \
        (void)m, (void)n, (void)k, (void)a, (void)lead, (void)b, (void)lead_b, (void)x;            \
        (void)lead_x, (void)work;                                                                  \
        return m < n ? SOLVER_INVALID_VALUE : work_bytes(handle, bytes);                           \
    }                                                                                              \
    EXPORTED(cusolverDn##T##low##gels, SolverHandle *handle, int m, int n, int k, void *a,         \
             int lead, void *b, int lead_b, void *x, int lead_x, void *work, size_t bytes,         \
             int *iterations, int *info) {                                                         \
        (void)work, (void)bytes;                                                                   \
        SolverCall call = GELS(TYPE_##T, __func__);                                                \
        return m < n ? SOLVER_INVALID_VALUE : refined(handle, &call, iterations);                  \
    }

SOLVES(Z, Z)
SOLVES(Z, C)
SOLVES(Z, K)
SOLVES(Z, E)
SOLVES(Z, Y)
SOLVES(C, C)
SOLVES(C, K)
SOLVES(C, E)
SOLVES(C, Y)
SOLVES(D, D)
SOLVES(D, S)
SOLVES(D, H)
SOLVES(D, B)
SOLVES(D, X)
SOLVES(S, S)
SOLVES(S, H)
SOLVES(S, B)
SOLVES(S, X)

/* ---- with settings ---- */

/* -1: not a precision of results. */
static int type_of(const Refine *params) {
    enum { R_64 = 1203, R_32 = 1204, C_64 = 1213, C_32 = 1214 };
    return params->main == R_64   ? (int)TYPE_D
           : params->main == R_32 ? (int)TYPE_S
           : params->main == C_64 ? (int)TYPE_Z
           : params->main == C_32 ? (int)TYPE_C
                                  : -1;
}

static SolverStatus check(const SolverHandle *handle, const Refine *params) {
    return !is_handle(handle)    ? SOLVER_NOT_INITIALIZED
           : !is_refine(params)  ? (SolverStatus)PARAMS_NOT_INITIALIZED
           : type_of(params) < 0 ? (SolverStatus)PRECISION_WRONG
                                 : SOLVER_SUCCESS;
}

EXPORTED(cusolverDnIRSXgesv_bufferSize, SolverHandle *handle, Refine *params, int n, int k,
         size_t *bytes) {
    const SolverStatus status = check(handle, params);
    (void)n, (void)k;
    return status ? status : work_bytes(handle, bytes);
}

EXPORTED(cusolverDnIRSXgels_bufferSize, SolverHandle *handle, Refine *params, int m, int n, int k,
         size_t *bytes) {
    const SolverStatus status = check(handle, params);
    (void)m, (void)n, (void)k;
    return status ? status : work_bytes(handle, bytes);
}

EXPORTED(cusolverDnIRSXgesv, SolverHandle *handle, Refine *params, Refined *results, int n, int k,
         void *a, int lead, void *b, int lead_b, void *x, int lead_x, void *work, size_t bytes,
         int *iterations, int *info) {
    const SolverStatus status = check(handle, params);
    int *pivots = NULL;
    (void)work, (void)bytes;
    if (status || !is_refined(results))
        return status ? status : (SolverStatus)RESULTS_NOT_INITIALIZED;
    SolverCall call = GESV((SolverType)type_of(params), __func__);
    results->most = params->most;
    return refined(handle, &call, iterations);
}

EXPORTED(cusolverDnIRSXgels, SolverHandle *handle, Refine *params, Refined *results, int m, int n,
         int k, void *a, int lead, void *b, int lead_b, void *x, int lead_x, void *work,
         size_t bytes, int *iterations, int *info) {
    const SolverStatus status = check(handle, params);
    (void)work, (void)bytes;
    if (status || !is_refined(results))
        return status ? status : (SolverStatus)RESULTS_NOT_INITIALIZED;
    SolverCall call = GELS((SolverType)type_of(params), __func__);
    results->most = params->most;
    return m < n ? SOLVER_INVALID_VALUE : refined(handle, &call, iterations);
}

/* The exported functions for eigenvalues of symmetric and Hermitian matrices: all or those of a range, of one matrix or a pair. */
#include "hostlib/solver/exported.h"

/* The range as cuSOLVER checks it: numbers from 1, an interval that is none. */
static bool is_range(const Range *range, int n) {
    switch (range->kind) {
    case RANGE_ALL:
        return true;
    case RANGE_NUMBERS:
        return range->first >= 1 && range->last <= n && (n == 0 || range->first <= range->last);
    case RANGE_VALUES:
        return range->low < range->high;
    default:
        return false;
    }
}

#define RANGES(T, real, sy)                                                                        \
    EXPORTED(cusolverDn##T##sy##evd_bufferSize, SolverHandle *handle, int job, int uplo, int n,    \
             void *a, int lead, void *values, int *size) {                                         \
        (void)job, (void)uplo, (void)n, (void)a, (void)lead, (void)values;                         \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##evd, SolverHandle *handle, int job, int uplo, int n, void *a,      \
             int lead, void *values, void *work, int size, int *info) {                            \
        (void)work, (void)size;                                                                    \
        CALL(SYEVD, T, .first = vectors(job), .second = fill(uplo), .n = n, .a = {a, lead, n, n},  \
             .vector = values, .info = info, .steps = solver_eigen);                               \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##evdx_bufferSize, SolverHandle *handle, int job, int kind,          \
             int uplo, int n, void *a, int lead, real low, real high, int first, int last,         \
             int *found, void *values, int *size) {                                                \
        const Range range = {kind, first, last, low, high, found, NULL};                           \
        (void)job, (void)uplo, (void)a, (void)lead, (void)values;                                  \
        return is_range(&range, n) ? work_size(handle, size) : SOLVER_INVALID_VALUE;               \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##evdx, SolverHandle *handle, int job, int kind, int uplo, int n,    \
             void *a, int lead, real low, real high, int first, int last, int *found,              \
             void *values, void *work, int size, int *info) {                                      \
        const Range range = {kind, first, last, low, high, found, NULL};                           \
        (void)work, (void)size;                                                                    \
        if (!is_range(&range, n) || !found)                                                        \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(SYEVD, T, .first = vectors(job), .second = fill(uplo), .n = n, .a = {a, lead, n, n},  \
             .vector = values, .info = info, .steps = solver_eigen, .range = range);               \
    }

#define PAIRS(T, real, sy)                                                                         \
    EXPORTED(cusolverDn##T##sy##gvd_bufferSize, SolverHandle *handle, int problem, int job,        \
             int uplo, int n, void *a, int lead, void *b, int lead_b, void *values, int *size) {   \
        (void)problem, (void)job, (void)uplo, (void)n, (void)a, (void)lead, (void)b, (void)lead_b; \
        (void)values;                                                                              \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##gvd, SolverHandle *handle, int problem, int job, int uplo, int n,  \
             void *a, int lead, void *b, int lead_b, void *values, void *work, int size,           \
             int *info) {                                                                          \
        (void)work, (void)size;                                                                    \
        if (problem < 1 || problem > 3)                                                            \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(SYGVD, T, .problem = problem, .first = vectors(job), .second = fill(uplo), .n = n,    \
             .a = {a, lead, n, n}, .b = {b, lead_b, n, n}, .vector = values, .info = info,         \
             .steps = solver_eigen);                                                               \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##gvdx_bufferSize, SolverHandle *handle, int problem, int job,       \
             int kind, int uplo, int n, void *a, int lead, void *b, int lead_b, real low,          \
             real high, int first, int last, int *found, void *values, int *size) {                \
        const Range range = {kind, first, last, low, high, found, NULL};                           \
        (void)problem, (void)job, (void)uplo, (void)a, (void)lead, (void)b, (void)lead_b;          \
        (void)values;                                                                              \
        return is_range(&range, n) ? work_size(handle, size) : SOLVER_INVALID_VALUE;               \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##gvdx, SolverHandle *handle, int problem, int job, int kind,        \
             int uplo, int n, void *a, int lead, void *b, int lead_b, real low, real high,         \
             int first, int last, int *found, void *values, void *work, int size, int *info) {     \
        const Range range = {kind, first, last, low, high, found, NULL};                           \
        (void)work, (void)size;                                                                    \
        if (problem < 1 || problem > 3 || !is_range(&range, n) || !found)                          \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(SYGVD, T, .problem = problem, .first = vectors(job), .second = fill(uplo), .n = n,    \
             .a = {a, lead, n, n}, .b = {b, lead_b, n, n}, .vector = values, .info = info,         \
             .steps = solver_eigen, .range = range);                                               \
    }

RANGES(S, float, sy)
RANGES(D, double, sy)
RANGES(C, float, he)
RANGES(Z, double, he)
PAIRS(S, float, sy)
PAIRS(D, double, sy)
PAIRS(C, float, he)
PAIRS(Z, double, he)

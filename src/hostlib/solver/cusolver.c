/* The exported functions. */
#include "hostlib/solver/exported.h"

#include <stdlib.h>

/* What programs are told: that of CUDA 13.0's library. */
enum { VERSION_MAJOR = 12, VERSION_MINOR = 0, VERSION_PATCH = 0 };
EXPORTED(cusolverDnCreate, SolverHandle **handle) {
    if (!handle)
        return SOLVER_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return SOLVER_ALLOC_FAILED;
    **handle = (SolverHandle){.tag = HANDLE_TAG, .deterministic = 1, .math = 1};
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnDestroy, SolverHandle *handle) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    handle->tag = 0;
    free(handle);
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnSetStream, SolverHandle *handle, CUstream stream) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    handle->stream = stream;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnGetStream, SolverHandle *handle, CUstream *stream) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!stream)
        return SOLVER_INVALID_VALUE;
    *stream = handle->stream;
    return SOLVER_SUCCESS;
}

/* Settings that change nothing here, and their first values. */
#define SETTING(Name, member, most)                                                                \
    EXPORTED(cusolverDnSet##Name, SolverHandle *handle, int value) {                               \
        if (!is_handle(handle))                                                                    \
            return SOLVER_NOT_INITIALIZED;                                                         \
        if (value < 0 || value > most)                                                             \
            return SOLVER_INVALID_VALUE;                                                           \
        handle->member = value;                                                                    \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverDnGet##Name, SolverHandle *handle, int *value) {                              \
        if (!is_handle(handle))                                                                    \
            return SOLVER_NOT_INITIALIZED;                                                         \
        if (!value)                                                                                \
            return SOLVER_INVALID_VALUE;                                                           \
        *value = handle->member;                                                                   \
        return SOLVER_SUCCESS;                                                                     \
    }
SETTING(DeterministicMode, deterministic, 2)
SETTING(MathMode, math, 2)
SETTING(EmulationStrategy, emulation, 2)

EXPORTED(cusolverGetVersion, int *version) {
    if (!version)
        return SOLVER_INVALID_VALUE;
    *version = VERSION_MAJOR * 1000 + VERSION_MINOR * 100 + VERSION_PATCH;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverGetProperty, int which, int *value) {
    static const int values[] = {VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH};
    if (!value || which < 0 || which > 2)
        return SOLVER_INVALID_VALUE;
    *value = values[which];
    return SOLVER_SUCCESS;
}

#define LU_AND_CHOLESKY(T)                                                                         \
    EXPORTED(cusolverDn##T##getrf_bufferSize, SolverHandle *handle, int m, int n, void *a,         \
             int lead, int *size) {                                                                \
        (void)m, (void)n, (void)a, (void)lead;                                                     \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##getrf, SolverHandle *handle, int m, int n, void *a, int lead,          \
             void *work, int *pivots, int *info) {                                                 \
        (void)work;                                                                                \
        CALL(GETRF, T, .first = 'N', .second = 'N', .m = m, .n = n, .a = {a, lead, m, n},          \
             .pivots = pivots, .info = info, .steps = solver_pivots);                              \
    }                                                                                              \
    EXPORTED(cusolverDn##T##getrs, SolverHandle *handle, int op, int n, int k, void *a, int lead,  \
             int *pivots, void *b, int lead_b, int *info) {                                        \
        CALL(GETRS, T, .first = operation(op), .second = 'N', .n = n, .k = k,                      \
             .a = {a, lead, n, n}, .b = {b, lead_b, n, k}, .pivots = pivots, .info = info,         \
             .steps = solver_pivots);                                                              \
    }                                                                                              \
    EXPORTED(cusolverDn##T##potrf_bufferSize, SolverHandle *handle, int uplo, int n, void *a,      \
             int lead, int *size) {                                                                \
        (void)uplo, (void)n, (void)a, (void)lead;                                                  \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##potrf, SolverHandle *handle, int uplo, int n, void *a, int lead,       \
             void *work, int size, int *info) {                                                    \
        (void)work, (void)size;                                                                    \
        CALL(POTRF, T, .first = fill(uplo), .second = 'N', .n = n, .a = {a, lead, n, n},           \
             .info = info);                                                                        \
    }                                                                                              \
    EXPORTED(cusolverDn##T##potrs, SolverHandle *handle, int uplo, int n, int k, void *a,          \
             int lead, void *b, int lead_b, int *info) {                                           \
        CALL(POTRS, T, .first = fill(uplo), .second = 'N', .n = n, .k = k, .a = {a, lead, n, n},   \
             .b = {b, lead_b, n, k}, .info = info);                                                \
    }                                                                                              \
    EXPORTED(cusolverDn##T##potri_bufferSize, SolverHandle *handle, int uplo, int n, void *a,      \
             int lead, int *size) {                                                                \
        (void)uplo, (void)n, (void)a, (void)lead;                                                  \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##potri, SolverHandle *handle, int uplo, int n, void *a, int lead,       \
             void *work, int size, int *info) {                                                    \
        (void)work, (void)size;                                                                    \
        CALL(POTRI, T, .first = fill(uplo), .second = 'N', .n = n, .a = {a, lead, n, n},           \
             .info = info);                                                                        \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sytrf_bufferSize, SolverHandle *handle, int n, void *a, int lead,      \
             int *size) {                                                                          \
        (void)n, (void)a, (void)lead;                                                              \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sytrf, SolverHandle *handle, int uplo, int n, void *a, int lead,       \
             int *pivots, void *work, int size, int *info) {                                       \
        (void)work, (void)size;                                                                    \
        if (!pivots) /* which would ask for a factorisation without any */                         \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(SYTRF, T, .first = fill(uplo), .second = 'N', .n = n, .a = {a, lead, n, n},           \
             .pivots = pivots, .info = info);                                                      \
    }

/* Of many: none of them is no work, and systems have one right side each. */
#define CHOLESKY_BATCHED(T)                                                                        \
    EXPORTED(cusolverDn##T##potrfBatched, SolverHandle *handle, int uplo, int n, void *a,          \
             int lead, int *info, int count) {                                                     \
        if (count < 0 || !a || !info)                                                              \
            return SOLVER_INVALID_VALUE;                                                           \
        if (count == 0)                                                                            \
            return is_handle(handle) ? SOLVER_SUCCESS : SOLVER_NOT_INITIALIZED;                    \
        CALL(POTRF, T, .first = fill(uplo), .second = 'N', .n = n, .a = {a, lead, n, n},           \
             .info = info, .batch = count, .each_info = true);                                     \
    }                                                                                              \
    EXPORTED(cusolverDn##T##potrsBatched, SolverHandle *handle, int uplo, int n, int k, void *a,   \
             int lead, void *b, int lead_b, int *info, int count) {                                \
        if (count < 0 || k != 1 || !a || !b || !info)                                              \
            return SOLVER_INVALID_VALUE;                                                           \
        if (count == 0)                                                                            \
            return is_handle(handle) ? SOLVER_SUCCESS : SOLVER_NOT_INITIALIZED;                    \
        CALL(POTRS, T, .first = fill(uplo), .second = 'N', .n = n, .k = k, .a = {a, lead, n, n},   \
             .b = {b, lead_b, n, k}, .info = info, .batch = count);                                \
    }

#define ORTHOGONAL(T, unitary)                                                                     \
    EXPORTED(cusolverDn##T##geqrf_bufferSize, SolverHandle *handle, int m, int n, void *a,         \
             int lead, int *size) {                                                                \
        (void)m, (void)n, (void)a, (void)lead;                                                     \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##geqrf, SolverHandle *handle, int m, int n, void *a, int lead,          \
             void *tau, void *work, int size, int *info) {                                         \
        (void)work, (void)size;                                                                    \
        CALL(GEQRF, T, .first = 'N', .second = 'N', .m = m, .n = n, .a = {a, lead, m, n},          \
             .vector = tau, .info = info);                                                         \
    }                                                                                              \
    EXPORTED(cusolverDn##T##unitary##mqr_bufferSize, SolverHandle *handle, int where, int op,      \
             int m, int n, int k, void *a, int lead, void *tau, void *b, int lead_b, int *size) {  \
        (void)where, (void)op, (void)m, (void)n, (void)k, (void)a, (void)lead, (void)tau, (void)b, \
            (void)lead_b;                                                                          \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##unitary##mqr, SolverHandle *handle, int where, int op, int m, int n,   \
             int k, void *a, int lead, void *tau, void *b, int lead_b, void *work, int size,       \
             int *info) {                                                                          \
        (void)work, (void)size;                                                                    \
        CALL(ORMQR, T, .first = side(where), .second = operation(op), .m = m, .n = n, .k = k,      \
             .a = {a, lead, where ? n : m, k}, .b = {b, lead_b, m, n}, .vector = tau,              \
             .info = info);                                                                        \
    }                                                                                              \
    EXPORTED(cusolverDn##T##unitary##gqr_bufferSize, SolverHandle *handle, int m, int n, int k,    \
             void *a, int lead, void *tau, int *size) {                                            \
        (void)m, (void)n, (void)k, (void)a, (void)lead, (void)tau;                                 \
        return work_size(handle, size);                                                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##unitary##gqr, SolverHandle *handle, int m, int n, int k, void *a,      \
             int lead, void *tau, void *work, int size, int *info) {                               \
        (void)work, (void)size;                                                                    \
        CALL(ORGQR, T, .first = 'N', .second = 'N', .m = m, .n = n, .k = k, .a = {a, lead, m, n},  \
             .vector = tau, .info = info);                                                         \
    }

/* gesvd, as cuSOLVER's: at least as many rows as columns */
#define SINGULAR(T)                                                                                \
    EXPORTED(cusolverDn##T##gesvd_bufferSize, SolverHandle *handle, int m, int n, int *size) {     \
        return m < n ? SOLVER_INVALID_VALUE : work_size(handle, size);                             \
    }                                                                                              \
    EXPORTED(cusolverDn##T##gesvd, SolverHandle *handle, signed char job_u, signed char job_v,     \
             int m, int n, void *a, int lead, void *values, void *u, int lead_u, void *v,          \
             int lead_v, void *work, int size, void *rest, int *info) {                            \
        (void)work, (void)size, (void)rest;                                                        \
        if (m < n)                                                                                 \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(GESVD, T, .first = singular(job_u), .second = singular(job_v), .m = m, .n = n,        \
             .a = {a, lead, m, n}, .b = {u, lead_u, m, job_u == 'A' ? m : n},                      \
             .c = {v, lead_v, n, n}, .vector = values, .info = info);                              \
    }

CHOLESKY_BATCHED(S)
CHOLESKY_BATCHED(D)
CHOLESKY_BATCHED(C)
CHOLESKY_BATCHED(Z)
LU_AND_CHOLESKY(S)
LU_AND_CHOLESKY(D)
LU_AND_CHOLESKY(C)
LU_AND_CHOLESKY(Z)
ORTHOGONAL(S, or)
ORTHOGONAL(D, or)
ORTHOGONAL(C, un)
ORTHOGONAL(Z, un)
SINGULAR(S)
SINGULAR(D)
SINGULAR(C)
SINGULAR(Z)

/* The exported functions of Jacobi's methods and of the approximate singular values (gesvda): by LAPACK's direct methods,
 * so that there are no sweeps; tolerances and orders are kept and change nothing (values come in order). */
#include "hostlib/solver/exported.h"

#include <stdlib.h>

enum { SWEEPS_MOST = 100 };

static bool is_info(const JacobiInfo *info) {
    return info && info->tag == JACOBI_TAG;
}

#define OBJECT(Name, X)                                                                            \
    EXPORTED(cusolverDnCreate##Name##Info, JacobiInfo **info) {                                    \
        if (!info)                                                                                 \
            return SOLVER_INVALID_VALUE;                                                           \
        *info = malloc(sizeof **info);                                                             \
        if (!*info)                                                                                \
            return SOLVER_ALLOC_FAILED;                                                            \
        **info = (JacobiInfo){.tag = JACOBI_TAG, .most = SWEEPS_MOST, .sorted = 1};                \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverDnDestroy##Name##Info, JacobiInfo *info) {                                    \
        if (!is_info(info))                                                                        \
            return SOLVER_INVALID_VALUE;                                                           \
        info->tag = 0;                                                                             \
        free(info);                                                                                \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverDn##X##SetTolerance, JacobiInfo *info, double value) {                        \
        if (!is_info(info))                                                                        \
            return SOLVER_INVALID_VALUE;                                                           \
        info->tolerance = value;                                                                   \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverDn##X##SetMaxSweeps, JacobiInfo *info, int value) {                           \
        if (!is_info(info) || value < 0)                                                           \
            return SOLVER_INVALID_VALUE;                                                           \
        info->most = value;                                                                        \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverDn##X##SetSortEig, JacobiInfo *info, int value) {                             \
        if (!is_info(info))                                                                        \
            return SOLVER_INVALID_VALUE;                                                           \
        info->sorted = value;                                                                      \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverDn##X##GetResidual, SolverHandle *handle, JacobiInfo *info, double *value) {  \
        if (!is_handle(handle))                                                                    \
            return SOLVER_NOT_INITIALIZED;                                                         \
        if (!is_info(info) || !value)                                                              \
            return SOLVER_INVALID_VALUE;                                                           \
        if (info->of_many)                                                                         \
            return SOLVER_NOT_SUPPORTED;                                                           \
        *value = info->residual;                                                                   \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverDn##X##GetSweeps, SolverHandle *handle, JacobiInfo *info, int *value) {       \
        if (!is_handle(handle))                                                                    \
            return SOLVER_NOT_INITIALIZED;                                                         \
        if (!is_info(info) || !value)                                                              \
            return SOLVER_INVALID_VALUE;                                                           \
        if (info->of_many)                                                                         \
            return SOLVER_NOT_SUPPORTED;                                                           \
        *value = 0;                                                                                \
        return SOLVER_SUCCESS;                                                                     \
    }

OBJECT(Syevj, Xsyevj)
OBJECT(Gesvdj, Xgesvdj)

/* Where the residual goes. */
static double *told(JacobiInfo *info, bool of_many) {
    info->of_many = of_many;
    return of_many ? NULL : &info->residual;
}

static int least(int m, int n) {
    return m < n ? m : n;
}

#define SINGULAR(T)                                                                                \
    EXPORTED(cusolverDn##T##gesvdj_bufferSize, SolverHandle *handle, int job, int econ, int m,     \
             int n, void *a, int lead, void *values, void *u, int lead_u, void *v, int lead_v,     \
             int *size, JacobiInfo *jacobi) {                                                      \
        (void)job, (void)econ, (void)m, (void)n, (void)a, (void)lead, (void)values, (void)u;       \
        (void)lead_u, (void)v, (void)lead_v;                                                       \
        return is_info(jacobi) ? work_size(handle, size) : SOLVER_INVALID_VALUE;                   \
    }                                                                                              \
    EXPORTED(cusolverDn##T##gesvdj, SolverHandle *handle, int job, int econ, int m, int n,         \
             void *a, int lead, void *values, void *u, int lead_u, void *v, int lead_v,            \
             void *work, int size, int *info, JacobiInfo *jacobi) {                                \
        (void)work, (void)size;                                                                    \
        if (!is_info(jacobi))                                                                      \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(GESVD, T, .first = vectors(job), .second = 'N', .m = m, .n = n, .k = least(m, n),     \
             .a = {a, lead, m, n}, .b = {job ? u : NULL, lead_u, m, econ ? least(m, n) : m},       \
             .c = {job ? v : NULL, lead_v, n, econ ? least(m, n) : n}, .vector = values,           \
             .info = info, .steps = solver_singular, .residual = told(jacobi, false));             \
    }                                                                                              \
    EXPORTED(cusolverDn##T##gesvdjBatched_bufferSize, SolverHandle *handle, int job, int m, int n, \
             void *a, int lead, void *values, void *u, int lead_u, void *v, int lead_v, int *size, \
             JacobiInfo *jacobi, int count) {                                                      \
        (void)job, (void)m, (void)n, (void)a, (void)lead, (void)values, (void)u, (void)lead_u;     \
        (void)v, (void)lead_v;                                                                     \
        return is_info(jacobi) && count >= 0 ? work_size(handle, size) : SOLVER_INVALID_VALUE;     \
    }                                                                                              \
    EXPORTED(cusolverDn##T##gesvdjBatched, SolverHandle *handle, int job, int m, int n, void *a,   \
             int lead, void *values, void *u, int lead_u, void *v, int lead_v, void *work,         \
             int size, int *info, JacobiInfo *jacobi, int count) {                                 \
        (void)work, (void)size;                                                                    \
        if (!is_info(jacobi) || count < 0 || m > BATCHED_MOST || n > BATCHED_MOST)                 \
            return SOLVER_INVALID_VALUE;                                                           \
        if (count == 0)                                                                            \
            return is_handle(handle) ? SOLVER_SUCCESS : SOLVER_NOT_INITIALIZED;                    \
        const size_t bytes = solver_bytes(TYPE_##T);                                               \
        CALL(GESVD, T, .first = vectors(job), .second = 'N', .m = m, .n = n, .k = least(m, n),     \
             .a = {a, lead, m, n}, .b = {job ? u : NULL, lead_u, m, m},                            \
             .c = {job ? v : NULL, lead_v, n, n}, .vector = values, .info = info,                  \
             .steps = solver_singular, .residual = told(jacobi, true), .batch = count,             \
             .each_info = true, .strided = true, .a_stride = (size_t)lead * (size_t)n * bytes,     \
             .b_stride = (size_t)lead_u * (size_t)m * bytes,                                       \
             .c_stride = (size_t)lead_v * (size_t)n * bytes,                                       \
             .vector_stride = (size_t)least(m, n) * solver_real_bytes(TYPE_##T));                  \
    }                                                                                              \
    EXPORTED(cusolverDn##T##gesvdaStridedBatched_bufferSize, SolverHandle *handle, int job,        \
             int rank, int m, int n, void *a, int lead, long long stride, void *values,            \
             long long stride_s, void *u, int lead_u, long long stride_u, void *v, int lead_v,     \
             long long stride_v, int *size, int count) {                                           \
        (void)job, (void)rank, (void)m, (void)n, (void)a, (void)lead, (void)stride, (void)values;  \
        (void)stride_s, (void)u, (void)lead_u, (void)stride_u, (void)v, (void)lead_v;              \
        (void)stride_v;                                                                            \
        return count >= 0 ? work_size(handle, size) : SOLVER_INVALID_VALUE;                        \
    }                                                                                              \
    EXPORTED(cusolverDn##T##gesvdaStridedBatched, SolverHandle *handle, int job, int rank, int m,  \
             int n, void *a, int lead, long long stride, void *values, long long stride_s,         \
             void *u, int lead_u, long long stride_u, void *v, int lead_v, long long stride_v,     \
             void *work, int size, int *info, double *norms, int count) {                          \
        (void)work, (void)size;                                                                    \
        if (count < 0 || rank < 0 || rank > least(m, n) || stride < 0 || stride_s < 0 ||           \
            stride_u < 0 || stride_v < 0)                                                          \
            return SOLVER_INVALID_VALUE;                                                           \
        if (count == 0)                                                                            \
            return is_handle(handle) ? SOLVER_SUCCESS : SOLVER_NOT_INITIALIZED;                    \
        const size_t bytes = solver_bytes(TYPE_##T);                                               \
        CALL(GESVD, T, .first = vectors(job), .second = 'N', .m = m, .n = n, .k = rank,            \
             .a = {a, lead, m, n}, .b = {job ? u : NULL, lead_u, m, rank},                         \
             .c = {job ? v : NULL, lead_v, n, rank}, .vector = values, .info = info,               \
             .steps = solver_singular, .residual = norms, .batch = count, .each_info = true,       \
             .strided = true, .a_stride = (size_t)stride * bytes,                                  \
             .b_stride = (size_t)stride_u * bytes, .c_stride = (size_t)stride_v * bytes,           \
             .vector_stride = (size_t)stride_s * solver_real_bytes(TYPE_##T));                     \
    }

#define EIGEN(T, sy)                                                                               \
    EXPORTED(cusolverDn##T##sy##evj_bufferSize, SolverHandle *handle, int job, int uplo, int n,    \
             void *a, int lead, void *values, int *size, JacobiInfo *jacobi) {                     \
        (void)job, (void)uplo, (void)n, (void)a, (void)lead, (void)values;                         \
        return is_info(jacobi) ? work_size(handle, size) : SOLVER_INVALID_VALUE;                   \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##evj, SolverHandle *handle, int job, int uplo, int n, void *a,      \
             int lead, void *values, void *work, int size, int *info, JacobiInfo *jacobi) {        \
        (void)work, (void)size;                                                                    \
        if (!is_info(jacobi))                                                                      \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(SYEVD, T, .first = vectors(job), .second = fill(uplo), .n = n, .a = {a, lead, n, n},  \
             .vector = values, .info = info, .steps = solver_eigen,                                \
             .residual = told(jacobi, false));                                                     \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##evjBatched_bufferSize, SolverHandle *handle, int job, int uplo,    \
             int n, void *a, int lead, void *values, int *size, JacobiInfo *jacobi, int count) {   \
        (void)job, (void)uplo, (void)n, (void)a, (void)lead, (void)values;                         \
        return is_info(jacobi) && count >= 0 ? work_size(handle, size) : SOLVER_INVALID_VALUE;     \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##evjBatched, SolverHandle *handle, int job, int uplo, int n,        \
             void *a, int lead, void *values, void *work, int size, int *info, JacobiInfo *jacobi, \
             int count) {                                                                          \
        (void)work, (void)size;                                                                    \
        if (!is_info(jacobi) || count < 0)                                                         \
            return SOLVER_INVALID_VALUE;                                                           \
        if (count == 0)                                                                            \
            return is_handle(handle) ? SOLVER_SUCCESS : SOLVER_NOT_INITIALIZED;                    \
        CALL(SYEVD, T, .first = vectors(job), .second = fill(uplo), .n = n, .a = {a, lead, n, n},  \
             .vector = values, .info = info, .steps = solver_eigen,                                \
             .residual = told(jacobi, true), .batch = count, .each_info = true, .strided = true,   \
             .a_stride = (size_t)lead * (size_t)n * solver_bytes(TYPE_##T),                        \
             .vector_stride = (size_t)n * solver_real_bytes(TYPE_##T));                            \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##gvj_bufferSize, SolverHandle *handle, int problem, int job,        \
             int uplo, int n, void *a, int lead, void *b, int lead_b, void *values, int *size,     \
             JacobiInfo *jacobi) {                                                                 \
        (void)problem, (void)job, (void)uplo, (void)n, (void)a, (void)lead, (void)b, (void)lead_b; \
        (void)values;                                                                              \
        return is_info(jacobi) ? work_size(handle, size) : SOLVER_INVALID_VALUE;                   \
    }                                                                                              \
    EXPORTED(cusolverDn##T##sy##gvj, SolverHandle *handle, int problem, int job, int uplo, int n,  \
             void *a, int lead, void *b, int lead_b, void *values, void *work, int size,           \
             int *info, JacobiInfo *jacobi) {                                                      \
        (void)work, (void)size;                                                                    \
        if (!is_info(jacobi) || problem < 1 || problem > 3)                                        \
            return SOLVER_INVALID_VALUE;                                                           \
        CALL(SYGVD, T, .problem = problem, .first = vectors(job), .second = fill(uplo), .n = n,    \
             .a = {a, lead, n, n}, .b = {b, lead_b, n, n}, .vector = values, .info = info,         \
             .steps = solver_eigen, .residual = told(jacobi, false));                              \
    }

enum { BATCHED_MOST = 32 }; /* rows and columns of gesvdjBatched, as on a GPU */

SINGULAR(S)
SINGULAR(D)
SINGULAR(C)
SINGULAR(Z)
EIGEN(S, sy)
EIGEN(D, sy)
EIGEN(C, he)
EIGEN(Z, he)

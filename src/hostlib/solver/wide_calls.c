/* The exported 64-bit functions, which take types as numbers. LAPACK has 32-bit sizes: larger ones are not supported. */
#include "hostlib/solver/exported.h"

#include <limits.h>
#include <stdlib.h>

/* What a cusolverDnParams_t points to: which algorithm is to be taken, of which there is one. */
typedef struct Params {
    uint32_t tag;
    int function, algorithm;
} Params;

EXPORTED(cusolverDnCreateParams, Params **params) {
    if (!params)
        return SOLVER_INVALID_VALUE;
    *params = calloc(1, sizeof **params);
    if (!*params)
        return SOLVER_ALLOC_FAILED;
    (*params)->tag = PARAMS_TAG;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnDestroyParams, Params *params) {
    if (params) {
        params->tag = 0;
        free(params);
    }
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverDnSetAdvOptions, Params *params, int function, int algorithm) {
    if (!params || params->tag != PARAMS_TAG || algorithm < 0 || algorithm > 2)
        return SOLVER_INVALID_VALUE;
    params->function = function;
    params->algorithm = algorithm;
    return SOLVER_SUCCESS;
}

/* ---- types ---- */

enum { REAL_32 = 0, REAL_64 = 1, COMPLEX_32 = 4, COMPLEX_64 = 5 }; /* cudaDataType */

/* -1: not one of the four. */
static int type_of(int number) {
    return number == REAL_32      ? (int)TYPE_S
           : number == REAL_64    ? (int)TYPE_D
           : number == COMPLEX_32 ? (int)TYPE_C
           : number == COMPLEX_64 ? (int)TYPE_Z
                                  : -1;
}

/* The type of the matrix's values, as a number. */
static int real_of(int number) {
    return number == REAL_32 || number == COMPLEX_32 ? REAL_32 : REAL_64;
}

/* Types of the matrix, of a second one, of the computation. */
static bool are_types(int a, int b, int compute) {
    return type_of(a) >= 0 && b == a && compute == a;
}

/* ---- sizes ---- */

static bool fits(int64_t number) {
    return number <= INT_MAX;
}

static SolverStatus refuse_large(const char *function) {
    warplens_message(function, "cusolver: a size of more than 2^31 - 1: LAPACK has 32-bit sizes, "
                               "and the call is left out");
    return SOLVER_NOT_SUPPORTED;
}

/* Of negative ones, which are wrong, none becomes another number. */
static int narrow(int64_t number) {
    return number < INT_MIN ? INT_MIN : (int)number;
}

static Matrix matrix(void *at, int64_t lead, int64_t rows, int64_t columns) {
    return (Matrix){at, narrow(lead), narrow(rows), narrow(columns)};
}

/* In bytes, on the device and on the host. */
static SolverStatus work_bytes(const SolverHandle *handle, size_t *device, size_t *host) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!device || !host)
        return SOLVER_INVALID_VALUE;
    *device = sizeof(double) * 2;
    *host = 0;
    return SOLVER_SUCCESS;
}

/* With sizes that LAPACK can take, and the types good. */
#define WIDE_CALL(id, good, large, number, ...)                                                    \
    if (!is_handle(handle))                                                                        \
        return SOLVER_NOT_INITIALIZED;                                                             \
    if (!(good))                                                                                   \
        return SOLVER_INVALID_VALUE;                                                               \
    if (large)                                                                                     \
        return refuse_large(__func__);                                                             \
    SolverCall call = {.work.function = __func__,                                                  \
                       .routine = ROUTINE_##id,                                                    \
                       .type = (SolverType)type_of(number),                                        \
                       __VA_ARGS__};                                                               \
    return solver_call(handle, &call)

/* What most calls end with. */
#define WORK void *work, size_t device_bytes, void *host_work, size_t host_bytes
#define WORK_UNUSED (void)params, (void)work, (void)device_bytes, (void)host_work, (void)host_bytes

/* ---- LU, QR, Cholesky ---- */

EXPORTED(cusolverDnXgetrf_bufferSize, SolverHandle *handle, Params *params, int64_t m, int64_t n,
         int type, void *a, int64_t lead, int compute, size_t *device, size_t *host) {
    (void)params, (void)m, (void)n, (void)a, (void)lead;
    return are_types(type, type, compute) ? work_bytes(handle, device, host) : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXgetrf, SolverHandle *handle, Params *params, int64_t m, int64_t n, int type,
         void *a, int64_t lead, int64_t *pivots, int compute, WORK, int *info) {
    WORK_UNUSED;
    WIDE_CALL(GETRF, are_types(type, type, compute), !fits(m) || !fits(n) || !fits(lead), type,
              .first = 'N', .second = 'N', .m = narrow(m), .n = narrow(n),
              .a = matrix(a, lead, m, n), .wide_pivots = pivots, .info = info,
              .steps = solver_pivots);
}

EXPORTED(cusolverDnXgetrs, SolverHandle *handle, Params *params, int op, int64_t n, int64_t k,
         int type, void *a, int64_t lead, int64_t *pivots, int type_b, void *b, int64_t lead_b,
         int *info) {
    (void)params;
    WIDE_CALL(GETRS, are_types(type, type_b, type),
              !fits(n) || !fits(k) || !fits(lead) || !fits(lead_b), type, .first = operation(op),
              .second = 'N', .n = narrow(n), .k = narrow(k), .a = matrix(a, lead, n, n),
              .b = matrix(b, lead_b, n, k), .wide_pivots = pivots, .info = info,
              .steps = solver_pivots);
}

EXPORTED(cusolverDnXgeqrf_bufferSize, SolverHandle *handle, Params *params, int64_t m, int64_t n,
         int type, void *a, int64_t lead, int type_tau, void *tau, int compute, size_t *device,
         size_t *host) {
    (void)params, (void)m, (void)n, (void)a, (void)lead, (void)tau;
    return are_types(type, type_tau, compute) ? work_bytes(handle, device, host)
                                              : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXgeqrf, SolverHandle *handle, Params *params, int64_t m, int64_t n, int type,
         void *a, int64_t lead, int type_tau, void *tau, int compute, WORK, int *info) {
    WORK_UNUSED;
    WIDE_CALL(GEQRF, are_types(type, type_tau, compute), !fits(m) || !fits(n) || !fits(lead), type,
              .first = 'N', .second = 'N', .m = narrow(m), .n = narrow(n),
              .a = matrix(a, lead, m, n), .vector = tau, .info = info);
}

EXPORTED(cusolverDnXpotrf_bufferSize, SolverHandle *handle, Params *params, int uplo, int64_t n,
         int type, void *a, int64_t lead, int compute, size_t *device, size_t *host) {
    (void)params, (void)uplo, (void)n, (void)a, (void)lead;
    return are_types(type, type, compute) ? work_bytes(handle, device, host) : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXpotrf, SolverHandle *handle, Params *params, int uplo, int64_t n, int type,
         void *a, int64_t lead, int compute, WORK, int *info) {
    WORK_UNUSED;
    WIDE_CALL(POTRF, are_types(type, type, compute), !fits(n) || !fits(lead), type,
              .first = fill(uplo), .second = 'N', .n = narrow(n), .a = matrix(a, lead, n, n),
              .info = info);
}

EXPORTED(cusolverDnXpotrs, SolverHandle *handle, Params *params, int uplo, int64_t n, int64_t k,
         int type, void *a, int64_t lead, int type_b, void *b, int64_t lead_b, int *info) {
    (void)params;
    WIDE_CALL(POTRS, are_types(type, type_b, type),
              !fits(n) || !fits(k) || !fits(lead) || !fits(lead_b), type, .first = fill(uplo),
              .second = 'N', .n = narrow(n), .k = narrow(k), .a = matrix(a, lead, n, n),
              .b = matrix(b, lead_b, n, k), .info = info);
}

EXPORTED(cusolverDnXtrtri_bufferSize, SolverHandle *handle, int uplo, int unit, int64_t n, int type,
         void *a, int64_t lead, size_t *device, size_t *host) {
    (void)uplo, (void)unit, (void)n, (void)a, (void)lead;
    return type_of(type) >= 0 ? work_bytes(handle, device, host) : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXtrtri, SolverHandle *handle, int uplo, int unit, int64_t n, int type, void *a,
         int64_t lead, WORK, int *info) {
    (void)work, (void)device_bytes, (void)host_work, (void)host_bytes;
    WIDE_CALL(TRTRI, type_of(type) >= 0, !fits(n) || !fits(lead), type, .first = fill(uplo),
              .second = diagonal(unit), .n = narrow(n), .a = matrix(a, lead, n, n), .info = info);
}

EXPORTED(cusolverDnXsytrs_bufferSize, SolverHandle *handle, int uplo, int64_t n, int64_t k,
         int type, void *a, int64_t lead, int64_t *pivots, int type_b, void *b, int64_t lead_b,
         size_t *device, size_t *host) {
    (void)uplo, (void)n, (void)k, (void)a, (void)lead, (void)pivots, (void)b, (void)lead_b;
    return are_types(type, type_b, type) ? work_bytes(handle, device, host) : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXsytrs, SolverHandle *handle, int uplo, int64_t n, int64_t k, int type, void *a,
         int64_t lead, int64_t *pivots, int type_b, void *b, int64_t lead_b, WORK, int *info) {
    (void)work, (void)device_bytes, (void)host_work, (void)host_bytes;
    WIDE_CALL(SYTRS, pivots && are_types(type, type_b, type),
              !fits(n) || !fits(k) || !fits(lead) || !fits(lead_b), type, .first = fill(uplo),
              .second = 'N', .n = narrow(n), .k = narrow(k), .a = matrix(a, lead, n, n),
              .b = matrix(b, lead_b, n, k), .wide_pivots = pivots, .info = info,
              .steps = solver_pivots);
}

/* ---- eigenvalues ---- */

EXPORTED(cusolverDnXsyevd_bufferSize, SolverHandle *handle, Params *params, int job, int uplo,
         int64_t n, int type, void *a, int64_t lead, int type_w, void *values, int compute,
         size_t *device, size_t *host) {
    (void)params, (void)job, (void)uplo, (void)n, (void)a, (void)lead, (void)values;
    return are_types(type, type, compute) && type_w == real_of(type)
               ? work_bytes(handle, device, host)
               : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXsyevd, SolverHandle *handle, Params *params, int job, int uplo, int64_t n,
         int type, void *a, int64_t lead, int type_w, void *values, int compute, WORK, int *info) {
    WORK_UNUSED;
    WIDE_CALL(SYEVD, are_types(type, type, compute) && type_w == real_of(type),
              !fits(n) || !fits(lead), type, .first = vectors(job), .second = fill(uplo),
              .n = narrow(n), .a = matrix(a, lead, n, n), .vector = values, .info = info,
              .steps = solver_eigen);
}

EXPORTED(cusolverDnXsyevBatched_bufferSize, SolverHandle *handle, Params *params, int job, int uplo,
         int64_t n, int type, void *a, int64_t lead, int type_w, void *values, int compute,
         size_t *device, size_t *host, int64_t count) {
    (void)params, (void)job, (void)uplo, (void)n, (void)a, (void)lead, (void)values;
    return are_types(type, type, compute) && type_w == real_of(type) && count >= 0
               ? work_bytes(handle, device, host)
               : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXsyevBatched, SolverHandle *handle, Params *params, int job, int uplo, int64_t n,
         int type, void *a, int64_t lead, int type_w, void *values, int compute, WORK, int *info,
         int64_t count) {
    WORK_UNUSED;
    const size_t step = (size_t)lead * (size_t)n;
    if (count == 0)
        return is_handle(handle) ? SOLVER_SUCCESS : SOLVER_NOT_INITIALIZED;
    WIDE_CALL(SYEVD, are_types(type, type, compute) && type_w == real_of(type) && count > 0,
              !fits(n) || !fits(lead) || !fits(count), type, .first = vectors(job),
              .second = fill(uplo), .n = narrow(n), .a = matrix(a, lead, n, n), .vector = values,
              .info = info, .steps = solver_eigen, .batch = narrow(count), .each_info = true,
              .strided = true, .a_stride = step * solver_bytes((SolverType)type_of(type)),
              .vector_stride = (size_t)n * solver_real_bytes((SolverType)type_of(type)));
}

/* Its bounds are numbers on the host, of the type of the values. */
static bool is_range(int kind, const void *low, const void *high, int64_t first, int64_t last,
                     int64_t n, int type, Range *range) {
    *range = (Range){.kind = kind};
    if (kind == RANGE_ALL)
        return true;
    if (kind == RANGE_NUMBERS) {
        range->first = narrow(first), range->last = narrow(last);
        return first >= 1 && last <= n && first <= last;
    }
    if (kind != RANGE_VALUES || !low || !high)
        return false;
    range->low = type == REAL_32 ? *(const float *)low : *(const double *)low;
    range->high = type == REAL_32 ? *(const float *)high : *(const double *)high;
    return range->low < range->high;
}

EXPORTED(cusolverDnXsyevdx_bufferSize, SolverHandle *handle, Params *params, int job, int kind,
         int uplo, int64_t n, int type, void *a, int64_t lead, void *low, void *high, int64_t first,
         int64_t last, int64_t *found, int type_w, void *values, int compute, size_t *device,
         size_t *host) {
    Range range;
    (void)params, (void)job, (void)uplo, (void)a, (void)lead, (void)found, (void)values;
    return are_types(type, type, compute) && type_w == real_of(type) &&
                   is_range(kind, low, high, first, last, n, type_w, &range)
               ? work_bytes(handle, device, host)
               : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXsyevdx, SolverHandle *handle, Params *params, int job, int kind, int uplo,
         int64_t n, int type, void *a, int64_t lead, void *low, void *high, int64_t first,
         int64_t last, int64_t *found, int type_w, void *values, int compute, WORK, int *info) {
    Range range;
    WORK_UNUSED;
    if (!found || !is_range(kind, low, high, first, last, n, type_w, &range))
        return is_handle(handle) ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;
    range.found_wide = found;
    WIDE_CALL(SYEVD, are_types(type, type, compute) && type_w == real_of(type),
              !fits(n) || !fits(lead), type, .first = vectors(job), .second = fill(uplo),
              .n = narrow(n), .a = matrix(a, lead, n, n), .vector = values, .info = info,
              .steps = solver_eigen, .range = range);
}

/* Values are complex, or those of a real matrix two arrays of real numbers. */
static bool are_geev(int type, int type_w, int type_left, int type_right, int compute) {
    const int complex_w = real_of(type) == REAL_32 ? COMPLEX_32 : COMPLEX_64;
    return are_types(type, type_left, compute) && type_right == type &&
           (type_w == complex_w || type_w == type);
}

EXPORTED(cusolverDnXgeev_bufferSize, SolverHandle *handle, Params *params, int job_left,
         int job_right, int64_t n, int type, void *a, int64_t lead, int type_w, void *values,
         int type_left, void *left, int64_t lead_left, int type_right, void *right,
         int64_t lead_right, int compute, size_t *device, size_t *host) {
    (void)params, (void)job_left, (void)job_right, (void)n, (void)a, (void)lead, (void)values;
    (void)left, (void)lead_left, (void)right, (void)lead_right;
    return are_geev(type, type_w, type_left, type_right, compute) ? work_bytes(handle, device, host)
                                                                  : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXgeev, SolverHandle *handle, Params *params, int job_left, int job_right,
         int64_t n, int type, void *a, int64_t lead, int type_w, void *values, int type_left,
         void *left, int64_t lead_left, int type_right, void *right, int64_t lead_right,
         int compute, WORK, int *info) {
    WORK_UNUSED;
    WIDE_CALL(GEEV, are_geev(type, type_w, type_left, type_right, compute),
              !fits(n) || !fits(lead) || !fits(lead_left) || !fits(lead_right), type,
              .first = vectors(job_left), .second = vectors(job_right), .m = narrow(n),
              .n = narrow(n), .k = type_w == COMPLEX_32 || type_w == COMPLEX_64,
              .a = matrix(a, lead, n, n), .b = matrix(left, lead_left, job_left ? n : 0, n),
              .c = matrix(right, lead_right, job_right ? n : 0, n), .vector = values, .info = info,
              .steps = solver_geev);
}

/* ---- singular values ---- */

static int64_t least(int64_t m, int64_t n) {
    return m < n ? m : n;
}

static bool are_svd(int type, int type_s, int type_u, int type_v, int compute) {
    return are_types(type, type_u, compute) && type_v == type && type_s == real_of(type);
}

EXPORTED(cusolverDnXgesvd_bufferSize, SolverHandle *handle, Params *params, signed char job_u,
         signed char job_v, int64_t m, int64_t n, int type, void *a, int64_t lead, int type_s,
         void *values, int type_u, void *u, int64_t lead_u, int type_v, void *v, int64_t lead_v,
         int compute, size_t *device, size_t *host) {
    (void)params, (void)job_u, (void)job_v, (void)a, (void)lead, (void)values, (void)u;
    (void)lead_u, (void)v, (void)lead_v;
    return are_svd(type, type_s, type_u, type_v, compute) && m >= n
               ? work_bytes(handle, device, host)
               : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXgesvd, SolverHandle *handle, Params *params, signed char job_u,
         signed char job_v, int64_t m, int64_t n, int type, void *a, int64_t lead, int type_s,
         void *values, int type_u, void *u, int64_t lead_u, int type_v, void *v, int64_t lead_v,
         int compute, WORK, int *info) {
    WORK_UNUSED;
    WIDE_CALL(GESVD, are_svd(type, type_s, type_u, type_v, compute) && m >= n,
              !fits(m) || !fits(lead) || !fits(lead_u) || !fits(lead_v), type,
              .first = singular(job_u), .second = singular(job_v), .m = narrow(m), .n = narrow(n),
              .a = matrix(a, lead, m, n), .b = matrix(u, lead_u, m, job_u == 'A' ? m : n),
              .c = matrix(v, lead_v, n, n), .vector = values, .info = info);
}

EXPORTED(cusolverDnXgesvdp_bufferSize, SolverHandle *handle, Params *params, int job, int econ,
         int64_t m, int64_t n, int type, void *a, int64_t lead, int type_s, void *values,
         int type_u, void *u, int64_t lead_u, int type_v, void *v, int64_t lead_v, int compute,
         size_t *device, size_t *host) {
    (void)params, (void)job, (void)econ, (void)m, (void)n, (void)a, (void)lead, (void)values;
    (void)u, (void)lead_u, (void)v, (void)lead_v;
    return are_svd(type, type_s, type_u, type_v, compute) ? work_bytes(handle, device, host)
                                                          : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXgesvdp, SolverHandle *handle, Params *params, int job, int econ, int64_t m,
         int64_t n, int type, void *a, int64_t lead, int type_s, void *values, int type_u, void *u,
         int64_t lead_u, int type_v, void *v, int64_t lead_v, int compute, WORK, int *info,
         double *perturbation) {
    WORK_UNUSED;
    if (perturbation) /* what the polar decomposition adds to a singular matrix: none is made */
        *perturbation = 0;
    WIDE_CALL(GESVD, are_svd(type, type_s, type_u, type_v, compute),
              !fits(m) || !fits(n) || !fits(lead) || !fits(lead_u) || !fits(lead_v), type,
              .first = vectors(job), .second = 'N', .m = narrow(m), .n = narrow(n),
              .k = narrow(least(m, n)), .a = matrix(a, lead, m, n),
              .b = matrix(job ? u : NULL, lead_u, m, econ ? least(m, n) : m),
              .c = matrix(job ? v : NULL, lead_v, n, econ ? least(m, n) : n), .vector = values,
              .info = info, .steps = solver_singular);
}

EXPORTED(cusolverDnXgesvdr_bufferSize, SolverHandle *handle, Params *params, signed char job_u,
         signed char job_v, int64_t m, int64_t n, int64_t k, int64_t more, int64_t steps, int type,
         void *a, int64_t lead, int type_s, void *values, int type_u, void *u, int64_t lead_u,
         int type_v, void *v, int64_t lead_v, int compute, size_t *device, size_t *host) {
    (void)params, (void)job_u, (void)job_v, (void)m, (void)n, (void)k, (void)more, (void)steps;
    (void)a, (void)lead, (void)values, (void)u, (void)lead_u, (void)v, (void)lead_v;
    return are_svd(type, type_s, type_u, type_v, compute) ? work_bytes(handle, device, host)
                                                          : SOLVER_INVALID_VALUE;
}

EXPORTED(cusolverDnXgesvdr, SolverHandle *handle, Params *params, signed char job_u,
         signed char job_v, int64_t m, int64_t n, int64_t k, int64_t more, int64_t steps, int type,
         void *a, int64_t lead, int type_s, void *values, int type_u, void *u, int64_t lead_u,
         int type_v, void *v, int64_t lead_v, int compute, WORK, int *info) {
    WORK_UNUSED;
    (void)steps;
    WIDE_CALL(GESVD,
              are_svd(type, type_s, type_u, type_v, compute) && k >= 0 && more >= 0 &&
                  k <= least(m, n) && more <= least(m, n) - k,
              !fits(m) || !fits(n) || !fits(lead) || !fits(lead_u) || !fits(lead_v), type,
              .first = singular(job_u), .second = singular(job_v), .m = narrow(m), .n = narrow(n),
              .k = narrow(k), .a = matrix(a, lead, m, n),
              .b = matrix(job_u == 'N' ? NULL : u, lead_u, m, k),
              .c = matrix(job_v == 'N' ? NULL : v, lead_v, n, k), .vector = values, .info = info,
              .steps = solver_singular);
}

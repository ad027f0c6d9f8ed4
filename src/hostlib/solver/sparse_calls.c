/* The exported functions for sparse systems, of the host's memory (…Host) and of the device's, that solve at once, and what those
 * in steps do (steps_calls.c). All of them eliminate (direct.h): with pivots from the diagonal, as long as these
 * are positive (chol), or the largest (lu, qr). An order that is asked for is left out of account: factors have their own. */
#include "hostlib/solver/sparse_calls.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

bool is_sparse(const SolverHandle *handle) {
    return handle && handle->tag == SPARSE_TAG;
}

EXPORTED(cusolverSpCreate, SolverHandle **handle) {
    if (!handle)
        return SOLVER_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return SOLVER_ALLOC_FAILED;
    (*handle)->tag = SPARSE_TAG;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverSpDestroy, SolverHandle *handle) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    handle->tag = 0;
    free(handle);
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverSpSetStream, SolverHandle *handle, CUstream stream) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    handle->stream = stream;
    return SOLVER_SUCCESS;
}

EXPORTED(cusolverSpGetStream, SolverHandle *handle, CUstream *stream) {
    if (!is_sparse(handle) || !stream)
        return handle ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;
    *stream = handle->stream;
    return SOLVER_SUCCESS;
}

/* ---- a call as work ---- */

static bool reaches(const SparseCall *call, const void *at, size_t bytes) {
    return call->host || warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)at, bytes);
}

static void run(const HostWork *work) {
    const SparseCall *call = (const SparseCall *)work;
    const size_t bytes = solver_bytes(call->a.type), batch = (size_t)call->batch;
    const Csr *a = &call->a;
    if (a->offsets && !reaches(call, a->offsets, ((size_t)a->rows + 1) * sizeof(int)))
        return;
    if (a->offsets && (!reaches(call, a->places, (size_t)a->count * sizeof(int)) ||
                       (a->values && !reaches(call, a->values, (size_t)a->count * batch * bytes))))
        return;
    if ((call->b && !reaches(call, call->b, (size_t)a->rows * batch * bytes)) ||
        (call->x && !reaches(call, call->x, (size_t)a->columns * batch * bytes)))
        return;
    if (a->offsets && !csr_is_good(a))
        warplens_message("cusolverSp", "cusolver: rows and columns of a sparse matrix are none of "
                                       "its size: the call is left out");
    else if (!a->offsets && call->steps->set &&
             (call->steps->rows != a->rows || call->steps->width != a->columns))
        warplens_message("cusolverSp", "cusolver: a sparse system in steps has another size than "
                                       "its matrix: the call is left out");
    else if (!call->does(call))
        warplens_message("cusolver", "cusolver: no memory for the factors: the call is left out");
}

SolverStatus sparse_call(const SolverHandle *handle, SparseCall *call) {
    const Csr *a = &call->a;
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    if (a->rows < 0 || a->columns < 0 || a->rows < a->columns || a->count < 0 || call->batch < 0)
        return SOLVER_INVALID_VALUE;
    call->work.library = "cusolver";
    call->work.run = run;
    if (call->batch == 0)
        call->batch = 1;
    /* What the host gives is in the stream's order, too: it is listed, and its memory is known to be there. */
    return warplens_enqueue(handle->stream, &call->work, sizeof *call) ? SOLVER_EXECUTION_FAILED
                                                                       : SOLVER_SUCCESS;
}

/* ---- what is done ---- */

/* One of the right sides, and its solution: of least squares the last numbers. */
static bool solve(const Factors *factors, const SparseCall *call, const void *b, void *x) {
    const size_t size = (size_t)factors->lower.count, n = (size_t)call->a.columns;
    const Matrix given = {(void *)(uintptr_t)b, call->a.rows, call->a.rows, 1};
    const Matrix wanted = {x, call->a.columns, call->a.columns, 1};
    double complex *right = matrix_read(&given, call->a.type);
    double complex *all = calloc(size + 1, sizeof *all), *spare = malloc((size + 1) * sizeof *all);
    const bool made = right && all && spare;
    if (made) {
        memcpy(all, right, (size_t)call->a.rows * sizeof *all);
        factors_solve(factors, all, all, spare);
        matrix_write(&wanted, all + (size - n), call->a.type);
    }
    free(right), free(all), free(spare);
    return made;
}

bool sparse_at_once(const SparseCall *call) {
    const size_t bytes = solver_bytes(call->a.type);
    bool made = true;
    int none, *singular = call->singular ? call->singular : &none;
    *singular = -1;
    for (int i = 0; made && i < call->batch; i++) {
        const size_t one = (size_t)i * bytes;
        Csr a = call->a;
        Columns columns;
        Factors factors;
        a.values = (const char *)a.values + (size_t)a.count * one;
        made = columns_of(&columns, &a, 0);
        if (!made)
            break;
        made = factors_make(&factors, &columns, call->pivots, call->tolerance);
        columns_free(&columns);
        if (!made)
            break;
        if (factors.singular >= 0)
            *singular = factors.singular;
        else
            made = solve(&factors, call, (const char *)call->b + (size_t)a.rows * one,
                         (char *)call->x + (size_t)a.columns * one);
        factors_free(&factors);
    }
    return made;
}

void steps_clear(Steps *steps) {
    columns_free(&steps->columns);
    factors_free(&steps->factors);
    steps->set = false;
}

bool sparse_set_up(const SparseCall *call) {
    steps_clear(call->steps);
    call->steps->rows = call->a.rows, call->steps->width = call->a.columns;
    call->steps->set = columns_of(&call->steps->columns, &call->a, call->shift);
    return call->steps->set;
}

bool sparse_factor(const SparseCall *call) {
    Steps *steps = call->steps;
    if (call->a.offsets && !sparse_set_up(call))
        return false;
    factors_free(&steps->factors);
    return !steps->set || factors_make(&steps->factors, &steps->columns, steps->pivots, 0);
}

bool sparse_solve(const SparseCall *call) {
    const Factors *factors = &call->steps->factors;
    return !factors->column || factors->singular >= 0 || solve(factors, call, call->b, call->x);
}

bool sparse_factor_and_solve(const SparseCall *call) {
    return sparse_factor(call) && sparse_solve(call);
}

/* ---- at once ---- */

#define AT_ONCE(name, T, kind, on_host)                                                            \
    EXPORTED(cusolverSp##name, SolverHandle *handle, int n, int count,                             \
             const struct SparseMatrix *description, const void *values, const int *offsets,       \
             const int *places, const void *b, double tolerance, int reorder, void *x,             \
             int *singular) {                                                                      \
        (void)reorder;                                                                             \
        if (!description || !values || !offsets || !places || !b || !x || !singular)               \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_at_once,                                                 \
                           .host = on_host,                                                        \
                           .a = {n, n, count, cusparseGetMatIndexBase(description), offsets,       \
                                 places, values, TYPE_##T},                                        \
                           .b = b,                                                                 \
                           .x = x,                                                                 \
                           .pivots = PIVOT_##kind,                                                 \
                           .tolerance = tolerance,                                                 \
                           .singular = singular};                                                  \
        return sparse_call(handle, &call);                                                         \
    }
/* The tolerance is of the matrix's precision. */
#define AT_ONCE_SINGLE(name, T, kind, on_host)                                                     \
    EXPORTED(cusolverSp##name, SolverHandle *handle, int n, int count,                             \
             const struct SparseMatrix *description, const void *values, const int *offsets,       \
             const int *places, const void *b, float tolerance, int reorder, void *x,              \
             int *singular) {                                                                      \
        (void)reorder;                                                                             \
        if (!description || !values || !offsets || !places || !b || !x || !singular)               \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_at_once,                                                 \
                           .host = on_host,                                                        \
                           .a = {n, n, count, cusparseGetMatIndexBase(description), offsets,       \
                                 places, values, TYPE_##T},                                        \
                           .b = b,                                                                 \
                           .x = x,                                                                 \
                           .pivots = PIVOT_##kind,                                                 \
                           .tolerance = (double)tolerance,                                         \
                           .singular = singular};                                                  \
        return sparse_call(handle, &call);                                                         \
    }
#define ALL_AT_ONCE(T, FORM)                                                                       \
    FORM(T##csrlsvluHost, T, LARGEST, true)                                                        \
    FORM(T##csrlsvqr, T, LARGEST, false)                                                           \
    FORM(T##csrlsvqrHost, T, LARGEST, true)                                                        \
    FORM(T##csrlsvchol, T, DIAGONAL, false)                                                        \
    FORM(T##csrlsvcholHost, T, DIAGONAL, true)
ALL_AT_ONCE(S, AT_ONCE_SINGLE)
ALL_AT_ONCE(D, AT_ONCE)
ALL_AT_ONCE(C, AT_ONCE_SINGLE)
ALL_AT_ONCE(Z, AT_ONCE)

/* ---- of many, of the same pattern ---- */

#define BATCHED(T)                                                                                 \
    EXPORTED(cusolverSp##T##csrqrBufferInfoBatched, SolverHandle *handle, int m, int n, int count, \
             MATRIX, int batch, Steps *steps, size_t *inside, size_t *work) {                      \
        (void)m, (void)n, (void)count, (void)description, (void)values, (void)offsets;             \
        (void)places, (void)batch;                                                                 \
        if (!is_sparse(handle) || !steps || !inside || !work)                                      \
            return handle ? SOLVER_INVALID_VALUE : SOLVER_NOT_INITIALIZED;                         \
        *inside = *work = sizeof(double) * 2;                                                      \
        return SOLVER_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusolverSp##T##csrqrsvBatched, SolverHandle *handle, int m, int n, int count, MATRIX, \
             const void *b, void *x, int batch, Steps *steps, void *area) {                        \
        (void)area;                                                                                \
        if (!description || !values || !offsets || !places || !b || !x || !steps || batch < 1)     \
            return SOLVER_INVALID_VALUE;                                                           \
        SparseCall call = {.work.function = __func__,                                              \
                           .does = sparse_at_once,                                                 \
                           .a = {m, n, count, cusparseGetMatIndexBase(description), offsets,       \
                                 places, values, TYPE_##T},                                        \
                           .b = b,                                                                 \
                           .x = x,                                                                 \
                           .batch = batch,                                                         \
                           .pivots = PIVOT_LARGEST};                                               \
        return sparse_call(handle, &call);                                                         \
    }
BATCHED(S)
BATCHED(D)
BATCHED(C)
BATCHED(Z)

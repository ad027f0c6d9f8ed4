/* Checks calls and puts them into the order of their streams, for one matrix or many. */
#include "hostlib/solver/exported.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *real, *complex;
} names[ROUTINES] = {
#define ROUTINE(id, real, complex, arguments) {real, complex},
#include "hostlib/solver/routines.def"
};

static bool reaches(const SolverCall *call, const void *at, size_t bytes) {
    return warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)at, bytes);
}

static bool reaches_matrix(const SolverCall *call, const Matrix *matrix) {
    if (!matrix->at || matrix->rows == 0 || matrix->columns == 0)
        return true;
    size_t count = (size_t)(matrix->columns - 1) * (size_t)matrix->lead + (size_t)matrix->rows;
    return reaches(call, matrix->at, count * solver_bytes(call->type));
}

static bool run_one(const SolverCall *call) {
    if (!reaches_matrix(call, &call->a) || !reaches_matrix(call, &call->b) ||
        !reaches_matrix(call, &call->c) || !reaches(call, call->info, sizeof(int)))
        return false;
    if (call->steps ? call->steps(call) : solver_lapack(call))
        return true;
    warplens_message("cusolver", "cusolver: no memory for LAPACK's work: the call is left out");
    return false;
}

static bool reaches_pointers(const SolverCall *call, const Matrix *matrix) {
    return !matrix->at || reaches(call, matrix->at, (size_t)call->batch * sizeof(void *));
}

static void *further(void *at, size_t bytes) {
    return at ? (char *)at + bytes : NULL;
}

/* The matrices, vectors and so on of the i-th. */
static SolverCall one_of(const SolverCall *call, size_t i) {
    SolverCall one = *call;
    if (call->strided) {
        one.a.at = further(call->a.at, i * call->a_stride);
        one.b.at = further(call->b.at, i * call->b_stride);
        one.c.at = further(call->c.at, i * call->c_stride);
        one.vector = further(call->vector, i * call->vector_stride);
    } else {
        one.a.at = ((void *const *)call->a.at)[i];
        one.b.at = call->b.at ? ((void *const *)call->b.at)[i] : NULL;
    }
    one.info = call->info + (call->each_info ? i : 0);
    one.residual = call->residual ? call->residual + i : NULL;
    return one;
}

static void run(const HostWork *work) {
    const SolverCall *call = (const SolverCall *)work;
    if (!call->batch) {
        run_one(call);
        return;
    }
    if (!call->strided && (!reaches_pointers(call, &call->a) || !reaches_pointers(call, &call->b)))
        return;
    for (int i = 0; i < call->batch; i++) {
        SolverCall one = one_of(call, (size_t)i);
        if (!run_one(&one))
            return;
    }
}

static bool is_matrix(const Matrix *matrix) {
    int rows = matrix->rows > 1 ? matrix->rows : 1;
    return matrix->rows >= 0 && matrix->columns >= 0 && (!matrix->at || matrix->lead >= rows);
}

SolverStatus solver_call(SolverHandle *handle, SolverCall *call) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    char name[16];
    const char *routine =
        solver_complex(call->type) ? names[call->routine].complex : names[call->routine].real;
    if (call->m < 0 || call->n < 0 || call->k < 0 || !is_matrix(&call->a) || !is_matrix(&call->b) ||
        !is_matrix(&call->c) || !call->first || !call->second)
        return SOLVER_INVALID_VALUE;
    snprintf(name, sizeof name, "%c%s_", "sdcz"[call->type], routine);
    call->lapack = provider_function(PROVIDER_BLAS, name);
    if (!call->lapack)
        return SOLVER_NOT_SUPPORTED;
    call->work.library = "cusolver";
    call->work.run = run;
    return warplens_enqueue(handle->stream, &call->work, sizeof *call) ? SOLVER_EXECUTION_FAILED
                                                                       : SOLVER_SUCCESS;
}

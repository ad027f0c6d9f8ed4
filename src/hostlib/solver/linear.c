/* Systems and least squares whose matrix and right sides are kept. */
#include "hostlib/solver/solver.h"

#include <stdlib.h>

/* LAPACK solves in place, where right sides have as many rows as the longer of both. */
bool solver_linear(const SolverCall *call) {
    const int rows = call->m > call->n ? call->m : call->n;
    SolverCall inside = *call;
    inside.a = matrix_new(call->a.rows, call->a.columns, call->type);
    inside.b = matrix_new(rows, call->k, call->type);
    inside.pivots = malloc(((size_t)call->n + 1) * sizeof(int));
    bool good = inside.a.at && inside.b.at && inside.pivots;
    if (good) {
        matrix_copy(&inside.a, &call->a, call->type);
        matrix_copy(&inside.b, &call->b, call->type);
        good = solver_lapack(&inside);
    }
    if (good && *call->info == 0)
        matrix_copy(&call->c, &inside.b, call->type);
    const size_t bytes = (size_t)call->n * sizeof(int);
    const CUdeviceptr pivots = (CUdeviceptr)(uintptr_t)call->pivots;
    if (good && call->pivots && warplens_reaches(call->work.function, pivots, bytes))
        for (int i = 0; i < call->n; i++)
            call->pivots[i] = inside.pivots[i];
    free(inside.a.at), free(inside.b.at), free(inside.pivots);
    return good;
}

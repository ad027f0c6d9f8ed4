/* Singular values as gesvdj and its relatives have them: V and not its conjugate transposed, A is kept, and of the values
 * and vectors as many as are asked for. */
#include "hostlib/solver/solver.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value(const SolverCall *call, size_t i) {
    return solver_real_bytes(call->type) == sizeof(float) ? ((const float *)call->vector)[i]
                                                          : ((const double *)call->vector)[i];
}

/* |A - U S V'|, of the k values; NaN: no memory. */
static double distance(const SolverCall *full, size_t k) {
    const size_t m = (size_t)full->m, n = (size_t)full->n;
    const Matrix left = {full->b.at, full->b.lead, full->m, (int)k};
    double complex *a = matrix_read(&full->a, full->type);
    double complex *u = matrix_read(&left, full->type), *v = matrix_read(&full->c, full->type);
    double complex *product = malloc((m * n + 1) * sizeof *product), *s = NULL;
    double sum = NAN;
    if (a && u && v && product)
        s = malloc((k * n + 1) * sizeof *s);
    if (s) {
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < k; i++)
                s[j * k + i] = value(full, i) * v[j * (size_t)full->c.rows + i];
        matrix_multiply(product, u, s, m, k, n);
        sum = 0;
        for (size_t i = 0; i < m * n; i++)
            sum += pow(cabs(a[i] - product[i]), 2);
    }
    free(a), free(u), free(v), free(product), free(s);
    return sqrt(sum);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

bool solver_singular(const SolverCall *call) {
    const int least = call->m < call->n ? call->m : call->n;
    const bool all = call->b.columns > least || call->c.columns > least;
    const bool vectors = call->b.at || call->c.at || call->residual;
    const SolverType type = call->type;
    const size_t bytes = (size_t)call->k * solver_real_bytes(type);
    if (!warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)call->vector, bytes))
        return true;
    SolverCall full = *call;
    Matrix kept = matrix_new(call->m, call->n, type);
    full.a = matrix_new(call->m, call->n, type);
    full.b = matrix_new(call->m, larger(all ? call->m : least, 1), type);
    full.c = matrix_new(larger(all ? call->n : least, 1), call->n, type);
    full.vector = malloc(((size_t)least + 1) * sizeof(double));
    bool good = kept.at && full.a.at && full.b.at && full.c.at && full.vector;
    if (good) {
        full.first = full.second = (char)(!vectors ? 'N' : all ? 'A' : 'S');
        matrix_copy(&full.a, &call->a, type);
        matrix_copy(&kept, &call->a, type);
        good = solver_lapack(&full);
    }
    if (good) {
        memcpy(call->vector, full.vector, bytes);
        if (call->b.at)
            matrix_copy(&call->b, &full.b, type);
        if (call->c.at)
            matrix_adjoint(&call->c, &full.c, type);
        void *spent = full.a.at;
        full.a.at = kept.at;
        if (call->residual)
            *call->residual = distance(&full, (size_t)call->k);
        full.a.at = spent;
    }
    free(kept.at), free(full.a.at), free(full.b.at), free(full.c.at), free(full.vector);
    return good;
}

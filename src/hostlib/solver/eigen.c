/* Eigenvalues: those of a range, how far they are from the matrix, and those of any matrix. */
#include "hostlib/solver/solver.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value(const void *values, size_t i, SolverType type) {
    return solver_real_bytes(type) == sizeof(float) ? ((const float *)values)[i]
                                                    : ((const double *)values)[i];
}

/* The matrix of which one triangle is given. */
static double complex *whole(const Matrix *matrix, char fill, SolverType type) {
    const size_t n = (size_t)matrix->rows;
    double complex *all = matrix_read(matrix, type);
    for (size_t j = 0; all && j < n; j++)
        for (size_t i = 0; i < n; i++) {
            if (i == j)
                all[j * n + j] = creal(all[j * n + j]);
            else if ((i > j) == (fill == 'U'))
                all[j * n + i] = conj(all[i * n + j]);
        }
    return all;
}

/* |A X - B X W|, |A B X - X W| or |B A X - X W|, as the problem is; b is NULL: the unit matrix. x is changed. */
static double distance(const SolverCall *call, double complex *a, double complex *b,
                       double complex *x, double complex *spare[2]) {
    const size_t n = (size_t)call->n;
    double sum = 0;
    double complex *first = spare[0], *second = x;
    if (b && call->problem == 2) {
        matrix_multiply(spare[1], b, x, n, n, n);
        matrix_multiply(first, a, spare[1], n, n, n);
    } else {
        matrix_multiply(b && call->problem == 3 ? spare[1] : first, a, x, n, n, n);
        if (b && call->problem == 3)
            matrix_multiply(first, b, spare[1], n, n, n);
    }
    if (b && call->problem == 1) {
        matrix_multiply(spare[1], b, x, n, n, n);
        second = spare[1];
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const double w = value(call->vector, j, call->type);
            sum += pow(cabs(first[j * n + i] - w * second[j * n + i]), 2);
        }
    return sqrt(sum);
}

/* With vectors that are wanted for the distance alone, if they are not asked for. False: no memory. */
static bool with_residual(const SolverCall *call) {
    const size_t n = (size_t)call->n;
    const bool general = call->routine == ROUTINE_SYGVD;
    SolverCall full = *call;
    double complex *a = whole(&call->a, call->second, call->type), *x = NULL;
    double complex *b = general ? whole(&call->b, call->second, call->type) : NULL;
    double complex *spare[2] = {malloc((n * n + 1) * sizeof *a), malloc((n * n + 1) * sizeof *a)};
    full.a = matrix_new(call->n, call->n, call->type);
    full.first = 'V';
    bool good = a && (b || !general) && spare[0] && spare[1] && full.a.at;
    if (good) {
        matrix_copy(&full.a, &call->a, call->type);
        good = solver_lapack(&full);
    }
    if (good) {
        x = matrix_read(&full.a, call->type);
        *call->residual = x && *call->info == 0 ? distance(&full, a, b, x, spare) : NAN;
        if (call->first == 'V')
            matrix_copy(&call->a, &full.a, call->type);
    }
    free(a), free(b), free(x), free(spare[0]), free(spare[1]), free(full.a.at);
    return good;
}

/* Whether the i-th value, from 0, is wanted: LAPACK's interval is open on the left. */
static bool is_wanted(const SolverCall *call, int i) {
    const Range *range = &call->range;
    const double w = value(call->vector, (size_t)i, call->type);
    return range->kind == RANGE_NUMBERS ? i + 1 >= range->first && i + 1 <= range->last
                                        : w > range->low && w <= range->high;
}

/* Those that are wanted come first, with their vectors. */
static void select_range(const SolverCall *call) {
    const size_t real = solver_real_bytes(call->type), bytes = solver_bytes(call->type);
    int found = 0;
    for (int i = 0; i < call->n && *call->info == 0; i++) {
        if (call->range.kind != RANGE_ALL && !is_wanted(call, i))
            continue;
        char *values = call->vector, *columns = call->a.at;
        const size_t column = (size_t)call->a.lead * bytes;
        memmove(values + (size_t)found * real, values + (size_t)i * real, real);
        if (call->first == 'V')
            memmove(columns + (size_t)found * column, columns + (size_t)i * column,
                    (size_t)call->n * bytes);
        found++;
    }
    if (call->range.found)
        *call->range.found = found;
    if (call->range.found_wide)
        *call->range.found_wide = found;
}

bool solver_eigen(const SolverCall *call) {
    const size_t bytes = (size_t)call->n * solver_real_bytes(call->type);
    if (!warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)call->vector, bytes))
        return true;
    if (call->residual ? !with_residual(call) : !solver_lapack(call))
        return false;
    if (call->range.kind)
        select_range(call);
    return true;
}

/* Real matrices' values, which LAPACK gives as two arrays, as cuSOLVER has them: complex (k is 1), or one array after the
 * other. Of complex matrices they are complex. */
bool solver_geev(const SolverCall *call) {
    const size_t n = (size_t)call->n, real = solver_real_bytes(call->type);
    if (!warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)call->vector, 2 * n * real))
        return true;
    if (solver_complex(call->type))
        return solver_lapack(call);
    SolverCall parted = *call;
    char *to = call->vector, *re = malloc((n + 1) * real), *im = malloc((n + 1) * real);
    parted.vector = re, parted.imaginary = im;
    const bool good = re && im && solver_lapack(&parted);
    for (size_t i = 0; good && i < n; i++) {
        memcpy(to + (call->k ? 2 * i : i) * real, re + i * real, real);
        memcpy(to + (call->k ? 2 * i + 1 : n + i) * real, im + i * real, real);
    }
    free(re), free(im);
    return good;
}

/* Incomplete factors: a matrix becomes L and U, or L, where it has elements. */
#include "hostlib/sparse/sparse.h"

#include <math.h>
#include <stdlib.h>

/* ---- L and U ---- */

/* Row by row: each element left of the diagonal is divided by the diagonal of its column's row, and that row
 * taken off where this one has elements. Y. Saad, Iterative Methods for Sparse Linear Systems, 10.3. */
static void factor_row(const SparseWork *work, int64_t row, int64_t *places, double complex *values,
                       int64_t *diagonals) {
    const SparseMatrix *a = &work->a;
    int64_t first, end, other_first, other_end;
    matrix_range(a, row, &first, &end);
    diagonals[row] = -1;
    for (int64_t at = first; at < end; at++) {
        Element e = matrix_element(a, row, at);
        if (!matrix_has(a, e))
            return;
        places[e.column] = at;
        if (e.column == row)
            diagonals[row] = at;
    }
    for (int64_t at = first; at < end; at++) {
        int64_t column = matrix_element(a, row, at).column;
        if (column >= row || diagonals[column] < 0)
            continue;
        values[at] = quotient(values[at], values[diagonals[column]]);
        matrix_range(a, column, &other_first, &other_end);
        for (int64_t k = diagonals[column] + 1; k < other_end; k++) {
            int64_t place = places[matrix_element(a, column, k).column];
            if (place >= 0)
                values[place] -= times(values[at], values[k]);
        }
    }
    for (int64_t at = first; at < end; at++)
        places[matrix_element(a, row, at).column] = -1;
    bool zero = diagonals[row] < 0 || values[diagonals[row]] == 0;
    if (zero && *work->number < 0)
        *work->number = row + a->base;
}

static bool compute_lu(const SparseWork *work) {
    const SparseMatrix *a = &work->a;
    size_t rows = (size_t)a->row_count + 1;
    double complex *values = malloc(((size_t)a->count + 1) * sizeof *values);
    int64_t *places = malloc(rows * sizeof *places), *diagonals = malloc(rows * sizeof *diagonals);
    bool made = values && places && diagonals;
    *work->number = -1;
    for (int64_t i = 0; made && i < a->count; i++)
        values[i] = value_load(a->values, a->type, i);
    for (int64_t i = 0; made && i < a->row_count; i++)
        places[i] = -1;
    for (int64_t row = 0; made && row < a->row_count; row++)
        factor_row(work, row, places, values, diagonals);
    for (int64_t i = 0; made && i < a->count; i++)
        value_store(a->values, a->type, i, values[i]);
    free(values);
    free(places);
    free(diagonals);
    return made;
}

/* ---- incomplete Cholesky factors: of the lower triangle, the rest is left as it is ---- */

/* What rows `one` and `other` have in common, left of a column; each row's elements lie in order. */
static double complex common(const SparseMatrix *a, const double complex *values, int64_t one,
                             int64_t other, int64_t column) {
    int64_t at, end, at_other, end_other;
    double complex sum = 0;
    matrix_range(a, one, &at, &end);
    matrix_range(a, other, &at_other, &end_other);
    while (at < end && at_other < end_other) {
        const int64_t x = matrix_element(a, one, at).column;
        const int64_t y = matrix_element(a, other, at_other).column;
        if (x >= column || y >= column)
            break;
        if (x == y)
            sum += times(values[at], conj(values[at_other]));
        at += x <= y;
        at_other += y <= x;
    }
    return sum;
}

static void cholesky_row(const SparseWork *work, int64_t row, double complex *values,
                         double *diagonals) {
    const SparseMatrix *a = &work->a;
    int64_t at, end;
    diagonals[row] = 0;
    matrix_range(a, row, &at, &end);
    for (; at < end; at++) {
        const int64_t column = matrix_element(a, row, at).column;
        if (column < 0 || column > row)
            continue;
        values[at] -= common(a, values, row, column, column);
        if (column < row) {
            if (diagonals[column] != 0)
                values[at] /= diagonals[column];
        } else if (creal(values[at]) > 0) {
            values[at] = diagonals[row] = sqrt(creal(values[at]));
        }
    }
    if (diagonals[row] == 0 && *work->number < 0)
        *work->number = row + a->base;
}

static bool compute_cholesky(const SparseWork *work) {
    const SparseMatrix *a = &work->a;
    double complex *values = malloc(((size_t)a->count + 1) * sizeof *values);
    double *diagonals = malloc(((size_t)a->row_count + 1) * sizeof *diagonals);
    bool made = values && diagonals;
    *work->number = -1;
    for (int64_t i = 0; made && i < a->count; i++)
        values[i] = value_load(a->values, a->type, i);
    for (int64_t row = 0; made && row < a->row_count; row++)
        cholesky_row(work, row, values, diagonals);
    for (int64_t i = 0; made && i < a->count; i++)
        value_store(a->values, a->type, i, values[i]);
    free(values);
    free(diagonals);
    return made;
}

/* ---- calls ---- */

/* What a csrilu02Info_t or csric02Info_t points to: the first row without a pivot, or -1. */
static SparseStatus info_new(int64_t **info) {
    if (!info)
        return SPARSE_INVALID_VALUE;
    *info = malloc(sizeof **info);
    if (!*info)
        return SPARSE_ALLOC_FAILED;
    **info = -1;
    return SPARSE_SUCCESS;
}

static SparseStatus zero_pivot(const SparseHandle *handle, const int64_t *info, int *row) {
    if (!sparse_is_handle(handle) || !info || !row)
        return handle ? SPARSE_INVALID_VALUE : SPARSE_NOT_INITIALIZED;
    *row = (int)*info;
    return *info < 0 ? SPARSE_SUCCESS : SPARSE_ZERO_PIVOT;
}

#define INFO(Name, name)                                                                           \
    EXPORTED(cusparseCreate##Name##Info, int64_t **info) {                                         \
        return info_new(info);                                                                     \
    }                                                                                              \
    EXPORTED(cusparseDestroy##Name##Info, int64_t *info) {                                         \
        free(info);                                                                                \
        return SPARSE_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusparseX##name##_zeroPivot, const SparseHandle *handle, const int64_t *info,         \
             int *row) {                                                                           \
        return zero_pivot(handle, info, row);                                                      \
    }
INFO(Csrilu02, csrilu02)
INFO(Csric02, csric02)

#define FACTORS                                                                                    \
    const SparseHandle *handle, int rows, int count, const SparseMatrix *matrix, void *values,     \
        void *offsets, void *columns, int64_t *info

static SparseStatus factors(const char *function, bool (*compute)(const SparseWork *work), int type,
                            FACTORS) {
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    if (rows < 0 || count < 0 || !matrix || !info)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {
        .work.function = function,
        .compute = compute,
        .a = sparse_csr(rows, rows, count, offsets, columns, values, matrix->base, type),
        .number = info};
    return compute ? sparse_enqueue(handle, &work) : SPARSE_SUCCESS;
}

#define PASSED handle, rows, count, matrix, values, offsets, columns, info
#define FACTORIZATION(name, compute, type)                                                         \
    EXPORTED(cusparse##name##_bufferSize, FACTORS, int *size) {                                    \
        if (size)                                                                                  \
            *size = WORK_BYTES;                                                                    \
        return factors(__func__, NULL, type, PASSED);                                              \
    }                                                                                              \
    EXPORTED(cusparse##name##_analysis, FACTORS, int policy, void *area) {                         \
        (void)policy, (void)area;                                                                  \
        return factors(__func__, NULL, type, PASSED);                                              \
    }                                                                                              \
    EXPORTED(cusparse##name, FACTORS, int policy, void *area) {                                    \
        (void)policy, (void)area;                                                                  \
        return factors(__func__, compute, type, PASSED);                                           \
    }

FACTORIZATION(Scsrilu02, compute_lu, VALUE_R_32)
FACTORIZATION(Dcsrilu02, compute_lu, VALUE_R_64)
FACTORIZATION(Ccsrilu02, compute_lu, VALUE_C_32)
FACTORIZATION(Zcsrilu02, compute_lu, VALUE_C_64)
FACTORIZATION(Scsric02, compute_cholesky, VALUE_R_32)
FACTORIZATION(Dcsric02, compute_cholesky, VALUE_R_64)
FACTORIZATION(Ccsric02, compute_cholesky, VALUE_C_32)
FACTORIZATION(Zcsric02, compute_cholesky, VALUE_C_64)

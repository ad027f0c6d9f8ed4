/* Products with dense matrices, and incomplete factors. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

static void add_element(const SparseWork *work, Element e, double complex *sums) {
    int64_t to = work->op_a ? e.column : e.row, from = work->op_a ? e.row : e.column;
    double complex value = work->op_a == OP_CONJUGATE ? conj(e.value) : e.value;
    for (int64_t k = 0; k < work->c.columns; k++) {
        double complex b = dense_load_op(&work->b, work->op_b, from, k);
        sums[to * work->c.columns + k] += times(value, b);
    }
}

bool compute_product(const SparseWork *work) {
    double complex *sums = calloc((size_t)(work->c.rows * work->c.columns) + 1, sizeof *sums);
    if (!sums)
        return false;
    for (Walk walk = {.matrix = &work->a}; walk_next(&walk);)
        add_element(work, walk.element, sums);
    for (int64_t row = 0; row < work->c.rows; row++)
        for (int64_t k = 0; k < work->c.columns; k++) {
            double complex sum = times(work->alpha, sums[row * work->c.columns + k]);
            if (work->beta != 0)
                sum += times(work->beta, dense_load(&work->c, row, k));
            dense_store(&work->c, row, k, sum);
        }
    free(sums);
    return true;
}

bool compute_sampled(const SparseWork *work) {
    const SparseMatrix *to = &work->a;
    const int64_t inner = work->op_a ? work->b.rows : work->b.columns;
    for (Walk walk = {.matrix = to}; walk_next(&walk);) {
        const Element e = walk.element;
        double complex sum = 0;
        for (int64_t k = 0; k < inner; k++)
            sum += times(dense_load_op(&work->b, work->op_a, e.row, k),
                         dense_load_op(&work->c, work->op_b, k, e.column));
        sum = times(work->alpha, sum) + (work->beta == 0 ? 0 : times(work->beta, e.value));
        value_store(to->values, to->type, walk.at - 1, sum);
    }
    return true;
}

/* ---- incomplete factors ---- */

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
        values[at] /= values[diagonals[column]];
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

bool compute_factors(const SparseWork *work) {
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

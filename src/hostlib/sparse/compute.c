/* Products with dense matrices. */
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
        value_store(to->values, to->type, e.place, sum);
    }
    return true;
}

/* The arithmetic. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

size_t value_bytes(int type) {
    size_t real = type == VALUE_R_32 || type == VALUE_C_32 ? sizeof(float) : sizeof(double);
    return type >= VALUE_C_32 ? 2 * real : real;
}

double complex value_load(const void *values, int type, int64_t index) {
    switch (type) {
    case VALUE_R_32:
        return ((const float *)values)[index];
    case VALUE_R_64:
        return ((const double *)values)[index];
    case VALUE_C_32:
        return ((const float complex *)values)[index];
    default:
        return ((const double complex *)values)[index];
    }
}

static void value_store(void *values, int type, int64_t index, double complex value) {
    switch (type) {
    case VALUE_R_32:
        ((float *)values)[index] = (float)creal(value);
        break;
    case VALUE_R_64:
        ((double *)values)[index] = creal(value);
        break;
    case VALUE_C_32:
        ((float complex *)values)[index] = (float complex)value;
        break;
    default:
        ((double complex *)values)[index] = value;
    }
}

/* Without C's care for infinities. */
static double complex times(double complex a, double complex b) {
    double real = creal(a) * creal(b) - cimag(a) * cimag(b);
    return __builtin_complex(real, creal(a) * cimag(b) + cimag(a) * creal(b));
}

static size_t index_bytes(int type) {
    return type == INDEX_32 ? sizeof(int32_t) : sizeof(int64_t);
}

static int64_t index_load(const void *indices, int type, int64_t at, int base) {
    int64_t index =
        type == INDEX_32 ? ((const int32_t *)indices)[at] : ((const int64_t *)indices)[at];
    return index - base;
}

static int64_t dense_index(const DenseMatrix *matrix, int64_t row, int64_t column) {
    return matrix->order == ORDER_ROW ? row * matrix->lead + column : column * matrix->lead + row;
}

static double complex dense_load(const DenseMatrix *matrix, int64_t row, int64_t column) {
    return value_load(matrix->values, matrix->type, dense_index(matrix, row, column));
}

static void dense_store(const DenseMatrix *matrix, int64_t row, int64_t column,
                        double complex value) {
    value_store(matrix->values, matrix->type, dense_index(matrix, row, column), value);
}

/* ---- what is reached ---- */

static bool reaches(const SparseWork *work, const void *at, int64_t count, size_t bytes) {
    return warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)at, (size_t)count * bytes);
}

static bool reaches_dense(const SparseWork *work, const DenseMatrix *matrix) {
    bool empty = matrix->rows == 0 || matrix->columns == 0;
    int64_t last = empty ? -1 : dense_index(matrix, matrix->rows - 1, matrix->columns - 1);
    return reaches(work, matrix->values, last + 1, value_bytes(matrix->type));
}

bool sparse_reaches(const SparseWork *work) {
    const SparseMatrix *a = &work->a;
    const SparseVector *v = &work->v;
    int64_t rows = a->is_coo ? a->count : a->row_count ? a->row_count + 1 : 0;
    return reaches(work, a->rows, rows, index_bytes(a->row_type)) &&
           reaches(work, a->columns, a->count, index_bytes(a->column_type)) &&
           reaches(work, a->values, a->count, value_bytes(a->type)) &&
           reaches_dense(work, &work->b) && reaches_dense(work, &work->c) &&
           reaches(work, v->indices, v->count, index_bytes(v->index_type)) &&
           reaches(work, v->values, v->count, value_bytes(v->type));
}

/* ---- elements ---- */

typedef struct Element {
    int64_t row, column;
    double complex value;
} Element;

/* The elements of row `row`; COO: all are in the first. */
static void row_range(const SparseMatrix *matrix, int64_t row, int64_t *first, int64_t *end) {
    *first = matrix->is_coo ? 0 : index_load(matrix->rows, matrix->row_type, row, matrix->base);
    *end = matrix->is_coo ? matrix->count
                          : index_load(matrix->rows, matrix->row_type, row + 1, matrix->base);
    if (*first < 0 || *end > matrix->count)
        *end = *first; /* not offsets of this matrix */
}

static Element element(const SparseMatrix *matrix, int64_t row, int64_t at) {
    return (Element){matrix->is_coo ? index_load(matrix->rows, matrix->row_type, at, matrix->base)
                                    : row,
                     index_load(matrix->columns, matrix->column_type, at, matrix->base),
                     value_load(matrix->values, matrix->type, at)};
}

static bool is_inside(const SparseMatrix *matrix, const Element *element) {
    return element->row >= 0 && element->row < matrix->row_count && element->column >= 0 &&
           element->column < matrix->column_count;
}

/* ---- products ---- */

static void add_element(const SparseWork *work, Element e, double complex *sums) {
    int64_t to = work->op_a ? e.column : e.row, from = work->op_a ? e.row : e.column;
    double complex value = work->op_a == OP_CONJUGATE ? conj(e.value) : e.value;
    for (int64_t k = 0; k < work->c.columns; k++) {
        double complex b =
            work->op_b ? dense_load(&work->b, k, from) : dense_load(&work->b, from, k);
        sums[to * work->c.columns + k] += times(value, work->op_b == OP_CONJUGATE ? conj(b) : b);
    }
}

bool compute_product(const SparseWork *work) {
    const SparseMatrix *a = &work->a;
    double complex *sums = calloc((size_t)(work->c.rows * work->c.columns) + 1, sizeof *sums);
    if (!sums)
        return false;
    for (int64_t row = 0, first, end; row < (a->is_coo ? 1 : a->row_count); row++) {
        row_range(a, row, &first, &end);
        for (int64_t at = first; at < end; at++) {
            Element e = element(a, row, at);
            if (is_inside(a, &e))
                add_element(work, e, sums);
        }
    }
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

/* ---- triangles ---- */

bool compute_solution(const SparseWork *work) {
    const SparseMatrix *a = &work->a;
    double complex *x = calloc((size_t)a->row_count + 1, sizeof *x);
    if (!x)
        return false;
    for (int64_t i = 0, first, end; i < a->row_count; i++) {
        int64_t row = a->fill == FILL_LOWER ? i : a->row_count - 1 - i;
        double complex rest = times(work->alpha, dense_load(&work->b, row, 0)), diagonal = 1;
        row_range(a, row, &first, &end);
        for (int64_t at = first; at < end; at++) {
            Element e = element(a, row, at);
            bool in_triangle = a->fill == FILL_LOWER ? e.column < row : e.column > row;
            if (is_inside(a, &e) && in_triangle)
                rest -= times(e.value, x[e.column]);
            else if (e.column == row && a->diag == DIAG_NON_UNIT)
                diagonal = e.value;
        }
        x[row] = rest / diagonal;
    }
    for (int64_t row = 0; row < a->row_count; row++)
        dense_store(&work->c, row, 0, x[row]);
    free(x);
    return true;
}

/* Row by row: each element left of the diagonal is divided by the diagonal of its column's row, and that row
 * taken off where this one has elements. Y. Saad, Iterative Methods for Sparse Linear Systems, 10.3. */
static void factor_row(const SparseWork *work, int64_t row, int64_t *places, double complex *values,
                       int64_t *diagonals) {
    const SparseMatrix *a = &work->a;
    int64_t first, end, other_first, other_end;
    row_range(a, row, &first, &end);
    diagonals[row] = -1;
    for (int64_t at = first; at < end; at++) {
        Element e = element(a, row, at);
        if (!is_inside(a, &e))
            return;
        places[e.column] = at;
        if (e.column == row)
            diagonals[row] = at;
    }
    for (int64_t at = first; at < end; at++) {
        int64_t column = element(a, row, at).column;
        if (column >= row || diagonals[column] < 0)
            continue;
        values[at] /= values[diagonals[column]];
        row_range(a, column, &other_first, &other_end);
        for (int64_t k = diagonals[column] + 1; k < other_end; k++) {
            int64_t place = places[element(a, column, k).column];
            if (place >= 0)
                values[place] -= times(values[at], values[k]);
        }
    }
    for (int64_t at = first; at < end; at++)
        places[element(a, row, at).column] = -1;
    bool zero = diagonals[row] < 0 || values[diagonals[row]] == 0;
    if (zero && *work->zero_pivot < 0)
        *work->zero_pivot = row + a->base;
}

bool compute_factors(const SparseWork *work) {
    const SparseMatrix *a = &work->a;
    size_t rows = (size_t)a->row_count + 1;
    double complex *values = malloc(((size_t)a->count + 1) * sizeof *values);
    int64_t *places = malloc(rows * sizeof *places), *diagonals = malloc(rows * sizeof *diagonals);
    bool made = values && places && diagonals;
    *work->zero_pivot = -1;
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

/* ---- vectors ---- */

bool compute_gather(const SparseWork *work) {
    const SparseVector *v = &work->v;
    for (int64_t i = 0; i < v->count; i++) {
        int64_t index = index_load(v->indices, v->index_type, i, v->base);
        if (index >= 0 && index < work->b.rows)
            value_store(v->values, v->type, i, dense_load(&work->b, index, 0));
    }
    return true;
}

bool compute_scatter(const SparseWork *work) {
    const SparseVector *v = &work->v;
    for (int64_t i = 0; i < v->count; i++) {
        int64_t index = index_load(v->indices, v->index_type, i, v->base);
        if (index >= 0 && index < work->c.rows)
            dense_store(&work->c, index, 0, value_load(v->values, v->type, i));
    }
    return true;
}

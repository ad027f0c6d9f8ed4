/* Numbers and indices in the memory of the device. */
#include "hostlib/sparse/sparse.h"

static int64_t dense_index(const DenseMatrix *matrix, int64_t row, int64_t column) {
    return matrix->order == ORDER_ROW ? row * matrix->lead + column : column * matrix->lead + row;
}

double complex dense_load(const DenseMatrix *matrix, int64_t row, int64_t column) {
    return value_load(matrix->values, matrix->type, dense_index(matrix, row, column));
}

double complex dense_load_op(const DenseMatrix *matrix, int op, int64_t row, int64_t column) {
    if (op == OP_NONE)
        return dense_load(matrix, row, column);
    double complex value = dense_load(matrix, column, row);
    return op == OP_CONJUGATE ? conj(value) : value;
}

void dense_store(const DenseMatrix *matrix, int64_t row, int64_t column, double complex value) {
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

int64_t matrix_lines(const SparseMatrix *matrix) {
    return matrix->format == FORMAT_CSC ? matrix->column_count : matrix->row_count;
}

static int64_t row_indices(const SparseMatrix *matrix) {
    const int64_t lines = matrix_lines(matrix);
    switch (matrix->format) {
    case FORMAT_COO:
        return matrix->count;
    case FORMAT_BLOCKED_ELL:
        return 0;
    case FORMAT_BSR:
    case FORMAT_SLICED_ELL:
        return lines ? (lines - 1) / matrix->block_rows + 2 : 0;
    default: /* of a matrix without lines, where that one is given */
        return lines || matrix->rows ? lines + 1 : 0;
    }
}

static int64_t column_indices(const SparseMatrix *matrix) {
    const bool blocks = matrix->format == FORMAT_BLOCKED_ELL || matrix->format == FORMAT_BSR;
    return blocks ? matrix->count / (matrix->block_rows * matrix->block_columns) : matrix->count;
}

static bool reaches_matrix(const SparseWork *work, const SparseMatrix *matrix) {
    return reaches(work, matrix->rows, row_indices(matrix), index_bytes(matrix->row_type)) &&
           reaches(work, matrix->columns, column_indices(matrix),
                   index_bytes(matrix->column_type)) &&
           reaches(work, matrix->values, matrix->count, value_bytes(matrix->type));
}

bool sparse_reaches(const SparseWork *work) {
    const SparseVector *v = &work->v;
    return reaches_matrix(work, &work->a) && reaches_matrix(work, &work->d) &&
           reaches_matrix(work, &work->to) && reaches_dense(work, &work->b) &&
           reaches_dense(work, &work->c) &&
           reaches(work, v->indices, v->count, index_bytes(v->index_type)) &&
           reaches(work, v->values, v->count, value_bytes(v->type));
}

/* Matrices from one format into another. */
#include "hostlib/sparse/sparse.h"

/* ---- rows for columns ---- */

static bool transpose(const SparseWork *work) {
    Lines columns;
    if (!lines_of(&columns, &work->a, OP_TRANSPOSE))
        return false;
    lines_store(&columns, &work->to);
    lines_free(&columns);
    return true;
}

#define BY_COLUMNS                                                                                 \
    const SparseHandle *handle, int rows, int columns, int count, void *values, void *offsets,     \
        void *places, void *to_values, void *to_offsets, void *to_places, int type, int action,    \
        int base, int algorithm

static SparseStatus check_by_columns(int rows, int columns, int count, int type, int base) {
    if (rows < 0 || columns < 0 || count < 0 || base < 0 || base > 1)
        return SPARSE_INVALID_VALUE;
    return type == VALUE_R_32 || type == VALUE_R_64 || type == VALUE_C_32 || type == VALUE_C_64
               ? SPARSE_SUCCESS
               : SPARSE_NOT_SUPPORTED;
}

EXPORTED(cusparseCsr2cscEx2_bufferSize, BY_COLUMNS, size_t *size) {
    (void)values, (void)offsets, (void)places, (void)to_values, (void)to_offsets;
    (void)to_places, (void)action, (void)algorithm;
    return sparse_size(handle, check_by_columns(rows, columns, count, type, base), size);
}

EXPORTED(cusparseCsr2cscEx2, BY_COLUMNS, void *area) {
    enum { ACTION_SYMBOLIC };
    (void)algorithm, (void)area;
    SparseStatus wrong = check_by_columns(rows, columns, count, type, base);
    if (wrong || !sparse_is_handle(handle))
        return wrong ? wrong : SPARSE_NOT_INITIALIZED;
    const int copied = action == ACTION_SYMBOLIC ? VALUE_NONE : type;
    SparseWork work = {
        .work.function = __func__,
        .compute = transpose,
        .a = sparse_csr(rows, columns, count, offsets, places, values, base, copied),
        .to = sparse_csr(columns, rows, count, to_offsets, to_places, to_values, base, copied)};
    return sparse_enqueue(handle, &work);
}

/* ---- dense and sparse ---- */

static bool count_elements(const SparseWork *work) {
    *work->number = 0;
    for (int64_t column = 0; column < work->b.columns; column++)
        for (int64_t row = 0; row < work->b.rows; row++)
            *work->number += dense_load(&work->b, row, column) != 0;
    return true;
}

/* Where blocked ELL has places: which these are the program decides. */
static bool fill_places(const SparseWork *work) {
    const SparseMatrix *to = &work->to;
    for (Walk walk = {.matrix = to}; walk_next(&walk);) {
        const Element e = walk.element;
        value_store(to->values, to->type, e.place, dense_load(&work->b, e.row, e.column));
    }
    return true;
}

static bool make_sparse(const SparseWork *work) {
    Lines lines;
    if (work->to.format == FORMAT_BLOCKED_ELL)
        return fill_places(work);
    if (!lines_of_dense(&lines, &work->b, work->to.format == FORMAT_CSC))
        return false;
    if (lines.offsets[lines.count] == work->to.count) /* as when they were counted */
        lines_store(&lines, &work->to);
    lines_free(&lines);
    return true;
}

static bool make_dense(const SparseWork *work) {
    for (int64_t column = 0; column < work->c.columns; column++)
        for (int64_t row = 0; row < work->c.rows; row++)
            dense_store(&work->c, row, column, 0);
    for (Walk walk = {.matrix = &work->a}; walk_next(&walk);)
        dense_store(&work->c, walk.element.row, walk.element.column, walk.element.value);
    return true;
}

static SparseStatus check(const DenseMatrix *dense, const SparseMatrix *sparse) {
    if (!dense || !sparse || dense->rows != sparse->row_count ||
        dense->columns != sparse->column_count)
        return SPARSE_INVALID_VALUE;
    return dense->type == sparse->type ? SPARSE_SUCCESS : SPARSE_NOT_SUPPORTED;
}

/* Of a call that works: with a handle and a work area. */
static SparseStatus check_call(const SparseHandle *handle, const DenseMatrix *dense,
                               const SparseMatrix *sparse, const void *area) {
    SparseStatus wrong = check(dense, sparse);
    return !wrong && (!sparse_is_handle(handle) || !area) ? SPARSE_INVALID_VALUE : wrong;
}

EXPORTED(cusparseDenseToSparse_bufferSize, const SparseHandle *handle, const DenseMatrix *from,
         const SparseMatrix *to, int algorithm, size_t *size) {
    (void)algorithm;
    return sparse_size(handle, check(from, to), size);
}

EXPORTED(cusparseDenseToSparse_analysis, const SparseHandle *handle, const DenseMatrix *from,
         SparseMatrix *to, int algorithm, void *area) {
    (void)algorithm;
    SparseStatus wrong = check_call(handle, from, to, area);
    if (wrong || to->format == FORMAT_BLOCKED_ELL)
        return wrong;
    if (to->format > FORMAT_COO)
        return SPARSE_NOT_SUPPORTED;
    SparseWork work = {
        .work.function = __func__, .compute = count_elements, .b = *from, .number = &to->count};
    return sparse_enqueue(handle, &work);
}

EXPORTED(cusparseDenseToSparse_convert, const SparseHandle *handle, const DenseMatrix *from,
         const SparseMatrix *to, int algorithm, void *area) {
    (void)algorithm;
    SparseStatus wrong = check_call(handle, from, to, area);
    if (wrong)
        return wrong;
    SparseWork work = {.work.function = __func__, .compute = make_sparse, .b = *from, .to = *to};
    return sparse_enqueue(handle, &work);
}

EXPORTED(cusparseSparseToDense_bufferSize, const SparseHandle *handle, const SparseMatrix *from,
         const DenseMatrix *to, int algorithm, size_t *size) {
    (void)algorithm;
    return sparse_size(handle, check(to, from), size);
}

EXPORTED(cusparseSparseToDense, const SparseHandle *handle, const SparseMatrix *from,
         const DenseMatrix *to, int algorithm, void *area) {
    (void)algorithm;
    SparseStatus wrong = check_call(handle, to, from, area);
    if (wrong)
        return wrong;
    SparseWork work = {.work.function = __func__, .compute = make_dense, .a = *from, .c = *to};
    return sparse_enqueue(handle, &work);
}

/* ---- how many elements a dense matrix has, in each row or column and in all ---- */

static bool compute_counts(const SparseWork *work) {
    const DenseMatrix *matrix = &work->b;
    const bool by_columns = work->op_a;
    const int64_t lines = by_columns ? matrix->columns : matrix->rows,
                  length = by_columns ? matrix->rows : matrix->columns;
    int32_t *counts = work->v.indices, *all = work->result, sum = 0;
    if (!warplens_reaches_anywhere(work->work.function, (CUdeviceptr)(uintptr_t)all, sizeof *all))
        return true;
    for (int64_t line = 0; line < lines; line++) {
        counts[line] = 0;
        for (int64_t place = 0; place < length; place++)
            counts[line] += (by_columns ? dense_load(matrix, place, line)
                                        : dense_load(matrix, line, place)) != 0;
        sum += counts[line];
    }
    *all = sum;
    return true;
}

static SparseStatus counts(const char *function, int type, const SparseHandle *handle,
                           int direction, int rows, int columns, const SparseMatrix *description,
                           void *values, int lead, int *counts, int *all) {
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    if (direction < 0 || direction > 1 || rows < 0 || columns < 0 || !description || !all ||
        lead < rows)
        return SPARSE_INVALID_VALUE;
    const int64_t lines = direction ? columns : rows;
    SparseWork work = {.work.function = function,
                       .compute = compute_counts,
                       .b = {rows, columns, lead, values, type, ORDER_COLUMN, 1, 0},
                       .v = {lines, lines, counts, NULL, INDEX_32, 0, VALUE_NONE},
                       .op_a = direction,
                       .result = all};
    return sparse_enqueue(handle, &work);
}

#define COUNTS(T, value_type)                                                                      \
    EXPORTED(cusparse##T##nnz, const SparseHandle *handle, int direction, int rows, int columns,   \
             const SparseMatrix *description, void *values, int lead, int *each, int *all) {       \
        return counts(__func__, value_type, handle, direction, rows, columns, description, values, \
                      lead, each, all);                                                            \
    }
COUNTS(S, VALUE_R_32)
COUNTS(D, VALUE_R_64)
COUNTS(C, VALUE_C_32)
COUNTS(Z, VALUE_C_64)

/* The exported functions that compute. */
#include "hostlib/sparse/sparse.h"

#include <stddef.h>

static void *further(void *at, int64_t elements, size_t bytes) {
    return at ? (char *)at + (ptrdiff_t)elements * (ptrdiff_t)bytes : NULL;
}

/* The i-th of a batch, where it is one: else the same again. */
static void move_matrix(SparseMatrix *matrix, int64_t i) {
    if (matrix->batch <= 1)
        return;
    matrix->rows = further(matrix->rows, i * matrix->row_stride, index_bytes(matrix->row_type));
    matrix->columns =
        further(matrix->columns, i * matrix->stride, index_bytes(matrix->column_type));
    matrix->values = further(matrix->values, i * matrix->stride, value_bytes(matrix->type));
}

static void move_dense(DenseMatrix *matrix, int64_t i) {
    if (matrix->batch > 1)
        matrix->values = further(matrix->values, i * matrix->stride, value_bytes(matrix->type));
}

static bool load_scalar(const SparseWork *work, const void *at, double complex *to) {
    if (!at)
        return true;
    if (!warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)at,
                          value_bytes(work->scalar_type)))
        return false;
    *to = value_load(at, work->scalar_type, 0);
    return true;
}

static void run(const HostWork *data) {
    SparseWork all = *(const SparseWork *)data;
    const int batches[] = {all.a.batch, all.b.batch, all.c.batch};
    int count = 1;
    for (int i = 0; i < 3; i++)
        count = batches[i] > count ? batches[i] : count;
    if (!load_scalar(&all, all.alpha_at, &all.alpha) || !load_scalar(&all, all.beta_at, &all.beta))
        return;
    for (int i = 0; i < count; i++) {
        SparseWork one = all;
        move_matrix(&one.a, i);
        move_dense(&one.b, i);
        move_dense(&one.c, i);
        if (!sparse_reaches(&one))
            return;
        if (!one.compute(&one)) {
            warplens_message("cusparse", "cusparse: no memory: a call is left out");
            return;
        }
    }
}

SparseStatus sparse_enqueue(const SparseHandle *handle, SparseWork *work) {
    work->work.library = "cusparse";
    work->work.run = run;
    return warplens_enqueue(handle->stream, &work->work, sizeof *work) ? SPARSE_EXECUTION_FAILED
                                                                       : SPARSE_SUCCESS;
}

void sparse_put_scalars(const SparseHandle *handle, SparseWork *work, const void *alpha,
                        const void *beta, int type) {
    work->scalar_type = type;
    if (handle->scalars == SCALARS_DEVICE) {
        work->alpha_at = alpha;
        work->beta_at = beta;
        return;
    }
    work->alpha = value_load(alpha, type, 0);
    work->beta = beta ? value_load(beta, type, 0) : 0;
}

SparseMatrix sparse_csr(int64_t rows, int64_t columns, int64_t count, void *offsets, void *places,
                        void *values, int base, int type) {
    return (SparseMatrix){.format = FORMAT_CSR,
                          .row_count = rows,
                          .column_count = columns,
                          .count = count,
                          .rows = offsets,
                          .columns = places,
                          .values = values,
                          .row_type = INDEX_32,
                          .column_type = INDEX_32,
                          .base = base,
                          .type = type};
}

/* ---- products ---- */

/* One matrix, or as many as the others. */
static bool are_batches(int a, int b, int c) {
    const int most = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return (a <= 1 || a == most) && (b <= 1 || b == most) && (c == most || most <= 1);
}

bool sparse_is_operation(int op) {
    return op >= OP_NONE && op <= OP_CONJUGATE;
}

SparseStatus sparse_check_product(int op_a, int op_b, const SparseMatrix *a, const DenseMatrix *b,
                                  const DenseMatrix *c, int type) {
    if (!a || !b || !c || !sparse_is_operation(op_a) || !sparse_is_operation(op_b))
        return SPARSE_INVALID_VALUE;
    int64_t rows = op_a ? a->column_count : a->row_count;
    int64_t inner = op_a ? a->row_count : a->column_count;
    int64_t inner_b = op_b ? b->columns : b->rows, columns = op_b ? b->rows : b->columns;
    if (inner != inner_b || c->rows != rows || c->columns != columns)
        return SPARSE_INVALID_VALUE;
    bool same = a->type == b->type && b->type == c->type;
    if (!are_batches(a->batch, b->batch, c->batch))
        return SPARSE_INVALID_VALUE;
    const bool half = a->type == VALUE_R_16 || a->type == VALUE_R_16B;
    if (half)
        return a->type == b->type && (c->type == a->type || c->type == VALUE_R_32) &&
                       type == VALUE_R_32
                   ? SPARSE_SUCCESS
                   : SPARSE_NOT_SUPPORTED;
    bool wide = a->type == VALUE_R_32 && b->type == VALUE_R_64 && c->type == VALUE_R_64;
    return (same || wide) && type == c->type ? SPARSE_SUCCESS : SPARSE_NOT_SUPPORTED;
}

SparseStatus sparse_size(const SparseHandle *handle, SparseStatus wrong, size_t *size) {
    if (!handle || !size)
        return SPARSE_INVALID_VALUE;
    if (!wrong)
        *size = WORK_BYTES;
    return wrong;
}

static SparseStatus product(const char *function, const SparseHandle *handle, SparseWork *work,
                            const void *alpha, const void *beta, int type, const void *area) {
    if (!sparse_is_handle(handle) || !alpha || !beta || !area)
        return SPARSE_INVALID_VALUE;
    work->work.function = function;
    work->compute = compute_product;
    sparse_put_scalars(handle, work, alpha, beta, type);
    return sparse_enqueue(handle, work);
}

#define PRODUCT_WITH_VECTOR                                                                        \
    const SparseHandle *handle, int op, const void *alpha, const SparseMatrix *a,                  \
        const DenseMatrix *x, const void *beta, const DenseMatrix *y, int type, int algorithm
#define PRODUCT_WITH_MATRIX                                                                        \
    const SparseHandle *handle, int op_a, int op_b, const void *alpha, const SparseMatrix *a,      \
        const DenseMatrix *b, const void *beta, const DenseMatrix *c, int type, int algorithm
enum { ALGORITHMS_MV = 5, ALGORITHMS_MM = 13 };

EXPORTED(cusparseSpMV_bufferSize, PRODUCT_WITH_VECTOR, size_t *size) {
    (void)alpha, (void)beta;
    if (algorithm < 0 || algorithm >= ALGORITHMS_MV)
        return SPARSE_INVALID_VALUE;
    return sparse_size(handle, sparse_check_product(op, OP_NONE, a, x, y, type), size);
}

EXPORTED(cusparseSpMV_preprocess, PRODUCT_WITH_VECTOR, void *area) {
    (void)alpha, (void)beta, (void)algorithm;
    return handle && area ? sparse_check_product(op, OP_NONE, a, x, y, type) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSpMV, PRODUCT_WITH_VECTOR, void *area) {
    (void)algorithm;
    SparseStatus wrong = sparse_check_product(op, OP_NONE, a, x, y, type);
    if (wrong)
        return wrong;
    SparseWork work = {.a = *a, .b = *x, .c = *y, .op_a = op};
    return product(__func__, handle, &work, alpha, beta, type, area);
}

EXPORTED(cusparseSpMM_bufferSize, PRODUCT_WITH_MATRIX, size_t *size) {
    (void)alpha, (void)beta;
    if (algorithm < 0 || algorithm >= ALGORITHMS_MM)
        return SPARSE_INVALID_VALUE;
    return sparse_size(handle, sparse_check_product(op_a, op_b, a, b, c, type), size);
}

EXPORTED(cusparseSpMM_preprocess, PRODUCT_WITH_MATRIX, void *area) {
    (void)alpha, (void)beta, (void)algorithm;
    return handle && area ? sparse_check_product(op_a, op_b, a, b, c, type) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSpMM, PRODUCT_WITH_MATRIX, void *area) {
    (void)algorithm;
    SparseStatus wrong = sparse_check_product(op_a, op_b, a, b, c, type);
    if (wrong)
        return wrong;
    SparseWork work = {.a = *a, .b = *b, .c = *c, .op_a = op_a, .op_b = op_b};
    return product(__func__, handle, &work, alpha, beta, type, area);
}

/* ---- products of dense matrices, where a sparse one has elements ---- */

#define SAMPLED                                                                                    \
    const SparseHandle *handle, int op_a, int op_b, const void *alpha, const DenseMatrix *a,       \
        const DenseMatrix *b, const void *beta, const SparseMatrix *c, int type, int algorithm

static SparseStatus check_sampled(int op_a, int op_b, const DenseMatrix *a, const DenseMatrix *b,
                                  const SparseMatrix *c, int type) {
    if (!a || !b || !c || !sparse_is_operation(op_a) || !sparse_is_operation(op_b))
        return SPARSE_INVALID_VALUE;
    if ((op_a ? a->columns : a->rows) != c->row_count ||
        (op_b ? b->rows : b->columns) != c->column_count ||
        (op_a ? a->rows : a->columns) != (op_b ? b->columns : b->rows) ||
        !are_batches(a->batch, b->batch, c->batch))
        return SPARSE_INVALID_VALUE;
    return a->type == type && b->type == type && c->type == type ? SPARSE_SUCCESS
                                                                 : SPARSE_NOT_SUPPORTED;
}

EXPORTED(cusparseSDDMM_bufferSize, SAMPLED, size_t *size) {
    (void)alpha, (void)beta, (void)algorithm;
    return sparse_size(handle, check_sampled(op_a, op_b, a, b, c, type), size);
}

EXPORTED(cusparseSDDMM_preprocess, SAMPLED, void *area) {
    (void)alpha, (void)beta, (void)algorithm;
    return handle && area ? check_sampled(op_a, op_b, a, b, c, type) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSDDMM, SAMPLED, void *area) {
    (void)algorithm;
    SparseStatus wrong = check_sampled(op_a, op_b, a, b, c, type);
    if (!wrong && (!sparse_is_handle(handle) || !alpha || !beta || !area))
        wrong = SPARSE_INVALID_VALUE;
    if (wrong)
        return wrong;
    SparseWork work = {.work.function = __func__,
                       .compute = compute_sampled,
                       .a = *c,
                       .b = *a,
                       .c = *b,
                       .op_a = op_a,
                       .op_b = op_b};
    sparse_put_scalars(handle, &work, alpha, beta, type);
    return sparse_enqueue(handle, &work);
}

/* The exported functions that compute. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

static void run(const HostWork *data) {
    SparseWork work = *(const SparseWork *)data;
    size_t bytes = value_bytes(work.scalar_type);
    if (!sparse_reaches(&work))
        return;
    if (work.alpha_at) {
        if (!warplens_reaches(data->function, (CUdeviceptr)(uintptr_t)work.alpha_at, bytes))
            return;
        work.alpha = value_load(work.alpha_at, work.scalar_type, 0);
    }
    if (work.beta_at) {
        if (!warplens_reaches(data->function, (CUdeviceptr)(uintptr_t)work.beta_at, bytes))
            return;
        work.beta = value_load(work.beta_at, work.scalar_type, 0);
    }
    if (!work.compute(&work))
        warplens_message("cusparse", "cusparse: no memory: a call is left out");
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
    bool wide = a->type == VALUE_R_32 && b->type == VALUE_R_64 && c->type == VALUE_R_64;
    return (same || wide) && type == c->type ? SPARSE_SUCCESS : SPARSE_NOT_SUPPORTED;
}

enum { WORK_BYTES = 16 };

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
        (op_a ? a->rows : a->columns) != (op_b ? b->columns : b->rows))
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

/* ---- incomplete factorization ---- */

/* What a csrilu02Info_t points to: the first row without a pivot, or -1. */
EXPORTED(cusparseCreateCsrilu02Info, int64_t **info) {
    if (!info)
        return SPARSE_INVALID_VALUE;
    *info = malloc(sizeof **info);
    if (!*info)
        return SPARSE_ALLOC_FAILED;
    **info = -1;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseDestroyCsrilu02Info, int64_t *info) {
    free(info);
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseXcsrilu02_zeroPivot, const SparseHandle *handle, const int64_t *info, int *row) {
    if (!sparse_is_handle(handle) || !info || !row)
        return handle ? SPARSE_INVALID_VALUE : SPARSE_NOT_INITIALIZED;
    *row = (int)*info;
    return *info < 0 ? SPARSE_SUCCESS : SPARSE_ZERO_PIVOT;
}

#define FACTORS                                                                                    \
    const SparseHandle *handle, int rows, int count, const SparseMatrix *matrix, void *values,     \
        void *offsets, void *columns, int64_t *info

static SparseStatus factors(const char *function, int type, FACTORS, bool now) {
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    if (rows < 0 || count < 0 || !matrix || !info)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {
        .work.function = function,
        .compute = compute_factors,
        .a = sparse_csr(rows, rows, count, offsets, columns, values, matrix->base, type),
        .number = info};
    return now ? sparse_enqueue(handle, &work) : SPARSE_SUCCESS;
}

#define FACTORIZATION(T, type)                                                                     \
    EXPORTED(cusparse##T##csrilu02_bufferSize, FACTORS, int *size) {                               \
        if (size)                                                                                  \
            *size = WORK_BYTES;                                                                    \
        return factors(__func__, type, handle, rows, count, matrix, values, offsets, columns,      \
                       info, false);                                                               \
    }                                                                                              \
    EXPORTED(cusparse##T##csrilu02_analysis, FACTORS, int policy, void *area) {                    \
        (void)policy, (void)area;                                                                  \
        return factors(__func__, type, handle, rows, count, matrix, values, offsets, columns,      \
                       info, false);                                                               \
    }                                                                                              \
    EXPORTED(cusparse##T##csrilu02, FACTORS, int policy, void *area) {                             \
        (void)policy, (void)area;                                                                  \
        return factors(__func__, type, handle, rows, count, matrix, values, offsets, columns,      \
                       info, true);                                                                \
    }

FACTORIZATION(S, VALUE_R_32)
FACTORIZATION(D, VALUE_R_64)
FACTORIZATION(C, VALUE_C_32)
FACTORIZATION(Z, VALUE_C_64)

/* The exported functions that compute. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

enum { WORK_BYTES = 16 }; /* of memory that a program is asked for */

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") SparseStatus name(__VA_ARGS__);                        \
    _Pragma("GCC visibility pop") SparseStatus name(__VA_ARGS__)

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

static SparseStatus enqueue(const SparseHandle *handle, SparseWork *work) {
    work->work.library = "cusparse";
    work->work.run = run;
    return warplens_enqueue(handle->stream, &work->work, sizeof *work) ? SPARSE_EXECUTION_FAILED
                                                                       : SPARSE_SUCCESS;
}

/* The factors, from the host now or from the device when it is done. */
static void put_scalars(const SparseHandle *handle, SparseWork *work, const void *alpha,
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

/* ---- products ---- */

static bool is_operation(int op) {
    return op >= OP_NONE && op <= OP_CONJUGATE;
}

/* Whether they fit each other, and are of types that there are together. */
static SparseStatus check_product(int op_a, int op_b, const SparseMatrix *a, const DenseMatrix *b,
                                  const DenseMatrix *c, int type) {
    if (!a || !b || !c || !is_operation(op_a) || !is_operation(op_b))
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

static SparseStatus size_of_product(const SparseHandle *handle, SparseStatus wrong, size_t *size) {
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
    put_scalars(handle, work, alpha, beta, type);
    return enqueue(handle, work);
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
    return size_of_product(handle, check_product(op, OP_NONE, a, x, y, type), size);
}

EXPORTED(cusparseSpMV_preprocess, PRODUCT_WITH_VECTOR, void *area) {
    (void)alpha, (void)beta, (void)algorithm;
    return handle && area ? check_product(op, OP_NONE, a, x, y, type) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSpMV, PRODUCT_WITH_VECTOR, void *area) {
    (void)algorithm;
    SparseStatus wrong = check_product(op, OP_NONE, a, x, y, type);
    if (wrong)
        return wrong;
    SparseWork work = {.a = *a, .b = *x, .c = *y, .op_a = op};
    return product(__func__, handle, &work, alpha, beta, type, area);
}

EXPORTED(cusparseSpMM_bufferSize, PRODUCT_WITH_MATRIX, size_t *size) {
    (void)alpha, (void)beta;
    if (algorithm < 0 || algorithm >= ALGORITHMS_MM)
        return SPARSE_INVALID_VALUE;
    return size_of_product(handle, check_product(op_a, op_b, a, b, c, type), size);
}

EXPORTED(cusparseSpMM_preprocess, PRODUCT_WITH_MATRIX, void *area) {
    (void)alpha, (void)beta, (void)algorithm;
    return handle && area ? check_product(op_a, op_b, a, b, c, type) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSpMM, PRODUCT_WITH_MATRIX, void *area) {
    (void)algorithm;
    SparseStatus wrong = check_product(op_a, op_b, a, b, c, type);
    if (wrong)
        return wrong;
    SparseWork work = {.a = *a, .b = *b, .c = *c, .op_a = op_a, .op_b = op_b};
    return product(__func__, handle, &work, alpha, beta, type, area);
}

/* ---- triangles ---- */

#define TRIANGLE                                                                                   \
    const SparseHandle *handle, int op, const void *alpha, const SparseMatrix *a,                  \
        const DenseMatrix *x, const DenseMatrix *y, int type, int algorithm, void *description

static SparseStatus check_triangle(int op, const SparseMatrix *a, const DenseMatrix *x,
                                   const DenseMatrix *y, int type) {
    SparseStatus wrong = check_product(op, OP_NONE, a, x, y, type);
    if (wrong)
        return wrong;
    if (a->row_count != a->column_count)
        return SPARSE_INVALID_VALUE;
    if (op == OP_NONE && !a->is_coo)
        return SPARSE_SUCCESS;
    warplens_missing("cusparseSpSV_solve of a transposed matrix or one in COO format");
    return SPARSE_NOT_SUPPORTED;
}

/* Nothing is kept in it. */
EXPORTED(cusparseSpSV_createDescr, void **description) {
    if (!description)
        return SPARSE_INVALID_VALUE;
    *description = malloc(1);
    return *description ? SPARSE_SUCCESS : SPARSE_ALLOC_FAILED;
}

EXPORTED(cusparseSpSV_destroyDescr, void *description) {
    free(description);
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpSV_bufferSize, TRIANGLE, size_t *size) {
    (void)alpha, (void)algorithm, (void)description;
    return size_of_product(handle, check_triangle(op, a, x, y, type), size);
}

EXPORTED(cusparseSpSV_analysis, TRIANGLE, void *area) {
    (void)alpha, (void)algorithm;
    return handle && area && description ? check_triangle(op, a, x, y, type) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSpSV_solve, TRIANGLE) {
    (void)algorithm;
    if (!sparse_is_handle(handle) || !alpha || !description)
        return SPARSE_INVALID_VALUE;
    SparseStatus wrong = check_triangle(op, a, x, y, type);
    if (wrong)
        return wrong;
    SparseWork work = {
        .work.function = __func__, .compute = compute_solution, .a = *a, .b = *x, .c = *y};
    put_scalars(handle, &work, alpha, NULL, type);
    return enqueue(handle, &work);
}

/* ---- vectors ---- */

EXPORTED(cusparseGather, const SparseHandle *handle, const DenseMatrix *y, const SparseVector *x) {
    if (!sparse_is_handle(handle) || !x || !y || x->type != y->type)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__, .compute = compute_gather, .b = *y, .v = *x};
    return enqueue(handle, &work);
}

EXPORTED(cusparseScatter, const SparseHandle *handle, const SparseVector *x, const DenseMatrix *y) {
    if (!sparse_is_handle(handle) || !x || !y || x->type != y->type)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__, .compute = compute_scatter, .c = *y, .v = *x};
    return enqueue(handle, &work);
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
    SparseWork work = {.work.function = function,
                       .compute = compute_factors,
                       .a = {false, rows, rows, count, offsets, columns, values, INDEX_32, INDEX_32,
                             matrix->base, type, FILL_LOWER, DIAG_NON_UNIT},
                       .zero_pivot = info};
    return now ? enqueue(handle, &work) : SPARSE_SUCCESS;
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

/* Handles and descriptions. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

/* What programs are told: that of CUDA 13.0's library. */
enum { VERSION_MAJOR = 12, VERSION_MINOR = 6, VERSION_PATCH = 3 };
enum { HANDLE_TAG = 0x77620004 };

bool sparse_is_handle(const SparseHandle *handle) {
    return handle && handle->tag == HANDLE_TAG;
}

/* ---- handles ---- */

EXPORTED(cusparseCreate, SparseHandle **handle) {
    if (!handle)
        return SPARSE_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return SPARSE_ALLOC_FAILED;
    (*handle)->tag = HANDLE_TAG;
    return SPARSE_SUCCESS;
}

/* NULL is nothing to destroy, as on a GPU. */
EXPORTED(cusparseDestroy, SparseHandle *handle) {
    if (!handle)
        return SPARSE_SUCCESS;
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    handle->tag = 0;
    free(handle);
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSetStream, SparseHandle *handle, CUstream stream) {
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    handle->stream = stream;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseGetStream, SparseHandle *handle, CUstream *stream) {
    if (!sparse_is_handle(handle) || !stream)
        return handle ? SPARSE_INVALID_VALUE : SPARSE_NOT_INITIALIZED;
    *stream = handle->stream;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSetPointerMode, SparseHandle *handle, int mode) {
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    handle->scalars = mode;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseGetPointerMode, SparseHandle *handle, int *mode) {
    if (!sparse_is_handle(handle) || !mode)
        return handle ? SPARSE_INVALID_VALUE : SPARSE_NOT_INITIALIZED;
    *mode = handle->scalars;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseGetVersion, SparseHandle *handle, int *version) {
    if (!sparse_is_handle(handle) || !version)
        return handle ? SPARSE_INVALID_VALUE : SPARSE_NOT_INITIALIZED;
    *version = VERSION_MAJOR * 1000 + VERSION_MINOR * 100 + VERSION_PATCH;
    return SPARSE_SUCCESS;
}

static const struct {
    SparseStatus status;
    const char *name, *text;
} statuses[] = {
    {SPARSE_SUCCESS, "CUSPARSE_STATUS_SUCCESS", "success"},
    {SPARSE_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {SPARSE_ALLOC_FAILED, "CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {SPARSE_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {SPARSE_EXECUTION_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED", "execution failed"},
    {SPARSE_ZERO_PIVOT, "CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {SPARSE_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
};
enum { STATUSES = sizeof statuses / sizeof statuses[0] };

#pragma GCC visibility push(default)
const char *cusparseGetErrorName(SparseStatus status);
const char *cusparseGetErrorString(SparseStatus status);
#pragma GCC visibility pop

const char *cusparseGetErrorName(SparseStatus status) {
    int i = 0;
    while (i < STATUSES && statuses[i].status != status)
        i++;
    return i < STATUSES ? statuses[i].name : "unrecognized error code";
}

const char *cusparseGetErrorString(SparseStatus status) {
    int i = 0;
    while (i < STATUSES && statuses[i].status != status)
        i++;
    return i < STATUSES ? statuses[i].text : "unrecognized error code";
}

/* ---- sparse matrices ---- */

static bool is_index(int type) {
    return type == INDEX_32 || type == INDEX_64;
}

static bool is_value(int type) {
    return type == VALUE_R_32 || type == VALUE_R_64 || type == VALUE_C_32 || type == VALUE_C_64 ||
           type == VALUE_R_16 || type == VALUE_R_16B;
}

/* -1: fewer than none, or more than there can be. */
static int64_t times_at_most(int64_t a, int64_t b) {
    int64_t product;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

static bool has_room(const SparseMatrix *what) {
    if (what->row_count < 0 || what->column_count < 0 || what->count < 0)
        return false;
    return what->row_count == 0 || what->column_count == 0
               ? what->count == 0
               : (what->count - 1) / what->row_count < what->column_count;
}

static SparseStatus matrix_new(SparseMatrix **matrix, const SparseMatrix *what) {
    if (!matrix || !has_room(what) || !is_index(what->row_type) || !is_index(what->column_type) ||
        what->base < 0 || what->base > 1)
        return SPARSE_INVALID_VALUE;
    if (what->row_type != what->column_type || !is_value(what->type))
        return SPARSE_NOT_SUPPORTED;
    *matrix = malloc(sizeof **matrix);
    if (!*matrix)
        return SPARSE_ALLOC_FAILED;
    **matrix = *what;
    return SPARSE_SUCCESS;
}

#define MATRIX_SIZES int64_t rows, int64_t columns, int64_t count

EXPORTED(cusparseCreateCsr, SparseMatrix **matrix, MATRIX_SIZES, void *offsets, void *at,
         void *values, int offset_type, int at_type, int base, int type) {
    return matrix_new(matrix, &(SparseMatrix){.format = FORMAT_CSR,
                                              .row_count = rows,
                                              .column_count = columns,
                                              .count = count,
                                              .rows = offsets,
                                              .columns = at,
                                              .values = values,
                                              .row_type = offset_type,
                                              .column_type = at_type,
                                              .base = base,
                                              .type = type});
}

EXPORTED(cusparseCreateConstCsr, SparseMatrix **matrix, MATRIX_SIZES, void *offsets, void *at,
         void *values, int offset_type, int at_type, int base, int type) {
    return cusparseCreateCsr(matrix, rows, columns, count, offsets, at, values, offset_type,
                             at_type, base, type);
}

EXPORTED(cusparseCreateCsc, SparseMatrix **matrix, MATRIX_SIZES, void *offsets, void *at,
         void *values, int offset_type, int at_type, int base, int type) {
    SparseStatus wrong = cusparseCreateCsr(matrix, rows, columns, count, offsets, at, values,
                                           offset_type, at_type, base, type);
    if (!wrong)
        (*matrix)->format = FORMAT_CSC;
    return wrong;
}

EXPORTED(cusparseCreateCoo, SparseMatrix **matrix, MATRIX_SIZES, void *at_rows, void *at_columns,
         void *values, int index_type, int base, int type) {
    return matrix_new(matrix, &(SparseMatrix){.format = FORMAT_COO,
                                              .row_count = rows,
                                              .column_count = columns,
                                              .count = count,
                                              .rows = at_rows,
                                              .columns = at_columns,
                                              .values = values,
                                              .row_type = index_type,
                                              .column_type = index_type,
                                              .base = base,
                                              .type = type});
}

EXPORTED(cusparseCreateBsr, SparseMatrix **matrix, int64_t rows, int64_t columns, int64_t blocks,
         int64_t block_rows, int64_t block_columns, void *offsets, void *at, void *values,
         int offset_type, int at_type, int base, int type, int order) {
    if (block_rows < 1 || block_columns < 1 || (order != ORDER_ROW && order != ORDER_COLUMN))
        return SPARSE_INVALID_VALUE;
    return matrix_new(matrix, &(SparseMatrix){.format = FORMAT_BSR,
                                              .row_count = times_at_most(rows, block_rows),
                                              .column_count = times_at_most(columns, block_columns),
                                              .count = times_at_most(
                                                  blocks, times_at_most(block_rows, block_columns)),
                                              .rows = offsets,
                                              .columns = at,
                                              .values = values,
                                              .row_type = offset_type,
                                              .column_type = at_type,
                                              .base = base,
                                              .type = type,
                                              .block_rows = block_rows,
                                              .block_columns = block_columns,
                                              .order = order});
}

EXPORTED(cusparseCreateSlicedEll, SparseMatrix **matrix, MATRIX_SIZES, int64_t places,
         int64_t slice, void *offsets, void *at, void *values, int offset_type, int at_type,
         int base, int type) {
    if (slice < 1 || count < 0 || places < count)
        return SPARSE_INVALID_VALUE;
    SparseStatus wrong = matrix_new(matrix, &(SparseMatrix){.format = FORMAT_SLICED_ELL,
                                                            .row_count = rows,
                                                            .column_count = columns,
                                                            .count = count,
                                                            .rows = offsets,
                                                            .columns = at,
                                                            .values = values,
                                                            .row_type = offset_type,
                                                            .column_type = at_type,
                                                            .base = base,
                                                            .type = type,
                                                            .block_rows = slice,
                                                            .block_columns = 1,
                                                            .elements = count});
    if (!wrong)
        (*matrix)->count = places;
    return wrong;
}

EXPORTED(cusparseCreateBlockedEll, SparseMatrix **matrix, int64_t rows, int64_t columns,
         int64_t block, int64_t width, void *at, void *values, int at_type, int base, int type) {
    if (block < 1 || width < 0 || rows < 0 || rows % block || columns % block || width % block ||
        width > columns)
        return SPARSE_INVALID_VALUE;
    return matrix_new(matrix, &(SparseMatrix){.format = FORMAT_BLOCKED_ELL,
                                              .row_count = rows,
                                              .column_count = columns,
                                              .count = times_at_most(rows, width),
                                              .columns = at,
                                              .values = values,
                                              .row_type = at_type,
                                              .column_type = at_type,
                                              .base = base,
                                              .type = type,
                                              .block_rows = block,
                                              .block_columns = block,
                                              .width = width});
}

EXPORTED(cusparseDestroySpMat, SparseMatrix *matrix) {
    free(matrix);
    return SPARSE_SUCCESS;
}

#define SET_POINTERS(name)                                                                         \
    EXPORTED(cusparse##name##SetPointers, SparseMatrix *matrix, void *rows, void *columns,         \
             void *values) {                                                                       \
        if (!matrix)                                                                               \
            return SPARSE_INVALID_VALUE;                                                           \
        matrix->rows = rows, matrix->columns = columns, matrix->values = values;                   \
        return SPARSE_SUCCESS;                                                                     \
    }
SET_POINTERS(Csr)
SET_POINTERS(Csc)
SET_POINTERS(Coo)

EXPORTED(cusparseSpMatGetSize, const SparseMatrix *matrix, int64_t *rows, int64_t *columns,
         int64_t *count) {
    if (!matrix || !rows || !columns || !count)
        return SPARSE_INVALID_VALUE;
    *rows = matrix->row_count, *columns = matrix->column_count;
    *count = matrix->format == FORMAT_SLICED_ELL ? matrix->elements : matrix->count;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpMatGetValues, SparseMatrix *matrix, void **values) {
    if (!matrix || !values)
        return SPARSE_INVALID_VALUE;
    *values = matrix->values;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpMatSetValues, SparseMatrix *matrix, void *values) {
    if (!matrix)
        return SPARSE_INVALID_VALUE;
    matrix->values = values;
    return SPARSE_SUCCESS;
}

enum { ATTRIBUTE_FILL, ATTRIBUTE_DIAG };

EXPORTED(cusparseSpMatSetAttribute, SparseMatrix *matrix, int attribute, const int *value,
         size_t bytes) {
    if (!matrix || !value || bytes != sizeof *value || attribute < ATTRIBUTE_FILL ||
        attribute > ATTRIBUTE_DIAG || *value < 0 || *value > 1)
        return SPARSE_INVALID_VALUE;
    *(attribute == ATTRIBUTE_FILL ? &matrix->fill : &matrix->diag) = *value;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseCsrSetStridedBatch, SparseMatrix *matrix, int count, int64_t offsets,
         int64_t elements) {
    if (!matrix || matrix->format != FORMAT_CSR || count < 1 || offsets < 0 || elements < 0)
        return SPARSE_INVALID_VALUE;
    matrix->batch = count, matrix->row_stride = offsets, matrix->stride = elements;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseCooSetStridedBatch, SparseMatrix *matrix, int count, int64_t elements) {
    if (!matrix || matrix->format != FORMAT_COO || count < 1 || elements < 0)
        return SPARSE_INVALID_VALUE;
    matrix->batch = count, matrix->row_stride = matrix->stride = elements;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpMatGetStridedBatch, const SparseMatrix *matrix, int *count) {
    if (!matrix || !count)
        return SPARSE_INVALID_VALUE;
    *count = matrix->batch ? matrix->batch : 1;
    return SPARSE_SUCCESS;
}

/* ---- dense matrices; a vector is one of one column ---- */

static SparseStatus dense_new(DenseMatrix **matrix, const DenseMatrix *what) {
    bool by_row = what->order == ORDER_ROW;
    if (!matrix || what->rows < 0 || what->columns < 0 ||
        what->lead < (by_row ? what->columns : what->rows) ||
        (!by_row && what->order != ORDER_COLUMN))
        return SPARSE_INVALID_VALUE;
    if (!is_value(what->type))
        return SPARSE_NOT_SUPPORTED;
    *matrix = malloc(sizeof **matrix);
    if (!*matrix)
        return SPARSE_ALLOC_FAILED;
    **matrix = *what;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseCreateDnMat, DenseMatrix **matrix, int64_t rows, int64_t columns, int64_t lead,
         void *values, int type, int order) {
    return dense_new(matrix, &(DenseMatrix){rows, columns, lead, values, type, order, 1, 0});
}

EXPORTED(cusparseCreateConstDnMat, DenseMatrix **matrix, int64_t rows, int64_t columns,
         int64_t lead, void *values, int type, int order) {
    return cusparseCreateDnMat(matrix, rows, columns, lead, values, type, order);
}

EXPORTED(cusparseDnMatSetStridedBatch, DenseMatrix *matrix, int count, int64_t stride) {
    if (!matrix || count < 1 || stride < 0)
        return SPARSE_INVALID_VALUE;
    matrix->batch = count, matrix->stride = stride;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseDnMatGetStridedBatch, const DenseMatrix *matrix, int *count, int64_t *stride) {
    if (!matrix || !count || !stride)
        return SPARSE_INVALID_VALUE;
    *count = matrix->batch ? matrix->batch : 1, *stride = matrix->stride;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseDestroyDnMat, DenseMatrix *matrix) {
    free(matrix);
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseCreateDnVec, DenseMatrix **vector, int64_t size, void *values, int type) {
    return dense_new(vector, &(DenseMatrix){size, 1, size, values, type, ORDER_COLUMN, 1, 0});
}

EXPORTED(cusparseCreateConstDnVec, DenseMatrix **vector, int64_t size, void *values, int type) {
    return cusparseCreateDnVec(vector, size, values, type);
}

EXPORTED(cusparseDestroyDnVec, DenseMatrix *vector) {
    free(vector);
    return SPARSE_SUCCESS;
}

static SparseStatus dense_set(DenseMatrix *matrix, void *values) {
    if (!matrix)
        return SPARSE_INVALID_VALUE;
    matrix->values = values;
    return SPARSE_SUCCESS;
}

static SparseStatus dense_get(const DenseMatrix *matrix, void **values) {
    if (!matrix || !values)
        return SPARSE_INVALID_VALUE;
    *values = matrix->values;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseDnVecSetValues, DenseMatrix *vector, void *values) {
    return dense_set(vector, values);
}

EXPORTED(cusparseDnVecGetValues, DenseMatrix *vector, void **values) {
    return dense_get(vector, values);
}

EXPORTED(cusparseDnMatSetValues, DenseMatrix *matrix, void *values) {
    return dense_set(matrix, values);
}

EXPORTED(cusparseDnMatGetValues, DenseMatrix *matrix, void **values) {
    return dense_get(matrix, values);
}

/* ---- sparse vectors ---- */

EXPORTED(cusparseCreateSpVec, SparseVector **vector, int64_t size, int64_t count, void *indices,
         void *values, int index_type, int base, int type) {
    if (!vector || size < 0 || count < 0 || count > size || !is_index(index_type) || base < 0 ||
        base > 1)
        return SPARSE_INVALID_VALUE;
    if (!is_value(type))
        return SPARSE_NOT_SUPPORTED;
    *vector = malloc(sizeof **vector);
    if (!*vector)
        return SPARSE_ALLOC_FAILED;
    **vector = (SparseVector){size, count, indices, values, index_type, base, type};
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseDestroySpVec, SparseVector *vector) {
    free(vector);
    return SPARSE_SUCCESS;
}

/* What descriptions of matrices and vectors say. */
#include "hostlib/sparse/sparse.h"

/* A pointer to each thing that is asked for must be there. */
#define COMPRESSED                                                                                 \
    const SparseMatrix *matrix, int64_t *rows, int64_t *columns, int64_t *count, void **offsets,   \
        void **places, void **values, int *offset_type, int *place_type, int *base, int *type
#define PASSED                                                                                     \
    matrix, rows, columns, count, offsets, places, values, offset_type, place_type, base, type

static SparseStatus get(int format, COMPRESSED) {
    if (!matrix || !rows || !columns || !count || !offsets || !places || !values || !offset_type ||
        !place_type || !base || !type || matrix->format != format)
        return SPARSE_INVALID_VALUE;
    *rows = matrix->row_count, *columns = matrix->column_count, *count = matrix->count;
    *offsets = matrix->rows, *places = matrix->columns, *values = matrix->values;
    *offset_type = matrix->row_type, *place_type = matrix->column_type;
    *base = matrix->base, *type = matrix->type;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseCsrGet, COMPRESSED) {
    return get(FORMAT_CSR, PASSED);
}

EXPORTED(cusparseConstCsrGet, COMPRESSED) {
    return get(FORMAT_CSR, PASSED);
}

EXPORTED(cusparseCscGet, COMPRESSED) {
    return get(FORMAT_CSC, PASSED);
}

EXPORTED(cusparseConstCscGet, COMPRESSED) {
    return get(FORMAT_CSC, PASSED);
}

EXPORTED(cusparseCooGet, const SparseMatrix *matrix, int64_t *rows, int64_t *columns,
         int64_t *count, void **offsets, void **places, void **values, int *place_type, int *base,
         int *type) {
    return get(FORMAT_COO, matrix, rows, columns, count, offsets, places, values, place_type,
               place_type, base, type);
}

EXPORTED(cusparseSpMatGetFormat, const SparseMatrix *matrix, int *format) {
    if (!matrix || !format)
        return SPARSE_INVALID_VALUE;
    *format = matrix->format;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpMatGetIndexBase, const SparseMatrix *matrix, int *base) {
    if (!matrix || !base)
        return SPARSE_INVALID_VALUE;
    *base = matrix->base;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseDnMatGet, const DenseMatrix *matrix, int64_t *rows, int64_t *columns,
         int64_t *lead, void **values, int *type, int *order) {
    if (!matrix || !rows || !columns || !lead || !values || !type || !order)
        return SPARSE_INVALID_VALUE;
    *rows = matrix->rows, *columns = matrix->columns, *lead = matrix->lead;
    *values = matrix->values, *type = matrix->type, *order = matrix->order;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseDnVecGet, const DenseMatrix *vector, int64_t *size, void **values, int *type) {
    if (!vector || !size || !values || !type)
        return SPARSE_INVALID_VALUE;
    *size = vector->rows, *values = vector->values, *type = vector->type;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpVecGet, const SparseVector *vector, int64_t *size, int64_t *count,
         void **indices, void **values, int *index_type, int *base, int *type) {
    if (!vector || !size || !count || !indices || !values || !index_type || !base || !type)
        return SPARSE_INVALID_VALUE;
    *size = vector->size, *count = vector->count;
    *indices = vector->indices, *values = vector->values;
    *index_type = vector->index_type, *base = vector->base, *type = vector->type;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpVecGetIndexBase, const SparseVector *vector, int *base) {
    if (!vector || !base)
        return SPARSE_INVALID_VALUE;
    *base = vector->base;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpVecGetValues, const SparseVector *vector, void **values) {
    if (!vector || !values)
        return SPARSE_INVALID_VALUE;
    *values = vector->values;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSpVecSetValues, SparseVector *vector, void *values) {
    if (!vector)
        return SPARSE_INVALID_VALUE;
    vector->values = values;
    return SPARSE_SUCCESS;
}

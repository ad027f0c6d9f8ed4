/* Descriptions of matrices for the older functions: `base`, fill and diag are all they use. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

EXPORTED(cusparseCreateMatDescr, SparseMatrix **matrix) {
    if (!matrix)
        return SPARSE_INVALID_VALUE;
    *matrix = calloc(1, sizeof **matrix);
    return *matrix ? SPARSE_SUCCESS : SPARSE_ALLOC_FAILED;
}

EXPORTED(cusparseDestroyMatDescr, SparseMatrix *matrix) {
    free(matrix);
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSetMatType, SparseMatrix *matrix, int type) {
    return !matrix || type < 0 || type > 3 ? SPARSE_INVALID_VALUE : SPARSE_SUCCESS;
}

static SparseStatus set(int *field, int value) {
    if (value < 0 || value > 1)
        return SPARSE_INVALID_VALUE;
    *field = value;
    return SPARSE_SUCCESS;
}

EXPORTED(cusparseSetMatIndexBase, SparseMatrix *matrix, int base) {
    return matrix ? set(&matrix->base, base) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSetMatFillMode, SparseMatrix *matrix, int fill) {
    return matrix ? set(&matrix->fill, fill) : SPARSE_INVALID_VALUE;
}

EXPORTED(cusparseSetMatDiagType, SparseMatrix *matrix, int diag) {
    return matrix ? set(&matrix->diag, diag) : SPARSE_INVALID_VALUE;
}

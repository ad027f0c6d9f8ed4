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
    if (!matrix || type < 0 || type > 3)
        return SPARSE_INVALID_VALUE;
    matrix->kind = type;
    return SPARSE_SUCCESS;
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

/* What it says: 0 of none. */
#define GET(Name, member)                                                                          \
    _Pragma("GCC visibility push(default)") int cusparseGetMat##Name(const SparseMatrix *matrix);  \
    _Pragma("GCC visibility pop") int cusparseGetMat##Name(const SparseMatrix *matrix) {           \
        return matrix ? matrix->member : 0;                                                        \
    }
GET(Type, kind)
GET(IndexBase, base)
GET(FillMode, fill)
GET(DiagType, diag)

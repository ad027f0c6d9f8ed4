/* sparse: cuSPARSE's generic functions for CSR and COO matrices, and incomplete factorization.
 *
 *   objects.c    handles and descriptions of matrices and vectors
 *   compute.c    the arithmetic, on the device's memory, which is the host's
 *   cusparse.c   the exported functions that compute
 *
 * How exact: sums are made in double precision, in the order in which elements are stored, and rounded
 * once.
 *
 * What it does not do: other formats, products of two sparse matrices, conversions, batches, half precision.
 * No work area is needed; a program is asked for a few bytes, and must give them, as on a GPU. */
#pragma once

#include "hostlib/hostlib.h"

#include <complex.h>
#include <stdbool.h>

typedef enum SparseStatus {
    SPARSE_SUCCESS = 0,
    SPARSE_NOT_INITIALIZED = 1,
    SPARSE_ALLOC_FAILED = 2,
    SPARSE_INVALID_VALUE = 3,
    SPARSE_EXECUTION_FAILED = 6,
    SPARSE_ZERO_PIVOT = 9,
    SPARSE_NOT_SUPPORTED = 10
} SparseStatus;

/* As cuSPARSE numbers them. */
enum { OP_NONE, OP_TRANSPOSE, OP_CONJUGATE };
enum { FILL_LOWER, FILL_UPPER };
enum { DIAG_NON_UNIT, DIAG_UNIT };
enum { ORDER_COLUMN = 1, ORDER_ROW = 2 };
enum { INDEX_32 = 2, INDEX_64 = 3 };
enum { SCALARS_HOST, SCALARS_DEVICE };
typedef enum ValueType { VALUE_R_32 = 0, VALUE_R_64 = 1, VALUE_C_32 = 4, VALUE_C_64 = 5 } ValueType;

/* What a cusparseHandle_t points to. */
typedef struct SparseHandle {
    uint32_t tag;
    CUstream stream;
    int scalars;
} SparseHandle;

/* CSR: `rows` has where each row begins; COO: the row of each element. */
typedef struct SparseMatrix {
    bool is_coo;
    int64_t row_count, column_count, count;
    void *rows, *columns, *values;
    int row_type, column_type, base, type;
    int fill, diag;
} SparseMatrix;

typedef struct DenseMatrix {
    int64_t rows, columns, lead;
    void *values;
    int type, order;
} DenseMatrix;

typedef struct SparseVector {
    int64_t size, count;
    void *indices, *values;
    int index_type, base, type;
} SparseVector;

/* Handles are checked, descriptions are not, as in cuSPARSE. */
bool sparse_is_handle(const SparseHandle *handle);

/* ---- compute.c ---- */

typedef struct SparseWork SparseWork;
struct SparseWork {
    HostWork work;
    bool (*compute)(const SparseWork *work); /* false: no memory */
    SparseMatrix a;
    DenseMatrix b, c;
    SparseVector v;
    int op_a, op_b;
    double complex alpha, beta;
    const void *alpha_at, *beta_at; /* on the device, where they are not NULL */
    int scalar_type;
    int64_t *zero_pivot;
};

size_t value_bytes(int type);
double complex value_load(const void *values, int type, int64_t index);
/* c = alpha * op(a) * op(b) + beta * c */
bool compute_product(const SparseWork *work);
/* a * c = alpha * b, of which `a` has one triangle; b and c are vectors */
bool compute_solution(const SparseWork *work);
/* a becomes its factors L and U, where it has elements */
bool compute_factors(const SparseWork *work);
bool compute_gather(const SparseWork *work);
bool compute_scatter(const SparseWork *work);
/* Whether a kernel could access all of these. */
bool sparse_reaches(const SparseWork *work);

/* sparse: cuSPARSE's generic functions for CSR, CSC and COO matrices, incomplete factorization, sorting.
 *
 *   objects.c    handles and descriptions of matrices and vectors; inspect.c: what they say
 *   old_matrix.c   those of the older functions
 *   memory.c     numbers and indices on the device's memory, which is the host's
 *   lines.c      elements of matrices; matrices row by row, or column by column
 *   cusparse.c   work enqueued, products with dense matrices; compute.c: their arithmetic
 *   factors.c    incomplete factors
 *   triangle.c   triangular systems; band.c: those of three or five diagonals
 *   spgemm.c     products of sparse matrices
 *   vectors.c    sparse vectors
 *   convert.c    one format into another
 *   sort.c       indices brought into order
 *
 * How exact: sums are made in double precision, in the order in which elements are stored, and rounded
 * once.
 *
 * What it does not do: factors and products with sparse matrices of other formats than CSR.
 * No work area is needed; a program is asked for a few bytes, and must give them, as on a GPU. */
#pragma once

#include "hostlib/blas/element.h"
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
enum {
    FORMAT_CSR = 1,
    FORMAT_CSC = 2,
    FORMAT_COO = 3,
    FORMAT_BLOCKED_ELL = 5,
    FORMAT_BSR = 6,
    FORMAT_SLICED_ELL = 7
};
/* VALUE_NONE: a matrix of which the places of elements count alone. */
typedef enum ValueType {
    VALUE_NONE = -1,
    VALUE_R_32 = 0,
    VALUE_R_64 = 1,
    VALUE_R_16 = 2,
    VALUE_C_32 = 4,
    VALUE_C_64 = 5,
    VALUE_R_16B = 14
} ValueType;

/* What a cusparseHandle_t points to. */
typedef struct SparseHandle {
    uint32_t tag;
    CUstream stream;
    int scalars;
} SparseHandle;

/* CSR: `rows` has where each row begins; COO: the row of each element; CSC: as CSR, but that rows and columns change
 * places. BSR: as CSR, of blocks; sliced ELL: where each slice of rows begins, whose elements lie column by column; blocked
 * ELL: no `rows`, as many blocks in each row of blocks. Columns below 0 are none. Of these `count` has all places. */
typedef struct SparseMatrix {
    int format;
    int64_t row_count, column_count, count;
    void *rows, *columns, *values;
    int row_type, column_type, base, type;
    int fill, diag, kind;       /* kind: of the older functions, kept */
    int batch;                  /* of so many; 0 or 1: of one */
    int64_t row_stride, stride; /* elements from one's `rows` to the next one's; of the rest */
    int64_t block_rows, block_columns; /* of a block; of a slice, and 1 */
    int64_t width;                     /* of blocked ELL, in elements */
    int64_t elements;                  /* of sliced ELL, as a program says */
    int order;                         /* of the elements of a block of BSR */
} SparseMatrix;

typedef struct DenseMatrix {
    int64_t rows, columns, lead;
    void *values;
    int type, order;
    int batch;
    int64_t stride;
} DenseMatrix;

typedef struct SparseVector {
    int64_t size, count;
    void *indices, *values;
    int index_type, base, type;
} SparseVector;

/* Handles are checked, descriptions are not, as in cuSPARSE. */
bool sparse_is_handle(const SparseHandle *handle);

enum { WORK_BYTES = 16 }; /* what a program is asked for */

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") SparseStatus name(__VA_ARGS__);                        \
    _Pragma("GCC visibility pop") SparseStatus name(__VA_ARGS__)

/* ---- cusparse.c: a call as work of its stream ---- */

typedef struct SparseWork SparseWork;
struct SparseWork {
    HostWork work;
    bool (*compute)(const SparseWork *work); /* false: no memory */
    SparseMatrix a, d, to;
    DenseMatrix b, c;
    SparseVector v;
    int op_a, op_b;
    double complex alpha, beta;
    const void *alpha_at, *beta_at; /* on the device, where they are not NULL */
    int scalar_type;
    int64_t
        *number; /* what the host is told: the first zero pivot, how many elements there are … */
    void *result;
};

SparseStatus sparse_enqueue(const SparseHandle *handle, SparseWork *work);
/* The factors, from the host now or from the device when it is done; `beta` may be NULL. */
void sparse_put_scalars(const SparseHandle *handle, SparseWork *work, const void *alpha,
                        const void *beta, int type);
bool sparse_is_operation(int op);
/* Whether c = op(a) op(b) fits, and is of types that there are together. */
SparseStatus sparse_check_product(int op_a, int op_b, const SparseMatrix *a, const DenseMatrix *b,
                                  const DenseMatrix *c, int type);
/* Tells how much memory a program is asked for, unless something is wrong. */
SparseStatus sparse_size(const SparseHandle *handle, SparseStatus wrong, size_t *size);
/* The older functions' matrix. */
SparseMatrix sparse_csr(int64_t rows, int64_t columns, int64_t count, void *offsets, void *places,
                        void *values, int base, int type);

/* ---- compute.c ---- */

/* c = alpha * op(a) * op(b) + beta * c */
bool compute_product(const SparseWork *work);
/* a = alpha * op(b) * op(c) + beta * a, where `a` has elements */
bool compute_sampled(const SparseWork *work);

/* ---- numbers and indices in the memory of the device ---- */

static inline size_t value_bytes(int type) {
    if (type == VALUE_NONE)
        return 0;
    if (type == VALUE_R_16 || type == VALUE_R_16B)
        return sizeof(uint16_t);
    size_t real = type == VALUE_R_32 || type == VALUE_C_32 ? sizeof(float) : sizeof(double);
    return type >= VALUE_C_32 ? 2 * real : real;
}

static inline double complex value_load(const void *values, int type, int64_t index) {
    switch (type) {
    case VALUE_R_32:
        return ((const float *)values)[index];
    case VALUE_R_64:
        return ((const double *)values)[index];
    case VALUE_C_32:
        return ((const float complex *)values)[index];
    case VALUE_C_64:
        return ((const double complex *)values)[index];
    case VALUE_NONE:
        return 0;
    default:
        return element_real(type, values, (size_t)index);
    }
}

static inline void value_store(void *values, int type, int64_t index, double complex value) {
    switch (type) {
    case VALUE_R_32:
        ((float *)values)[index] = (float)creal(value);
        break;
    case VALUE_R_64:
        ((double *)values)[index] = creal(value);
        break;
    case VALUE_C_32:
        ((float complex *)values)[index] = (float complex)value;
        break;
    case VALUE_C_64:
        ((double complex *)values)[index] = value;
        break;
    case VALUE_NONE:
        break;
    default:
        element_set(type, values, (size_t)index, creal(value), 0);
    }
}

/* Without C's care for infinities; real numbers as they are. */
static inline double complex times(double complex a, double complex b) {
    double real = creal(a) * creal(b) - cimag(a) * cimag(b);
    return __builtin_complex(real, creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline size_t index_bytes(int type) {
    return type == INDEX_32 ? sizeof(int32_t) : sizeof(int64_t);
}

static inline int64_t index_load(const void *indices, int type, int64_t at, int base) {
    int64_t index =
        type == INDEX_32 ? ((const int32_t *)indices)[at] : ((const int64_t *)indices)[at];
    return index - base;
}

static inline void index_store(void *indices, int type, int64_t at, int base, int64_t index) {
    if (type == INDEX_32)
        ((int32_t *)indices)[at] = (int32_t)(index + base);
    else
        ((int64_t *)indices)[at] = index + base;
}

static inline double complex quotient(double complex a, double complex b) {
    return cimag(b) == 0 ? __builtin_complex(creal(a) / creal(b), cimag(a) / creal(b)) : a / b;
}

/* ---- memory.c ---- */

double complex dense_load(const DenseMatrix *matrix, int64_t row, int64_t column);
double complex dense_load_op(const DenseMatrix *matrix, int op, int64_t row, int64_t column);
void dense_store(const DenseMatrix *matrix, int64_t row, int64_t column, double complex value);
int64_t matrix_lines(const SparseMatrix *matrix); /* rows, or columns in CSC */
/* Whether a kernel could access all of these. */
bool sparse_reaches(const SparseWork *work);

/* ---- lines.c ---- */

typedef struct Element {
    int64_t row, column;
    double complex value;
    int64_t place; /* among the values */
} Element;

void matrix_range(const SparseMatrix *matrix, int64_t line, int64_t *first, int64_t *end);
Element matrix_element(const SparseMatrix *matrix, int64_t line, int64_t at);
bool matrix_has(const SparseMatrix *matrix, Element element);

/* The elements of a matrix in the order in which they are stored: for (Walk w = {.matrix = m}; walk_next(&w);). Those that
 * are beyond the matrix are left out. */
typedef struct Walk {
    const SparseMatrix *matrix;
    int64_t lines, at, end; /* of the lines that were begun; behind the element */
    int64_t given;
    Element element;
} Walk;
bool walk_next(Walk *walk);

/* A matrix row by row, or column by column. */
typedef struct Lines {
    int64_t count, *offsets, *places; /* where each line begins; an element's place in it */
    double complex *values;
} Lines;
bool lines_new(Lines *lines, int64_t count, int64_t elements); /* false: no memory */
void lines_free(Lines *lines);
/* The rows of op(matrix); elements of a row are in the order in which they are stored. False: no memory. */
bool lines_of(Lines *lines, const SparseMatrix *matrix, int op);
bool lines_of_dense(Lines *lines, const DenseMatrix *matrix, bool by_columns);
/* Into a matrix of which they are the rows, or in CSC the columns. */
void lines_store(const Lines *lines, const SparseMatrix *to);

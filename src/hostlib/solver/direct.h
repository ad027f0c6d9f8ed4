/* direct: sparse systems by elimination, for cuSOLVER's functions of sparse matrices.
 *
 * A matrix is taken apart into L and U column by column (J. R. Gilbert and T. Peierls, SIAM J. Sci. Stat. Comput. 9(5),
 * 1988), in complex double precision whatever its type, rows chosen by their size, columns in an order that keeps what
 * is filled in near the diagonal (order.c).
 *
 * What it does not do: QR. Systems with more rows than columns are the least squares that they mean, as the larger
 * system [1 A; A' 0]. */
#pragma once

#include "hostlib/solver/solver.h"

/* Column by column, from 0. */
typedef struct Columns {
    int count;
    int *begin, *rows; /* begin: of each column, and the end of the last */
    _Complex double *values;
    int room;
} Columns;

typedef struct Factors {
    Columns lower, upper; /* L's diagonal is first in its columns, U's last in its */
    int *row_place;       /* row i of A is row row_place[i] of L and U */
    int *column;          /* column k of L and U is column column[k] of A */
    int singular;         /* the first column without a pivot, or -1 */
} Factors;

/* CSR as programs give it. */
typedef struct Csr {
    int rows, columns, count, base;
    const int *offsets, *places;
    const void *values; /* NULL: none */
    SolverType type;
} Csr;

enum { PIVOT_LARGEST, PIVOT_DIAGONAL }; /* the latter as long as it is positive */

/* Whether offsets and places are those of a matrix of that size. */
bool csr_is_good(const Csr *matrix);
/* The columns of A - mu 1, or of the larger system where A has more rows than columns. False: no memory. */
bool columns_of(Columns *columns, const Csr *matrix, double mu);
void columns_free(Columns *columns);
/* Appends an element to the last column; false: no memory. */
bool columns_add(Columns *columns, int row, _Complex double value);

/* False: no memory. Where A is singular, the factors end there. */
bool factors_make(Factors *factors, const Columns *a, int pivots, double tolerance);
void factors_free(Factors *factors);
/* x = the solution for b, both of as many numbers as A has rows; they may be one. `spare`: as many. */
void factors_solve(const Factors *factors, const _Complex double *b, _Complex double *x,
                   _Complex double *spare);

/* order.c: an order of rows and columns in which elements of a symmetric pattern lie near the diagonal (reversed, E. Cuthill and
 * J. McKee, 1969). NULL: no memory. */
int *order_of(const Columns *a);

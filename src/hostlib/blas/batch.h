/* batch: LAPACK on each of many small matrices, one after the other.
 *
 *   batch.c   the matrices of a batch: whether they can be reached, and the calls with each
 *   lu.c      LU factors, what is solved with them, inverses
 *   qr.c      QR factors, least squares */
#pragma once

#include "hostlib/blas/blas.h"

typedef struct BatchWork BatchWork;
struct BatchWork {
    HostWork work;
    bool (*one)(const BatchWork *work, int product); /* false: what it needs cannot be reached */
    ElementType type;
    Fortran first, second; /* routines of LAPACK; NULL: not needed */
    char op;
    int m, n, columns; /* of a matrix m rows and n columns; `columns` right-hand sides */
    int lead, lead_to, count;
    void *const *matrices; /* arrays of pointers, of the device */
    void *const *to; /* right-hand sides, what becomes of the matrices …; NULL: there is none */
    int *pivots;     /* NULL: there are none */
    int *info;       /* for each matrix; NULL: not wanted */
};

/* Enqueues it, with LAPACK's routine of these names, the type's letter in the place of "?". */
BlasStatus batch_enqueue(const BlasHandle *handle, BatchWork *work, const char *first,
                         const char *second);

size_t batch_bytes(const BatchWork *work); /* of a number */
/* Whether a kernel could access a matrix of the batch. */
bool batch_reaches(const BatchWork *work, const void *matrix, int lead, int rows, int columns);
void *batch_at(const BatchWork *work, void *matrix, int lead, int row, int column);

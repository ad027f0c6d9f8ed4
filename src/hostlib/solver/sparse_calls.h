/* What the files with exported functions for sparse systems share. */
#pragma once

#include "hostlib/solver/direct.h"
#include "hostlib/solver/exported.h"

struct SparseMatrix; /* a cusparseMatDescr_t, of which the base alone counts */
int cusparseGetMatIndexBase(const struct SparseMatrix *description);

enum { SPARSE_TAG = 0x77620010, STEPS_TAG, REFACTOR_TAG };

bool is_sparse(const SolverHandle *handle);

/* What an object for systems in steps points to. */
typedef struct Steps {
    uint32_t tag;
    bool set;
    int pivots, rows, width; /* the matrix has that size: the system may have a larger one */
    Columns columns;
    Factors factors;
} Steps;

/* A call as work. */
typedef struct SparseCall SparseCall;
struct SparseCall {
    HostWork work;
    bool (*does)(const SparseCall *call); /* false: no memory */
    bool host;                            /* of the host's memory */
    Csr a;
    const void *b;
    void *x;
    int batch, pivots;
    double tolerance, shift;
    int *singular; /* on the host */
    Steps *steps;
};

/* Checks the call and puts it into the stream's order. */
SolverStatus sparse_call(const SolverHandle *handle, SparseCall *call);

/* ---- what a call does ---- */

bool sparse_at_once(const SparseCall *call); /* each of the systems by factors of its own */
bool sparse_set_up(const SparseCall *call);
bool sparse_factor(const SparseCall *call); /* of a matrix that is given, or was set up */
bool sparse_solve(const SparseCall *call);
bool sparse_factor_and_solve(const SparseCall *call);
void steps_clear(Steps *steps);

#define MATRIX                                                                                     \
    const struct SparseMatrix *description, const void *values, const int *offsets,                \
        const int *places
#define PATTERN const struct SparseMatrix *description, const int *offsets, const int *places

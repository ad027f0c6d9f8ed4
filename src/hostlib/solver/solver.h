/* solver: cuSOLVER's dense routines, over LAPACK.
 *
 *   routines.def  one row for each: its name and which arguments LAPACK's has
 *   lu.c          LU without pivots, which is not LAPACK's
 *   routine.c     packs a call, and makes it on the device's memory, which is the host's
 *   cusolver.c    the exported functions
 *
 * How exact: as LAPACK computes it, in the precision of the call. Signs of vectors may differ from a GPU's.
 *
 * What it does not do: the 64-bit functions (cusolverDnXgetrf …), sparse matrices, refactorization. LAPACK's
 * work arrays are the host's: a program is asked for one element. */
#pragma once

#include "hostlib/hostlib.h"

#include <stdbool.h>

typedef enum SolverStatus {
    SOLVER_SUCCESS = 0,
    SOLVER_NOT_INITIALIZED = 1,
    SOLVER_ALLOC_FAILED = 2,
    SOLVER_INVALID_VALUE = 3,
    SOLVER_EXECUTION_FAILED = 6,
    SOLVER_NOT_SUPPORTED = 9
} SolverStatus;

/* What a cusolverDnHandle_t points to. */
typedef struct SolverHandle {
    uint32_t tag;
    CUstream stream;
} SolverHandle;

typedef enum SolverType { TYPE_S, TYPE_D, TYPE_C, TYPE_Z } SolverType;

typedef enum RoutineId {
#define ROUTINE(id, ...) ROUTINE_##id,
#include "hostlib/solver/routines.def"
    ROUTINES
} RoutineId;

/* A matrix as columns that are `lead` elements apart. */
typedef struct Matrix {
    void *at;
    int lead, rows, columns;
} Matrix;

/* A call with all that any routine has. */
typedef struct SolverCall {
    HostWork work;
    RoutineId routine;
    SolverType type;
    char first, second; /* flags */
    int m, n, k;
    Matrix a, b, c;
    void *vector; /* tau, singular values, eigenvalues */
    int *pivots, *info;
    void *lapack; /* the function */
    int batch;    /* of so many: a and b are arrays of pointers to theirs; 0: of one */
    bool each_info;
} SolverCall;

void solver_lu(const SolverCall *call); /* GETRF without pivots */
/* Checks the call and puts it into the stream's order. */
SolverStatus solver_call(SolverHandle *handle, SolverCall *call);

/* solver: cuSOLVER: dense routines, over LAPACK, and sparse systems (direct.h).
 *
 *   routines.def  one row for each: its name and which arguments LAPACK's has
 *   lapack.c      packs a call and makes it on the device's memory, which is the host's
 *   lu.c, singular.c, eigen.c, linear.c   what is more than one call of LAPACK
 *   numbers.c     matrices of all four types as those of one
 *   routine.c     checks a call, puts it into the stream's order, for one matrix or many
 *   exported.c    what the exported functions share: flags, whether a handle is one
 *   cusolver.c    the exported functions: handles, LU, QR, Cholesky; eigen_calls.c eigenvalues of symmetric matrices,
 *                 jacobi_calls.c Jacobi's methods, wide_calls.c the 64-bit functions, refine_calls.c what refines
 *   direct.h      sparse systems: direct.c, order.c, and of exported functions sparse_calls.c, steps_calls.c, refactor_calls.c,
 *                 order_calls.c
 *
 * How exact: as LAPACK computes it, in the precision of the call. Signs of vectors may differ from a GPU's.
 * Jacobi's methods, the approximate and the randomised ones and those that refine are LAPACK's direct ones: they
 * take no sweeps and no steps, and say so.
 *
 * What it does not do: eigenvalues of sparse matrices, several GPUs. LAPACK's work arrays are the host's: a
 * program is asked for one element. */
#pragma once

#include "hostlib/hostlib.h"

#include <stdbool.h>

typedef enum SolverStatus {
    SOLVER_SUCCESS = 0,
    SOLVER_NOT_INITIALIZED = 1,
    SOLVER_ALLOC_FAILED = 2,
    SOLVER_INVALID_VALUE = 3,
    SOLVER_EXECUTION_FAILED = 6,
    SOLVER_NOT_SUPPORTED = 9,
    SOLVER_ZERO_PIVOT = 10
} SolverStatus;

/* What a cusolverDnHandle_t points to. */
typedef struct SolverHandle {
    uint32_t tag;
    CUstream stream;
    int deterministic, math, emulation; /* kept, and change nothing */
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

/* What cuSOLVER's objects for Jacobi's methods point to. */
typedef struct JacobiInfo {
    uint32_t tag;
    bool of_many; /* the last call's matrices: no residual is told then */
    int most, sorted;
    double tolerance, residual;
} JacobiInfo;

/* Which eigenvalues are asked for, and where their number goes, on the host. */
typedef struct Range {
    int kind; /* 0: all; else RANGE_… */
    int first, last;
    double low, high;
    int *found;
    int64_t *found_wide;
} Range;

enum { RANGE_ALL = 1001, RANGE_NUMBERS = 1002, RANGE_VALUES = 1003 };

/* A call with all that any routine has. */
typedef struct SolverCall SolverCall;
struct SolverCall {
    HostWork work;
    RoutineId routine;
    SolverType type;
    char first, second; /* flags */
    int problem;        /* which of the generalised ones */
    int m, n, k;
    Matrix a, b, c;
    void *vector, *imaginary; /* tau, singular values, eigenvalues; these' imaginary parts */
    int *pivots, *info;
    int64_t *wide_pivots; /* in their place */
    void *lapack;         /* the function */
    /* What is done for each matrix: solver_lapack unless given. False: no memory. */
    bool (*steps)(const SolverCall *call);
    int batch; /* of so many; 0: of one */
    bool each_info;
    /* Of many, where they are so many bytes after each other; else a and b are arrays of pointers to theirs. */
    bool strided;
    size_t a_stride, b_stride, c_stride, vector_stride;
    Range range;
    double *residual; /* on the host: of each, how far the result is from the matrix */
};

static inline bool solver_complex(SolverType type) {
    return type == TYPE_C || type == TYPE_Z;
}

static inline size_t solver_real_bytes(SolverType type) {
    return type == TYPE_S || type == TYPE_C ? sizeof(float) : sizeof(double);
}

static inline size_t solver_bytes(SolverType type) {
    return solver_complex(type) ? 2 * solver_real_bytes(type) : solver_real_bytes(type);
}

/* Checks the handle and the call, and puts it into the stream's order. */
SolverStatus solver_call(SolverHandle *handle, SolverCall *call);

/* ---- what a call does; false: no memory, nothing was done ---- */

bool solver_lapack(const SolverCall *call);
bool solver_lu(const SolverCall *call);     /* GETRF without pivots */
bool solver_pivots(const SolverCall *call); /* GETRF and GETRS with none, or with wide ones */
bool solver_singular(
    const SolverCall *call); /* as gesvdj has it: V as it is, A is kept; k values are wanted */
bool solver_eigen(const SolverCall *call); /* SYEVD, SYGVD with a range or a residual */
bool solver_geev(
    const SolverCall
        *call); /* any matrix's eigenvalues, as pairs of numbers or one after the other */
bool solver_linear(const SolverCall *call); /* GESV, GELS: C from A and B, which are kept */

/* ---- numbers.c: matrices of any type ---- */

/* Its elements, column after column, as complex double precision. NULL: no memory. */
_Complex double *matrix_read(const Matrix *matrix, SolverType type);
void matrix_write(const Matrix *to, const _Complex double *from, SolverType type);
/* Columns of one to another of the same type, as many as the smaller one has. */
void matrix_copy(const Matrix *to, const Matrix *from, SolverType type);
/* The same of the conjugate transposed of `from`. */
void matrix_adjoint(const Matrix *to, const Matrix *from, SolverType type);
/* A new matrix without gaps. At is NULL: no memory. */
Matrix matrix_new(int rows, int columns, SolverType type);
/* to (rows x columns) = left (rows x inner) * right (inner x columns) */
void matrix_multiply(_Complex double *to, const _Complex double *left, const _Complex double *right,
                     size_t rows, size_t inner, size_t columns);

/* blas: cuBLAS over the BLAS of the CPU.
 *
 *   routines.def   one row for each routine that BLAS has, too: its name, its parameters (shapes.def), and
 *                  the Fortran routine that does it
 *   own.c          what BLAS does not have, with the same parameters
 *   xt.c           cublasXt: routines on memory of the host
 *   gemm.c         products of matrices of all types, and batches of them; gemm_calls.c: the calls
 *   lt.c           cublasLt: its descriptors; lt_matmul.c: its product
 *   ex.c           level 1 on vectors of any type
 *   batch.h        LU and QR of many small matrices
 *   copies.c       vectors and matrices between host and device
 *   handle.c       handles, their settings, versions
 *
 * Invariants
 *   - Sizes are 64-bit numbers inside; a call with 32-bit ones is widened, and the BLAS below has 32.
 *   - What a call has wrong is its status, in the order of its parameters, before anything is enqueued.
 *   - Scalars of the host are read when the call is made, those of the device when the work is done.
 *
 * How exact: single and double precision as the BLAS computes them; f16, bf16, fp8 and TF32 products are
 * computed in single precision and rounded once, integers exactly.
 *
 * What it does not do: the calls of the first API without a handle. */
#pragma once

#include "hostlib/hostlib.h"

#include <stdbool.h>

typedef enum BlasStatus {
    BLAS_SUCCESS = 0,
    BLAS_NOT_INITIALIZED = 1,
    BLAS_ALLOC_FAILED = 3,
    BLAS_INVALID_VALUE = 7,
    BLAS_ARCH_MISMATCH = 8,
    BLAS_MAPPING_ERROR = 11,
    BLAS_EXECUTION_FAILED = 13,
    BLAS_INTERNAL_ERROR = 14,
    BLAS_NOT_SUPPORTED = 15,
    BLAS_LICENSE_ERROR = 16
} BlasStatus;

enum { OP_N, OP_T, OP_C };
enum { FILL_LOWER, FILL_UPPER };
enum { SIDE_LEFT, SIDE_RIGHT };
enum { DIAG_NON_UNIT, DIAG_UNIT };
enum { SCALARS_HOST, SCALARS_DEVICE };

enum { HANDLE_TAG = 0x77620001 };

/* What a cublasHandle_t points to. */
typedef struct BlasHandle {
    uint32_t tag;
    CUstream stream;
    int scalars, math, atomics, sms;
    struct {
        int strategy, special_values, control, most_bits, offset;
    } emulation;
} BlasHandle;

/* BLAS_SUCCESS: it is one that was made and not destroyed. */
BlasStatus handle_check(const BlasHandle *handle);
/* What the driver says, as cuBLAS says it. */
BlasStatus status_of(CUresult result);

/* ---- routine.c: a call as a list of arguments for Fortran ---- */

/* S, D, C and Z, as BLAS names them. */
typedef enum ElementType { TYPE_S, TYPE_D, TYPE_C, TYPE_Z } ElementType;

/* A Fortran routine, which takes pointers alone; those behind its last one it does not see, but for the
 * lengths of its strings, all 1. */
typedef void (*Fortran)(void);
enum { ARGUMENTS_MOST = 14 };
/* One of ours in the place of a Fortran routine; `fortran`: the one that its row names, or NULL. */
typedef void (*OwnRoutine)(const void *const *arguments, Fortran fortran);

typedef struct Routine {
    ElementType type;
    const char *function; /* cublasSgemm */
    const char *fortran;  /* sgemm_; "": none */
    OwnRoutine own;       /* NULL: Fortran's */
} Routine;

typedef enum Returns {
    RETURNS_NOTHING,
    RETURNS_INDEX,      /* int */
    RETURNS_LONG_INDEX, /* int64_t */
    RETURNS_ELEMENT,
    RETURNS_REAL /* of the precision of the element */
} Returns;

typedef struct Argument {
    const char *name;
    const void *at; /* NULL: `value` */
    size_t bytes;   /* from `at` on, of the device; 0: not known to be */
    bool of_each;   /* each call of a batch has its own: */
    int64_t stride; /* so many bytes behind that of the call before, or in an array of pointers */
    union {
        char letter;
        int number;
        double real[2];
    } value;
} Argument;

typedef struct RoutineWork {
    HostWork work;
    const Routine *routine;
    Fortran fortran;
    uint32_t count;
    Returns returns;
    int64_t calls; /* in a batch; 1: it is none */
    bool pointers; /* what each call has its own of is in arrays of pointers */
    bool anywhere; /* memory of the host is as good as the device's */
    Argument arguments[ARGUMENTS_MOST];
} RoutineWork;

/* A call while its arguments are looked at, one after the other. */
typedef struct RoutineCall {
    const BlasHandle *handle;
    BlasStatus status; /* of the first that is wrong */
    bool has_matrix;
    bool repeats; /* a vector's step is 0 */
    RoutineWork work;
} RoutineCall;

void call_begin(RoutineCall *call, const BlasHandle *handle, const Routine *routine);
void call_begin_batch(RoutineCall *call, const BlasHandle *handle, const Routine *routine,
                      int64_t calls, bool pointers);
BlasStatus call_end(RoutineCall *call); /* enqueues it */

/* One for each kind of parameter in shapes.def. `first`, `second`: as there. */
void put_op(RoutineCall *call, const char *name, int op);
void put_op_t(RoutineCall *call, const char *name, int op); /* of complex matrices: no C */
void put_op_c(RoutineCall *call, const char *name, int op); /* no T */
void put_fill(RoutineCall *call, const char *name, int fill);
void put_side(RoutineCall *call, const char *name, int side);
void put_diag(RoutineCall *call, const char *name, int diag);
void put_size(RoutineCall *call, const char *name, int64_t size);
void put_scalar(RoutineCall *call, const char *name, const void *at);
void put_real(RoutineCall *call, const char *name, const void *at);
void put_inout(RoutineCall *call, const char *name, void *at); /* scalars that are written */
void put_matrix(RoutineCall *call, const char *name, void *at, int64_t lead, int64_t rows,
                int64_t columns);
/* One that may be missing where the factor before it is 0. */
void put_summand(RoutineCall *call, const char *name, void *at, int64_t lead, int64_t rows,
                 int64_t columns);
void put_vector(RoutineCall *call, const char *name, void *at, int64_t step, int64_t count);
void put_stride(RoutineCall *call, int64_t stride); /* elements; of what was put last */
void put_packed(RoutineCall *call, const char *name, void *at, int64_t count);
void put_result(RoutineCall *call, const char *name, void *at, Returns returns);

/* fft: cuFFT.
 *
 *   line.c       the transform of one row of numbers, by FFTW where it is installed
 *   transform.c  one to three dimensions of them, with any layout of rows
 *   plan.c       plans: what a transform is to be
 *   cufft.c      the exported functions
 *
 * How exact: everything is computed in double precision; results in single and half precision are rounded once,
 * and so are nearer to the truth than a GPU's. As there, nothing is scaled.
 *
 * What it does not do: callbacks, several GPUs. It needs no work area and asks for none. */
#pragma once

#include "hostlib/blas/element.h"
#include "hostlib/hostlib.h"

#include <complex.h>
#include <stdbool.h>

typedef enum FftStatus {
    FFT_SUCCESS = 0,
    FFT_INVALID_PLAN = 1,
    FFT_ALLOC_FAILED = 2,
    FFT_INVALID_TYPE = 3,
    FFT_INVALID_VALUE = 4,
    FFT_INTERNAL_ERROR = 5,
    FFT_EXEC_FAILED = 6,
    FFT_INVALID_SIZE = 8,
    FFT_NOT_SUPPORTED = 16
} FftStatus;

/* C's CMPLX, which the C library has for some compilers only. */
static inline double complex complex_of(double real, double imaginary) {
    return __builtin_complex(real, imaginary);
}

/* ---- line.c ---- */

typedef struct Line Line;

/* For `count` complex numbers. NULL: no memory. */
Line *line_new(size_t count);
void line_free(Line *line);
/* Sums of data[k] * exp(-2 pi i j k / count), or of the conjugates, in place. Not from several threads. */
void line_transform(Line *line, double complex *data, bool inverse);

/* ---- transform.c ---- */

enum { RANK_MOST = 3 };
enum { FFT_FORWARD = -1, FFT_INVERSE = 1 };

/* Where the numbers of one side are: element (x, y, z) of batch b is number
 * b * batch + ((x * embed[1] + y) * embed[2] + z) * step. */
typedef struct FftLayout {
    bool is_complex;
    long long embed[RANK_MOST], step, batch;
} FftLayout;

typedef struct Transform {
    int rank;
    long long size[RANK_MOST], batches;
    int number; /* element.h: R_64F, R_32F, R_16F, R_16BF */
    bool
        packed; /* the layouts are cuFFT's default: rows of real numbers are padded where it is done in place */
    FftLayout from, to;
    Line *lines[RANK_MOST]; /* those of equal size are the same */
} Transform;

/* How many bytes of memory one side has, from its first to its last number. */
size_t fft_layout_bytes(const Transform *transform, const FftLayout *layout);
/* Default layouts, for what is done in place or not. */
void transform_pack(Transform *transform, bool in_place);
/* False: no memory. */
bool transform_run(const Transform *transform, const void *from, void *to, bool inverse);

/* ---- plan.c ---- */

enum {
    FFT_C2C = 0x29,
    FFT_R2C = 0x2a,
    FFT_C2R = 0x2c,
    FFT_Z2Z = 0x69,
    FFT_D2Z = 0x6a,
    FFT_Z2D = 0x6c
};

typedef struct Plan {
    bool made;
    CUstream stream;
    Transform transform;
} Plan;

/* What a plan is made for, as cuFFT's 64-bit functions take it; `from` and `to` are NULL for packed. */
typedef struct Request {
    int rank, type;
    long long size[RANK_MOST], batches;
    const FftLayout *from, *to;
    int number; /* R_16F, R_16BF: of that precision, and not what the type says */
} Request;

/* The plan's number. FFT_ALLOC_FAILED */
FftStatus plan_create(int *number);
FftStatus plan_destroy(int number);
/* NULL: there is none of that number. */
Plan *plan_find(int number);
/* Checks the request. FFT_INVALID_PLAN, _TYPE, _VALUE, _SIZE, FFT_ALLOC_FAILED */
FftStatus plan_make(int number, const Request *request);

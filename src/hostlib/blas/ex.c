/* The calls of level 1 whose vectors and scalars each have a type: computed in double precision, rounded once. The type that
 * a call says it computes in is not looked at. */
#include "hostlib/blas/blas.h"
#include "hostlib/blas/element.h"

#include <complex.h>
#include <math.h>

typedef struct ExVector {
    void *at;
    int type;
    int64_t step;
} ExVector;

typedef struct ExScalar {
    const void *at; /* of the device; NULL: `value` */
    int type;
    double value[2];
} ExScalar;

typedef struct ExWork ExWork;
struct ExWork {
    HostWork work;
    void (*compute)(const ExWork *work);
    int64_t n;
    ExVector x, y;
    ExScalar alpha, beta;
    void *result;
    int result_type; /* R_32I, R_64I: the place of an element */
    bool on_device, conjugates, least;
};

enum { R_64I = 24 };

/* ---- the arithmetic ---- */

/* The place of element i; a negative step goes backwards from the other end. */
static size_t place(const ExWork *work, const ExVector *v, int64_t i) {
    return (size_t)(v->step < 0 ? (i + 1 - work->n) * v->step : i * v->step);
}

static double complex load(const ExWork *work, const ExVector *v, int64_t i) {
    const size_t at = place(work, v, i);
    return __builtin_complex(element_real(v->type, v->at, at),
                             element_imaginary(v->type, v->at, at));
}

static void store(const ExWork *work, const ExVector *v, int64_t i, double complex value) {
    element_set(v->type, v->at, place(work, v, i), creal(value), cimag(value));
}

static double complex scalar(const ExScalar *scalar) {
    const void *at = scalar->at ? scalar->at : scalar->value;
    return __builtin_complex(element_real(scalar->type, at, 0),
                             element_imaginary(scalar->type, at, 0));
}

/* Without C's care for infinities. */
static double complex times(double complex a, double complex b) {
    return __builtin_complex(creal(a) * creal(b) - cimag(a) * cimag(b),
                             creal(a) * cimag(b) + cimag(a) * creal(b));
}

static void axpy(const ExWork *work) {
    const double complex alpha = scalar(&work->alpha);
    for (int64_t i = 0; i < work->n; i++)
        store(work, &work->y, i, times(alpha, load(work, &work->x, i)) + load(work, &work->y, i));
}

static void scal(const ExWork *work) {
    const double complex alpha = scalar(&work->alpha);
    for (int64_t i = 0; i < work->n; i++)
        store(work, &work->x, i, times(alpha, load(work, &work->x, i)));
}

static void copy(const ExWork *work) {
    for (int64_t i = 0; i < work->n; i++)
        store(work, &work->y, i, load(work, &work->x, i));
}

static void swap(const ExWork *work) {
    for (int64_t i = 0; i < work->n; i++) {
        const double complex x = load(work, &work->x, i);
        store(work, &work->x, i, load(work, &work->y, i));
        store(work, &work->y, i, x);
    }
}

static void rot(const ExWork *work) {
    const double complex c = scalar(&work->alpha), s = scalar(&work->beta);
    for (int64_t i = 0; i < work->n; i++) {
        const double complex x = load(work, &work->x, i), y = load(work, &work->y, i);
        store(work, &work->x, i, times(c, x) + times(s, y));
        store(work, &work->y, i, times(c, y) - times(conj(s), x));
    }
}

static void give(const ExWork *work, double complex value) {
    element_set(work->result_type, work->result, 0, creal(value), cimag(value));
}

static void dot(const ExWork *work) {
    double complex sum = 0;
    for (int64_t i = 0; i < work->n; i++) {
        const double complex x = load(work, &work->x, i);
        sum += times(work->conjugates ? conj(x) : x, load(work, &work->y, i));
    }
    give(work, sum);
}

static void nrm2(const ExWork *work) {
    double length = 0;
    for (int64_t i = 0; i < work->n; i++)
        length = hypot(length, cabs(load(work, &work->x, i)));
    give(work, length);
}

static double size_of(double complex value) {
    return fabs(creal(value)) + fabs(cimag(value));
}

static void asum(const ExWork *work) {
    double sum = 0;
    for (int64_t i = 0; i < work->n; i++)
        sum += size_of(load(work, &work->x, i));
    give(work, sum);
}

static void extreme(const ExWork *work) {
    int64_t found = 0;
    double extreme = 0;
    for (int64_t i = 0; i < work->n && work->x.step > 0; i++) {
        const double size = size_of(load(work, &work->x, i));
        if (i == 0 || (work->least ? size < extreme : size > extreme)) {
            extreme = size;
            found = i + 1;
        }
    }
    if (work->result_type == R_64I)
        *(int64_t *)work->result = found;
    else
        *(int *)work->result = (int)found;
}

/* ---- the call ---- */

static bool reaches(const ExWork *work, const void *at, size_t bytes) {
    return warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)at, bytes);
}

static bool reaches_vector(const ExWork *work, const ExVector *v) {
    const int64_t step = v->step < 0 ? -v->step : v->step;
    return !v->at ||
           reaches(work, v->at, (size_t)((work->n - 1) * step + 1) * element_bytes(v->type));
}

static bool reaches_scalar(const ExWork *work, const ExScalar *s) {
    return !s->at || reaches(work, s->at, element_bytes(s->type));
}

static void run(const HostWork *host) {
    const ExWork *work = (const ExWork *)(const void *)host;
    const size_t bytes =
        work->result_type == R_64I ? sizeof(int64_t) : element_bytes(work->result_type);
    if ((work->n == 0 || (reaches_vector(work, &work->x) && reaches_vector(work, &work->y))) &&
        reaches_scalar(work, &work->alpha) && reaches_scalar(work, &work->beta) &&
        (!work->on_device || !work->result || reaches(work, work->result, bytes)))
        work->compute(work);
}

static bool is_type(int type) {
    return type == R_16F || type == R_16BF || type == R_32F || type == R_64F || type == C_32F ||
           type == C_64F;
}

static BlasStatus set_scalar(ExWork *work, ExScalar *to, const void *at, int type) {
    if (!at)
        return BLAS_INVALID_VALUE;
    if (!is_type(type))
        return BLAS_NOT_SUPPORTED;
    *to = (ExScalar){.type = type};
    if (work->on_device)
        to->at = at;
    else
        element_set(type, to->value, 0, element_real(type, at, 0), element_imaginary(type, at, 0));
    return BLAS_SUCCESS;
}

/* Vectors of types that are there, both complex or neither. */
static BlasStatus enqueue(const BlasHandle *handle, ExWork *work, BlasStatus wrong) {
    const ExVector *x = &work->x, *y = &work->y;
    if (wrong)
        return wrong;
    if (work->n < 0)
        work->n = 0;
    if (work->n && (!x->at || (y->step && !y->at)))
        return BLAS_INVALID_VALUE;
    if (!is_type(x->type) || !is_type(y->type) ||
        element_is_complex(x->type) != element_is_complex(y->type))
        return BLAS_NOT_SUPPORTED;
    work->work.library = "cublas";
    work->work.run = run;
    return status_of(warplens_enqueue(handle->stream, &work->work, sizeof *work));
}

static BlasStatus enqueue_result(const BlasHandle *handle, ExWork *work) {
    BlasStatus wrong = handle_check(handle);
    const bool index = work->result_type == R_32I || work->result_type == R_64I;
    if (!wrong && !work->result)
        wrong = BLAS_INVALID_VALUE;
    if (!wrong && !index && !is_type(work->result_type))
        wrong = BLAS_NOT_SUPPORTED;
    work->on_device = !wrong && handle->scalars == SCALARS_DEVICE;
    return enqueue(handle, work, wrong);
}

static BlasStatus enqueue_scalars(const BlasHandle *handle, ExWork *work, const void *alpha,
                                  const void *beta, int type) {
    BlasStatus wrong = handle_check(handle);
    work->on_device = !wrong && handle->scalars == SCALARS_DEVICE;
    if (!wrong)
        wrong = set_scalar(work, &work->alpha, alpha, type);
    if (!wrong && beta)
        wrong = set_scalar(work, &work->beta, beta, type);
    return enqueue(handle, work, wrong);
}

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") BlasStatus name(__VA_ARGS__);                          \
    _Pragma("GCC visibility pop") BlasStatus name(__VA_ARGS__)

#define WORK(name, how)                                                                            \
    .work.function = "cublas" name, .compute = how, .n = n, .x = {x, x_type, incx}
#define ONLY_X .y = {NULL, x_type, 0}
#define AND_Y .y = {y, y_type, incy}

#define CALLS(suffix, I, Index, index_type)                                                        \
    EXPORTED(cublasAxpyEx##suffix, BlasHandle *handle, I n, const void *alpha, int alpha_type,     \
             void *x, int x_type, I incx, void *y, int y_type, I incy, int computed) {             \
        ExWork work = {WORK("AxpyEx", axpy), AND_Y};                                               \
        (void)computed;                                                                            \
        return enqueue_scalars(handle, &work, alpha, NULL, alpha_type);                            \
    }                                                                                              \
    EXPORTED(cublasScalEx##suffix, BlasHandle *handle, I n, const void *alpha, int alpha_type,     \
             void *x, int x_type, I incx, int computed) {                                          \
        ExWork work = {WORK("ScalEx", scal), ONLY_X};                                              \
        (void)computed;                                                                            \
        return enqueue_scalars(handle, &work, alpha, NULL, alpha_type);                            \
    }                                                                                              \
    EXPORTED(cublasRotEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx, void *y,   \
             int y_type, I incy, const void *c, const void *s, int scalar_type, int computed) {    \
        ExWork work = {WORK("RotEx", rot), AND_Y};                                                 \
        (void)computed;                                                                            \
        if (!s)                                                                                    \
            return BLAS_INVALID_VALUE;                                                             \
        return enqueue_scalars(handle, &work, c, s, scalar_type);                                  \
    }                                                                                              \
    EXPORTED(cublasCopyEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx, void *y,  \
             int y_type, I incy) {                                                                 \
        ExWork work = {WORK("CopyEx", copy), AND_Y};                                               \
        return enqueue(handle, &work, handle_check(handle));                                       \
    }                                                                                              \
    EXPORTED(cublasSwapEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx, void *y,  \
             int y_type, I incy) {                                                                 \
        ExWork work = {WORK("SwapEx", swap), AND_Y};                                               \
        return enqueue(handle, &work, handle_check(handle));                                       \
    }                                                                                              \
    EXPORTED(cublasDotEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx, void *y,   \
             int y_type, I incy, void *result, int result_type, int computed) {                    \
        ExWork work = {WORK("DotEx", dot), AND_Y, .result = result, .result_type = result_type};   \
        (void)computed;                                                                            \
        return enqueue_result(handle, &work);                                                      \
    }                                                                                              \
    EXPORTED(cublasDotcEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx, void *y,  \
             int y_type, I incy, void *result, int result_type, int computed) {                    \
        ExWork work = {WORK("DotcEx", dot), AND_Y, .result = result, .result_type = result_type,   \
                       .conjugates = true};                                                        \
        (void)computed;                                                                            \
        return enqueue_result(handle, &work);                                                      \
    }                                                                                              \
    EXPORTED(cublasNrm2Ex##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx,           \
             void *result, int result_type, int computed) {                                        \
        ExWork work = {WORK("Nrm2Ex", nrm2), ONLY_X, .result = result,                             \
                       .result_type = result_type};                                                \
        (void)computed;                                                                            \
        return enqueue_result(handle, &work);                                                      \
    }                                                                                              \
    EXPORTED(cublasAsumEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx,           \
             void *result, int result_type, int computed) {                                        \
        ExWork work = {WORK("AsumEx", asum), ONLY_X, .result = result,                             \
                       .result_type = result_type};                                                \
        (void)computed;                                                                            \
        return enqueue_result(handle, &work);                                                      \
    }                                                                                              \
    EXPORTED(cublasIamaxEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx,          \
             Index *result) {                                                                      \
        ExWork work = {WORK("IamaxEx", extreme), ONLY_X, .result = result,                         \
                       .result_type = index_type};                                                 \
        return enqueue_result(handle, &work);                                                      \
    }                                                                                              \
    EXPORTED(cublasIaminEx##suffix, BlasHandle *handle, I n, void *x, int x_type, I incx,          \
             Index *result) {                                                                      \
        ExWork work = {WORK("IaminEx", extreme), ONLY_X, .result = result,                         \
                       .result_type = index_type, .least = true};                                  \
        return enqueue_result(handle, &work);                                                      \
    }
CALLS(, int, int, R_32I)
CALLS(_64, int64_t, int64_t, R_64I)

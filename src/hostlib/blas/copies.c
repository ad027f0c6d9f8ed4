/* Copies of vectors and matrices between host and device: copies of the driver in two dimensions. */
#include "hostlib/blas/blas.h"

/* `lines` pieces of `bytes` bytes, each `pitch` behind the one before. */
static BlasStatus copy(bool up, const void *from, size_t from_pitch, void *to, size_t to_pitch,
                       size_t bytes, size_t lines, bool waits, CUstream stream) {
    CUDA_MEMCPY2D plane = {.srcMemoryType = up ? MEMORYTYPE_HOST : MEMORYTYPE_DEVICE,
                           .srcHost = from,
                           .srcDevice = (CUdeviceptr)(uintptr_t)from,
                           .srcPitch = from_pitch,
                           .dstMemoryType = up ? MEMORYTYPE_DEVICE : MEMORYTYPE_HOST,
                           .dstHost = to,
                           .dstDevice = (CUdeviceptr)(uintptr_t)to,
                           .dstPitch = to_pitch,
                           .WidthInBytes = bytes,
                           .Height = lines};
    if (cuInit(0))
        return BLAS_NOT_INITIALIZED;
    if (bytes == 0 || lines == 0)
        return BLAS_SUCCESS;
    CUresult result = waits ? cuMemcpy2DUnaligned_v2(&plane) : cuMemcpy2DAsync_v2(&plane, stream);
    return result ? BLAS_MAPPING_ERROR : BLAS_SUCCESS;
}

static BlasStatus vector(bool up, int64_t n, int64_t element, const void *x, int64_t from_step,
                         void *y, int64_t to_step, bool waits, CUstream stream) {
    if (element <= 0 || from_step <= 0 || to_step <= 0)
        return BLAS_INVALID_VALUE;
    if (n < 0)
        return BLAS_MAPPING_ERROR;
    return copy(up, x, (size_t)(from_step * element), y, (size_t)(to_step * element),
                (size_t)element, (size_t)n, waits, stream);
}

static BlasStatus matrix(bool up, int64_t rows, int64_t columns, int64_t element, const void *a,
                         int64_t from_lead, void *b, int64_t to_lead, bool waits, CUstream stream) {
    if (element <= 0 || from_lead <= 0 || to_lead <= 0)
        return BLAS_INVALID_VALUE;
    if (rows < 0 || columns < 0 || from_lead < rows || to_lead < rows)
        return BLAS_MAPPING_ERROR;
    return copy(up, a, (size_t)(from_lead * element), b, (size_t)(to_lead * element),
                (size_t)(rows * element), (size_t)columns, waits, stream);
}

#define DECLARED(name, ...)                                                                        \
    BlasStatus name(__VA_ARGS__);                                                                  \
    BlasStatus name(__VA_ARGS__)

#define COPIES(direction, up, suffix, I)                                                           \
    DECLARED(cublas##direction##Vector##suffix, I n, I element, const void *x, I incx, void *y,    \
             I incy) {                                                                             \
        return vector(up, n, element, x, incx, y, incy, true, NULL);                               \
    }                                                                                              \
    DECLARED(cublas##direction##VectorAsync##suffix, I n, I element, const void *x, I incx,        \
             void *y, I incy, CUstream stream) {                                                   \
        return vector(up, n, element, x, incx, y, incy, false, stream);                            \
    }                                                                                              \
    DECLARED(cublas##direction##Matrix##suffix, I rows, I columns, I element, const void *a,       \
             I lda, void *b, I ldb) {                                                              \
        return matrix(up, rows, columns, element, a, lda, b, ldb, true, NULL);                     \
    }                                                                                              \
    DECLARED(cublas##direction##MatrixAsync##suffix, I rows, I columns, I element, const void *a,  \
             I lda, void *b, I ldb, CUstream stream) {                                             \
        return matrix(up, rows, columns, element, a, lda, b, ldb, false, stream);                  \
    }

#pragma GCC visibility push(default)
COPIES(Set, true, , int)
COPIES(Set, true, _64, int64_t)
COPIES(Get, false, , int)
COPIES(Get, false, _64, int64_t)

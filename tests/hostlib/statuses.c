/* What cuBLAS answers to calls with something wrong, and to products of all types: the same as on a GPU. The transcript was
 * measured on an H200 (driver 580, CUDA 13.0), where this program was linked with NVIDIA's library. */
#include "blas.h"

#include <stdint.h>

int cublasGemmEx(cublasHandle_t handle, int transa, int transb, int m, int n, int k,
                 const void *alpha, const void *a, int typea, int lda, const void *b, int typeb,
                 int ldb, const void *beta, void *c, int typec, int ldc, int compute, int algo);
int cublasSgemv_v2(cublasHandle_t handle, int trans, int m, int n, const float *alpha,
                   const float *a, int lda, const float *x, int incx, const float *beta, float *y,
                   int incy);
int cublasSaxpy_v2(cublasHandle_t handle, int n, const float *alpha, const float *x, int incx,
                   float *y, int incy);
int cublasSnrm2_v2(cublasHandle_t handle, int n, const float *x, int incx, float *result);
int cublasStrsm_v2(cublasHandle_t handle, int side, int uplo, int trans, int diag, int m, int n,
                   const float *alpha, const float *a, int lda, float *b, int ldb);
int cublasSsyrk_v2(cublasHandle_t handle, int uplo, int trans, int n, int k, const float *alpha,
                   const float *a, int lda, const float *beta, float *c, int ldc);
int cublasSgeam(cublasHandle_t handle, int transa, int transb, int m, int n, const float *alpha,
                const float *a, int lda, const float *beta, const float *b, int ldb, float *c,
                int ldc);
int cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
int cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb);
int cublasSetPointerMode_v2(cublasHandle_t handle, int mode);
int cublasSetMathMode(cublasHandle_t handle, int mode);
int cublasSetAtomicsMode(cublasHandle_t handle, int mode);
int cublasGetProperty(int which, int *value);

#define SHOW(call) printf("%d  %s\n", call, #call)

static void wrong_calls(cublasHandle_t h, float *d) {
    float one = 1, host[16] = {0};
    int value;
    SHOW(cublasCreate_v2(NULL));
    SHOW(cublasDestroy_v2(NULL));
    SHOW(cublasSetPointerMode_v2(h, 2));
    SHOW(cublasSetMathMode(h, 9));
    SHOW(cublasSetAtomicsMode(h, 2));
    SHOW(cublasSetPointerMode_v2(NULL, 0));
    SHOW(cublasGetProperty(3, &value));
    SHOW(cublasSgemm_v2(h, 0, 0, -1, 2, 2, &one, d, 2, d, 2, &one, d, 2));
    SHOW(cublasSgemm_v2(h, 3, 0, 2, 2, 2, &one, d, 2, d, 2, &one, d, 2));
    SHOW(cublasSgemm_v2(h, 0, 0, 2, 2, 2, &one, d, 1, d, 2, &one, d, 2));
    SHOW(cublasSgemm_v2(h, 0, 0, 2, 2, 2, &one, d, 2, d, 1, &one, d, 2));
    SHOW(cublasSgemm_v2(h, 0, 0, 2, 2, 2, &one, d, 2, d, 2, &one, d, 1));
    SHOW(cublasSgemm_v2(h, 0, 0, 0, 2, 2, &one, d, 1, d, 2, &one, d, 1));
    SHOW(cublasSgemm_v2(h, 0, 0, 0, 2, 2, &one, d, 0, d, 2, &one, d, 0));
    SHOW(cublasSgemv_v2(h, 0, 2, 2, &one, d, 1, d, 1, &one, d, 1));
    SHOW(cublasSgemv_v2(h, 0, -2, 2, &one, d, 2, d, 1, &one, d, 1));
    SHOW(cublasSaxpy_v2(h, -1, &one, d, 1, d, 1));
    SHOW(cublasSaxpy_v2(h, 0, &one, NULL, 1, NULL, 1));
    SHOW(cublasSaxpy_v2(h, 2, &one, d, 0, d, 1));
    SHOW(cublasSnrm2_v2(h, 2, d, 0, host));
    SHOW(cublasSnrm2_v2(h, -2, d, 1, host));
    SHOW(cublasStrsm_v2(h, 2, 0, 0, 0, 2, 2, &one, d, 2, d, 2));
    SHOW(cublasStrsm_v2(h, 0, 2, 0, 0, 2, 2, &one, d, 2, d, 2));
    SHOW(cublasStrsm_v2(h, 0, 0, 0, 2, 2, 2, &one, d, 2, d, 2));
    SHOW(cublasSsyrk_v2(h, 0, 2, 2, 2, &one, d, 2, &one, d, 2));
    SHOW(cublasSgeam(h, 0, 0, 2, 2, &one, d, 1, &one, d, 2, d, 2));
    SHOW(cublasSetVector(-1, 4, host, 1, d, 1));
    SHOW(cublasSetVector(2, 4, host, 0, d, 1));
    SHOW(cublasSetVector(2, 0, host, 1, d, 1));
    SHOW(cublasSetMatrix(2, 2, 4, host, 1, d, 2));
}

/* One line for each kind of arithmetic and type of A and B: the statuses for C in the order of `types`. */
static void types(cublasHandle_t h, void *d) {
    static const int types[] = {0, 1, 2, 3, 4, 5, 10, 14}, computes[] = {64, 68, 70, 72, 74, 77};
    enum { TYPES = sizeof types / sizeof *types, COMPUTES = sizeof computes / sizeof *computes };
    double scalars[2] = {0, 0};
    for (int c = 0; c < COMPUTES; c++)
        for (int from = 0; from < TYPES; from++) {
            printf("compute %d, A and B %2d:", computes[c], types[from]);
            for (int to = 0; to < TYPES; to++)
                printf(" %2d",
                       cublasGemmEx(h, 0, 0, 16, 16, 16, scalars, d, types[from], 16, d,
                                    types[from], 16, scalars, d, types[to], 16, computes[c], -1));
            puts("");
        }
}

int main(void) {
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    cublasHandle_t handle;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc_v2(&memory, 1 << 16));
    CHECK(cublasCreate_v2(&handle) == SUCCESS);
    wrong_calls(handle, (float *)(uintptr_t)memory);
    types(handle, (void *)(uintptr_t)memory);
    return 0;
}

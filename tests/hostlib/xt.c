/* cublasXt: matrices of the host and of the device, beside plain loops. */
#include "blas.h"

#include <complex.h>
#include <math.h>

typedef double complex Complex;
typedef struct XtHandle *cublasXtHandle_t;
enum { LEFT = 0, RIGHT = 1, LOWER = 0, UPPER = 1, UNIT = 1, N = 5, K = 3 };

int cublasXtCreate(cublasXtHandle_t *handle);
int cublasXtDestroy(cublasXtHandle_t handle);
int cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int *devices);
int cublasXtSetBlockDim(cublasXtHandle_t handle, int block);
int cublasXtGetBlockDim(cublasXtHandle_t handle, int *block);
int cublasXtSetPinningMemMode(cublasXtHandle_t handle, int mode);
int cublasXtGetPinningMemMode(cublasXtHandle_t handle, int *mode);
int cublasXtSetCpuRoutine(cublasXtHandle_t handle, int routine, int type, void *function);
int cublasXtSetCpuRatio(cublasXtHandle_t handle, int routine, int type, float ratio);
int cublasXtSgemm(cublasXtHandle_t handle, int transa, int transb, size_t m, size_t n, size_t k,
                  const float *alpha, const float *a, size_t lda, const float *b, size_t ldb,
                  const float *beta, float *c, size_t ldc);
int cublasXtZherk(cublasXtHandle_t handle, int uplo, int trans, size_t n, size_t k,
                  const double *alpha, const Complex *a, size_t lda, const double *beta, Complex *c,
                  size_t ldc);
int cublasXtZherkx(cublasXtHandle_t handle, int uplo, int trans, size_t n, size_t k,
                   const Complex *alpha, const Complex *a, size_t lda, const Complex *b, size_t ldb,
                   const double *beta, Complex *c, size_t ldc);
int cublasXtDsymm(cublasXtHandle_t handle, int side, int uplo, size_t m, size_t n,
                  const double *alpha, const double *a, size_t lda, const double *b, size_t ldb,
                  const double *beta, double *c, size_t ldc);
int cublasXtDtrmm(cublasXtHandle_t handle, int side, int uplo, int trans, int diag, size_t m,
                  size_t n, const double *alpha, const double *a, size_t lda, const double *b,
                  size_t ldb, double *c, size_t ldc);
int cublasXtDtrsm(cublasXtHandle_t handle, int side, int uplo, int trans, int diag, size_t m,
                  size_t n, const double *alpha, const double *a, size_t lda, double *b,
                  size_t ldb);

static void settings(cublasXtHandle_t h) {
    int value = 0, devices[2] = {0, 7};
    CHECK(!cublasXtDeviceSelect(h, 1, devices) && cublasXtDeviceSelect(h, 2, devices) != 0);
    CHECK(!cublasXtGetBlockDim(h, &value) && value == 2048);
    CHECK(!cublasXtSetBlockDim(h, 64) && !cublasXtGetBlockDim(h, &value) && value == 64);
    CHECK(cublasXtSetBlockDim(h, 0) == INVALID_VALUE);
    CHECK(!cublasXtSetPinningMemMode(h, 1) && !cublasXtGetPinningMemMode(h, &value) && value == 1);
    CHECK(!cublasXtSetCpuRatio(h, 0, 0, 0.5f));
    CHECK(cublasXtSetCpuRatio(h, 12, 0, 0.5f) == INVALID_VALUE);
    CHECK(!cublasXtSetCpuRoutine(h, 0, 0, &value));
    CHECK(cublasXtDeviceSelect(NULL, 1, devices) == NOT_INITIALIZED);
}

/* A of the host, B of the device. */
static void product(cublasXtHandle_t h) {
    const float alpha = 2, beta = 3;
    float a[N * K], c[N * N], expected[N * N];
    CUdeviceptr memory;
    OK(cuMemAlloc_v2(&memory, K * N * sizeof(float)));
    float *b = (float *)(uintptr_t)memory;
    for (int i = 0; i < N * K; i++) {
        a[i] = (float)(i % 7) - 3;
        b[i] = (float)(i * 5 % 11) - 4;
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[k * N + i] * b[k * N + j];
            c[j * N + i] = (float)(i - j);
            expected[j * N + i] = alpha * sum + beta * c[j * N + i];
        }
    CHECK(!cublasXtSgemm(h, OP_N, OP_T, N, N, K, &alpha, a, N, b, N, &beta, c, N));
    CHECK(memcmp(c, expected, sizeof c) == 0);
    CHECK(cublasXtSgemm(h, OP_N, OP_T, N, N, K, &alpha, a, N - 1, b, N, &beta, c, N) ==
          INVALID_VALUE);
    CHECK(cublasXtSgemm(NULL, OP_N, OP_T, N, N, K, &alpha, a, N, b, N, &beta, c, N) ==
          NOT_INITIALIZED);
    OK(cuMemFree_v2(memory));
}

/* herkx of A with itself is herk. */
static void rank_k(cublasXtHandle_t h) {
    const double alpha = 2, beta = 0;
    const Complex factor = alpha;
    Complex a[N * K], c[N * N] = {0}, d[N * N] = {0};
    for (int i = 0; i < N * K; i++)
        a[i] = i % 4 - 1 + (i * 3 % 5 - 2) * (Complex)I;
    CHECK(!cublasXtZherk(h, LOWER, OP_N, N, K, &alpha, a, N, &beta, c, N));
    CHECK(!cublasXtZherkx(h, LOWER, OP_N, N, K, &factor, a, N, a, N, &beta, d, N));
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++) {
            Complex sum = 0;
            for (int k = 0; k < K; k++)
                sum += alpha * a[k * N + i] * conj(a[k * N + j]);
            CHECK(c[j * N + i] == sum && d[j * N + i] == sum);
        }
}

/* What trmm makes, trsm undoes; symm with the same matrix reads one triangle, too. */
static void triangles(cublasXtHandle_t h) {
    const double one = 1, zero = 0;
    double a[N * N], b[N * K], c[N * K], d[N * K];
    for (int i = 0; i < N * N; i++)
        a[i] = i * 3 % 7 + 1;
    for (int i = 0; i < N * K; i++)
        b[i] = i % 5 - 2;
    CHECK(!cublasXtDtrmm(h, LEFT, UPPER, OP_N, 0, N, K, &one, a, N, b, N, c, N));
    CHECK(!cublasXtDsymm(h, LEFT, UPPER, N, K, &one, a, N, b, N, &zero, d, N));
    for (int j = 0; j < K; j++)
        for (int i = 0; i < N; i++) {
            double triangle = 0, whole = 0;
            for (int k = 0; k < N; k++) {
                double value = a[(k > i ? k : i) * N + (k > i ? i : k)] * b[j * N + k];
                triangle += k >= i ? value : 0;
                whole += value;
            }
            CHECK(c[j * N + i] == triangle && d[j * N + i] == whole);
        }
    CHECK(!cublasXtDtrsm(h, LEFT, UPPER, OP_N, 0, N, K, &one, a, N, c, N));
    for (int i = 0; i < N * K; i++)
        CHECK(fabs(c[i] - b[i]) < 1e-12);
}

int main(void) {
    cublasXtHandle_t handle;
    start();
    CHECK(cublasXtCreate(NULL) == INVALID_VALUE);
    CHECK(!cublasXtCreate(&handle));
    settings(handle);
    product(handle);
    rank_k(handle);
    triangles(handle);
    CHECK(!cublasXtDestroy(handle));
    puts("xt: fine");
    return 0;
}

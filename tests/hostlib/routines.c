/* Routines of cuBLAS whose arguments are of a kind of their own, and those that BLAS lacks. */
#include "blas.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

typedef float complex Complex;
enum { LOWER, UPPER, LEFT = 0, RIGHT = 1, NON_UNIT = 0 };
enum { N = 3 };

int cublasIsamin_v2(cublasHandle_t h, int n, const float *x, int incx, int *result);
int cublasIsamax_v2_64(cublasHandle_t h, int64_t n, const float *x, int64_t incx, int64_t *result);
int cublasCdotc_v2(cublasHandle_t h, int n, const Complex *x, int incx, const Complex *y, int incy,
                   Complex *result);
int cublasScnrm2_v2(cublasHandle_t h, int n, const Complex *x, int incx, float *result);
int cublasSrotg_v2(cublasHandle_t h, float *a, float *b, float *c, float *s);
int cublasCher_v2(cublasHandle_t h, int uplo, int n, const float *alpha, const Complex *x, int incx,
                  Complex *a, int lda);
int cublasCsyr2_v2(cublasHandle_t h, int uplo, int n, const Complex *alpha, const Complex *x,
                   int incx, const Complex *y, int incy, Complex *a, int lda);
int cublasCherkx(cublasHandle_t h, int uplo, int trans, int n, int k, const Complex *alpha,
                 const Complex *a, int lda, const Complex *b, int ldb, const float *beta,
                 Complex *c, int ldc);
int cublasStrmm_v2(cublasHandle_t h, int side, int uplo, int trans, int diag, int m, int n,
                   const float *alpha, const float *a, int lda, const float *b, int ldb, float *c,
                   int ldc);
int cublasStrsm_v2(cublasHandle_t h, int side, int uplo, int trans, int diag, int m, int n,
                   const float *alpha, const float *a, int lda, float *b, int ldb);
int cublasSgeam(cublasHandle_t h, int transa, int transb, int m, int n, const float *alpha,
                const float *a, int lda, const float *beta, const float *b, int ldb, float *c,
                int ldc);
int cublasSdgmm(cublasHandle_t h, int side, int m, int n, const float *a, int lda, const float *x,
                int incx, float *c, int ldc);
int cublasStpttr(cublasHandle_t h, int uplo, int n, const float *ap, float *a, int lda);
int cublasStrttp(cublasHandle_t h, int uplo, int n, const float *a, int lda, float *ap);
int cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
int cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb);
const char *cublasGetStatusName(int status);

static void *device(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made;
}

static float *numbers(void) {
    float *made = device(N * N * sizeof *made);
    for (int i = 0; i < N * N; i++)
        made[i] = (float)(i * 5 % 7) - 2;
    return made;
}

static Complex *complexes(int seed) {
    Complex *made = device(N * N * sizeof *made);
    for (int i = 0; i < N * N; i++)
        made[i] = (float)((i + seed) % 4) - 1 + ((float)(i * seed % 3) - 1) * (Complex)I;
    return made;
}

static void level1(cublasHandle_t h) {
    float *x = numbers(), length, a = 3, b = 4, c, s; /* -2 3 1 -1 4 2 0 … */
    Complex *u = complexes(1), *v = complexes(2), dot, sum = 0;
    float squares = 0;
    int least;
    int64_t most = -1;
    CHECK(!cublasIsamin_v2(h, 6, x, 1, &least) && least == 3);
    CHECK(!cublasIsamax_v2_64(h, 6, x, 1, &most) && most == 5);
    CHECK(!cublasCdotc_v2(h, N, u, 1, v, 2, &dot));
    for (int i = 0; i < N; i++) {
        sum += conjf(u[i]) * v[2 * i];
        squares += crealf(u[i] * conjf(u[i]));
    }
    CHECK(dot == sum);
    CHECK(!cublasScnrm2_v2(h, N, u, 1, &length) && fabsf(length - sqrtf(squares)) < 1e-6f);
    CHECK(!cublasSrotg_v2(h, &a, &b, &c, &s));
    CHECK(fabsf(a - 5) < 1e-6f && fabsf(c - 0.6f) < 1e-6f && fabsf(s - 0.8f) < 1e-6f);
}

static void level2(cublasHandle_t h) {
    Complex *x = complexes(1), *y = complexes(2), *a = complexes(3), *was = complexes(3);
    float two = 2;
    CHECK(!cublasCher_v2(h, UPPER, N, &two, x, 1, a, N));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < j; i++)
            CHECK(a[j * N + i] == was[j * N + i] + 2 * x[i] * conjf(x[j]));
    const Complex alpha = 1 + 2 * (Complex)I;
    a = complexes(3);
    CHECK(!cublasCsyr2_v2(h, LOWER, N, &alpha, x, 1, y, 1, a, N));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            CHECK(a[j * N + i] ==
                  was[j * N + i] + (i < j ? 0 : alpha * (x[i] * y[j] + y[i] * x[j])));
}

static void rank(cublasHandle_t h) {
    Complex *a = complexes(1), *b = complexes(2), *c = complexes(3), *was = complexes(3);
    const Complex alpha = 2 - (Complex)I;
    float beta = 3;
    CHECK(!cublasCherkx(h, LOWER, OP_C, N, N, &alpha, a, N, b, N, &beta, c, N));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            Complex sum = 3 * was[j * N + i];
            for (int k = 0; k < N; k++)
                sum += alpha * conjf(a[i * N + k]) * b[j * N + k];
            CHECK(c[j * N + i] == (i < j ? was[j * N + i] : i == j ? crealf(sum) : sum));
        }
}

static void triangles(cublasHandle_t h) {
    float *a = numbers(), *b = numbers(), *c = device(N * N * sizeof *c), one = 1;
    for (int i = 0; i < N; i++)
        a[i * N + i] = 2;
    CHECK(!cublasStrmm_v2(h, LEFT, LOWER, OP_N, NON_UNIT, N, N, &one, a, N, b, N, c, N));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            float sum = 0;
            for (int k = 0; k <= i; k++)
                sum += a[k * N + i] * b[j * N + k];
            CHECK(c[j * N + i] == sum);
        }
    CHECK(!cublasStrsm_v2(h, LEFT, LOWER, OP_N, NON_UNIT, N, N, &one, a, N, c, N));
    for (int i = 0; i < N * N; i++)
        CHECK(fabsf(c[i] - b[i]) < 1e-5f);
    float *packed = device(6 * sizeof *packed);
    CHECK(!cublasStrttp(h, UPPER, N, b, N, packed));
    CHECK(packed[0] == b[0] && packed[1] == b[N] && packed[2] == b[N + 1] && packed[5] == b[8]);
    memset(c, 0, N * N * sizeof *c);
    CHECK(!cublasStpttr(h, UPPER, N, packed, c, N));
    CHECK(c[N] == b[N] && c[1] == 0 && c[8] == b[8]);
}

static void beyond(cublasHandle_t h) {
    float *a = numbers(), *b = numbers(), *c = device(N * N * sizeof *c), two = 2, three = 3,
          none = 0, host[2 * N] = {1, 9, 2, 9, 3, 9}, back[N * N];
    CHECK(!cublasSgeam(h, OP_T, OP_N, N, N, &two, a, N, &three, b, N, c, N));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            CHECK(c[j * N + i] == 2 * a[i * N + j] + 3 * b[j * N + i]);
    CHECK(!cublasSgeam(h, OP_T, OP_N, N, N, &two, a, N, &none, NULL, N, c, N)); /* of one alone */
    for (int i = 0; i < N * N; i++)
        CHECK(c[i] == 2 * a[i % N * N + i / N]);
    CHECK(cublasSgeam(h, OP_T, OP_N, N, N, &two, a, N, &two, NULL, N, c, N) != 0);
    CHECK(!cublasSetVector(N, sizeof *host, host, 2, b, 1));
    CHECK(b[0] == 1 && b[1] == 2 && b[2] == 3);
    CHECK(!cublasSdgmm(h, RIGHT, N, N, a, N, b, 1, c, N));
    CHECK(!cublasGetMatrix(N, N, sizeof *c, c, N, back, N));
    for (int i = 0; i < N * N; i++)
        CHECK(back[i] == a[i] * host[2 * (i / N)]);
    CHECK(cublasSetVector(N, 0, host, 2, b, 1) == INVALID_VALUE);
    CHECK(strcmp(cublasGetStatusName(NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED") == 0);
}

int main(void) {
    cublasHandle_t handle;
    CHECK(!cublasCreate_v2(&handle));
    level1(handle);
    level2(handle);
    rank(handle);
    triangles(handle);
    beyond(handle);
    CHECK(!cublasDestroy_v2(handle));
    puts("routines: fine");
    return 0;
}

/* Vectors of level 1 with types of their own: what is computed in double precision here is expected, rounded once. */
#include "blas.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

typedef double complex Complex;
enum { R_32F = 0, R_64F = 1, R_16F = 2, R_8I = 3, C_64F = 5, R_16BF = 14, N = 4 };
#define TYPED(x) void *x, int x##_type, int inc##x

int cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, int alpha_type, TYPED(x), TYPED(y),
                 int computed);
int cublasScalEx(cublasHandle_t h, int n, const void *alpha, int alpha_type, TYPED(x),
                 int computed);
int cublasRotEx(cublasHandle_t h, int n, TYPED(x), TYPED(y), const void *c, const void *s,
                int scalar_type, int computed);
int cublasCopyEx(cublasHandle_t h, int n, TYPED(x), TYPED(y));
int cublasSwapEx(cublasHandle_t h, int n, TYPED(x), TYPED(y));
int cublasDotEx(cublasHandle_t h, int n, TYPED(x), TYPED(y), void *result, int result_type,
                int computed);
int cublasDotcEx(cublasHandle_t h, int n, TYPED(x), TYPED(y), void *result, int result_type,
                 int computed);
int cublasNrm2Ex(cublasHandle_t h, int n, TYPED(x), void *result, int result_type, int computed);
int cublasAsumEx(cublasHandle_t h, int n, TYPED(x), void *result, int result_type, int computed);
int cublasIamaxEx(cublasHandle_t h, int n, TYPED(x), int *result);
int cublasIaminEx_64(cublasHandle_t h, int64_t n, void *x, int x_type, int64_t incx,
                     int64_t *result);

static void *device(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made;
}

static void halves(cublasHandle_t h) {
    static const uint16_t of_x[] = {0x3c00, 0xc000, 0x4200, 0x4400}; /* 1 -2 3 4 */
    static const uint16_t of_z[] = {0x3f80, 0xc000, 0x4040, 0x4080}; /* the same in bf16 */
    uint16_t *x = memcpy(device(sizeof of_x), of_x, sizeof of_x), *y = device(sizeof of_x),
             *z = memcpy(device(sizeof of_z), of_z, sizeof of_z), dot = 0;
    const float two = 2;
    float length = 0, sum = 0;
    int most = 0;
    int64_t least = 0;
    CHECK(!cublasCopyEx(h, N, x, R_16F, 1, y, R_16F, -1)); /* 4 3 -2 1 */
    CHECK(y[0] == of_x[3] && y[3] == of_x[0]);
    CHECK(!cublasDotEx(h, N, x, R_16F, 1, y, R_16F, 1, &dot, R_16F, R_32F));
    CHECK(dot == 0xc400);                                                     /* 4 - 6 - 6 + 4 */
    CHECK(!cublasAxpyEx(h, N, &two, R_32F, x, R_16F, 1, y, R_16F, 1, R_32F)); /* 6 -1 4 9 */
    CHECK(y[0] == 0x4600 && y[1] == 0xbc00 && y[2] == 0x4400 && y[3] == 0x4880);
    CHECK(!cublasScalEx(h, 2, &two, R_32F, z, R_16BF, 2, R_32F)); /* 2 -2 6 4 */
    CHECK(z[0] == 0x4000 && z[1] == of_z[1] && z[2] == 0x40c0);
    CHECK(!cublasNrm2Ex(h, N, x, R_16F, 1, &length, R_32F, R_32F));
    CHECK(fabsf(length - sqrtf(30)) < 1e-6f);
    CHECK(!cublasAsumEx(h, N, z, R_16BF, 1, &sum, R_32F, R_32F) && sum == 14);
    CHECK(!cublasIamaxEx(h, N, z, R_16BF, 1, &most) && most == 3);
    CHECK(!cublasIaminEx_64(h, N, y, R_16F, 1, &least) && least == 2);
    CHECK(!cublasSwapEx(h, N, x, R_16F, 1, y, R_16F, 1) && y[1] == of_x[1] && x[0] == 0x4600);
}

static void complexes(cublasHandle_t h) {
    static const Complex of_x[] = {1 + 2 * (Complex)I, 3}, c = 0.5, s = (Complex)I;
    Complex *x = memcpy(device(sizeof of_x), of_x, sizeof of_x), *y = device(sizeof of_x), dot;
    y[0] = 4, y[1] = (Complex)I;
    CHECK(!cublasDotcEx(h, 2, x, C_64F, 1, y, C_64F, 1, &dot, C_64F, C_64F));
    CHECK(dot == conj(of_x[0]) * 4 + 3 * (Complex)I);
    CHECK(!cublasRotEx(h, 2, x, C_64F, 1, y, C_64F, 1, &c, &s, C_64F, C_64F));
    CHECK(x[0] == c * of_x[0] + s * 4 && y[0] == c * 4 - conj(s) * of_x[0]);
}

static void refused(cublasHandle_t h) {
    void *x = device(64);
    const float one = 1;
    CHECK(cublasScalEx(h, 2, &one, R_32F, x, R_8I, 1, R_32F) == NOT_SUPPORTED);
    CHECK(cublasScalEx(h, 2, NULL, R_32F, x, R_32F, 1, R_32F) == INVALID_VALUE);
    CHECK(cublasCopyEx(h, 2, x, R_32F, 1, x, C_64F, 1) == NOT_SUPPORTED);
    CHECK(cublasCopyEx(h, 2, x, R_32F, 1, NULL, R_32F, 1) == INVALID_VALUE);
    CHECK(cublasScalEx(NULL, 2, &one, R_32F, x, R_32F, 1, R_32F) == NOT_INITIALIZED);
}

int main(void) {
    cublasHandle_t handle;
    start();
    CHECK(!cublasCreate_v2(&handle));
    halves(handle);
    complexes(handle);
    refused(handle);
    puts("typed: fine");
    return 0;
}

/* Batches of small matrices: factors, inverses, least squares, triangles, products with vectors. */
#include "blas.h"

#include <complex.h>
#include <math.h>

typedef float complex Complex;
typedef double *const *Pointers;
enum { M = 4, N = 3, COUNT = 2, LEFT = 0, LOWER = 0, UPPER = 1, NON_UNIT = 0 };

int cublasDgetrfBatched(cublasHandle_t handle, int n, Pointers a, int lda, int *pivots, int *info,
                        int count);
int cublasDgetrsBatched(cublasHandle_t handle, int op, int n, int columns, Pointers a, int lda,
                        const int *pivots, Pointers b, int ldb, int *info, int count);
int cublasDmatinvBatched(cublasHandle_t handle, int n, Pointers a, int lda, Pointers c, int ldc,
                         int *info, int count);
int cublasDgeqrfBatched(cublasHandle_t handle, int m, int n, Pointers a, int lda, Pointers tau,
                        int *info, int count);
int cublasDgelsBatched(cublasHandle_t handle, int op, int m, int n, int columns, Pointers a,
                       int lda, Pointers c, int ldc, int *info, int *infos, int count);
int cublasDtrsmBatched(cublasHandle_t handle, int side, int uplo, int op, int diag, int m, int n,
                       const double *alpha, Pointers a, int lda, Pointers b, int ldb, int count);
int cublasDgemvBatched(cublasHandle_t handle, int op, int m, int n, const double *alpha, Pointers a,
                       int lda, Pointers x, int incx, const double *beta, Pointers y, int incy,
                       int count);
int cublasCgemvStridedBatched(cublasHandle_t handle, int op, int m, int n, const Complex *alpha,
                              const Complex *a, int lda, long long stridea, const Complex *x,
                              int incx, long long stridex, const Complex *beta, Complex *y,
                              int incy, long long stridey, int count);

static void *device(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made;
}

/* M rows and N columns of full rank, those of each matrix of the batch other ones. */
static double number(int matrix, int row, int column) {
    return (row * 7 + column * 5 + matrix * 3) % 11 - 4 + (row == column ? 9 : 0);
}

static double **matrices(int rows, int columns) {
    double **made = device(COUNT * sizeof *made);
    for (int i = 0; i < COUNT; i++) {
        made[i] = device((size_t)(rows * columns) * sizeof **made);
        for (int k = 0; k < rows * columns; k++)
            made[i][k] = number(i, k % rows, k / rows);
    }
    return made;
}

/* A times 1, 2, 3, in the first column of `to`. */
static void times_123(double **to, int rows) {
    for (int i = 0; i < COUNT; i++)
        for (int row = 0; row < rows; row++) {
            to[i][row] = 0;
            for (int k = 0; k < N; k++)
                to[i][row] += number(i, row, k) * (k + 1);
        }
}

static void check_123(double **x) {
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < N; k++)
            CHECK(fabs(x[i][k] - (k + 1)) < 1e-12);
}

static void factors(cublasHandle_t h) {
    double **a = matrices(N, N), **b = matrices(N, 1), **c = matrices(N, N);
    int *info = device(COUNT * sizeof *info), wrong = 7;
    times_123(b, N);
    CHECK(!cublasDmatinvBatched(h, N, a, N, c, N, info, COUNT) && !info[0] && !info[1]);
    for (int i = 0; i < COUNT; i++)
        for (int row = 0; row < N; row++) {
            double sum = 0; /* of the inverse's row, and b */
            for (int k = 0; k < N; k++)
                sum += c[i][k * N + row] * b[i][k];
            CHECK(fabs(sum - (row + 1)) < 1e-12);
        }
    CHECK(a[1][1] == number(1, 1, 0)); /* as it was */
    CHECK(cublasDmatinvBatched(h, 33, a, 33, c, 33, info, COUNT) == INVALID_VALUE);
    CHECK(!cublasDgetrfBatched(h, N, a, N, NULL, info, COUNT) && !info[0] && !info[1]);
    CHECK(a[0][1] == number(0, 1, 0) / number(0, 0, 0)); /* no row was moved */
    CHECK(!cublasDgetrsBatched(h, OP_N, N, 1, a, N, NULL, b, N, &wrong, COUNT) && wrong == 0);
    check_123(b);
    memset(a[1], 0, N * N * sizeof **a);
    CHECK(!cublasDgetrfBatched(h, N, a, N, NULL, info, COUNT) && info[1] == 1);
}

static void least_squares(cublasHandle_t h) {
    double **a = matrices(M, N), **b = matrices(M, 1), **tau = matrices(N, 1);
    int *infos = device(COUNT * sizeof *infos), wrong = 7;
    times_123(b, M);
    CHECK(!cublasDgelsBatched(h, OP_N, M, N, 1, a, M, b, M, &wrong, infos, COUNT));
    CHECK(wrong == 0 && infos[0] == 0 && infos[1] == 0);
    check_123(b);
    CHECK(cublasDgelsBatched(h, OP_T, M, N, 1, a, M, b, M, &wrong, NULL, COUNT) == NOT_SUPPORTED);
    CHECK(cublasDgelsBatched(h, OP_N, N, M, 1, a, M, b, M, &wrong, NULL, COUNT) == NOT_SUPPORTED);
    CHECK(cublasDgelsBatched(h, OP_N, M, N, 1, a, N, b, M, &wrong, NULL, COUNT) == INVALID_VALUE);
    a = matrices(M, N);
    CHECK(!cublasDgeqrfBatched(h, M, N, a, M, tau, &wrong, COUNT) && wrong == 0);
    for (int i = 0; i < COUNT; i++) /* R is as long in each column as A */
        for (int column = 0; column < N; column++) {
            double length = 0, expected = 0;
            for (int row = 0; row < M; row++) {
                length += row <= column ? a[i][column * M + row] * a[i][column * M + row] : 0;
                expected += number(i, row, column) * number(i, row, column);
            }
            CHECK(fabs(length - expected) < 1e-10);
        }
}

static void triangles(cublasHandle_t h) {
    const double two = 2;
    double **a = matrices(N, N), **b = matrices(N, 1);
    for (int i = 0; i < COUNT; i++)
        for (int row = 0; row < N; row++) {
            b[i][row] = 0;
            for (int k = 0; k <= row; k++)
                b[i][row] += number(i, row, k) * (k + 1) / 2;
        }
    CHECK(!cublasDtrsmBatched(h, LEFT, LOWER, OP_N, NON_UNIT, N, 1, &two, a, N, b, N, COUNT));
    check_123(b);
    CHECK(cublasDtrsmBatched(h, LEFT, LOWER, OP_N, NON_UNIT, N, 1, &two, a, N, b, N, -1) ==
          INVALID_VALUE);
    CHECK(!cublasDtrsmBatched(h, LEFT, LOWER, OP_N, NON_UNIT, N, 0, &two, a, N, b, N, COUNT));
}

static void products(cublasHandle_t h) {
    const double one = 1, zero = 0;
    const Complex i_times = (Complex)I, nothing = 0;
    double **a = matrices(M, N), **x = matrices(N, 1), **y = matrices(M, 1),
           **expected = matrices(M, 1);
    times_123(expected, M);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < N; k++)
            x[i][k] = k + 1;
    CHECK(!cublasDgemvBatched(h, OP_N, M, N, &one, a, M, x, 1, &zero, y, 1, COUNT));
    for (int i = 0; i < COUNT; i++)
        CHECK(memcmp(y[i], expected[i], M * sizeof **y) == 0);
    Complex *c = device(COUNT * 5 * sizeof *c), *u = device(COUNT * 3 * sizeof *u),
            *v = device(COUNT * 2 * sizeof *v);
    for (int k = 0; k < 5 * COUNT; k++)
        c[k] = (float)k + (float)(k % 3) * i_times;
    for (int k = 0; k < 3 * COUNT; k++)
        u[k] = (float)(k - 2) - i_times;
    CHECK(!cublasCgemvStridedBatched(h, OP_C, 2, 2, &i_times, c, 2, 5, u, 1, 3, &nothing, v, 1, 2,
                                     COUNT));
    for (int k = 0; k < 2 * COUNT; k++) {
        const Complex *column = c + k / 2 * 5 + k % 2 * 2, *vector = u + k / 2 * 3;
        CHECK(v[k] == i_times * (conjf(column[0]) * vector[0] + conjf(column[1]) * vector[1]));
    }
}

int main(void) {
    cublasHandle_t handle;
    start();
    CHECK(!cublasCreate_v2(&handle));
    factors(handle);
    least_squares(handle);
    triangles(handle);
    products(handle);
    double **bad = matrices(N, N);
    bad[1] = bad[0] + 7;
    CHECK(cublasDtrsmBatched(handle, LEFT, LOWER, OP_N, NON_UNIT, N, N, &(double){1}, bad, N, bad,
                             N, COUNT) == 0);
    puts("batches: fine");
    return 0;
}

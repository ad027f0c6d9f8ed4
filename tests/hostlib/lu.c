/* LU of two matrices: A X = B is solved, and A times its inverse is the unit matrix. */
#include "blas.h"

#include <math.h>

enum { N = 3, COUNT = 2 };

int cublasDgetrfBatched(cublasHandle_t handle, int n, double *const a[], int lda, int *pivots,
                        int *info, int count);
int cublasDgetrsBatched(cublasHandle_t handle, int op, int n, int columns, const double *const a[],
                        int lda, const int *pivots, double *const b[], int ldb, int *info,
                        int count);
int cublasDgetriBatched(cublasHandle_t handle, int n, const double *const a[], int lda,
                        const int *pivots, double *const c[], int ldc, int *info, int count);

static void *device(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made;
}

int main(void) {
    static const double matrix[N * N] = {0, 2, 1, 1, 3, -1, 4, 0, 2}; /* needs a pivot */
    cublasHandle_t handle;
    double **a = device(COUNT * sizeof *a), **b = device(COUNT * sizeof *b),
           **c = device(COUNT * sizeof *c);
    int *pivots = device(COUNT * N * sizeof *pivots), *info = device(COUNT * sizeof *info),
        wrong = 7;
    for (int i = 0; i < COUNT; i++) {
        a[i] = memcpy(device(sizeof matrix), matrix, sizeof matrix);
        c[i] = device(sizeof matrix);
        b[i] = device(N * sizeof *b[i]);
        for (int row = 0; row < N; row++) /* times 1, 2, 3 */
            b[i][row] = matrix[row] + 2 * matrix[N + row] + 3 * matrix[2 * N + row];
    }
    CHECK(!cublasCreate_v2(&handle));
    CHECK(!cublasDgetrfBatched(handle, N, a, N, pivots, info, COUNT));
    CHECK(info[0] == 0 && info[1] == 0);
    CHECK(!cublasDgetrsBatched(handle, OP_N, N, 1, (const double *const *)a, N, pivots, b, N,
                               &wrong, COUNT));
    CHECK(!cublasDgetriBatched(handle, N, (const double *const *)a, N, pivots, c, N, info, COUNT));
    CHECK(wrong == 0);
    for (int i = 0; i < COUNT; i++)
        for (int row = 0; row < N; row++) {
            CHECK(fabs(b[i][row] - (row + 1)) < 1e-12);
            for (int column = 0; column < N; column++) {
                double sum = 0;
                for (int k = 0; k < N; k++)
                    sum += matrix[k * N + row] * c[i][column * N + k];
                CHECK(fabs(sum - (row == column)) < 1e-12);
            }
        }
    CHECK(cublasDgetrfBatched(handle, N, a, N - 1, pivots, info, COUNT) == INVALID_VALUE);
    CHECK(!cublasDestroy_v2(handle));
    puts("lu: fine");
    return 0;
}

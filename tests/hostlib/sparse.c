/* cuSPARSE: products, triangles, incomplete factors of small matrices, wrong calls. */
#include "check.h"

#include <math.h>
#include <stdint.h>

enum { INVALID_VALUE = 3, ZERO_PIVOT = 9, NOT_SUPPORTED = 10 };
enum { INDEX_32 = 2, INDEX_64 = 3, R_32 = 0, R_64 = 1, ORDER_COLUMN = 1, ORDER_ROW = 2 };
enum { FILL_MODE, DIAG_TYPE };
typedef struct Handle *cusparseHandle_t;
typedef struct Matrix *cusparseSpMatDescr_t;
typedef struct Dense *cusparseDnMatDescr_t;
#define PRODUCT                                                                                    \
    cusparseHandle_t handle, int op, const void *alpha, cusparseSpMatDescr_t a,                    \
        cusparseDnMatDescr_t x, const void *beta, cusparseDnMatDescr_t y, int type, int algorithm
#define TRIANGLE                                                                                   \
    cusparseHandle_t handle, int op, const void *alpha, cusparseSpMatDescr_t a,                    \
        cusparseDnMatDescr_t x, cusparseDnMatDescr_t y, int type, int algorithm, void *description
#define FACTORS                                                                                    \
    cusparseHandle_t handle, int rows, int count, void *description, double *values, int *offsets, \
        int *columns, void *info

int cusparseCreate(cusparseHandle_t *handle);
int cusparseDestroy(cusparseHandle_t handle);
int cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                      void *offsets, void *at, void *values, int offset_type, int at_type, int base,
                      int type);
int cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                      void *at_rows, void *at_columns, void *values, int index, int base, int type);
int cusparseDestroySpMat(cusparseSpMatDescr_t matrix);
int cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, int attribute, int *value, size_t bytes);
int cusparseCreateDnVec(cusparseDnMatDescr_t *vector, int64_t size, void *values, int type);
int cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t lead,
                        void *values, int type, int order);
int cusparseDestroyDnVec(cusparseDnMatDescr_t vector);
int cusparseSpMV_bufferSize(PRODUCT, size_t *size);
int cusparseSpMV(PRODUCT, void *area);
int cusparseSpMM(cusparseHandle_t handle, int op_a, int op_b, const void *alpha,
                 cusparseSpMatDescr_t a, cusparseDnMatDescr_t b, const void *beta,
                 cusparseDnMatDescr_t c, int type, int algorithm, void *area);
int cusparseSpSV_createDescr(void **description);
int cusparseSpSV_analysis(TRIANGLE, void *area);
int cusparseSpSV_solve(TRIANGLE);
int cusparseCreateMatDescr(void **description);
int cusparseCreateCsrilu02Info(void **info);
int cusparseDcsrilu02(FACTORS, int policy, void *area);
int cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, void *info, int *row);
int cusparseCreateBsric02Info(void **description);

/* 4 1 0
 * 1 3 1
 * 0 1 2, which is all that its factors have elements for */
enum { N = 3, COUNT = 7 };
static const double full[N][N] = {{4, 1, 0}, {1, 3, 1}, {0, 1, 2}};
typedef struct Csr {
    int offsets[N + 1], columns[COUNT], rows[COUNT];
    double values[COUNT], x[2 * N], y[2 * N];
} Csr;
static Csr *csr;
static const double one = 1, two = 2;

static cusparseSpMatDescr_t make(void) {
    static const Csr start = {{0, 2, 5, 7},          {0, 1, 0, 1, 2, 1, 2}, {0, 0, 1, 1, 1, 2, 2},
                              {4, 1, 1, 3, 1, 1, 2}, {1, 2, 3, 4, 5, 6},    {1, 1, 1, 1, 1, 1}};
    cusparseSpMatDescr_t matrix;
    *csr = start;
    CHECK(cusparseCreateCsr(&matrix, N, N, COUNT, csr->offsets, csr->columns, csr->values, INDEX_32,
                            INDEX_32, 0, R_64) == 0);
    return matrix;
}

static double product(int row, const double *x, int step) {
    double sum = 0;
    for (int k = 0; k < N; k++)
        sum += full[row][k] * x[k * step];
    return sum;
}

static void products(cusparseHandle_t handle) {
    cusparseSpMatDescr_t a = make(), coo;
    cusparseDnMatDescr_t x, y, b, c, shorter;
    size_t size = 0;
    CHECK(cusparseCreateDnVec(&x, N, csr->x, R_64) == 0);
    CHECK(cusparseCreateDnVec(&y, N, csr->y, R_64) == 0);
    CHECK(cusparseSpMV_bufferSize(handle, 0, &two, a, x, &one, y, R_64, 0, &size) == 0 && size > 0);
    CHECK(cusparseSpMV(handle, 0, &two, a, x, &one, y, R_64, 0, csr) == 0);
    for (int i = 0; i < N; i++)
        CHECK(csr->y[i] == 2 * product(i, csr->x, 1) + 1);
    CHECK(cusparseCreateCoo(&coo, N, N, COUNT, csr->rows, csr->columns, csr->values, INDEX_32, 0,
                            R_64) == 0);
    CHECK(cusparseCreateDnMat(&b, N, 2, 2, csr->x, R_64, ORDER_ROW) == 0);
    CHECK(cusparseCreateDnMat(&c, N, 2, N, csr->y, R_64, ORDER_COLUMN) == 0);
    const double zero = 0;
    CHECK(cusparseSpMM(handle, 1, 0, &one, coo, b, &zero, c, R_64, 0, csr) == 0); /* symmetric */
    for (int i = 0; i < 2 * N; i++)
        CHECK(csr->y[i] == product(i % N, csr->x + i / N, 2));
    CHECK(cusparseCreateDnVec(&shorter, N - 1, csr->x, R_64) == 0);
    CHECK(cusparseSpMV(handle, 0, &two, a, shorter, &one, y, R_64, 0, csr) == INVALID_VALUE);
    CHECK(cusparseSpMV(handle, 9, &two, a, x, &one, y, R_64, 0, csr) == INVALID_VALUE);
    CHECK(cusparseSpMV(handle, 0, &two, a, x, &one, y, R_64, 0, NULL) == INVALID_VALUE);
    CHECK(cusparseSpMV(handle, 0, NULL, a, x, &one, y, R_64, 0, csr) == INVALID_VALUE);
    CHECK(cusparseSpMV(handle, 0, &two, a, x, &one, y, R_32, 0, csr) == NOT_SUPPORTED);
    CHECK(cusparseSpMV_bufferSize(handle, 0, &two, a, x, &one, y, R_64, 99, &size) ==
          INVALID_VALUE);
    CHECK(cusparseDestroyDnVec(x) == 0 && cusparseDestroySpMat(a) == 0);
}

/* L and U, then both triangles: the solution of the whole. */
static void solves(cusparseHandle_t handle) {
    cusparseSpMatDescr_t lower = make(), upper;
    cusparseDnMatDescr_t x, y, z;
    void *description, *info, *solution;
    int fill = 1, unit = 1, row;
    double right[N];
    memcpy(right, csr->x, sizeof right);
    CHECK(cusparseCreateMatDescr(&description) == 0 && cusparseCreateCsrilu02Info(&info) == 0);
    CHECK(cusparseDcsrilu02(handle, N, COUNT, description, csr->values, csr->offsets, csr->columns,
                            info, 0, csr) == 0);
    CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &row) == 0 && row == -1);
    CHECK(cusparseCreateCsr(&upper, N, N, COUNT, csr->offsets, csr->columns, csr->values, INDEX_32,
                            INDEX_32, 0, R_64) == 0);
    CHECK(cusparseSpMatSetAttribute(lower, DIAG_TYPE, &unit, sizeof unit) == 0);
    CHECK(cusparseSpMatSetAttribute(upper, FILL_MODE, &fill, sizeof fill) == 0);
    CHECK(cusparseCreateDnVec(&x, N, csr->x, R_64) == 0);
    CHECK(cusparseCreateDnVec(&y, N, csr->y, R_64) == 0);
    CHECK(cusparseCreateDnVec(&z, N, csr->y + N, R_64) == 0);
    CHECK(cusparseSpSV_createDescr(&solution) == 0);
    CHECK(cusparseSpSV_analysis(handle, 0, &one, lower, x, y, R_64, 0, solution, csr) == 0);
    CHECK(cusparseSpSV_solve(handle, 0, &one, lower, x, y, R_64, 0, solution) == 0);
    CHECK(cusparseSpSV_solve(handle, 0, &one, upper, y, z, R_64, 0, solution) == 0);
    for (int i = 0; i < N; i++)
        CHECK(fabs(product(i, csr->y + N, 1) - right[i]) < 1e-14);
    csr->values[0] = 0;
    CHECK(cusparseDcsrilu02(handle, N, COUNT, description, csr->values, csr->offsets, csr->columns,
                            info, 0, csr) == 0);
    CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &row) == ZERO_PIVOT && row == 0);
}

static void refused(void) {
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t b;
    void *description;
    CHECK(cusparseCreate(NULL) == INVALID_VALUE);
    CHECK(cusparseDestroy(NULL) == 0);
    CHECK(cusparseCreateCsr(&a, -1, 3, 3, csr, csr, csr, INDEX_32, INDEX_32, 0, R_32) ==
          INVALID_VALUE);
    CHECK(cusparseCreateCsr(&a, 3, 3, 10, csr, csr, csr, INDEX_32, INDEX_32, 0, R_32) ==
          INVALID_VALUE);
    CHECK(cusparseCreateCsr(&a, 3, 3, 3, csr, csr, csr, 9, INDEX_32, 0, R_32) == INVALID_VALUE);
    CHECK(cusparseCreateCsr(&a, 3, 3, 3, csr, csr, csr, INDEX_32, INDEX_64, 0, R_32) ==
          NOT_SUPPORTED);
    CHECK(cusparseCreateCsr(&a, 3, 3, 3, csr, csr, csr, INDEX_32, INDEX_32, 7, R_32) ==
          INVALID_VALUE);
    CHECK(cusparseCreateCsr(&a, 0, 0, 0, NULL, NULL, NULL, INDEX_32, INDEX_32, 0, R_32) == 0);
    CHECK(cusparseCreateDnVec(&b, -1, csr, R_32) == INVALID_VALUE);
    CHECK(cusparseCreateDnMat(&b, 3, 2, 2, csr, R_32, ORDER_COLUMN) == INVALID_VALUE);
    CHECK(cusparseCreateBsric02Info(&description) == NOT_SUPPORTED);
}

int main(void) {
    CUdeviceptr memory;
    cusparseHandle_t handle;
    start();
    OK(cuMemAlloc_v2(&memory, sizeof *csr));
    csr = (Csr *)(uintptr_t)memory;
    CHECK(cusparseCreate(&handle) == 0);
    products(handle);
    solves(handle);
    refused();
    CHECK(cusparseDestroy(handle) == 0);
    puts("sparse: fine");
    return 0;
}

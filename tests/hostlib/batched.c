/* cuSPARSE: matrices in batches, of blocks and slices, in half precision, incomplete Cholesky factors, bands, elements counted, products in the same places. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { INVALID_VALUE = 3, ZERO_PIVOT = 9 };
enum { INDEX_32 = 2, R_32 = 0, R_64 = 1, R_16 = 2, C_64 = 5, ORDER_COLUMN = 1 };
typedef struct Handle *Handle;
typedef struct Matrix *Matrix;
typedef struct Dense *Dense;
typedef struct Object *Object;

int cusparseCreate(Handle *handle);
int cusparseDestroy(Handle handle);
int cusparseCreateCsr(Matrix *matrix, int64_t rows, int64_t columns, int64_t count, void *offsets,
                      void *at, void *values, int offset_type, int at_type, int base, int type);
int cusparseCreateCoo(Matrix *matrix, int64_t rows, int64_t columns, int64_t count, void *at_rows,
                      void *at_columns, void *values, int index, int base, int type);
int cusparseCreateBsr(Matrix *matrix, int64_t rows, int64_t columns, int64_t blocks, int64_t high,
                      int64_t wide, void *offsets, void *at, void *values, int offset_type,
                      int at_type, int base, int type, int order);
int cusparseCreateSlicedEll(Matrix *matrix, int64_t rows, int64_t columns, int64_t count,
                            int64_t places, int64_t slice, void *offsets, void *at, void *values,
                            int offset_type, int at_type, int base, int type);
int cusparseCreateBlockedEll(Matrix *matrix, int64_t rows, int64_t columns, int64_t block,
                             int64_t width, void *at, void *values, int at_type, int base,
                             int type);
int cusparseDenseToSparse_analysis(Handle handle, Dense from, Matrix to, int algorithm, void *area);
int cusparseDenseToSparse_convert(Handle handle, Dense from, Matrix to, int algorithm, void *area);
int cusparseCsrSetPointers(Matrix matrix, void *rows, void *columns, void *values);
int cusparseCsrSetStridedBatch(Matrix matrix, int count, int64_t offsets, int64_t elements);
int cusparseCooSetStridedBatch(Matrix matrix, int count, int64_t elements);
int cusparseSpMatGetStridedBatch(Matrix matrix, int *count);
int cusparseSpMatGetSize(Matrix matrix, int64_t *rows, int64_t *columns, int64_t *count);
int cusparseDestroySpMat(Matrix matrix);
int cusparseCreateDnMat(Dense *matrix, int64_t rows, int64_t columns, int64_t lead, void *values,
                        int type, int order);
int cusparseDnMatSetStridedBatch(Dense matrix, int count, int64_t stride);
int cusparseDestroyDnMat(Dense matrix);
int cusparseSpMM(Handle handle, int op_a, int op_b, const void *alpha, Matrix a, Dense b,
                 const void *beta, Dense c, int type, int algorithm, void *area);
int cusparseSDDMM(Handle handle, int op_a, int op_b, const void *alpha, Dense a, Dense b,
                  const void *beta, Matrix c, int type, int algorithm, void *area);
int cusparseCreateMatDescr(Object *description);
int cusparseDestroyMatDescr(Object description);
int cusparseSetMatIndexBase(Object description, int base);
int cusparseGetMatIndexBase(Object description);
int cusparseCreateCsric02Info(Object *info);
int cusparseDestroyCsric02Info(Object info);
int cusparseXcsric02_zeroPivot(Handle handle, Object info, int *row);
int cusparseZcsric02(Handle handle, int rows, int count, Object description, void *values,
                     const int *offsets, const int *columns, Object info, int policy, void *area);
int cusparseDnnz(Handle handle, int direction, int rows, int columns, Object description,
                 const double *a, int lead, int *each, int *all);
int cusparseDgtsv2(Handle handle, int rows, int columns, const double *low, const double *middle,
                   const double *high, double *b, int lead, void *area);
int cusparseSgtsv2StridedBatch(Handle handle, int rows, const float *low, const float *middle,
                               const float *high, float *x, int systems, int stride, void *area);
int cusparseDgpsvInterleavedBatch(Handle handle, int algorithm, int rows, double *lowest,
                                  double *low, double *middle, double *high, double *highest,
                                  double *x, int systems, void *area);
#define PLACES                                                                                     \
    Handle handle, int op_a, int op_b, Matrix a, Matrix b, Matrix c, int algorithm, Object d
int cusparseSpGEMM_createDescr(Object *description);
int cusparseSpGEMM_destroyDescr(Object description);
int cusparseSpGEMMreuse_workEstimation(PLACES, size_t *size, void *area);
int cusparseSpGEMMreuse_nnz(PLACES, size_t *size_2, void *area_2, size_t *size_3, void *area_3,
                            size_t *size_4, void *area_4);
int cusparseSpGEMMreuse_copy(PLACES, size_t *size, void *area);
int cusparseSpGEMMreuse_compute(Handle handle, int op_a, int op_b, const void *alpha, Matrix a,
                                Matrix b, const void *beta, Matrix c, int type, int algorithm,
                                Object d);

static Handle h;
static void *area;
static const double one = 1, zero = 0, two = 2;

static void *device(size_t bytes) {
    CUdeviceptr at;
    OK(cuMemAlloc_v2(&at, bytes));
    memset((void *)(uintptr_t)at, 0, bytes);
    return (void *)(uintptr_t)at;
}

#define ON_DEVICE(...) memcpy(device(sizeof(__VA_ARGS__)), __VA_ARGS__, sizeof(__VA_ARGS__))

/* Two matrices of the same places: 1 . / 2 3 and ten times that, times their own right sides. */
static void batches(void) {
    int *offsets = ON_DEVICE((int[]){0, 1, 3}), *places = ON_DEVICE((int[]){0, 0, 1, 9, 0, 0, 1});
    int *rows = ON_DEVICE((int[]){0, 1, 1, 9, 0, 1, 1}), count = 0;
    double *values = ON_DEVICE((double[]){1, 2, 3, 9, 10, 20, 30});
    double *b = ON_DEVICE((double[]){1, 1, 9, 2, 1}), *c = device(6 * sizeof *c);
    static const double wanted[] = {1, 5, 0, 20, 70};
    Matrix csr, coo;
    Dense right, result;
    CHECK(!cusparseCreateCsr(&csr, 2, 2, 3, offsets, places, values, INDEX_32, INDEX_32, 0, R_64));
    CHECK(!cusparseCsrSetStridedBatch(csr, 2, 0, 4) && !cusparseSpMatGetStridedBatch(csr, &count));
    CHECK(!cusparseCreateCoo(&coo, 2, 2, 3, rows, places, values, INDEX_32, 0, R_64));
    CHECK(!cusparseCooSetStridedBatch(coo, 2, 4) && count == 2);
    CHECK(cusparseCooSetStridedBatch(csr, 2, 4) == INVALID_VALUE);
    CHECK(!cusparseCreateDnMat(&right, 2, 1, 2, b, R_64, ORDER_COLUMN));
    CHECK(!cusparseCreateDnMat(&result, 2, 1, 2, c, R_64, ORDER_COLUMN));
    CHECK(cusparseSpMM(h, 0, 0, &one, csr, right, &zero, result, R_64, 0, area) == INVALID_VALUE);
    CHECK(!cusparseDnMatSetStridedBatch(right, 2, 3));
    CHECK(!cusparseDnMatSetStridedBatch(result, 2, 3));
    for (int i = 0; i < 2; i++) {
        memset(c, 0, 6 * sizeof *c);
        CHECK(!cusparseSpMM(h, 0, 0, &one, i ? coo : csr, right, &zero, result, R_64, 0, area));
        CHECK(memcmp(c, wanted, sizeof wanted) == 0);
    }
    Dense left,
        transposed; /* a column times a row, of each: 2 2 / 2 2 and then 4 2 / 2 1, where there are elements */
    CHECK(!cusparseCreateDnMat(&left, 2, 1, 2, b, R_64, ORDER_COLUMN));
    CHECK(!cusparseCreateDnMat(&transposed, 1, 2, 1, b, R_64, ORDER_COLUMN));
    CHECK(!cusparseDnMatSetStridedBatch(left, 2, 3));
    CHECK(!cusparseDnMatSetStridedBatch(transposed, 2, 3));
    CHECK(!cusparseSDDMM(h, 0, 0, &two, left, transposed, &zero, csr, R_64, 0, area));
    CHECK(values[0] == 2 && values[2] == 2 && values[3] == 9);
    CHECK(values[4] == 8 && values[5] == 4 && values[6] == 2);
    cusparseDestroySpMat(csr), cusparseDestroySpMat(coo);
    cusparseDestroyDnMat(right), cusparseDestroyDnMat(result);
    cusparseDestroyDnMat(left), cusparseDestroyDnMat(transposed);
}

/* The same matrix in four ways, times the unit matrix:
 *   1 2 . .
 *   3 4 . .
 *   . . 5 6
 *   . . . 8 */
static void blocks(void) {
    static const float wanted[] = {1, 3, 0, 0, 2, 4, 0, 0, 0, 0, 5, 0, 0, 0, 6, 8};
    int *offsets = ON_DEVICE((int[]){1, 2, 3}), *at = ON_DEVICE((int[]){1, 2});
    float *by_rows = ON_DEVICE((float[]){1, 2, 3, 4, 5, 6, 0, 8});
    float *by_columns = ON_DEVICE((float[]){1, 3, 2, 4, 5, 0, 6, 8});
    int *slices = ON_DEVICE((int[]){0, 6, 9}),
        *places = ON_DEVICE((int[]){0, 0, 2, 1, 1, 3, 3, -1, -1});
    float *sliced = ON_DEVICE((float[]){1, 3, 5, 2, 4, 6, 8, 99, 99});
    int *ell = ON_DEVICE((int[]){0, -1, 1, -1});
    uint16_t *halves = ON_DEVICE((uint16_t[]){0x3c00, 0x4000, 9, 9, 0x4200, 0x4400, 9, 9, 0x4500,
                                              0x4600, 9, 9, 0, 0x4800, 9, 9});
    uint16_t *unit_halves = device(16 * sizeof(uint16_t));
    float *unit = device(16 * sizeof *unit), *c = device(16 * sizeof *c);
    const float one_single = 1, zero_single = 0;
    Matrix matrix[4];
    Dense right, right_halves, result;
    int64_t rows, columns, count;
    for (int i = 0; i < 4; i++)
        unit[5 * i] = 1, unit_halves[5 * i] = 0x3c00;
    CHECK(!cusparseCreateBsr(&matrix[0], 2, 2, 2, 2, 2, offsets, at, by_rows, INDEX_32, INDEX_32, 1,
                             R_32, 2));
    CHECK(!cusparseCreateBsr(&matrix[1], 2, 2, 2, 2, 2, offsets, at, by_columns, INDEX_32, INDEX_32,
                             1, R_32, 1));
    CHECK(!cusparseCreateSlicedEll(&matrix[2], 4, 4, 7, 9, 3, slices, places, sliced, INDEX_32,
                                   INDEX_32, 0, R_32));
    CHECK(!cusparseSpMatGetSize(matrix[2], &rows, &columns, &count) && count == 7);
    CHECK(!cusparseCreateBlockedEll(&matrix[3], 4, 4, 2, 4, ell, halves, INDEX_32, 0, R_16));
    CHECK(cusparseCreateBlockedEll(&matrix[3], 4, 4, 3, 3, ell, halves, INDEX_32, 0, R_16) ==
          INVALID_VALUE);
    CHECK(!cusparseCreateDnMat(&right, 4, 4, 4, unit, R_32, ORDER_COLUMN));
    CHECK(!cusparseCreateDnMat(&right_halves, 4, 4, 4, unit_halves, R_16, ORDER_COLUMN));
    CHECK(!cusparseCreateDnMat(&result, 4, 4, 4, c, R_32, ORDER_COLUMN));
    for (int i = 0; i < 4; i++) {
        memset(c, 0, sizeof wanted);
        CHECK(!cusparseSpMM(h, 0, 0, &one_single, matrix[i], i == 3 ? right_halves : right,
                            &zero_single, result, R_32, 0, area));
        CHECK(memcmp(c, wanted, sizeof wanted) == 0);
    }
    Dense from; /* only where it has places: the unit matrix */
    CHECK(!cusparseCreateDnMat(&from, 4, 4, 4, unit_halves, R_16, 2));
    CHECK(!cusparseDenseToSparse_analysis(h, from, matrix[3], 0, area));
    CHECK(!cusparseDenseToSparse_convert(h, from, matrix[3], 0, area));
    CHECK(halves[0] == 0x3c00 && halves[1] == 0 && halves[2] == 9 && halves[13] == 0x3c00);
    for (int i = 0; i < 4; i++)
        cusparseDestroySpMat(matrix[i]);
    cusparseDestroyDnMat(right), cusparseDestroyDnMat(right_halves);
    cusparseDestroyDnMat(result), cusparseDestroyDnMat(from);
}

/* Of 4 . . / 2i 5 . / . 4 8 by rows from 1: L is 2 / i 2 / . 2 2. What is above the diagonal stays. */
static void cholesky(void) {
    int *offsets = ON_DEVICE((int[]){1, 3, 6, 8}),
        *columns = ON_DEVICE((int[]){1, 2, 1, 2, 3, 2, 3});
    double complex *values = ON_DEVICE((double complex[]){4, -2 * I, 2 * I, 5, 4, 4, 8});
    Object description, info;
    int row = 7;
    CHECK(!cusparseCreateMatDescr(&description) && !cusparseSetMatIndexBase(description, 1));
    CHECK(cusparseGetMatIndexBase(description) == 1 && !cusparseCreateCsric02Info(&info));
    CHECK(!cusparseZcsric02(h, 3, 7, description, values, offsets, columns, info, 0, area));
    CHECK(!cusparseXcsric02_zeroPivot(h, info, &row) && row == -1);
    CHECK(values[0] == 2 && values[1] == -2 * I && values[2] == I && values[3] == 2);
    CHECK(values[4] == 4 && values[5] == 2 && values[6] == 2);
    values[0] = -1;
    CHECK(!cusparseZcsric02(h, 3, 7, description, values, offsets, columns, info, 0, area));
    CHECK(cusparseXcsric02_zeroPivot(h, info, &row) == ZERO_PIVOT && row == 1);
    CHECK(!cusparseDestroyCsric02Info(info));
    int *each = device(3 * sizeof *each), all = 0;
    double *dense = ON_DEVICE((double[]){1, 0, 2, 7, 0, 0, 3, 7});
    CHECK(!cusparseDnnz(h, 0, 3, 2, description, dense, 4, each, &all) && all == 3);
    CHECK(each[0] == 1 && each[1] == 0 && each[2] == 2);
    CHECK(!cusparseDnnz(h, 1, 3, 2, description, dense, 4, each, &all) && each[0] == 2);
    CHECK(!cusparseDestroyMatDescr(description));
}

/* x is 1, 2, 3 and so on of matrices whose first diagonal element is 0, so that rows must change places. */
static void bands(void) {
    double *low = ON_DEVICE((double[]){0, 1, 2}), *middle = ON_DEVICE((double[]){0, 5, 1}),
           *high = ON_DEVICE((double[]){3, 1, 0}),
           *b = ON_DEVICE((double[]){6, 14, 7, 9, 12, 28, 14});
    CHECK(!cusparseDgtsv2(h, 3, 2, low, middle, high, b, 4, area));
    for (int i = 0; i < 3; i++)
        CHECK(fabs(b[i] - (i + 1)) < 1e-14 && fabs(b[4 + i] - 2 * (i + 1)) < 1e-14);
    CHECK(b[3] == 9 && cusparseDgtsv2(h, 3, 2, low, middle, high, b, 2, area) == INVALID_VALUE);
    float *l = ON_DEVICE((float[]){0, 1, 9, 0, 2}), *m = ON_DEVICE((float[]){2, 2, 9, 1, 1});
    float *u = ON_DEVICE((float[]){1, 0, 9, 1, 0}), *x = ON_DEVICE((float[]){4, 5, 9, 3, 4});
    CHECK(!cusparseSgtsv2StridedBatch(h, 2, l, m, u, x, 2, 3, area));
    CHECK(x[0] == 1 && x[1] == 2 && x[2] == 9 && x[3] == 1 && x[4] == 2);
    enum { ROWS = 5, SYSTEMS = 2 };
    double *d[5], full[ROWS], *right = device(ROWS * SYSTEMS * sizeof *right);
    for (int k = 0; k < 5; k++)
        d[k] = device(ROWS * SYSTEMS * sizeof *d[k]);
    for (int s = 0; s < SYSTEMS; s++)
        for (int i = 0; i < ROWS; i++) {
            full[i] = 0;
            for (int k = 0; k < 5; k++) {
                const int column = i + k - 2;
                const double a =
                    column < 0 || column >= ROWS ? 0 : 1 + (i * 3 + k * 7 + s * 5) % 11;
                d[k][i * SYSTEMS + s] = i == 0 && k == 2 ? 0 : a;
                full[i] += d[k][i * SYSTEMS + s] * (column + 1);
            }
            right[i * SYSTEMS + s] = full[i];
        }
    CHECK(!cusparseDgpsvInterleavedBatch(h, 0, ROWS, d[0], d[1], d[2], d[3], d[4], right, SYSTEMS,
                                         area));
    for (int i = 0; i < ROWS * SYSTEMS; i++)
        CHECK(fabs(right[i] - (i / SYSTEMS + 1)) < 1e-12);
}

/* A square of 1 2 / . 3, and then of 2 2 / . 3. */
static void reused(void) {
    int *offsets = ON_DEVICE((int[]){0, 2, 3}), *places = ON_DEVICE((int[]){0, 1, 1});
    int *c_offsets = device(3 * sizeof(int)), *c_places = device(3 * sizeof(int));
    double *values = ON_DEVICE((double[]){1, 2, 3}), *c_values = device(3 * sizeof(double));
    int64_t rows, columns, count;
    size_t size[3];
    Matrix a, c;
    Object d;
    CHECK(!cusparseCreateCsr(&a, 2, 2, 3, offsets, places, values, INDEX_32, INDEX_32, 0, R_64));
    CHECK(!cusparseCreateCsr(&c, 2, 2, 0, c_offsets, NULL, NULL, INDEX_32, INDEX_32, 0, R_64));
    CHECK(!cusparseSpGEMM_createDescr(&d));
    CHECK(!cusparseSpGEMMreuse_workEstimation(h, 0, 0, a, a, c, 0, d, size, NULL));
    CHECK(!cusparseSpGEMMreuse_nnz(h, 0, 0, a, a, c, 0, d, size, NULL, size + 1, NULL, size + 2,
                                   NULL));
    CHECK(!cusparseSpGEMMreuse_nnz(h, 0, 0, a, a, c, 0, d, size, area, size + 1, area, size + 2,
                                   area));
    CHECK(!cusparseSpMatGetSize(c, &rows, &columns, &count) && count == 3);
    CHECK(!cusparseCsrSetPointers(c, c_offsets, c_places, c_values));
    CHECK(!cusparseSpGEMMreuse_copy(h, 0, 0, a, a, c, 0, d, size, area) && c_places[2] == 1);
    for (int i = 0; i < 2; i++) {
        CHECK(!cusparseSpGEMMreuse_compute(h, 0, 0, &two, a, a, &zero, c, R_64, 0, d));
        CHECK(c_values[0] == (i ? 8 : 2) && c_values[1] == (i ? 20 : 16) && c_values[2] == 18);
        values[0] = 2;
    }
    CHECK(!cusparseSpGEMM_destroyDescr(d));
    cusparseDestroySpMat(a), cusparseDestroySpMat(c);
}

int main(void) {
    start();
    area = device(16);
    CHECK(cusparseCreate(&h) == 0);
    batches();
    blocks();
    cholesky();
    bands();
    reused();
    CHECK(cusparseDestroy(h) == 0);
    puts("batched: fine");
    return 0;
}

/* cuSPARSE: indices sorted, one format made another, products of sparse matrices, systems, vectors; beside dense loops. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

typedef double complex Complex;
typedef struct Handle *cusparseHandle_t;
typedef struct Matrix *cusparseSpMatDescr_t;
typedef struct Dense *cusparseDnMatDescr_t;
typedef struct Vector *cusparseSpVecDescr_t;
enum { INVALID_VALUE = 3, NOT_SUPPORTED = 10, INDEX_32 = 2, R_64 = 1, C_64 = 5 };
enum { ORDER_COLUMN = 1, ORDER_ROW = 2, CSR = 1, CSC = 2, COO = 3, FILL_MODE = 0 };
enum { M = 5, N = 7, MOST = M * N };

#define COMPRESSED                                                                                 \
    cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count, void *offsets,     \
        void *places, void *values, int offset_type, int place_type, int base, int type
#define SORTED                                                                                     \
    cusparseHandle_t handle, int m, int n, int count, void *description, const int *offsets,       \
        int *places, int *permutation, void *area
#define COORDINATES                                                                                \
    cusparseHandle_t handle, int m, int n, int count, int *rows, int *columns, int *permutation,   \
        void *area
#define BY_COLUMNS                                                                                 \
    cusparseHandle_t handle, int rows, int columns, int count, const void *values,                 \
        const int *offsets, const int *places, void *to_values, int *to_offsets, int *to_places,   \
        int type, int action, int base, int algorithm
#define PRODUCT                                                                                    \
    cusparseHandle_t handle, int op_a, int op_b, const void *alpha, cusparseSpMatDescr_t a,        \
        cusparseSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c, int type, int algorithm, \
        void *description
#define SYSTEM                                                                                     \
    cusparseHandle_t handle, int op_a, int op_b, const void *alpha, cusparseSpMatDescr_t a,        \
        cusparseDnMatDescr_t b, cusparseDnMatDescr_t c, int type, int algorithm, void *description
int cusparseCreate(cusparseHandle_t *handle);
int cusparseCreateMatDescr(void **description);
int cusparseCreateCsr(COMPRESSED);
int cusparseCreateCsc(COMPRESSED);
int cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                      void *at_rows, void *at_columns, void *values, int index, int base, int type);
int cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *places, void *values);
int cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *places, void *values);
int cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *rows, void *columns, void *values);
int cusparseSpMatGetSize(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                         int64_t *count);
int cusparseSpMatGetFormat(cusparseSpMatDescr_t matrix, int *format);
int cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, int attribute, int *value, size_t bytes);
int cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t lead,
                        void *values, int type, int order);
int cusparseCreateDnVec(cusparseDnMatDescr_t *vector, int64_t size, void *values, int type);
int cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t count, void *indices,
                        void *values, int index_type, int base, int type);
int cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *permutation);
int cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count,
                                   const int *offsets, const int *places, size_t *size);
int cusparseXcsrsort(SORTED);
int cusparseXcscsort(SORTED);
int cusparseXcoosortByRow(COORDINATES);
int cusparseXcoosortByColumn(COORDINATES);
int cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int count, int m, int *offsets,
                     int base);
int cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int count, int m, int *rows,
                     int base);
int cusparseCsr2cscEx2_bufferSize(BY_COLUMNS, size_t *size);
int cusparseCsr2cscEx2(BY_COLUMNS, void *area);
int cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseDnMatDescr_t from,
                                     cusparseSpMatDescr_t to, int algorithm, size_t *size);
int cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseDnMatDescr_t from,
                                   cusparseSpMatDescr_t to, int algorithm, void *area);
int cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseDnMatDescr_t from,
                                  cusparseSpMatDescr_t to, int algorithm, void *area);
int cusparseSparseToDense(cusparseHandle_t handle, cusparseSpMatDescr_t from,
                          cusparseDnMatDescr_t to, int algorithm, void *area);
int cusparseSpGEMM_createDescr(void **description);
int cusparseSpGEMM_destroyDescr(void *description);
int cusparseSpGEMM_workEstimation(PRODUCT, size_t *size, void *area);
int cusparseSpGEMM_compute(PRODUCT, size_t *size, void *area);
int cusparseSpGEMM_copy(PRODUCT);
int cusparseSpSM_createDescr(void **description);
int cusparseSpSM_analysis(SYSTEM, void *area);
int cusparseSpSM_solve(SYSTEM);
int cusparseSDDMM(cusparseHandle_t handle, int op_a, int op_b, const void *alpha,
                  cusparseDnMatDescr_t a, cusparseDnMatDescr_t b, const void *beta,
                  cusparseSpMatDescr_t c, int type, int algorithm, void *area);
int cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseSpVecDescr_t x,
                  const void *beta, cusparseDnMatDescr_t y);
int cusparseRot(cusparseHandle_t handle, const void *c, const void *s, cusparseSpVecDescr_t x,
                cusparseDnMatDescr_t y);
int cusparseSpVV(cusparseHandle_t handle, int op, cusparseSpVecDescr_t x, cusparseDnMatDescr_t y,
                 void *result, int type, void *area);

static cusparseHandle_t h;
static char *area;
static const double one = 1, two = 2, zero = 0;

static void *device(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made;
}

/* Sparse enough, with an empty row and an empty column. */
static double number(int row, int column) {
    int mixed = (row * 5 + column * 3 + row * column) % 4;
    return row == 2 || column == 4 || mixed > 1 ? 0 : row * 10 + column + 1;
}

static double *dense_numbers(void) {
    double *made = device(MOST * sizeof *made);
    for (int i = 0; i < MOST; i++)
        made[i] = number(i / N, i % N);
    return made;
}

/* The same matrix as CSR, CSC or COO, made of a dense one. */
static cusparseSpMatDescr_t make(int format) {
    cusparseSpMatDescr_t made;
    cusparseDnMatDescr_t dense;
    size_t size = 0;
    int said;
    int64_t rows, columns, count;
    int *offsets = device((N + 1) * sizeof *offsets);
    CHECK(!cusparseCreateDnMat(&dense, M, N, N, dense_numbers(), R_64, ORDER_ROW));
    if (format == COO)
        CHECK(!cusparseCreateCoo(&made, M, N, 0, NULL, NULL, NULL, INDEX_32, 1, R_64));
    else
        CHECK(!(format == CSR ? cusparseCreateCsr : cusparseCreateCsc)(
            &made, M, N, 0, offsets, NULL, NULL, INDEX_32, INDEX_32, 1, R_64));
    CHECK(!cusparseSpMatGetFormat(made, &said) && said == format);
    CHECK(!cusparseDenseToSparse_bufferSize(h, dense, made, 0, &size) && size > 0);
    CHECK(!cusparseDenseToSparse_analysis(h, dense, made, 0, area));
    CHECK(!cusparseSpMatGetSize(made, &rows, &columns, &count) && count > 5 && count < MOST);
    int *places = device((size_t)count * sizeof *places);
    double *values = device((size_t)count * sizeof *values);
    if (format == COO)
        CHECK(
            !cusparseCooSetPointers(made, device((size_t)count * sizeof *places), places, values));
    else
        CHECK(!(format == CSR ? cusparseCsrSetPointers : cusparseCscSetPointers)(made, offsets,
                                                                                 places, values));
    CHECK(!cusparseDenseToSparse_convert(h, dense, made, 0, area));
    return made;
}

static void formats(void) {
    cusparseDnMatDescr_t dense;
    double *back = device(MOST * sizeof *back);
    CHECK(!cusparseCreateDnMat(&dense, M, N, M, back, R_64, ORDER_COLUMN));
    for (int format = CSR; format <= COO; format++) {
        memset(back, 1, MOST * sizeof *back);
        CHECK(!cusparseSparseToDense(h, make(format), dense, 0, area));
        for (int i = 0; i < MOST; i++)
            CHECK(back[i] == number(i % M, i / M));
    }
}

/* Of rows that are not in order; the permutation says where each element was. */
static void sorts(void) {
    static const int start[] = {3, 0, 2, 1, 5, 0, 4}, starts[] = {0, 3, 3, 7},
                     sorted[] = {0, 2, 3, 0, 1, 4, 5}, from[] = {1, 2, 0, 5, 3, 6, 4};
    int *offsets = memcpy(device(sizeof starts), starts, sizeof starts),
        *places = memcpy(device(sizeof start), start, sizeof start),
        *permutation = device(sizeof start), *rows = device(sizeof start);
    void *description;
    size_t size = 0;
    CHECK(!cusparseCreateMatDescr(&description));
    CHECK(!cusparseXcsrsort_bufferSizeExt(h, 3, 6, 7, offsets, places, &size) && size > 0);
    CHECK(!cusparseCreateIdentityPermutation(h, 7, permutation));
    CHECK(!cusparseXcsrsort(h, 3, 6, 7, description, offsets, places, permutation, area));
    CHECK(memcmp(places, sorted, sizeof sorted) == 0);
    CHECK(memcmp(permutation, from, sizeof from) == 0);
    memcpy(places, start, sizeof start);
    CHECK(!cusparseXcscsort(h, 6, 3, 7, description, offsets, places, NULL, area));
    CHECK(memcmp(places, sorted, sizeof sorted) == 0);
    CHECK(cusparseXcsrsort(h, -1, 6, 7, description, offsets, places, NULL, area) == INVALID_VALUE);

    CHECK(!cusparseXcsr2coo(h, offsets, 7, 3, rows, 0)); /* 0 0 0 2 2 2 2 */
    CHECK(rows[2] == 0 && rows[3] == 2 && rows[6] == 2);
    CHECK(!cusparseCreateIdentityPermutation(h, 7, permutation));
    CHECK(!cusparseXcoosortByColumn(h, 3, 6, 7, rows, places, permutation, area));
    for (int i = 1; i < 7; i++)
        CHECK(places[i - 1] < places[i] || (places[i - 1] == places[i] && rows[i - 1] < rows[i]));
    for (int i = 0; i < 7; i++)
        CHECK(places[i] == sorted[permutation[i]]);
    CHECK(!cusparseXcoosortByRow(h, 3, 6, 7, rows, places, NULL, area));
    CHECK(memcmp(places, sorted, sizeof sorted) == 0);
    memset(offsets, 0, sizeof starts);
    CHECK(!cusparseXcoo2csr(h, rows, 7, 3, offsets, 0));
    CHECK(memcmp(offsets, starts, sizeof starts) == 0);
}

static void by_columns(void) {
    static const int offsets_of[] = {1, 3, 4, 6}, places_of[] = {2, 4, 1, 2, 3};
    static const Complex values_of[] = {1, 2 + 3 * (Complex)I, 4, 5, 6};
    static const int expected_offsets[] = {1, 2, 4, 5, 6}, expected_places[] = {2, 1, 3, 3, 1};
    int *offsets = memcpy(device(sizeof offsets_of), offsets_of, sizeof offsets_of),
        *places = memcpy(device(sizeof places_of), places_of, sizeof places_of),
        *to_offsets = device(5 * sizeof *offsets), *to_places = device(sizeof places_of);
    Complex *values = memcpy(device(sizeof values_of), values_of, sizeof values_of),
            *to_values = device(sizeof values_of);
    size_t size = 0;
#define ARGUMENTS(action)                                                                          \
    h, 3, 4, 5, values, offsets, places, to_values, to_offsets, to_places, C_64, action, 1, 1
    CHECK(!cusparseCsr2cscEx2_bufferSize(ARGUMENTS(1), &size) && size > 0);
    CHECK(!cusparseCsr2cscEx2(ARGUMENTS(1), area));
    CHECK(memcmp(to_offsets, expected_offsets, sizeof expected_offsets) == 0);
    CHECK(memcmp(to_places, expected_places, sizeof expected_places) == 0);
    CHECK(to_values[0] == 4 && to_values[1] == 1 && to_values[4] == 2 + 3 * (Complex)I);
    memset(to_values, 0, sizeof values_of);
    CHECK(!cusparseCsr2cscEx2(ARGUMENTS(0), area) && to_values[0] == 0);
}

/* A times its transpose, as a GPU's programs do it: sizes are asked for, then memory is given. */
static void sparse_product(void) {
    cusparseSpMatDescr_t a = make(CSR), c;
    void *description;
    int *offsets = device((M + 1) * sizeof *offsets);
    size_t size = 0;
    int64_t rows, columns, count;
    CHECK(!cusparseCreateCsr(&c, M, M, 0, offsets, NULL, NULL, INDEX_32, INDEX_32, 0, R_64));
    CHECK(!cusparseSpGEMM_createDescr(&description));
#define PRODUCT_OF(op_b) h, 0, op_b, &two, a, a, &zero, c, R_64, 0, description
    CHECK(cusparseSpGEMM_workEstimation(PRODUCT_OF(0), &size, NULL) == INVALID_VALUE);
    CHECK(cusparseSpGEMM_copy(PRODUCT_OF(1)) == INVALID_VALUE);
    CHECK(!cusparseSpGEMM_workEstimation(PRODUCT_OF(1), &size, NULL) && size > 0);
    CHECK(!cusparseSpGEMM_workEstimation(PRODUCT_OF(1), &size, area));
    CHECK(!cusparseSpGEMM_compute(PRODUCT_OF(1), &size, NULL));
    CHECK(!cusparseSpGEMM_compute(PRODUCT_OF(1), &size, area));
    CHECK(!cusparseSpMatGetSize(c, &rows, &columns, &count) && count > 0);
    int *places = device((size_t)count * sizeof *places);
    double *values = device((size_t)count * sizeof *values);
    CHECK(!cusparseCsrSetPointers(c, offsets, places, values));
    CHECK(!cusparseSpGEMM_copy(PRODUCT_OF(1)));
    CHECK(offsets[0] == 0 && offsets[3] == offsets[2] && offsets[M] == count);
    for (int row = 0; row < M; row++)
        for (int column = 0; column < M; column++) {
            double sum = 0, got = 0;
            for (int k = 0; k < N; k++)
                sum += 2 * number(row, k) * number(column, k);
            for (int at = offsets[row]; at < offsets[row + 1]; at++)
                got += places[at] == column ? values[at] : 0;
            CHECK(got == sum);
        }
    CHECK(!cusparseSpGEMM_destroyDescr(description));
}

/* The upper triangle, transposed, of a matrix of which both are there; two right-hand sides, by rows. */
static void systems(void) {
    enum { S = 3 };
    static const double full[S * S] = {2, 1, 3, 4, 5, 6, 7, 8, 4};
    static const double right[S * 2] = {2, 4, 11, 27, 27, 60};
    double *values = memcpy(device(sizeof full), full, sizeof full),
           *b = memcpy(device(sizeof right), right, sizeof right), *x = device(sizeof right);
    int *rows = device(S * S * sizeof *rows), *columns = device(S * S * sizeof *columns);
    int upper = 1;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t to_b, to_x;
    void *description;
    for (int i = 0; i < S * S; i++)
        rows[i] = i / S, columns[i] = i % S;
    CHECK(!cusparseCreateCoo(&a, S, S, S * S, rows, columns, values, INDEX_32, 0, R_64));
    CHECK(!cusparseSpMatSetAttribute(a, FILL_MODE, &upper, sizeof upper));
    CHECK(!cusparseCreateDnMat(&to_b, S, 2, 2, b, R_64, ORDER_ROW));
    CHECK(!cusparseCreateDnMat(&to_x, S, 2, S, x, R_64, ORDER_COLUMN));
    CHECK(!cusparseSpSM_createDescr(&description));
    CHECK(!cusparseSpSM_analysis(h, 1, 0, &one, a, to_b, to_x, R_64, 0, description, area));
    CHECK(!cusparseSpSM_solve(h, 1, 0, &one, a, to_b, to_x, R_64, 0, description));
    for (int side = 0; side < 2; side++)
        for (int row = 0; row < S; row++) {
            double sum = 0; /* of a column of the upper triangle */
            for (int k = 0; k <= row; k++)
                sum += full[k * S + row] * x[side * S + k];
            CHECK(fabs(sum - right[row * 2 + side]) < 1e-12);
        }
}

static void sampled(void) {
    cusparseSpMatDescr_t c = make(CSC);
    cusparseDnMatDescr_t a, b, dense;
    double *left = device(M * 2 * sizeof *left), *right = device(N * 2 * sizeof *right),
           *back = device(MOST * sizeof *back);
    for (int i = 0; i < 2 * M; i++)
        left[i] = i - 3;
    for (int i = 0; i < 2 * N; i++)
        right[i] = i % 5;
    CHECK(!cusparseCreateDnMat(&a, M, 2, 2, left, R_64, ORDER_ROW));
    CHECK(!cusparseCreateDnMat(&b, N, 2, N, right, R_64, ORDER_COLUMN));
    CHECK(!cusparseCreateDnMat(&dense, M, N, N, back, R_64, ORDER_ROW));
    CHECK(cusparseSDDMM(h, 0, 0, &two, a, b, &one, c, R_64, 0, area) == INVALID_VALUE);
    CHECK(!cusparseSDDMM(h, 0, 1, &two, a, b, &one, c, R_64, 0, area));
    CHECK(!cusparseSparseToDense(h, c, dense, 0, area));
    for (int i = 0; i < MOST; i++) {
        const int row = i / N, column = i % N;
        const double product =
                         left[2 * row] * right[column] + left[2 * row + 1] * right[N + column],
                     old = number(row, column);
        CHECK(back[i] == (old == 0 ? 0 : 2 * product + old));
    }
}

static void vectors(void) {
    static const int at[] = {2, 5};
    static const Complex of_x[] = {1 + 2 * (Complex)I, 3}, half = 0.5, i_times = (Complex)I;
    int *indices = memcpy(device(sizeof at), at, sizeof at);
    Complex *x = memcpy(device(sizeof of_x), of_x, sizeof of_x), *y = device(5 * sizeof *y), dot;
    cusparseSpVecDescr_t sparse;
    cusparseDnMatDescr_t dense;
    for (int i = 0; i < 5; i++)
        y[i] = i + 1;
    CHECK(!cusparseCreateSpVec(&sparse, 5, 2, indices, x, INDEX_32, 1, C_64));
    CHECK(!cusparseCreateDnVec(&dense, 5, y, C_64));
    CHECK(!cusparseSpVV(h, 2, sparse, dense, &dot, C_64, area)); /* conjugated */
    CHECK(dot == 2 * conj(of_x[0]) + 5 * of_x[1]);
    CHECK(!cusparseAxpby(h, &i_times, sparse, &half, dense));
    CHECK(y[0] == 0.5 && y[1] == 1 + i_times * of_x[0] && y[4] == 2.5 + i_times * 3);
    const Complex old = y[4];
    CHECK(!cusparseRot(h, &half, &i_times, sparse, dense));
    CHECK(x[1] == half * of_x[1] + i_times * old);
    CHECK(y[4] == half * old - i_times * of_x[1] && y[0] == 0.5);
}

int main(void) {
    start();
    area = device(16);
    CHECK(cusparseCreate(&h) == 0);
    formats();
    sorts();
    by_columns();
    sparse_product();
    systems();
    sampled();
    vectors();
    puts("formats: fine");
    return 0;
}

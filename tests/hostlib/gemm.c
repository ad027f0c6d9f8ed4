/* Products of matrices in every type of cuBLAS, single and batched, against three loops. */
#include "blas.h"

#include <stdint.h>

enum { R_32F = 0, R_64F = 1, R_16F = 2, R_8I = 3, C_32F = 4, C_64F = 5, R_32I = 10, R_16BF = 14 };
enum { COMPUTE_16F = 64, COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32I = 72 };
enum { M = 5, N = 4, K = 3, LEAD = 7, BATCH = 2, ELEMENTS = LEAD * LEAD };

int cublasGemmEx(cublasHandle_t handle, int transa, int transb, int m, int n, int k,
                 const void *alpha, const void *a, int typea, int lda, const void *b, int typeb,
                 int ldb, const void *beta, void *c, int typec, int ldc, int compute, int algo);
int cublasGemmStridedBatchedEx(cublasHandle_t handle, int transa, int transb, int m, int n, int k,
                               const void *alpha, const void *a, int typea, int lda,
                               long long stridea, const void *b, int typeb, int ldb,
                               long long strideb, const void *beta, void *c, int typec, int ldc,
                               long long stridec, int count, int compute, int algo);
int cublasDgemmBatched(cublasHandle_t handle, int transa, int transb, int m, int n, int k,
                       const double *alpha, const double *const a[], int lda,
                       const double *const b[], int ldb, const double *beta, double *const c[],
                       int ldc, int count);
int cublasSetPointerMode_v2(cublasHandle_t handle, int mode);

static size_t bytes_of(int type) {
    return type == R_8I                      ? 1
           : type == R_16F || type == R_16BF ? 2
           : type == R_64F || type == C_32F  ? 8
           : type == C_64F                   ? 16
                                             : 4;
}

/* Small integers: every type has them. */
static void put(int type, void *at, size_t index, int re, int im) {
    float single = (float)re;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    if (type == R_8I)
        ((int8_t *)at)[index] = (int8_t)re;
    else if (type == R_16BF)
        ((uint16_t *)at)[index] = (uint16_t)(bits >> 16);
    else if (type == R_16F) /* normal numbers and zero */
        ((uint16_t *)at)[index] =
            (uint16_t)(re ? (bits >> 16 & 0x8000) | (((bits & 0x7fffffff) >> 13) - (112u << 10))
                          : 0);
    else if (type == R_32I)
        ((int32_t *)at)[index] = re;
    else if (type == R_32F)
        ((float *)at)[index] = single;
    else if (type == R_64F)
        ((double *)at)[index] = re;
    else if (type == C_32F)
        ((float *)at)[2 * index] = single, ((float *)at)[2 * index + 1] = (float)im;
    else
        ((double *)at)[2 * index] = re, ((double *)at)[2 * index + 1] = im;
}

static void *device(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made;
}

static int real_at(size_t i) {
    return (int)(i * 7 % 5) - 2;
}

static int imaginary_at(int type, size_t i) {
    return type == C_32F || type == C_64F ? (int)(i * 3 % 4) - 1 : 0;
}

static void *filled(int type) {
    void *at = device(BATCH * ELEMENTS * bytes_of(type));
    for (size_t i = 0; i < BATCH * ELEMENTS; i++)
        put(type, at, i, real_at(i), imaginary_at(type, i));
    return at;
}

/* op(X)[row][column] */
static void take(int type, int op, int row, int column, size_t first, int *re, int *im) {
    size_t i = first + (size_t)(op == OP_N ? column * LEAD + row : row * LEAD + column);
    *re = real_at(i);
    *im = op == OP_C ? -imaginary_at(type, i) : imaginary_at(type, i);
}

/* A zero has either sign. */
static bool is(int type, const void *wanted, const void *got) {
    const double *a = wanted, *b = got;
    const float *x = wanted, *y = got;
    if (type == C_64F)
        return a[0] == b[0] && a[1] == b[1];
    if (type == C_32F)
        return x[0] == y[0] && x[1] == y[1];
    return memcmp(wanted, got, bytes_of(type)) == 0;
}

/* What C is to be, 2 op(A) op(B) + C, beside what it is. */
static void compare(int from, int to, int op_a, int op_b, const void *c, size_t first) {
    double wanted[2];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            size_t at = first + (size_t)(j * LEAD + i);
            int re = real_at(at), im = imaginary_at(to, at);
            for (int k = 0; k < K; k++) {
                int a_re, a_im, b_re, b_im;
                take(from, op_a, i, k, first, &a_re, &a_im);
                take(from, op_b, k, j, first, &b_re, &b_im);
                re += 2 * (a_re * b_re - a_im * b_im);
                im += 2 * (a_re * b_im + a_im * b_re);
            }
            put(to, wanted, 0, re, im);
            CHECK(is(to, wanted, (const char *)c + at * bytes_of(to)));
        }
}

static void check_type(cublasHandle_t handle, int from, int to, int compute, int scale) {
    for (int op_a = OP_N; op_a <= OP_C; op_a++)
        for (int op_b = OP_N; op_b <= OP_C; op_b++) {
            uint8_t two[16], one[16];
            void *a = filled(from), *b = filled(from), *c = filled(to);
            put(scale, two, 0, 2, 0);
            put(scale, one, 0, 1, 0);
            CHECK(cublasGemmStridedBatchedEx(handle, op_a, op_b, M, N, K, two, a, from, LEAD,
                                             ELEMENTS, b, from, LEAD, ELEMENTS, one, c, to, LEAD,
                                             ELEMENTS, BATCH, compute, -1) == SUCCESS);
            compare(from, to, op_a, op_b, c, 0);
            compare(from, to, op_a, op_b, c, ELEMENTS);
        }
}

/* Of doubles, by pointers, with scalars of the device. */
static void check_pointers(cublasHandle_t handle) {
    double *scalars = device(2 * sizeof *scalars),
           **pointers = device(3 * BATCH * sizeof *pointers);
    for (int i = 0; i < 3; i++) {
        pointers[BATCH * i] = filled(R_64F);
        pointers[BATCH * i + 1] = pointers[BATCH * i] + ELEMENTS;
    }
    scalars[0] = 2;
    scalars[1] = 1;
    CHECK(cublasSetPointerMode_v2(handle, 1) == SUCCESS);
    CHECK(cublasDgemmBatched(handle, OP_T, OP_N, M, N, K, &scalars[0],
                             (const double *const *)pointers, LEAD,
                             (const double *const *)pointers + BATCH, LEAD, &scalars[1],
                             pointers + 2 * BATCH, LEAD, BATCH) == SUCCESS);
    CHECK(cublasSetPointerMode_v2(handle, 0) == SUCCESS);
    compare(R_64F, R_64F, OP_T, OP_N, pointers[2 * BATCH], 0);
    compare(R_64F, R_64F, OP_T, OP_N, pointers[2 * BATCH], ELEMENTS);
}

int main(void) {
    cublasHandle_t handle;
    float one = 1;
    CHECK(cublasCreate_v2(&handle) == SUCCESS);
    check_type(handle, R_32F, R_32F, COMPUTE_32F, R_32F);
    check_type(handle, R_64F, R_64F, COMPUTE_64F, R_64F);
    check_type(handle, C_32F, C_32F, COMPUTE_32F, C_32F);
    check_type(handle, C_64F, C_64F, COMPUTE_64F, C_64F);
    check_type(handle, R_16F, R_16F, COMPUTE_16F, R_16F);
    check_type(handle, R_16F, R_16F, COMPUTE_32F, R_32F);
    check_type(handle, R_16F, R_32F, COMPUTE_32F, R_32F);
    check_type(handle, R_16BF, R_16BF, COMPUTE_32F, R_32F);
    check_type(handle, R_16BF, R_32F, COMPUTE_32F, R_32F);
    check_type(handle, R_8I, R_32I, COMPUTE_32I, R_32I);
    check_type(handle, R_8I, R_32F, COMPUTE_32F, R_32F);
    check_pointers(handle);
    CHECK(cublasGemmEx(handle, OP_N, OP_N, M, N, K, &one, &one, R_8I, LEAD, &one, R_16F, LEAD, &one,
                       &one, R_32F, LEAD, COMPUTE_32F, -1) == NOT_SUPPORTED);
    CHECK(cublasGemmEx(handle, OP_N, OP_N, M, N, K, &one, &one, R_32F, M - 1, &one, R_32F, LEAD,
                       &one, &one, R_32F, LEAD, COMPUTE_32F, -1) == INVALID_VALUE);
    CHECK(cublasGemmEx(handle, OP_N, OP_N, M, N, K, &one, &one, R_32F, LEAD, &one, R_32F, LEAD,
                       &one, &one, R_32F, LEAD, 1, -1) == INVALID_VALUE);
    puts("gemm: fine");
    return 0;
}

/* cublasLtMatmul: layouts by rows and columns, epilogues, fp8, attributes. */
#include "blas.h"

#include <math.h>
#include <stdint.h>

enum { R_32F = 0, R_16BF = 14, R_E4M3 = 28, COMPUTE_32F = 68 };
enum { LAYOUT_ORDER = 1, LAYOUT_BATCH = 5, LAYOUT_STRIDE = 6 };
enum { TRANSA = 3, TRANSB = 4, EPILOGUE = 7, BIAS = 8, A_SCALE = 17, BIAS_TYPE = 26 };
enum { RELU_BIAS = 6, GELU = 32, DGELU = 192 };
enum { M = 4, N = 3, K = 2 };

typedef struct Layout *cublasLtMatrixLayout_t;
typedef struct Matmul *cublasLtMatmulDesc_t;
typedef struct Preference *cublasLtMatmulPreference_t;
typedef struct Result {
    uint64_t algorithm[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
} Result;

int cublasLtCreate(cublasHandle_t *handle);
int cublasLtDestroy(cublasHandle_t handle);
int cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, int type, uint64_t rows,
                               uint64_t columns, int64_t lead);
int cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, int attribute, const void *from,
                                     size_t bytes);
int cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, int attribute, void *to,
                                     size_t bytes, size_t *written);
int cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *matmul, int compute, int scale);
int cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t matmul, int attribute, const void *from,
                                   size_t bytes);
int cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference);
int cublasLtMatmulAlgoGetHeuristic(cublasHandle_t handle, cublasLtMatmulDesc_t matmul,
                                   cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                   cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                   cublasLtMatmulPreference_t preference, int asked,
                                   Result *results, int *count);
int cublasLtMatmul(cublasHandle_t handle, cublasLtMatmulDesc_t matmul, const void *alpha,
                   const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
                   cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
                   cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
                   const void *algorithm, void *workspace, size_t bytes, CUstream stream);

static void *device(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made;
}

static cublasLtMatrixLayout_t layout(int type, uint64_t rows, uint64_t columns, int order) {
    cublasLtMatrixLayout_t made;
    CHECK(
        !cublasLtMatrixLayoutCreate(&made, type, rows, columns, (int64_t)(order ? columns : rows)));
    CHECK(!cublasLtMatrixLayoutSetAttribute(made, LAYOUT_ORDER, &order, sizeof order));
    return made;
}

static float activated(float value, int epilogue) {
    if (epilogue == GELU)
        return 0.5f * value *
               (1 + tanhf(0.79788456f * (value + 0.044715f * value * value * value)));
    return epilogue == RELU_BIAS && value < 0 ? 0 : value;
}

/* D = epilogue(A^T B), D by rows or by columns. */
static void check_epilogue(cublasHandle_t handle, int epilogue, int order) {
    cublasLtMatmulDesc_t matmul;
    cublasLtMatmulPreference_t preference;
    Result result;
    int transposed = OP_T, count = 0;
    float *a = device(M * K * 4), *b = device(K * N * 4), *d = device(M * N * 4), one = 1, zero = 0,
          *bias = device(M * 4);
    for (int i = 0; i < K * M; i++)
        a[i] = (float)(i % 5) - 2;
    for (int i = 0; i < K * N; i++)
        b[i] = (float)(i % 3) - 1;
    for (int i = 0; i < M; i++)
        bias[i] = (float)i;
    cublasLtMatrixLayout_t of_a = layout(R_32F, K, M, 0), of_b = layout(R_32F, K, N, 0),
                           of_d = layout(R_32F, M, N, order);
    CHECK(!cublasLtMatmulDescCreate(&matmul, COMPUTE_32F, R_32F));
    CHECK(!cublasLtMatmulDescSetAttribute(matmul, TRANSA, &transposed, 4));
    CHECK(!cublasLtMatmulDescSetAttribute(matmul, EPILOGUE, &epilogue, 4));
    CHECK(!cublasLtMatmulDescSetAttribute(matmul, BIAS, &bias, sizeof bias));
    CHECK(!cublasLtMatmulPreferenceCreate(&preference));
    CHECK(!cublasLtMatmulAlgoGetHeuristic(handle, matmul, of_a, of_b, of_d, of_d, preference, 4,
                                          &result, &count));
    CHECK(count == 1 && result.state == SUCCESS);
    CHECK(!cublasLtMatmul(handle, matmul, &one, a, of_a, b, of_b, &zero, NULL, of_d, d, of_d,
                          result.algorithm, NULL, 0, NULL));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = epilogue == RELU_BIAS ? bias[i] : 0;
            for (int k = 0; k < K; k++)
                sum += a[i * K + k] * b[j * K + k];
            CHECK(fabsf(d[order ? i * N + j : j * M + i] - activated(sum, epilogue)) < 1e-6f);
        }
}

/* 1.5 in e4m3 is 0x3c, 2 is 0x40; the result in bf16, A scaled. */
static void check_fp8(cublasHandle_t handle) {
    cublasLtMatmulDesc_t matmul;
    int transposed = OP_T;
    uint8_t *a = device(K * M), *b = device(K * N);
    uint16_t *d = device(M * N * 2);
    float one = 1, zero = 0, *scale = device(4);
    memset(a, 0x3c, K * M);
    memset(b, 0x40, K * N);
    *scale = 0.5f;
    CHECK(!cublasLtMatmulDescCreate(&matmul, COMPUTE_32F, R_32F));
    CHECK(!cublasLtMatmulDescSetAttribute(matmul, TRANSA, &transposed, 4));
    CHECK(!cublasLtMatmulDescSetAttribute(matmul, A_SCALE, &scale, sizeof scale));
    cublasLtMatrixLayout_t of_d = layout(R_16BF, M, N, 0);
    CHECK(!cublasLtMatmul(handle, matmul, &one, a, layout(R_E4M3, K, M, 0), b,
                          layout(R_E4M3, K, N, 0), &zero, NULL, of_d, d, of_d, NULL, NULL, 0,
                          NULL));
    for (int i = 0; i < M * N; i++)
        CHECK(d[i] == 0x4040); /* 3 */
}

static void check_wrong(cublasHandle_t handle) {
    cublasLtMatmulDesc_t matmul;
    cublasLtMatrixLayout_t square = layout(R_32F, 4, 4, 0), other = layout(R_32F, 4, 5, 0);
    int epilogue = DGELU, value;
    float *memory = device(80), one = 1;
    size_t written;
    CHECK(!cublasLtMatmulDescCreate(&matmul, COMPUTE_32F, R_32F));
    CHECK(cublasLtMatmulDescSetAttribute(matmul, TRANSA, &value, 1) == INVALID_VALUE);
    CHECK(cublasLtMatmulDescSetAttribute(matmul, 99, &value, 4) == INVALID_VALUE);
    CHECK(!cublasLtMatrixLayoutGetAttribute(other, 3, NULL, 0, &written) && written == 8);
    CHECK(cublasLtMatmul(handle, matmul, &one, memory, other, memory, square, &one, memory, square,
                         memory, square, NULL, NULL, 0, NULL) == INVALID_VALUE);
    CHECK(!cublasLtMatmulDescSetAttribute(matmul, EPILOGUE, &epilogue, 4));
    CHECK(cublasLtMatmul(handle, matmul, &one, memory, square, memory, square, &one, memory, square,
                         memory, square, NULL, NULL, 0, NULL) == INVALID_VALUE); /* no aux */
    CHECK(cublasLtMatmul(NULL, matmul, &one, memory, square, memory, square, &one, memory, square,
                         memory, square, NULL, NULL, 0, NULL) == NOT_INITIALIZED);
}

int main(void) {
    cublasHandle_t handle;
    CHECK(!cublasLtCreate(&handle));
    for (int order = 0; order < 2; order++) {
        check_epilogue(handle, 1, order);
        check_epilogue(handle, RELU_BIAS, order);
        check_epilogue(handle, GELU, order);
    }
    check_fp8(handle);
    check_wrong(handle);
    CHECK(!cublasLtDestroy(handle));
    puts("lt: fine");
    return 0;
}

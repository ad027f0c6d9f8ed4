/* cublasLtMatmul's epilogues that keep what a backward pass needs, and those of that pass; and products in groups. It prints what
 * comes out; the transcript has what it printed on an H200, linked with NVIDIA's libraries. All memory is managed, so that it runs
 * there, too; all numbers but those of gelu are small whole ones, so that the order of sums does not matter. */
#include "blas.h"
#include "numbers.h"

enum { R_32F = 0, R_16F = 2, R_16BF = 14, COMPUTE_32F = 68 };
enum { TRANSA = 3, TRANSB = 4, EPILOGUE = 7, BIAS = 8, AUX = 11, AUX_LEAD = 12, AUX_TYPE = 22 };
enum { LAYOUT_ORDER = 1, PREFERENCE_WORKSPACE = 1, WORKSPACE = 32 << 20 };
enum { M = 128, N = 8, K = 16, LEAD = 256 };

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
int cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, int type, uint64_t rows,
                               uint64_t columns, int64_t lead);
int cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *matmul, int compute, int scale);
int cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t matmul);
int cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t matmul, int attribute, const void *from,
                                   size_t bytes);
int cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference);
int cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference, int attribute,
                                         const void *from, size_t bytes);
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
int cublasGemmGroupedBatchedEx(cublasHandle_t handle, const int transa[], const int transb[],
                               const int m[], const int n[], const int k[], const void *alpha,
                               const void *const a[], int typea, const int lda[],
                               const void *const b[], int typeb, const int ldb[], const void *beta,
                               void *const c[], int typec, const int ldc[], int groups,
                               const int sizes[], int compute);
int cublasSgemmGroupedBatched(cublasHandle_t handle, const int transa[], const int transb[],
                              const int m[], const int n[], const int k[], const float alpha[],
                              const float *const a[], const int lda[], const float *const b[],
                              const int ldb[], const float beta[], float *const c[],
                              const int ldc[], int groups, const int sizes[]);

static void *memory(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAllocManaged(&made, bytes, 1));
    memset((void *)(uintptr_t)made, 0, bytes);
    return (void *)(uintptr_t)made;
}

static void put(void *at, int type, int i, float value) {
    if (type == R_32F)
        ((float *)at)[i] = value;
    else
        ((uint16_t *)at)[i] = type == R_16BF ? brain_of(value) : half_of(value);
}

static float got(const void *at, int type, int i) {
    if (type == R_32F)
        return ((const float *)at)[i];
    uint16_t bits = ((const uint16_t *)at)[i];
    return type == R_16BF ? of_brain(bits) : of_half(bits);
}

/* A few numbers, and the sum of all by place. */
static void show(const char *what, const void *at, int type, int count, int digits) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)got(at, type, i) * (1 + i % 7);
    printf("    %s: %.4g %.4g %.4g, all %.*g\n", what, (double)got(at, type, 0),
           (double)got(at, type, 1), (double)got(at, type, count - 1), digits, sum);
}

typedef struct Operands {
    void *a, *b, *d, *bias, *aux, *workspace;
} Operands;

/* As a forward pass leaves them: a mask, or what went into gelu. */
static void fill(const Operands *o, int type, int epilogue) {
    for (int i = 0; i < M * K; i++)
        put(o->a, type, i, (float)(i * 5 % 7) - 3);
    for (int i = 0; i < K * N; i++)
        put(o->b, type, i, (float)(i * 3 % 5) - 2);
    for (int i = 0; i < M; i++)
        put(o->bias, type, i, (float)(i % 9) - 4);
    memset(o->aux, 0, LEAD * N * 4);
    memset(o->d, 0, M * N * 4);
    for (int i = 0; i < LEAD * N / 8 && epilogue & 8; i++)
        ((uint8_t *)o->aux)[i] = (uint8_t)(i * 37 + 11);
    for (int i = 0; i < LEAD * N && epilogue & 64; i++)
        put(o->aux, type, i, (float)(i % 13) / 4 - 1.5f);
}

static void run(cublasHandle_t handle, const Operands *o, int type, int epilogue) {
    cublasLtMatmulDesc_t matmul;
    cublasLtMatmulPreference_t preference;
    cublasLtMatrixLayout_t of_a, of_b, of_d;
    Result result;
    int transposed = epilogue & 256 ? OP_N : OP_T, count = 0;
    int other = epilogue & 512 ? OP_T : OP_N;
    int64_t lead = LEAD;
    size_t most = WORKSPACE;
    float one = 1, zero = 0;
    const int digits = epilogue & (32 | 64) ? 4 : 5; /* tanh is an approximation */
    fill(o, type, epilogue);
    if (transposed == OP_T)
        cublasLtMatrixLayoutCreate(&of_a, type, K, M, K);
    else
        cublasLtMatrixLayoutCreate(&of_a, type, M, K, M);
    if (other == OP_T)
        cublasLtMatrixLayoutCreate(&of_b, type, N, K, N);
    else
        cublasLtMatrixLayoutCreate(&of_b, type, K, N, K);
    cublasLtMatrixLayoutCreate(&of_d, type, M, N, M);
    cublasLtMatmulDescCreate(&matmul, COMPUTE_32F, R_32F);
    cublasLtMatmulDescSetAttribute(matmul, TRANSA, &transposed, 4);
    cublasLtMatmulDescSetAttribute(matmul, TRANSB, &other, 4);
    cublasLtMatmulDescSetAttribute(matmul, EPILOGUE, &epilogue, 4);
    if (epilogue & (4 | 16 | 256 | 512))
        cublasLtMatmulDescSetAttribute(matmul, BIAS, &o->bias, 8);
    if (epilogue & 128) {
        cublasLtMatmulDescSetAttribute(matmul, AUX, &o->aux, 8);
        cublasLtMatmulDescSetAttribute(matmul, AUX_LEAD, &lead, 8);
    }
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, PREFERENCE_WORKSPACE, &most, 8);
    int found = cublasLtMatmulAlgoGetHeuristic(handle, matmul, of_a, of_b, of_d, of_d, preference,
                                               1, &result, &count);
    printf("  epilogue %d, type %d: %d, %d found\n", epilogue, type, found, count);
    if (found || !count)
        return;
    int done = cublasLtMatmul(handle, matmul, &one, o->a, of_a, o->b, of_b, &zero, o->d, of_d, o->d,
                              of_d, result.algorithm, o->workspace, WORKSPACE, NULL);
    OK(cuCtxSynchronize());
    printf("    product: %d\n", done);
    show("d", o->d, type, M * N, digits);
    if (epilogue & (16 | 256 | 512))
        show("bias", o->bias, type, epilogue & 512 ? N : M, digits);
    if ((epilogue & 128) && (epilogue & 2)) {
        unsigned sum = 1;
        for (int i = 0; i < LEAD * N / 8; i++)
            sum = sum * 31 + ((uint8_t *)o->aux)[i];
        printf("    mask: %02x %02x, all %u\n", ((uint8_t *)o->aux)[0],
               ((uint8_t *)o->aux)[LEAD / 8 + 1], sum);
    }
    if ((epilogue & 128) && (epilogue & 32))
        show("before", o->aux, type, LEAD * N, digits);
    cublasLtMatmulDescDestroy(matmul);
}

/* One call wrong in one way. */
static void wrong(cublasHandle_t handle, const Operands *o, int epilogue, int64_t lead, int aux,
                  int bias) {
    cublasLtMatmulDesc_t matmul;
    cublasLtMatrixLayout_t of_a, of_b, of_d;
    int transposed = OP_T;
    float one = 1, zero = 0;
    cublasLtMatrixLayoutCreate(&of_a, R_16F, K, M, K);
    cublasLtMatrixLayoutCreate(&of_b, R_16F, K, N, K);
    cublasLtMatrixLayoutCreate(&of_d, R_16F, M, N, M);
    cublasLtMatmulDescCreate(&matmul, COMPUTE_32F, R_32F);
    cublasLtMatmulDescSetAttribute(matmul, TRANSA, &transposed, 4);
    cublasLtMatmulDescSetAttribute(matmul, EPILOGUE, &epilogue, 4);
    if (bias)
        cublasLtMatmulDescSetAttribute(matmul, BIAS, &o->bias, 8);
    if (aux)
        cublasLtMatmulDescSetAttribute(matmul, AUX, &o->aux, 8);
    if (lead)
        cublasLtMatmulDescSetAttribute(matmul, AUX_LEAD, &lead, 8);
    printf("  epilogue %d, lead %d, aux %d, bias %d: %d\n", epilogue, (int)lead, aux, bias,
           cublasLtMatmul(handle, matmul, &one, o->a, of_a, o->b, of_b, &zero, o->d, of_d, o->d,
                          of_d, NULL, o->workspace, WORKSPACE, NULL));
    OK(cuCtxSynchronize());
}

/* Two products of one shape, one of another. */
static void groups(cublasHandle_t handle, int type, int compute) {
    enum { PRODUCTS = 3 };
    const int ta[] = {OP_N, OP_T}, tb[] = {OP_N, OP_N}, m[] = {4, 6}, n[] = {5, 3}, k[] = {2, 7};
    const int lda[] = {4, 7}, ldb[] = {2, 7}, ldc[] = {4, 8}, sizes[] = {2, 1}, none[] = {-1, 1};
    const float alpha[] = {1, 2}, beta[] = {0, 3};
    void *a[PRODUCTS], *b[PRODUCTS], *c[PRODUCTS], **of_a = memory(24), **of_b = memory(24),
                                                   **of_c = memory(24);
    for (int p = 0; p < PRODUCTS; p++) {
        a[p] = of_a[p] = memory(256), b[p] = of_b[p] = memory(256), c[p] = of_c[p] = memory(256);
        for (int i = 0; i < 64; i++) {
            put(a[p], type, i, (float)((i * 5 + p) % 7) - 3);
            put(b[p], type, i, (float)((i * 3 + p) % 5) - 2);
            put(c[p], type, i, (float)(i % 3));
        }
    }
#define GROUPED(count, of)                                                                         \
    cublasGemmGroupedBatchedEx(handle, ta, tb, m, n, k, alpha, (const void *const *)of_a, type,    \
                               lda, (const void *const *)of_b, type, ldb, beta, of_c, type, ldc,   \
                               count, of, compute)
    printf("  groups of type %d: %d\n", type, GROUPED(2, sizes));
    OK(cuCtxSynchronize());
    for (int p = 0; p < PRODUCTS; p++)
        show("c", c[p], type, p < 2 ? 20 : 24, 5);
    printf("  no group: %d, less: %d, of -1 products: %d\n", GROUPED(0, sizes), GROUPED(-1, sizes),
           GROUPED(2, none));
    if (type != R_32F)
        return;
    printf("  of single precision: %d\n",
           cublasSgemmGroupedBatched(handle, ta, tb, m, n, k, alpha, (const float *const *)of_a,
                                     lda, (const float *const *)of_b, ldb, beta,
                                     (float *const *)of_c, ldc, 2, sizes));
    OK(cuCtxSynchronize());
    show("c", c[2], type, 24, 5);
}

int main(void) {
    static const int epilogues[] = {2,   130, 134, 6,   136, 152, 32, 36,
                                    160, 164, 192, 208, 256, 512, 4};
    cublasHandle_t handle;
    CUcontext context;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    CHECK(!cublasCreate_v2(&handle));
    Operands o = {memory(M * K * 4), memory(K * N * 4),    memory(M * N * 4),
                  memory(M * 4),     memory(LEAD * N * 4), memory(WORKSPACE)};
    for (size_t i = 0; i < sizeof epilogues / sizeof *epilogues; i++) {
        run(handle, &o, R_16F, epilogues[i]);
        run(handle, &o, R_32F, epilogues[i]);
        run(handle, &o, R_16BF, epilogues[i]);
    }
    wrong(handle, &o, 130, 256, 0, 1);
    wrong(handle, &o, 130, 0, 1, 1);
    wrong(handle, &o, 130, 64, 1, 1);
    wrong(handle, &o, 130, 200, 1, 1);
    wrong(handle, &o, 160, 132, 1, 1);
    wrong(handle, &o, 160, 136, 1, 1);
    wrong(handle, &o, 152, 256, 1, 0);
    wrong(handle, &o, 256, 0, 0, 0);
    wrong(handle, &o, 34, 0, 0, 1);
    wrong(handle, &o, 1 << 12, 0, 0, 1);
    wrong(handle, &o, 4, 0, 0, 0);
    groups(handle, R_32F, COMPUTE_32F);
    groups(handle, R_16F, COMPUTE_32F);
    groups(handle, R_16BF, COMPUTE_32F);
    return 0;
}

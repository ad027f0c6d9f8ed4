/* cuBLAS: in stream order, in graphs, with wrong arguments, on memory that is not the device's. */
#include "blas.h"

enum { N = 3 };

static float *device(size_t count) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, count * sizeof(float)));
    return (float *)(uintptr_t)made;
}

static void fill(float *at, size_t count) {
    for (size_t i = 0; i < count; i++)
        at[i] = (float)(i % 7) - 2;
}

static void product(cublasHandle_t handle) {
    float *a = device(N * N), *b = device(N * N), *c = device(N * N), two = 2, one = 1;
    fill(a, N * N);
    fill(b, N * N);
    fill(c, N * N);
    CHECK(cublasSgemm_v2(handle, OP_T, OP_N, N, N, N, &two, a, N, b, N, &one, c, N) == SUCCESS);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[j * N + k];
            CHECK(c[j * N + i] == 2 * sum + (float)((j * N + i) % 7) - 2);
        }
    CHECK(cublasSgemm_v2(NULL, OP_T, OP_N, N, N, N, &two, a, N, b, N, &one, c, N) ==
          NOT_INITIALIZED);
    CHECK(cublasSgemm_v2(handle, 7, OP_N, N, N, N, &two, a, N, b, N, &one, c, N) == INVALID_VALUE);
    CHECK(cublasSgemm_v2(handle, OP_N, OP_N, N, -1, N, &two, a, N, b, N, &one, c, N) ==
          INVALID_VALUE);
    CHECK(cublasSgemm_v2(handle, OP_N, OP_N, N, N, N, &two, a, N, b, N - 1, &one, c, N) ==
          INVALID_VALUE);
    CHECK(cublasSgemm_v2(handle, OP_N, OP_N, N, N, N, NULL, a, N, b, N, &one, c, N) ==
          INVALID_VALUE);
}

/* The scalar is that of the call; the vector, that of each run of the graph. */
static void captured(cublasHandle_t handle) {
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    float *x = device(2), factor = 3, sum;
    x[0] = 1;
    x[1] = 2;
    OK(cuStreamCreate(&stream, 0));
    CHECK(cublasSetStream_v2(handle, stream) == SUCCESS);
    OK(cuStreamBeginCapture_v2(stream, 0));
    CHECK(cublasSscal_v2(handle, 2, &factor, x, 1) == SUCCESS);
    OK(cuStreamEndCapture(stream, &graph));
    CHECK(x[0] == 1);
    factor = 100;
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    CHECK(x[0] == 9 && x[1] == 18);
    CHECK(cublasSdot_v2(handle, 2, x, 1, x, 1, &sum) == SUCCESS && sum == 405);
}

int cublasSetEmulationStrategy(cublasHandle_t handle, int strategy);
int cublasGetEmulationStrategy(cublasHandle_t handle, int *strategy);
int cublasSetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle, int offset);
int cublasGetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle, int *offset);
int cublasGetEmulationSpecialValuesSupport(cublasHandle_t handle, int *mask);
static void settings(cublasHandle_t handle) {
    int value = -1;
    CHECK(cublasGetEmulationStrategy(handle, &value) == SUCCESS && value == 0);
    CHECK(cublasSetEmulationStrategy(handle, 2) == SUCCESS);
    CHECK(cublasSetEmulationStrategy(handle, 9) == INVALID_VALUE);
    CHECK(cublasGetEmulationStrategy(handle, &value) == SUCCESS && value == 2);
    CHECK(cublasSetFixedPointEmulationMantissaBitOffset(handle, -3) == SUCCESS);
    CHECK(cublasGetFixedPointEmulationMantissaBitOffset(handle, &value) == SUCCESS && value == -3);
    CHECK(cublasGetEmulationSpecialValuesSupport(handle, &value) == SUCCESS && value == 0xffff);
}

/* A column (1 + 2i, 3) with itself: not conjugated, and conjugated, of which the lower half is asked for. */
int cublasCsyrk3mEx(cublasHandle_t handle, int fill, int op, int n, int k, const void *alpha,
                    const void *a, int type_a, int lda, const void *beta, void *c, int type_c,
                    int ldc);
int cublasCherkEx(cublasHandle_t handle, int fill, int op, int n, int k, const float *alpha,
                  const void *a, int type_a, int lda, const float *beta, void *c, int type_c,
                  int ldc);
static void with_itself(cublasHandle_t handle) {
    enum { LOWER = 0, C_32F = 4, C_8I = 7 };
    float *a = device(4), *c = device(8);
    const float one[] = {1, 0}, zero[] = {0, 0}, column[] = {1, 2, 3, 0};
    memcpy(a, column, sizeof column);
    memset(c, 0, 8 * sizeof *c);
    CHECK(!cublasCsyrk3mEx(handle, LOWER, OP_N, 2, 1, one, a, C_32F, 2, zero, c, C_32F, 2));
    CHECK(c[0] == -3 && c[1] == 4 && c[2] == 3 && c[3] == 6 && c[4] == 0 && c[6] == 9);
    CHECK(!cublasCherkEx(handle, LOWER, OP_N, 2, 1, one, a, C_32F, 2, zero, c, C_32F, 2));
    CHECK(c[0] == 5 && c[1] == 0 && c[2] == 3 && c[3] == -6 && c[6] == 9 && c[7] == 0);
    CHECK(cublasCherkEx(handle, LOWER, OP_N, 2, 1, one, a, C_8I, 2, zero, c, C_32F, 2) ==
          NOT_SUPPORTED);
}

int main(void) {
    cublasHandle_t handle;
    void *nothing;
    float one = 1, host[4] = {0};
    CHECK(cublasCreate_v2(&handle) == SUCCESS);
    product(handle);
    captured(handle);
    settings(handle);
    with_itself(handle);
    CHECK(cublasAlloc(1, 4, &nothing) == NOT_SUPPORTED);
    CHECK(cublasSscal_v2(handle, 0, &one, host, 1) == SUCCESS);
    CHECK(cublasSscal_v2(handle, 4, &one, host, 1) == SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cublasDestroy_v2(handle) == SUCCESS);
    puts("blas: fine");
    return 0;
}

/* Transposes a matrix with two kernels of a PTX file, one of them with bank conflicts.
 *   tiles FILE.ptx [varying | columns]      varying: each run has another matrix; columns: and with one that walks down columns */
#include "check.h"

#include <unistd.h>

enum { N = 64, BYTES = N * N * 4, TILE = 32 };

static void transpose(CUmodule module, const char *name, CUdeviceptr from, CUdeviceptr to) {
    int n = N;
    void *params[] = {&from, &to, &n};
    OK(cuLaunchKernel(kernel(module, name), N / TILE, N / TILE, 1, TILE, 8, 1, 0, NULL, params,
                      NULL));
}

static void compare(const float *matrix, CUdeviceptr transposed) {
    static float result[N * N];
    OK(cuMemcpyDtoH_v2(result, transposed, BYTES));
    for (int i = 0; i < N * N; i++)
        CHECK(result[i % N * N + i / N] == matrix[i]);
}

int main(int argc, char **argv) {
    static float matrix[N * N];
    CUmodule module;
    CUdeviceptr from, to;
    bool varying = argc > 2 && strcmp(argv[2], "varying") == 0;
    CHECK(argc > 1);
    OK(cuInit(0));
    OK(cuModuleLoad(&module, argv[1]));
    OK(cuMemAlloc_v2(&from, BYTES));
    OK(cuMemAlloc_v2(&to, BYTES));
    for (int i = 0; i < N * N; i++)
        matrix[i] = (float)(i * 7 % 1001 + (varying ? getpid() : 0));
    OK(cuMemcpyHtoD_v2(from, matrix, BYTES));
    for (int round = 0; round < 3; round++) {
        transpose(module, "_Z14transposeTiledILi0EEvPKfPfi", from, to);
        compare(matrix, to);
    }
    transpose(module, "_Z14transposeTiledILi1EEvPKfPfi", from, to);
    compare(matrix, to);
    if (argc > 2 && strcmp(argv[2], "columns") == 0) {
        transpose(module, "_Z14transposeNaivePKfPfi", from, to);
        compare(matrix, to);
    }
    OK(cuMemFree_v2(from));
    printf("tiles: fine\nprocess %ld\n", (long)getpid());
    return 0;
}

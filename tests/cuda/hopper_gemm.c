/* Multiplies matrices by the two kernels of hopper_gemm.ptx (its source beside it) and compares
 * every element with a product computed here. The elements are multiples of 1/8 up to 1: sums are
 * exact, and rounding to bfloat16 is all that is between them and the result.
 *   hopper_gemm FILE.ptx [M N K] */
#include "check.h"

#include <math.h>

enum { HEIGHT = 128, WIDTH = 64, DEPTH = 64, ROWS = 64, STAGES = 4, THREADS = 384, CLUSTER = 2 };
enum { STAGE_BYTES = (HEIGHT + WIDTH) * DEPTH * 2, STORED_BYTES = HEIGHT * WIDTH * 2 };
enum { SHARED_BYTES = STAGES * (STAGE_BYTES + 16) + STORED_BYTES };
enum { UNTOUCHED = 0x4242 };

/* Rows of `columns` bfloat16 numbers, on the host and on the device. */
typedef struct Matrix {
    int rows, columns;
    uint16_t *element;
    CUdeviceptr device;
} Matrix;

static uint16_t bfloat16(float value) { /* to nearest, ties to even; no NaN comes here */
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float number(uint16_t element) {
    uint32_t bits = (uint32_t)element << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static Matrix matrix(int rows, int columns) {
    Matrix made = {.rows = rows, .columns = columns};
    size_t count = (size_t)rows * (size_t)columns;
    made.element = malloc(count * sizeof *made.element);
    CHECK(made.element);
    OK(cuMemAlloc_v2(&made.device, count * sizeof *made.element));
    return made;
}

static void send(const Matrix *m) {
    OK(cuMemcpyHtoD_v2(m->device, m->element, (size_t)m->rows * (size_t)m->columns * 2));
}

static Matrix operand(int rows, int columns, uint32_t seed) {
    Matrix made = matrix(rows, columns);
    for (int i = 0; i < rows * columns; i++) {
        seed = seed * 1664525 + 1013904223;
        made.element[i] = bfloat16((float)((int)(seed >> 16) % 17 - 8) / 8);
    }
    send(&made);
    return made;
}

/* Boxes of 64 elements by `height` rows, in 128-byte swizzle. */
static CUtensorMap map(const Matrix *m, int height) {
    CUtensorMap made;
    uint64_t extent[2] = {(uint64_t)m->columns, (uint64_t)m->rows}, stride[1] = {2 * extent[0]};
    uint32_t box[2] = {64, (uint32_t)height}, step[2] = {1, 1};
    OK(cuTensorMapEncodeTiled(&made, TENSOR_MAP_BFLOAT16, 2, (void *)(uintptr_t)m->device, extent,
                              stride, box, step, TENSOR_MAP_INTERLEAVE_NONE,
                              TENSOR_MAP_SWIZZLE_128B, TENSOR_MAP_L2_PROMOTION_L2_128B,
                              TENSOR_MAP_OOB_FILL_NONE));
    return made;
}

static int blocks(int extent, int tile) {
    return (extent + tile - 1) / tile;
}

static void compare(const char *name, const Matrix *a, const Matrix *b, const Matrix *d) {
    int wrong = 0;
    for (int row = 0; row < d->rows; row++) {
        for (int column = 0; column < d->columns; column++) {
            float sum = 0;
            for (int k = 0; k < a->columns; k++)
                sum += number(a->element[row * a->columns + k]) *
                       number(b->element[column * b->columns + k]);
            uint16_t found = d->element[row * d->columns + column];
            if (found == bfloat16(sum))
                continue;
            if (!wrong++)
                printf("%s: row %d, column %d: %g, not %g\n", name, row, column,
                       (double)number(found), (double)number(bfloat16(sum)));
        }
    }
    printf("%s: %d x %d x %d: %d of %d elements wrong\n", name, d->rows, d->columns, a->columns,
           wrong, d->rows * d->columns);
    CHECK(wrong == 0);
}

/* A cluster's blocks are one above the other, and each brings its part of a tile of B to all. */
static void multiply(CUmodule module, const char *name, int cluster, int m, int n, int k) {
    CUfunction function = kernel(module, name);
    Matrix a = operand(m, k, 1), b = operand(n, k, 2), d = matrix(m, n);
    for (int i = 0; i < m * n; i++)
        d.element[i] = UNTOUCHED;
    send(&d);
    CUtensorMap map_a = map(&a, HEIGHT), map_b = map(&b, WIDTH / cluster), map_d = map(&d, ROWS);
    void *params[] = {&map_a, &map_b, &map_d, &k};
    int across = blocks(m, HEIGHT * cluster) * cluster, down = blocks(n, WIDTH);
    OK(cuFuncSetAttribute(function, FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, SHARED_BYTES));
    OK(cuLaunchKernel(function, (unsigned)across, (unsigned)down, 1, THREADS, 1, 1, SHARED_BYTES,
                      NULL, params, NULL));
    OK(cuMemcpyDtoH_v2(d.element, d.device, (size_t)m * (size_t)n * 2));
    compare(name, &a, &b, &d);
    Matrix *made[] = {&a, &b, &d};
    for (int i = 0; i < 3; i++) {
        free(made[i]->element);
        OK(cuMemFree_v2(made[i]->device));
    }
}

int main(int argc, char **argv) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CHECK(argc == 2 || argc == 5);
    int m = argc == 5 ? atoi(argv[2]) : 256, n = argc == 5 ? atoi(argv[3]) : 128;
    int k = argc == 5 ? atoi(argv[4]) : 512;
    CHECK(m > 0 && n > 0 && k > 0 && n % 8 == 0 && k % 8 == 0); /* rows are multiples of 16 bytes */
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate_v2(&context, 0, device));
    OK(cuModuleLoad(&module, argv[1]));
    multiply(module, "gemm", 1, m, n, k);
    multiply(module, "gemm_cluster", CLUSTER, m, n, k);
    return 0;
}

/* cuFFT in half precision and in bfloat16: what plans are taken, and what they give. The transcript has what it printed on an H200,
 * linked with NVIDIA's library: each transform is of whole numbers, and is compared with sums in double precision. */
#include "check.h"
#include "numbers.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum {
    R_32F = 0,
    C_32F = 4,
    R_16F = 2,
    C_16F = 6,
    R_16BF = 14,
    C_16BF = 15,
    FORWARD = -1,
    INVERSE = 1
};

int cufftCreate(int *plan);
int cufftDestroy(int plan);
int cufftXtMakePlanMany(int plan, int rank, long long *size, long long *from_embed,
                        long long from_step, long long from_batch, int from_type,
                        long long *to_embed, long long to_step, long long to_batch, int to_type,
                        long long batches, size_t *work, int computed);
int cufftXtExec(int plan, void *from, void *to, int direction);

static void *memory(size_t bytes) {
    CUdeviceptr made;
    OK(cuMemAllocManaged(&made, bytes, 1));
    memset((void *)(uintptr_t)made, 0, bytes);
    return (void *)(uintptr_t)made;
}

static bool is_brain(int type) {
    return type == R_16BF || type == C_16BF;
}

static double at(const void *data, int type, int i) {
    return is_brain(type) ? (double)of_brain(((const uint16_t *)data)[i])
                          : (double)of_half(((const uint16_t *)data)[i]);
}

static void put(void *data, int type, int i, float value) {
    if (is_brain(type))
        ((uint16_t *)data)[i] = brain_of(value);
    else
        ((uint16_t *)data)[i] = half_of(value);
}

static void plan_of(long long x, long long y, int from, int to, int computed, long long batches,
                    int direction) {
    long long size[] = {x, y};
    int plan, rank = y ? 2 : 1, total = (int)(x * (y ? y : 1) * batches);
    size_t work = 0;
    cufftCreate(&plan);
    int made = cufftXtMakePlanMany(plan, rank, size, NULL, 1, total, from, NULL, 1, total, to,
                                   batches, &work, computed);
    printf("  %lld x %lld, %d to %d in %d: %d\n", x, y, from, to, computed, made);
    if (made || y) {
        cufftDestroy(plan);
        return;
    }
    void *in = memory((size_t)total * 8 + 64), *out = memory((size_t)total * 8 + 64);
    bool from_real = from == R_16F || from == R_16BF, to_real = to == R_16F || to == R_16BF;
    int n = (int)x, half = n / 2 + 1;
    double complex *exact = calloc((size_t)n, sizeof *exact);
    for (int i = 0; i < n; i++)
        exact[i] =
            (double)((i * 7 % 5) - 2) + (from_real || to_real ? 0 : I * (double)((i * 3 % 5) - 2));
    if (to_real) { /* a spectrum of something real */
        for (int i = 1; i < half; i++)
            exact[n - i] = exact[i];
    }
    for (int i = 0; i < (to_real ? half : n); i++) {
        if (from_real)
            put(in, from, i, (float)creal(exact[i]));
        else
            put(in, from, 2 * i, (float)creal(exact[i])),
                put(in, from, 2 * i + 1, (float)cimag(exact[i]));
    }
    int ran = cufftXtExec(plan, in, out, direction);
    OK(cuCtxSynchronize());
    double most = 0, largest = 0;
    for (int j = 0; j < (from_real ? half : n); j++) {
        double complex sum = 0;
        for (int i = 0; i < n; i++)
            sum += exact[i] * cexp((to_real ? 1 : direction) * 2 * M_PI * I * i * j / n);
        double complex found =
            to_real ? at(out, to, j) : at(out, to, 2 * j) + I * at(out, to, 2 * j + 1);
        most = fmax(most, cabs(found - sum)), largest = fmax(largest, cabs(sum));
    }
    printf("    run: %d, within %s of the largest\n", ran,
           most <= largest / 512  ? "1/512"
           : most <= largest / 64 ? "1/64"
                                  : "nothing");
    cufftDestroy(plan);
    free(exact);
}

int main(void) {
    CUcontext context;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    plan_of(8, 0, C_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(64, 0, C_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(64, 0, C_16F, C_16F, C_16F, 1, INVERSE);
    plan_of(64, 0, R_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(64, 0, C_16F, R_16F, C_16F, 1, INVERSE);
    plan_of(64, 0, R_16F, C_16F, R_16F, 1, FORWARD);
    plan_of(64, 0, C_16BF, C_16BF, C_16BF, 1, FORWARD);
    plan_of(64, 0, R_16BF, C_16BF, C_16BF, 1, FORWARD);
    plan_of(64, 0, C_16BF, R_16BF, C_16BF, 1, INVERSE);
    plan_of(12, 0, C_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(1, 0, C_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(2, 0, C_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(2, 0, R_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(32, 16, C_16F, C_16F, C_16F, 2, FORWARD);
    plan_of(32, 12, C_16F, C_16F, C_16F, 1, FORWARD);
    plan_of(64, 0, C_16F, C_32F, C_16F, 1, FORWARD);
    plan_of(64, 0, C_16F, C_32F, C_32F, 1, FORWARD);
    plan_of(64, 0, C_16F, C_16F, C_32F, 1, FORWARD);
    plan_of(64, 0, C_16F, C_16BF, C_16F, 1, FORWARD);
    plan_of(64, 0, R_16F, R_16F, R_16F, 1, FORWARD);
    return 0;
}

/* cuFFT: transforms against sums in double precision, layouts, in place, in graphs, wrong calls. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69 };
enum { FORWARD = -1, INVERSE = 1 };
enum {
    INVALID_PLAN = 1,
    INVALID_TYPE = 3,
    INVALID_VALUE = 4,
    INVALID_SIZE = 8,
    NOT_SUPPORTED = 16
};

int cufftCreate(int *plan);
int cufftDestroy(int plan);
int cufftPlan1d(int *plan, int x, int type, int batches);
int cufftPlan2d(int *plan, int x, int y, int type);
int cufftPlanMany(int *plan, int rank, int *size, int *from_embed, int from_step, int from_batch,
                  int *to_embed, int to_step, int to_batch, int type, int batches);
int cufftMakePlan1d(int plan, int x, int type, int batches, size_t *work);
int cufftSetStream(int plan, CUstream stream);
int cufftExecC2C(int plan, void *from, void *to, int direction);
int cufftExecZ2Z(int plan, void *from, void *to, int direction);
int cufftExecR2C(int plan, void *from, void *to);
int cufftExecC2R(int plan, void *from, void *to);
int cufftXtSetCallback(int plan, void **routine, int type, void **data);

enum { MOST = 4096 };
static float complex *singles;
static double complex *numbers, *results;

static void *device(size_t bytes) {
    CUdeviceptr memory;
    OK(cuMemAlloc_v2(&memory, bytes));
    return (void *)(uintptr_t)memory;
}

static double complex sample(int i) {
    return (double)(i * 7 % 11) - 5 + I * ((double)(i * 5 % 13) - 6);
}

/* The sum that element `to` of the transform is. */
static double complex direct(int rank, const int *size, int total, int to) {
    double complex sum = 0;
    for (int from = 0; from < total; from++) {
        double turns = 0;
        for (int i = rank - 1, a = from, b = to; i >= 0; a /= size[i], b /= size[i], i--)
            turns += (double)(a % size[i] * (b % size[i])) / size[i];
        sum += sample(from) * cexp(-2 * M_PI * I * turns);
    }
    return sum;
}

static void check_sums(int rank, int *size) {
    int plan, total = 1;
    for (int i = 0; i < rank; i++)
        total *= size[i];
    for (int i = 0; i < total; i++)
        numbers[i] = sample(i);
    CHECK(cufftPlanMany(&plan, rank, size, NULL, 1, 0, NULL, 1, 0, Z2Z, 1) == 0);
    CHECK(cufftExecZ2Z(plan, numbers, results, FORWARD) == 0);
    for (int i = 0; i < total; i++)
        CHECK(cabs(results[i] - direct(rank, size, total, i)) < 1e-9);
    CHECK(cufftExecZ2Z(plan, results, results, INVERSE) == 0);
    for (int i = 0; i < total; i++)
        CHECK(cabs(results[i] / total - sample(i)) < 1e-12);
    CHECK(cufftDestroy(plan) == 0);
}

/* Rows of 6 real numbers, in place: each takes the room of 4 complex ones. Half of what the complex transform
 * has, and back. */
static void check_real(void) {
    enum { ROWS = 5, SIZE = 6, HALF = SIZE / 2 + 1 };
    int to_complex, to_real, whole;
    float *rows = (float *)singles;
    float complex *there = singles + ROWS * HALF, *other = there + ROWS * SIZE;
    CHECK(cufftPlan2d(&to_complex, ROWS, SIZE, R2C) == 0);
    CHECK(cufftPlan2d(&to_real, ROWS, SIZE, C2R) == 0);
    CHECK(cufftPlan2d(&whole, ROWS, SIZE, C2C) == 0);
    for (int i = 0; i < ROWS * SIZE; i++)
        there[i] = rows[i / SIZE * 2 * HALF + i % SIZE] = (float)creal(sample(i));
    CHECK(cufftExecC2C(whole, there, there, FORWARD) == 0);
    CHECK(cufftExecR2C(to_complex, rows, rows) == 0);
    for (int i = 0; i < ROWS * HALF; i++)
        CHECK(cabsf(singles[i] - there[i / HALF * SIZE + i % HALF]) < 1e-5f);
    CHECK(cufftExecC2R(to_real, singles, other) == 0); /* no room between these rows */
    for (int i = 0; i < ROWS * SIZE; i++)
        CHECK(fabs(((float *)other)[i] / (ROWS * SIZE) - creal(sample(i))) < 1e-5);
    CHECK(cufftDestroy(to_complex) == 0 && cufftDestroy(to_real) == 0 && cufftDestroy(whole) == 0);
}

/* Every second number of columns that are 3 apart, two batches: as one transform without gaps each. */
static void check_layout(void) {
    int many, one, size[1] = {8}, embed[1] = {8};
    for (int i = 0; i < 100; i++)
        singles[i] = (float complex)sample(i);
    CHECK(cufftPlanMany(&many, 1, size, embed, 6, 3, embed, 1, 8, C2C, 2) == 0);
    CHECK(cufftPlan1d(&one, 8, C2C, 1) == 0);
    CHECK(cufftExecC2C(many, singles, singles + 100, FORWARD) == 0);
    for (int batch = 0; batch < 2; batch++) {
        for (int i = 0; i < 8; i++)
            singles[200 + i] = (float complex)sample(batch * 3 + i * 6);
        CHECK(cufftExecC2C(one, singles + 200, singles + 200, FORWARD) == 0);
        CHECK(!memcmp(singles + 200, singles + 100 + 8 * batch, 8 * sizeof *singles));
    }
    CHECK(cufftDestroy(many) == 0 && cufftDestroy(one) == 0);
}

static void check_graph(void) {
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    int plan;
    CHECK(cufftPlan1d(&plan, 4, C2C, 1) == 0);
    OK(cuStreamCreate(&stream, 0));
    CHECK(cufftSetStream(plan, stream) == 0);
    OK(cuStreamBeginCapture_v2(stream, 0));
    CHECK(cufftExecC2C(plan, singles, singles, FORWARD) == 0);
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 0; i < 4; i++)
        singles[i] = (float)i;
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream)); /* twice: four times the numbers, backwards */
    for (int i = 0; i < 4; i++)
        CHECK(cabsf(singles[i] - 4 * (float)((4 - i) % 4)) < 1e-6f);
    CHECK(cufftDestroy(plan) == 0);
}

static void refused(void) {
    int plan, other, real, size[4] = {8, 8, 8, 8}, none[1] = {0};
    size_t work;
    CHECK(cufftPlan1d(&plan, 0, C2C, 1) == INVALID_SIZE);
    CHECK(cufftPlan1d(&plan, 8, C2C, 0) == INVALID_SIZE);
    CHECK(cufftPlan1d(&plan, 8, 7, 1) == INVALID_TYPE);
    CHECK(cufftPlan1d(NULL, 8, C2C, 1) == INVALID_VALUE);
    CHECK(cufftPlanMany(&plan, 0, size, NULL, 1, 0, NULL, 1, 0, C2C, 1) == INVALID_VALUE);
    CHECK(cufftPlanMany(&plan, 4, size, NULL, 1, 0, NULL, 1, 0, C2C, 1) == INVALID_VALUE);
    CHECK(cufftPlanMany(&plan, 1, NULL, NULL, 1, 0, NULL, 1, 0, C2C, 1) == INVALID_VALUE);
    CHECK(cufftPlanMany(&plan, 1, none, NULL, 1, 0, NULL, 1, 0, C2C, 1) == INVALID_SIZE);
    CHECK(cufftPlanMany(&plan, 1, size, size, 1, 8, NULL, 1, 8, C2C, 2) == INVALID_VALUE);
    CHECK(cufftPlanMany(&plan, 1, size, size, 1, 0, size, 1, 8, C2C, 2) == INVALID_VALUE);
    CHECK(cufftExecC2C(99, singles, singles, FORWARD) == INVALID_PLAN);
    CHECK(cufftDestroy(99) == INVALID_PLAN);
    CHECK(cufftCreate(&plan) == 0 && cufftCreate(&other) == 0 && other == plan + 1);
    CHECK(cufftExecC2C(plan, singles, singles, FORWARD) == INVALID_PLAN);
    CHECK(cufftMakePlan1d(plan, 8, C2C, 1, &work) == 0);
    CHECK(cufftExecC2C(plan, singles, singles, 0) == INVALID_VALUE);
    CHECK(cufftExecR2C(plan, singles, singles) == 0);
    CHECK(cufftPlan1d(&real, 8, R2C, 1) == 0);
    CHECK(cufftExecC2C(real, singles, singles, FORWARD) == 0);
    CHECK(cufftExecC2R(real, singles, singles) == INVALID_VALUE);
    CHECK(cufftDestroy(real) == 0);
    CHECK(cufftXtSetCallback(plan, NULL, 0, NULL) == NOT_SUPPORTED);
    CHECK(cufftDestroy(plan) == 0 && cufftDestroy(plan) == INVALID_PLAN);
    CHECK(cufftExecC2C(plan, singles, singles, FORWARD) == INVALID_PLAN);
    CHECK(cufftDestroy(other) == 0);
}

int main(void) {
    start();
    singles = device(MOST * sizeof *singles);
    numbers = device(MOST * sizeof *numbers);
    results = device(MOST * sizeof *results);
    for (int size = 1; size <= 20; size++)
        check_sums(1, &size);
    check_sums(1, (int[]){101});
    check_sums(2, (int[]){1, 8});
    check_sums(2, (int[]){5, 12});
    check_sums(3, (int[]){4, 3, 8});
    check_sums(3, (int[]){3, 4, 4});
    check_real();
    check_layout();
    check_graph();
    refused();
    puts("fft: fine");
    return 0;
}

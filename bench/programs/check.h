/* What the programs of the driver API have in common. */
#pragma once

#include "cuda/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        CUresult result = (call);                                                                  \
        if (result != CUDA_SUCCESS) {                                                              \
            fprintf(stderr, "%s: error %d\n", #call, (int)result);                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static inline double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A line: the name, and for each of the repeats how many million of a thing a launch does per CPU second of this
 * process. things: in a launch. */
static inline void print_rates(const char *name, CUfunction function, unsigned blocks,
                               unsigned threads, void **params, double things, int digits) {
    enum { REPEATS = 5 };
    printf("%s", name);
    for (int i = 0; i <= REPEATS; i++) {
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        OK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
        double rate = 1e-6 * things / (seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
        if (i > 0) /* the first one decodes */
            printf(" %.*f", digits, rate);
    }
    putchar('\n');
}

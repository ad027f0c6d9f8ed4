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

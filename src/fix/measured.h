/* measured: whether a change of a program is faster on a GPU, from times of runs before and after it that took turns. Pure: no
 * GPU is needed to judge. */
#pragma once

#include "fix/fix.h"

enum { MEASURED_TURNS = 7 };

/* Seconds of a launch of a kernel, in each turn; 0: it was not timed in that turn. */
typedef struct MeasuredKernel {
    const char *name;
    double before[MEASURED_TURNS], after[MEASURED_TURNS];
} MeasuredKernel;

typedef enum MeasuredVerdict {
    MEASURED_FASTER, /* together by more than a hundredth and than the times vary, and no kernel is slower */
    MEASURED_ALIKE,
    MEASURED_SLOWER, /* one of the kernels, by more than two hundredths and than the times vary */
    MEASURED_NOTHING /* no kernel was timed before and after */
} MeasuredVerdict;

/* The median of those that are above 0; 0: there is none. */
double measured_median(const double times[MEASURED_TURNS]);
MeasuredVerdict measured_verdict(const MeasuredKernel *kernels, uint32_t count);

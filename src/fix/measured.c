/* Medians of turns, and what they decide. */
#include "fix/measured.h"

#include <stdlib.h>

static int by_time(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Of the times above 0 that of a rank, in fourths: 2 is the median. 0: there is none. */
static double ranked(const double times[MEASURED_TURNS], uint32_t fourths) {
    double sorted[MEASURED_TURNS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < MEASURED_TURNS; i++)
        if (times[i] > 0)
            sorted[count++] = times[i];
    if (count == 0)
        return 0;
    qsort(sorted, count, sizeof *sorted, by_time);
    return sorted[(count - 1) * fourths / 4];
}

double measured_median(const double times[MEASURED_TURNS]) {
    enum { MEDIAN = 2 };
    return ranked(times, MEDIAN);
}

MeasuredVerdict measured_verdict(const MeasuredKernel *kernels, uint32_t count) {
    enum { LOW = 1, HIGH = 3 };
    const double least_gain = 0.99, most_loss = 1.02;
    double before = 0, after = 0, low = 0;
    bool slower = false;
    for (uint32_t i = 0; i < count; i++) {
        const MeasuredKernel *one = &kernels[i];
        double was = measured_median(one->before), is = measured_median(one->after);
        if (was <= 0 || is <= 0)
            continue;
        before += was;
        after += is;
        low += ranked(one->before, LOW);
        slower |= is > was * most_loss && is > ranked(one->before, HIGH);
    }
    if (before <= 0)
        return MEASURED_NOTHING;
    if (slower)
        return MEASURED_SLOWER;
    return after < before * least_gain && after < low ? MEASURED_FASTER : MEASURED_ALIKE;
}

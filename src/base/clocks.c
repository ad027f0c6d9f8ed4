/* Clocks, in seconds. */
#include "base/base.h"
#include "base/threads.h"

double clock_read(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clock_wall(void) {
    return clock_read(CLOCK_MONOTONIC);
}

double clock_cpu(void) {
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread(void) {
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

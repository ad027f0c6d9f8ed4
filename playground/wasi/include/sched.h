/* sched.h: which processors a process may use. Nothing says; warplens takes one. */
#pragma once

#include_next <sched.h>

typedef struct {
    int none;
} cpu_set_t;
#define CPU_COUNT(set) ((set)->none)

static inline int sched_getaffinity(int process, unsigned long size, cpu_set_t *set) {
    (void)process, (void)size;
    set->none = 0;
    return -1;
}

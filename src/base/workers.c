/* Threads and clocks. */
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

typedef struct Job {
    void (*run)(void *context, uint32_t worker);
    void *context;
    uint32_t worker;
    pthread_t thread;
    bool started;
} Job;

static void *start(void *argument) {
    Job *job = argument;
    job->run(job->context, job->worker);
    return NULL;
}

void workers_run(uint32_t count, void (*run)(void *context, uint32_t worker), void *context) {
    Job *jobs = calloc(count, sizeof *jobs);
    for (uint32_t i = 1; jobs && i < count; i++) {
        jobs[i] = (Job){.run = run, .context = context, .worker = i};
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, start, &jobs[i]) == 0;
    }
    if (count > 0)
        run(context, 0);
    for (uint32_t i = 1; i < count; i++) {
        if (jobs && jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            run(context, i);
    }
    free(jobs);
}

uint32_t workers_default(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (uint32_t)count : 1;
}

static double clock_read(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clock_wall(void) {
    return clock_read(CLOCK_MONOTONIC);
}

double clock_cpu(void) {
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

/* Work on several threads. */
#include "base/base.h"
#include "base/threads.h"

#include <sched.h>
#include <stdlib.h>

typedef struct Job {
    void (*run)(void *context, uint32_t worker);
    void *context;
    uint32_t worker;
    Thread *thread;
} Job;

struct Workers {
    uint32_t count;
    Job jobs[];
};

static void do_job(void *context) {
    const Job *job = context;
    job->run(job->context, job->worker);
}

Workers *workers_start(uint32_t first, uint32_t count, void (*run)(void *context, uint32_t worker),
                       void *context) {
    Workers *workers = calloc(1, sizeof *workers + count * sizeof *workers->jobs);
    for (uint32_t i = 0; workers && i < count; i++) {
        Job *job = &workers->jobs[workers->count];
        *job = (Job){.run = run, .context = context, .worker = first + i};
        job->thread = thread_start(do_job, job);
        if (!job->thread)
            break;
        workers->count++;
    }
    return workers;
}

void workers_join(Workers *workers) {
    for (uint32_t i = 0; workers && i < workers->count; i++)
        thread_wait(workers->jobs[i].thread);
    free(workers);
}

double workers_cpu(const Workers *workers) {
    double seconds = 0;
    for (uint32_t i = 0; workers && i < workers->count; i++)
        seconds += thread_cpu(workers->jobs[i].thread);
    return seconds;
}

void workers_run(uint32_t count, void (*run)(void *context, uint32_t worker), void *context) {
    Workers *others = count > 1 ? workers_start(1, count - 1, run, context) : NULL;
    uint32_t started = others ? others->count : 0;
    if (count > 0)
        run(context, 0);
    workers_join(others);
    for (uint32_t i = 1 + started; i < count; i++)
        run(context, i);
}

uint32_t workers_default(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (uint32_t)count : 1;
}

/* The lock of our tables, and whose turn it is to change a module's code. */
#include "probe/inject/inject.h"

#include <time.h>

enum { PATCHING_SECONDS = 2 }; /* that a thread waits for another's */

void probe_lock(Probe *probe) {
    pthread_mutex_lock(&probe->lock);
}

void probe_unlock(Probe *probe) {
    pthread_mutex_unlock(&probe->lock);
}

bool patching_wait(Probe *probe, const WatchedModule *module) {
    const struct timespec soon = {.tv_nsec = 100000};
    const double until = clock_wall() + PATCHING_SECONDS;
    while (probe->patching.module && (!module || probe->patching.module == module)) {
        if (pthread_equal(probe->patching.by, pthread_self()) || clock_wall() > until)
            return false;
        probe_unlock(probe);
        nanosleep(&soon, NULL);
        probe_lock(probe);
    }
    return true;
}

void patching_begins(Probe *probe, const WatchedModule *module) {
    probe->patching.module = module;
    probe->patching.by = pthread_self();
    probe->patching.since = clock_wall();
}

void patching_ends(Probe *probe) {
    if (probe->patching.module && probe->patching.module->unpatched)
        probe->changing += clock_wall() - probe->patching.since;
    probe->patching.module = NULL;
}

void probe_forked(Probe *probe) {
    probe->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    probe->pending = 0;
    patching_ends(probe);
}

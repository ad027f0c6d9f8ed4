/* Launches that may run while code is to be changed. */
#include "probe/inject/inject.h"

#include <time.h>

enum { LASTING_SECONDS = 2 };

static LeftLaunch *place_of(Probe *probe, WatchedModule *module, const CudaStream *stream) {
    for (uint32_t i = 0; i < module->lefts.count; i++)
        if (module->lefts.at[i].stream == stream)
            return &module->lefts.at[i];
    if (module->lefts.count == LEFT_STREAMS_MOST)
        return &module->lefts.at[module->left_next++ % LEFT_STREAMS_MOST];
    LeftLaunch *left = vec_add(probe->arena, &module->lefts);
    *left = (LeftLaunch){0};
    return left;
}

static CudaEvent *spare_event(WatchedContext *context) {
    return context && context->spare_events.count
               ? context->spare_events.at[--context->spare_events.count]
               : NULL;
}

void left_add(Probe *probe, WatchedContext *context, WatchedModule *module, CudaStream *stream) {
    const DriverApi *driver = &probe->driver;
    if (!driver->event_query || !driver->event_create || !driver->event_record)
        return;
    LeftLaunch *left = place_of(probe, module, stream);
    left->stream = stream;
    if (!left->event)
        left->event = spare_event(context);
    CudaEvent *event = left->event;
    probe_unlock(probe);
    bool made = !event && driver->event_create(&event, 0) == 0;
    if (event)
        driver->event_record(event, stream);
    probe_lock(probe);
    if (made) {
        left = place_of(probe, module, stream); /* others may have added theirs */
        left->stream = stream;
        left->event = event;
    }
}

void lefts_forget(Probe *probe, WatchedContext *context, WatchedModule *module) {
    for (uint32_t i = 0; context && i < module->lefts.count; i++)
        if (module->lefts.at[i].event)
            *vec_add(probe->arena, &context->spare_events) = module->lefts.at[i].event;
    module->lefts.count = 0;
}

/* Without the lock. */
static bool is_running(const DriverApi *driver, CudaEvent *event) {
    enum { NOT_READY = 600, RELAXED = 2 };
    int mode = RELAXED; /* or it would end what another thread captures */
    if (driver->capture_mode)
        driver->capture_mode(&mode);
    bool runs = event && driver->event_query(event) == NOT_READY;
    if (driver->capture_mode)
        driver->capture_mode(&mode);
    return runs;
}

static bool ends_by(Probe *probe, const WatchedModule *module, uint32_t at, double until) {
    const struct timespec soon = {.tv_nsec = 100000};
    for (;;) {
        CudaEvent *event = at < module->lefts.count ? module->lefts.at[at].event : NULL;
        probe_unlock(probe);
        bool runs = is_running(&probe->driver, event), late = runs && clock_wall() > until;
        if (runs && !late)
            nanosleep(&soon, NULL);
        probe_lock(probe);
        if (!runs || late)
            return !runs;
    }
}

bool lefts_wait(Probe *probe, WatchedModule *module) {
    const double until = clock_wall() + (module->lasting ? 0 : LASTING_SECONDS);
    for (uint32_t i = 0; i < module->lefts.count; i++)
        if (!ends_by(probe, module, i, until)) {
            module->lasting = true;
            return false;
        }
    return true;
}

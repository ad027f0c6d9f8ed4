/* How long launches take that are left as they are: by events of the driver's around them, to about 5 us. */
#include "probe/inject/inject.h"

#include <stdlib.h>
#include <string.h>

enum { TIMED_MOST = 8 }; /* launches of a kernel: each is waited for */

typedef struct Timed {
    LaunchedKernel *kernel;
    SanLaunchData data;
    CudaEvent *begin, *end;
    bool left;
    struct Timed *before;
} Timed;

static _Thread_local Timed *timed;

static bool has_events(const DriverApi *driver) {
    return driver->event_create && driver->event_record && driver->event_elapsed &&
           driver->event_destroy;
}

/* Without the lock. */
static bool record_begin(const DriverApi *driver, Timed *one) {
    return driver->event_create(&one->begin, 0) == 0 && driver->event_create(&one->end, 0) == 0 &&
           driver->event_record(one->begin, one->data.stream) == 0;
}

bool timing_begins(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *data, bool left) {
    if (probe->settings.measure == MEASURE_OFF || !kernel->selected || kernel->module->patched ||
        kernel->timed >= TIMED_MOST || !has_events(&probe->driver) || !kernel->module->cubin)
        return false;
    Timed *one = calloc(1, sizeof *one);
    if (!one)
        out_of_memory();
    *one = (Timed){.kernel = kernel, .data = *data, .left = left, .before = timed};
    module_hash(kernel->module); /* while it is there */
    probe_unlock(probe);
    bool begun = record_begin(&probe->driver, one);
    probe_lock(probe);
    if (!begun) {
        free(one);
        return false;
    }
    kernel->timed++;
    timed = one;
    return true;
}

static void send_time(Probe *probe, const Timed *one, double seconds) {
    Output out = {0};
    ProbeTime time = {.module = module_hash(one->kernel->module),
                      .kernel = one->kernel->name,
                      .seconds = seconds,
                      .left = one->left};
    memcpy(time.grid, one->data.grid, sizeof time.grid);
    memcpy(time.block, one->data.block, sizeof time.block);
    probe_put_time(&out, &time);
    recorder_probe(probe->recorder, out.bytes, out.used);
    free(out.bytes);
}

/* Without the lock. Negative: it is not known. */
static double seconds_of(const Probe *probe, const Timed *one, SanStream *stream) {
    const DriverApi *driver = &probe->driver;
    float milliseconds = -1;
    if (driver->event_record(one->end, one->data.stream) != 0 || probe->san.wait(stream) != 0 ||
        driver->event_elapsed(&milliseconds, one->begin, one->end) != 0)
        milliseconds = -1;
    driver->event_destroy(one->begin);
    driver->event_destroy(one->end);
    return milliseconds * 1e-3;
}

void timing_ends(Probe *probe, const SanLaunchData *data) {
    Timed *one = timed;
    if (!one || one->data.function != data->function)
        return;
    timed = one->before;
    probe_unlock(probe);
    double seconds = seconds_of(probe, one, data->stream_handle);
    probe_lock(probe);
    if (seconds >= 0)
        send_time(probe, one, seconds);
    free(one);
}

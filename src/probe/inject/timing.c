/* How long launches take that are left as they are: by events of the driver's around their calls, to some us. */
#include "probe/inject/inject.h"

#include <stdlib.h>
#include <string.h>

/* Of this thread's call. */
static _Thread_local struct {
    bool runs;
    CudaStream *stream;
    CudaEvent *begin, *end;
    LaunchedKernel *kernel; /* NULL: it was not launched so far, or is not timed */
    SanLaunchData data;
    bool left;
} timed;

static bool has_events(const DriverApi *driver) {
    return driver->event_create && driver->event_record && driver->event_elapsed &&
           driver->event_destroy;
}

/* Without the lock. */
static bool record_begin(const DriverApi *driver) {
    if (driver->event_create(&timed.begin, 0) != 0)
        return false;
    bool begun = driver->event_create(&timed.end, 0) == 0;
    if (begun && driver->event_record(timed.begin, timed.stream) == 0)
        return true;
    driver->event_destroy(timed.begin);
    if (begun)
        driver->event_destroy(timed.end);
    return false;
}

void timing_begins(Probe *probe, CudaStream *stream) {
    if (probe->settings.measure == MEASURE_OFF || !has_events(&probe->driver) ||
        !recorder_active(probe->recorder))
        return;
    timed.stream = stream;
    timed.kernel = NULL;
    probe_unlock(probe);
    timed.runs = record_begin(&probe->driver);
    probe_lock(probe);
}

bool timing_is_of(LaunchedKernel *kernel, const SanLaunchData *data, bool left) {
    if (!timed.runs || timed.kernel || !kernel->selected || kernel->module->patched ||
        kernel->timed >= TIMED_MOST || !kernel->module->cubin)
        return false;
    module_hash(kernel->module); /* while it is there */
    kernel->timed++;
    timed.kernel = kernel;
    timed.data = *data;
    timed.left = left;
    return true;
}

static void send_time(Probe *probe, double seconds) {
    Output out = {0};
    ProbeTime time = {.module = module_hash(timed.kernel->module),
                      .kernel = timed.kernel->name,
                      .seconds = seconds,
                      .left = timed.left};
    memcpy(time.grid, timed.data.grid, sizeof time.grid);
    memcpy(time.block, timed.data.block, sizeof time.block);
    probe_put_time(&out, &time);
    recorder_probe(probe->recorder, out.bytes, out.used);
    free(out.bytes);
}

/* Without the lock. Negative: it is not known. */
static double seconds_of(const Probe *probe) {
    const DriverApi *driver = &probe->driver;
    float milliseconds = -1;
    if (driver->event_record(timed.end, timed.stream) != 0 ||
        probe->san.wait(timed.data.stream_handle) != 0 ||
        driver->event_elapsed(&milliseconds, timed.begin, timed.end) != 0)
        milliseconds = -1;
    return milliseconds * 1e-3;
}

void timing_ends(Probe *probe) {
    if (!timed.runs)
        return;
    timed.runs = false;
    probe_unlock(probe);
    double seconds = timed.kernel ? seconds_of(probe) : -1;
    probe->driver.event_destroy(timed.begin);
    probe->driver.event_destroy(timed.end);
    probe_lock(probe);
    if (seconds >= 0)
        send_time(probe, seconds);
}

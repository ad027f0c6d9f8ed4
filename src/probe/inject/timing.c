/* How long launches take that are left as they are: by events of the driver's around them, to about 5 us. */
#include "probe/inject/inject.h"

#include <stdlib.h>
#include <string.h>

enum { TIMED_MOST = 8 }; /* launches of a kernel: each is waited for */

typedef struct CudaEvent CudaEvent;
typedef struct EventApi {
    int (*create)(CudaEvent **event, unsigned flags);
    int (*record)(CudaEvent *event, CudaStream *stream);
    int (*elapsed)(float *milliseconds, CudaEvent *from, CudaEvent *to);
    int (*destroy)(CudaEvent *event);
} EventApi;

typedef struct Timed {
    LaunchedKernel *kernel;
    SanLaunchData data;
    CudaEvent *begin, *end;
    bool left;
    struct Timed *before;
} Timed;

static _Thread_local Timed *timed;

static bool open_events(EventApi *api) {
    *(void **)&api->create = driver_function("cuEventCreate");
    *(void **)&api->record = driver_function("cuEventRecord");
    *(void **)&api->elapsed = driver_function("cuEventElapsedTime");
    *(void **)&api->destroy = driver_function("cuEventDestroy_v2");
    return api->create && api->record && api->elapsed && api->destroy;
}

void timing_begins(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *data, bool left) {
    EventApi api;
    if (probe->settings.measure == MEASURE_OFF || !kernel->selected || kernel->module->patched ||
        kernel->timed >= TIMED_MOST || !open_events(&api))
        return;
    Timed *one = calloc(1, sizeof *one);
    if (!one)
        out_of_memory();
    *one = (Timed){.kernel = kernel, .data = *data, .left = left, .before = timed};
    if (api.create(&one->begin, 0) != 0 || api.create(&one->end, 0) != 0 ||
        api.record(one->begin, data->stream) != 0) {
        free(one);
        return;
    }
    kernel->timed++;
    timed = one;
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

void timing_ends(Probe *probe, const SanLaunchData *data) {
    Timed *one = timed;
    EventApi api;
    float milliseconds = 0;
    if (!one || one->data.function != data->function || !open_events(&api))
        return;
    timed = one->before;
    bool good = api.record(one->end, data->stream) == 0 &&
                !stream_wait(probe, data->stream_handle) &&
                api.elapsed(&milliseconds, one->begin, one->end) == 0;
    if (good)
        send_time(probe, one, milliseconds * 1e-3);
    api.destroy(one->begin);
    api.destroy(one->end);
    free(one);
}

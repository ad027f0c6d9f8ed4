/* Kernels that CUDA graphs launch. Where all other launches have a place to count in of their own, a graph's kernels have one for
 * each function: where a graph launches a function several times, their sums are of all together. */
#include "probe/inject/inject.h"

#include <stdlib.h>

/* Of the graph that this thread is launching, in their order. */
static _Thread_local Pending *nodes;
static _Thread_local bool uploading;

void graph_begins(Probe *probe, const SanGraphData *data) {
    (void)probe;
    uploading = data->upload != 0;
}

static Pending *node_find(const SanLaunchData *data) {
    Pending *one = nodes;
    while (one && (one->data.function != data->function || one->data.module != data->module))
        one = one->before;
    return one;
}

void graph_kernel_begins(Probe *probe, const SanNodeData *node) {
    const SanLaunchData *data = &node->data;
    WatchedModule *module = module_find(probe, data->module);
    probe->others = true;
    if (uploading)
        return;
    Pending *same = node_find(data);
    if (same) {
        same->together++;
        return;
    }
    Pending *one = pending_begin(probe, data);
    const void *memory = one && one->table ? one->table->memory : NULL;
    bool patched = module && module->patched;
    probe_unlock(probe);
    SanResult result = patched ? probe->san.set_function_data(data->function, memory) : 0;
    probe_lock(probe);
    if (result && memory)
        probe_message(probe, "a kernel of a CUDA graph is not counted: %s", one->kernel->name);
    Pending **end = &nodes;
    while (*end)
        end = &(*end)->before;
    *end = one;
}

void graph_ends(Probe *probe, const SanGraphData *data) {
    uploading = false;
    if (!nodes)
        return;
    const char *failed = stream_wait(probe, data->stream_handle);
    while (nodes) {
        Pending *one = nodes;
        nodes = one->before;
        probe_unlock(probe);
        if (one->table)
            probe->san.set_function_data(one->data.function, NULL);
        probe_lock(probe);
        pending_finish(probe, one, data->stream_handle, failed);
    }
}

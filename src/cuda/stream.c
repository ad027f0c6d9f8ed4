/* Streams. Since work is done when it is enqueued, a stream is an order that already holds, and a place
 * where captures begin and end. */
#include "cuda/objects.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_NON_BLOCKING = 1, EVENT_WAIT_EXTERNAL = 1 };
enum { CAPTURE_NONE, CAPTURE_ACTIVE };

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    Core *core = core_get();
    if (!stream || (flags & ~(unsigned)STREAM_NON_BLOCKING))
        return CUDA_ERROR_INVALID_VALUE;
    if (core_sticky())
        return core_sticky();
    CUcontext context = core_context();
    core_lock();
    CUstream made = core->spare_streams;
    if (made) {
        core->spare_streams = made->next;
    } else {
        made = NEW(core->arena, struct Stream);
        made->made = core->made_streams;
        core->made_streams = made;
    }
    *made = (struct Stream){.tag = TAG_STREAM,
                            .made = made->made,
                            .flags = flags,
                            .priority = priority,
                            .id = ++core->numbers,
                            .context = context};
    core_unlock();
    *stream = made;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
    Core *core = core_get();
    if (stream == STREAM_LEGACY || stream == STREAM_PER_THREAD)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!IS(stream, TAG_STREAM))
        return handle_error(stream);
    core_lock();
    stream->tag = TAG_NONE;
    stream->next = core->spare_streams;
    core->spare_streams = stream;
    core_unlock();
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream handle) {
    CUstream stream = stream_of(handle);
    if (!stream)
        return handle_error(handle);
    return stream->capture ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : core_sticky();
}

CUresult cuStreamQuery(CUstream handle) {
    return cuStreamSynchronize(handle);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    if (flags & ~(unsigned)EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(event, TAG_EVENT))
        return handle_error(event);
    Work work = {.kind = &work_wait, .event = event};
    return work_enqueue(stream, &work);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                             unsigned flags) {
    CUstream found = stream_of(stream);
    if (!callback || flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!found)
        return handle_error(stream);
    if (found->capture)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    callback(stream, core_sticky(), data);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream handle, unsigned *flags) {
    CUstream stream = stream_of(handle);
    if (!stream || !flags)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *flags = stream->flags;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream handle, int *priority) {
    CUstream stream = stream_of(handle);
    if (!stream || !priority)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *priority = stream->priority;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetId(CUstream handle, unsigned long long *id) {
    CUstream stream = stream_of(handle);
    if (!stream || !id)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *id = stream->id;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext *context) {
    CUstream stream = stream_of(handle);
    if (!stream || !context)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *context = stream->context;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetDevice(CUstream handle, CUdevice *device) {
    CUstream stream = stream_of(handle);
    if (!stream || !device)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *device = 0;
    return CUDA_SUCCESS;
}

static CUresult value_work(const WorkKind *kind, CUstream stream, CUdeviceptr address,
                           uint64_t value, uint32_t bytes, unsigned flags) {
    enum { FLAGS = 3 }; /* GEQ, EQ, AND, NOR; of writes: no barrier */
    AllocationRecord found;
    if (flags > FLAGS || address % bytes || !allocated_find(address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    Work work = {.kind = kind, .write = {address, value, bytes, flags}};
    return work_enqueue(stream, &work);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                 unsigned flags) {
    return value_work(&work_write, stream, address, value, 4, flags);
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                 unsigned flags) {
    return value_work(&work_write, stream, address, value, 8, flags);
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                unsigned flags) {
    return value_work(&work_await, stream, address, value, 4, flags);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                unsigned flags) {
    return value_work(&work_await, stream, address, value, 8, flags);
}

/* ---- capture ---- */

CUresult cuStreamBeginCaptureToGraph(CUstream handle, CUgraph graph,
                                     const CUgraphNode *dependencies, const void *edges,
                                     size_t count, int mode) {
    (void)dependencies; /* new nodes come behind all that the graph has */
    (void)edges;
    (void)count;
    enum { MODE_RELAXED = 2 }; /* the last one */
    CUstream stream = stream_of(handle);
    if (mode < 0 || mode > MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream || !IS(graph, TAG_GRAPH))
        return CUDA_ERROR_INVALID_HANDLE;
    if (handle == NULL || handle == STREAM_LEGACY)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    stream->capture = graph;
    stream->origin = true;
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
    CUgraph graph = graph_new();
    if (!graph)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = cuStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, mode);
    if (result)
        graph_drop(graph);
    return result;
}

/* The streams that joined by waiting for an event leave with the one where the capture began. */
static void leave(CUgraph graph) {
    Core *core = core_get();
    for (CUstream stream = core->made_streams; stream; stream = stream->made) {
        if (stream->capture == graph)
            stream->capture = NULL;
    }
    for (CUevent event = core->made_events; event; event = event->made) {
        if (event->capture == graph)
            event->capture = NULL;
    }
    core->streams[0].capture = core->streams[0].capture == graph ? NULL : core->streams[0].capture;
    core->streams[1].capture = core->streams[1].capture == graph ? NULL : core->streams[1].capture;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
    CUstream stream = stream_of(handle);
    if (!stream)
        return handle_error(handle);
    if (!stream->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (!graph)
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream->origin)
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    *graph = stream->capture;
    core_lock();
    leave(stream->capture);
    core_unlock();
    return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream handle, int *status) {
    CUstream stream = stream_of(handle);
    if (!stream || !status)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *status = stream->capture ? CAPTURE_ACTIVE : CAPTURE_NONE;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream handle, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, size_t *count) {
    CUresult result = cuStreamIsCapturing(handle, status);
    if (result || *status == CAPTURE_NONE)
        return result;
    CUgraph capture = stream_of(handle)->capture;
    size_t nodes = capture->nodes.count;
    if (id)
        *id = capture->id;
    if (graph)
        *graph = capture;
    if (dependencies)
        *dependencies = nodes ? &capture->nodes.at[nodes - 1] : NULL;
    if (count)
        *count = nodes ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, const void **edges,
                                   size_t *count) {
    if (edges)
        *edges = NULL;
    return cuStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}

/* Calls that a capture forbids in other threads are harmless here, in every mode. */
CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
    static __thread int current;
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    int before = current;
    current = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

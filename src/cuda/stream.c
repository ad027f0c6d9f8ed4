/* Streams. Since work is mostly done when it is enqueued (aside.c), a stream is an order that already holds, and a place
 * where captures begin and end. */
#include "cuda/stream.h"
#include "cuda/aside.h"
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/pool.h"
#include "cuda/precedence.h"
#include "cuda/state.h"
#include "cuda/work.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_NON_BLOCKING = 1, EVENT_WAIT_EXTERNAL = 1 };
enum { CAPTURE_NONE, CAPTURE_ACTIVE, CAPTURE_INVALIDATED };

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    Core *core = core_get();
    if (!stream || (flags & ~(unsigned)STREAM_NON_BLOCKING))
        return CUDA_ERROR_INVALID_VALUE;
    if (core_sticky())
        return core_sticky();
    priority = priority > PRIORITY_LEAST ? PRIORITY_LEAST : priority;
    priority = priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
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
    precedence_join(made);
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
    precedence_leave(stream);
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
    if (stream->capture) {
        stream->capture->spoilt = true;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    aside_stream_pends(stream, true);
    pools_settle();
    return core_sticky();
}

CUresult cuStreamQuery(CUstream handle) {
    CUstream stream = stream_of(handle);
    bool pends = stream && !stream->capture && aside_stream_pends(stream, false);
    return pends && !core_sticky() ? CUDA_ERROR_NOT_READY : cuStreamSynchronize(handle);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    if (flags & ~(unsigned)EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(event, TAG_EVENT))
        return handle_error(event);
    const struct Stream *on = stream_of(stream);
    if (flags && on && !on->capture) /* for nodes of graphs alone */
        return CUDA_ERROR_ILLEGAL_STATE;
    Work work = {.kind = &work_wait, .event = event};
    return work_enqueue(stream, &work);
}

typedef struct StreamCallback {
    CUstreamCallback function;
    CUstream stream;
    void *data;
} StreamCallback;

static void call_back(void *data) {
    const StreamCallback *callback = data;
    callback->function(callback->stream, core_sticky(), callback->data);
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
    const StreamCallback all = {callback, stream, data};
    Work work = {.kind = &work_host,
                 .host = {call_back, (void *)(uintptr_t)&all, sizeof all, true}};
    if (!core_sticky())
        return work_enqueue(stream, &work);
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
    *context = stream_context(handle);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetDevice(CUstream handle, CUdevice *device) {
    CUstream stream = stream_of(handle);
    if (!stream || !device)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *device = stream->context->device->ordinal;
    return CUDA_SUCCESS;
}

/* ---- capture ---- */

/* The stream's next node depends on these: its own ones and, or, these. */
static CUresult depend(CUstream stream, CUgraph graph, const CUgraphNode *nodes, size_t count) {
    if (count && !nodes)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (!IS(nodes[i], TAG_NODE) || nodes[i]->graph != graph)
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        *vec_add(graph->arena, &stream->before) = nodes[i];
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCaptureToGraph(CUstream handle, CUgraph graph,
                                     const CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                                     size_t count, int mode) {
    enum { MODE_RELAXED = 2 }; /* the last one */
    CUstream stream = stream_of(handle);
    if (mode < 0 || mode > MODE_RELAXED || !graph_edges_valid(edges, count))
        return CUDA_ERROR_INVALID_VALUE;
    if (!graph)
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream || !IS(graph, TAG_GRAPH))
        return CUDA_ERROR_INVALID_HANDLE;
    if (handle == NULL || handle == STREAM_LEGACY)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    stream->before = (NodeSet){0};
    CUresult wrong = depend(stream, graph, dependencies, count);
    if (wrong)
        return wrong;
    stream->capture = graph;
    stream->origin = true;
    stream->to_graph = true;
    return CUDA_SUCCESS;
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream handle, CUgraphNode *dependencies,
                                              const CUgraphEdgeData *edges, size_t count,
                                              unsigned flags) {
    enum { SET_DEPENDENCIES = 1 }; /* else they are added */
    CUstream stream = stream_of(handle);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags > SET_DEPENDENCIES || !graph_edges_valid(edges, count))
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    uint32_t before = stream->before.count;
    if (flags == SET_DEPENDENCIES)
        stream->before.count = 0;
    CUresult wrong = depend(stream, stream->capture, dependencies, count);
    if (wrong)
        stream->before.count = before;
    return wrong;
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count,
                                           unsigned flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, count, flags);
}

CUresult cuStreamBeginCapture(CUstream stream) {
    return cuStreamBeginCapture_v2(stream, 0);
}

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
    CUgraph graph = graph_new();
    if (!graph)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = cuStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, mode);
    if (result)
        graph_drop(graph);
    else
        stream_of(stream)->to_graph = false;
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
    for (uint32_t i = 0; i < core->device_count; i++)
        for (CUstream stream = core->devices[i].streams; stream < core->devices[i].streams + 2;
             stream++)
            stream->capture = stream->capture == graph ? NULL : stream->capture;
}

/* Marks the nodes that these depend on, and these. */
static void mark(CUgraph graph, const NodeSet *set, bool *marked) {
    for (uint32_t i = 0; i < set->count; i++)
        marked[set->at[i]->index] = true;
    for (uint32_t i = graph->nodes.count; i-- > 0;) /* captured nodes come behind what they need */
        for (uint32_t d = 0; marked[i] && d < graph->nodes.at[i]->before.count; d++)
            marked[graph->nodes.at[i]->before.at[d].from] = true;
}

/* Whether another stream has captured what the one where the capture began does not wait for. */
static bool is_unjoined(CUgraph graph, const struct Stream *origin) {
    bool *marked = NEW_ARRAY(graph->arena, bool, graph->nodes.count + 1);
    mark(graph, &origin->before, marked);
    for (CUstream stream = core_get()->made_streams; stream; stream = stream->made)
        for (uint32_t i = 0; stream->capture == graph && i < stream->before.count; i++)
            if (!marked[stream->before.at[i]->index])
                return true;
    return false;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
    CUstream stream = stream_of(handle);
    if (!stream)
        return handle_error(handle);
    if (!stream->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (!graph && !stream->to_graph) /* who gave the graph knows it */
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream->origin)
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    CUgraph captured = stream->capture;
    core_lock();
    bool unjoined = is_unjoined(captured, stream);
    leave(captured);
    core_unlock();
    if (graph)
        *graph = unjoined || captured->spoilt ? NULL : captured;
    if (captured->spoilt)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return unjoined ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED : CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream handle, int *status) {
    CUstream stream = stream_of(handle);
    if (!stream || !status)
        return stream ? CUDA_ERROR_INVALID_VALUE : handle_error(handle);
    *status = !stream->capture          ? CAPTURE_NONE
              : stream->capture->spoilt ? CAPTURE_INVALIDATED
                                        : CAPTURE_ACTIVE;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream handle, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, size_t *count) {
    CUresult result = cuStreamIsCapturing(handle, status);
    if (result || *status == CAPTURE_NONE)
        return result;
    CUstream stream = stream_of(handle);
    CUgraph capture = stream->capture;
    if (id)
        *id = capture->id;
    if (graph)
        *graph = capture;
    if (dependencies)
        *dependencies = stream->before.at;
    if (count)
        *count = stream->before.count;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo(CUstream stream, int *status, uint64_t *id) {
    return cuStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, const CUgraphEdgeData **edges,
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

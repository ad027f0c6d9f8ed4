/* Work of streams: done at once, mostly (aside.c), or recorded into the graph that the stream captures into. */
#include "cuda/work.h"
#include "cuda/aside.h"
#include "cuda/context.h"
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/state.h"
#include "cuda/stream.h"

static CUresult host_run(const Work *work) {
    work->host.function(work->host.data);
    return CUDA_SUCCESS;
}

static bool host_waits(const Work *work) {
    return work->host.of_program;
}

static CUresult nothing_run(const Work *work) {
    (void)work;
    return CUDA_SUCCESS;
}

const WorkKind work_host = {NODE_HOST, host_run, host_waits};
const WorkKind work_empty = {NODE_EMPTY, nothing_run, NULL};
const WorkKind work_wait = {NODE_WAIT_EVENT, nothing_run,
                            NULL}; /* what came before has been done */

CUstream stream_of(CUstream handle) {
    if (handle == NULL || handle == STREAM_LEGACY)
        return &device_current()->streams[0];
    if (handle == STREAM_PER_THREAD)
        return &device_current()->streams[1];
    return handle->tag == TAG_STREAM ? handle : NULL;
}

CUcontext stream_context(CUstream handle) {
    bool own = handle != NULL && handle != STREAM_LEGACY && handle != STREAM_PER_THREAD;
    return own ? handle->context : core_context();
}

/* The nodes of `more` that `set` has not, into it. */
static void set_join(Arena *arena, NodeSet *set, const NodeSet *more) {
    for (uint32_t i = 0; i < more->count; i++) {
        uint32_t at = 0;
        while (at < set->count && set->at[at] != more->at[i])
            at++;
        if (at == set->count)
            *vec_add(arena, set) = more->at[i];
    }
}

/* An event that was recorded in a capture takes the stream that waits for it into that capture; one
 * that a capturing stream records belongs to the capture from then on. */
static void follow_events(CUstream stream, const Work *work) {
    CUevent event = work->event;
    if (work->kind->node == NODE_WAIT_EVENT && event->capture &&
        (!stream->capture || stream->capture == event->capture)) {
        if (!stream->capture)
            stream->before = (NodeSet){0};
        stream->capture = event->capture;
        set_join(stream->capture->arena, &stream->before, &event->before);
    }
    if (work->kind->node == NODE_EVENT_RECORD) {
        event->capture = stream->capture;
        event->before = (NodeSet){0};
        if (stream->capture)
            set_join(stream->capture->arena, &event->before, &stream->before);
    }
}

CUresult work_enqueue(CUstream handle, const Work *work) {
    CUstream stream = stream_of(handle);
    if (!stream)
        return handle_error(handle);
    CUresult sticky = core_sticky();
    if (sticky)
        return sticky;
    bool is_event = work->kind->node == NODE_EVENT_RECORD || work->kind->node == NODE_WAIT_EVENT;
    if (is_event)
        follow_events(stream, work);
    if (!stream->capture)
        return aside_enqueue(stream, work);
    if (stream->capture->spoilt)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (is_event)
        return CUDA_SUCCESS; /* edges */
    CUgraph graph = stream->capture;
    core_lock();
    CUgraphNode node = graph_add(graph, stream->before.at, stream->before.count, work);
    if (node) {
        stream->before.count = 0;
        *vec_add(graph->arena, &stream->before) = node;
    }
    core_unlock();
    return node ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

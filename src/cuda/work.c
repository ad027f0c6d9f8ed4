/* Work of streams: run at once, or recorded into the graph that the stream captures into. */
#include "cuda/objects.h"

#include <string.h>
#include <time.h>

static CUresult write_run(const Work *work) {
    memcpy(memory_host(core_memory(), work->write.address), &work->write.value, work->write.bytes);
    return CUDA_SUCCESS;
}

static bool is_there(const Work *work) {
    enum { GEQ, EQ, AND, NOR };
    uint64_t now = 0, value = work->write.value;
    memcpy(&now, memory_host(core_memory(), work->write.address), work->write.bytes);
    int64_t ahead = (int64_t)(now - value);
    switch (work->write.flags & 3) {
    case GEQ: /* cyclic */
        return work->write.bytes == 8 ? ahead >= 0 : (int32_t)ahead >= 0;
    case EQ:
        return now == value;
    case AND:
        return (now & value) != 0;
    default:
        return work->write.bytes == 8 ? ~(now | value) != 0 : (uint32_t) ~(now | value) != 0;
    }
}

/* Another thread of the host may write it; what is enqueued later, never. */
static CUresult await_run(const Work *work) {
    static const struct timespec pause = {.tv_nsec = 100000};
    while (!is_there(work))
        nanosleep(&pause, NULL);
    return CUDA_SUCCESS;
}

static CUresult host_run(const Work *work) {
    work->host.function(work->host.data);
    return CUDA_SUCCESS;
}

static CUresult nothing_run(const Work *work) {
    (void)work;
    return CUDA_SUCCESS;
}

const WorkKind work_host = {NODE_HOST, host_run};
const WorkKind work_write = {NODE_BATCH_MEM_OP, write_run};
const WorkKind work_await = {NODE_BATCH_MEM_OP, await_run};
const WorkKind work_empty = {NODE_EMPTY, nothing_run};
const WorkKind work_wait = {NODE_WAIT_EVENT, nothing_run}; /* what came before has been done */

CUstream stream_of(CUstream handle) {
    Core *core = core_get();
    if (handle == NULL || handle == STREAM_LEGACY)
        return &core->streams[0];
    if (handle == STREAM_PER_THREAD)
        return &core->streams[1];
    return handle->tag == TAG_STREAM ? handle : NULL;
}

/* An event that was recorded in a capture takes the stream that waits for it into that capture; one
 * that a capturing stream records belongs to the capture from then on. */
static void follow_events(CUstream stream, const Work *work) {
    if (work->kind->node == NODE_WAIT_EVENT && !stream->capture && work->event->capture)
        stream->capture = work->event->capture;
    if (work->kind->node == NODE_EVENT_RECORD)
        work->event->capture = stream->capture;
}

CUresult work_enqueue(CUstream handle, const Work *work) {
    CUstream stream = stream_of(handle);
    if (!stream)
        return handle_error(handle);
    CUresult sticky = core_sticky();
    if (sticky)
        return sticky;
    follow_events(stream, work);
    if (!stream->capture)
        return work->kind->run(work);
    if (work->kind->node == NODE_EVENT_RECORD || work->kind->node == NODE_WAIT_EVENT)
        return CUDA_SUCCESS; /* edges, and the graph keeps the order of capture */
    CUgraph graph = stream->capture;
    core_lock();
    CUgraphNode last = graph->nodes.count ? graph->nodes.at[graph->nodes.count - 1] : NULL;
    CUgraphNode node = graph_add(graph, &last, last ? 1 : 0, work);
    core_unlock();
    return node ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

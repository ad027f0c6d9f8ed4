/* Events: points in host time, since what a GPU would take is not known. */
#include "cuda/aside.h"
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/pool.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/work.h"

enum { EVENT_RECORD_EXTERNAL = 1 };

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    Core *core = core_get();
    if (!event || (flags & ~(unsigned)EVENT_FLAGS) ||
        (flags & (EVENT_DISABLE_TIMING | EVENT_INTERPROCESS)) == EVENT_INTERPROCESS)
        return CUDA_ERROR_INVALID_VALUE;
    if (core_sticky())
        return core_sticky();
    CUcontext context = core_context();
    core_lock();
    CUevent made = core->spare_events;
    if (made) {
        core->spare_events = made->next;
    } else {
        made = NEW(core->arena, struct Event);
        made->made = core->made_events;
        core->made_events = made;
    }
    *made =
        (struct Event){.tag = TAG_EVENT, .flags = flags, .context = context, .made = made->made};
    core_unlock();
    *event = made;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
    Core *core = core_get();
    if (!IS(event, TAG_EVENT))
        return handle_error(event);
    core_lock();
    sanitize_reached_free(event->reached);
    event->tag = TAG_NONE;
    event->next = core->spare_events;
    core->spare_events = event;
    core_unlock();
    return CUDA_SUCCESS;
}

static CUresult record_run(const Work *work) {
    if (!IS(work->event, TAG_EVENT)) /* destroyed since */
        return CUDA_SUCCESS;
    work->event->recorded = true;
    work->event->seconds = clock_wall();
    return CUDA_SUCCESS;
}
const WorkKind work_record = {NODE_EVENT_RECORD, record_run, NULL};

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
    if (flags & ~(unsigned)EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(event, TAG_EVENT))
        return handle_error(event);
    const struct Stream *on = stream_of(stream);
    if (flags && on && !on->capture) /* for nodes of graphs alone */
        return CUDA_ERROR_ILLEGAL_STATE;
    if (on && on->context->device != event->context->device)
        return CUDA_ERROR_INVALID_HANDLE;
    Work work = {.kind = &work_record, .event = event};
    return work_enqueue(stream, &work);
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    return cuEventRecordWithFlags(event, stream, 0);
}

/* An event that was never recorded counts as one that has happened. */
CUresult cuEventQuery(CUevent event) {
    if (!IS(event, TAG_EVENT))
        return handle_error(event);
    if (!event->capture)
        return core_sticky()                     ? core_sticky()
               : aside_event_pends(event, false) ? CUDA_ERROR_NOT_READY
                                                 : CUDA_SUCCESS;
    event->capture->spoilt = true;
    return CUDA_ERROR_CAPTURED_EVENT;
}

CUresult cuEventSynchronize(CUevent event) {
    if (IS(event, TAG_EVENT) && !event->capture)
        aside_event_pends(event, true);
    pools_settle();
    return cuEventQuery(event);
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
    if (!milliseconds || !IS(start, TAG_EVENT) || !IS(end, TAG_EVENT) || !start->recorded ||
        !end->recorded || start->context->device != end->context->device ||
        ((start->flags | end->flags) & EVENT_DISABLE_TIMING))
        return CUDA_ERROR_INVALID_HANDLE;
    if (aside_event_pends(start, false) || aside_event_pends(end, false))
        return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)((end->seconds - start->seconds) * 1e3);
    return core_sticky();
}

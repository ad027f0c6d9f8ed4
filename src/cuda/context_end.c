/* Contexts that end: memory, modules, streams and events go with them, and what a kernel's fault left
 * behind. */
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/state.h"

/* Their handles stay, and are told from those that the program destroyed. */
static void lose_handles(CUcontext context) {
    Core *core = core_get();
    core_lock();
    for (CUstream stream = core->made_streams; stream; stream = stream->made)
        if (stream->tag == TAG_STREAM && stream->context == context)
            stream->tag = TAG_LOST_STREAM;
    for (CUevent event = core->made_events; event; event = event->made)
        if (event->tag == TAG_EVENT && event->context == context)
            event->tag = TAG_LOST;
    core_unlock();
}

static void leave(CUcontext context) {
    asides_settle(context->device);
    libraries_leave(context);
    lose_handles(context);
    allocations_release(context);
    core_get()->sticky = CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
    Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    CUcontext primary = &of->primary;
    leave(primary);
    memory_drop_heap(core_memory());
    context_init(primary, of, core_settings()->gpu, 0, primary->id);
    return CUDA_SUCCESS;
}

/* The object stays, without its tag, so that calls that still name it are refused. */
CUresult cuCtxDestroy_v2(CUcontext context) {
    CUcontext current;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(context, TAG_CONTEXT) || context->primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    cuCtxGetCurrent(&current);
    if (current == context)
        cuCtxPopCurrent_v2(NULL);
    leave(context);
    context->tag = TAG_NONE;
    return CUDA_SUCCESS;
}

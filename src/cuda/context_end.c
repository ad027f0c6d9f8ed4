/* Contexts that end: memory and modules go with them, and what a kernel's fault left behind. */
#include "cuda/objects.h"

static void leave(CUcontext context) {
    libraries_unload(context);
    allocations_release(context);
    core_get()->sticky = CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
    if (!core_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    CUcontext primary = &core_get()->primary;
    leave(primary);
    memory_drop_heap(core_memory());
    context_init(primary, 0, primary->id);
    return CUDA_SUCCESS;
}

/* The object stays, without its tag, so that calls that still name it are refused. */
CUresult cuCtxDestroy_v2(CUcontext context) {
    CUcontext current;
    if (!IS(context, TAG_CONTEXT) || context->primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    cuCtxGetCurrent(&current);
    if (current == context)
        cuCtxPopCurrent_v2(NULL);
    leave(context);
    context->tag = TAG_NONE;
    return CUDA_SUCCESS;
}

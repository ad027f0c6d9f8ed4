/* Green contexts: a share of the device's SMs with streams of their own. Work takes all SMs here, one kernel
 * after the other, so a share is what a program is told, and its context is one like others. */
#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/state.h"
#include "cuda/stream.h"

#include <stdlib.h>
#include <string.h>

enum { RESOURCE_SM = 1, GREEN_DEFAULT_STREAM = 1 };

struct GreenContext {
    uint32_t tag;
    struct Context context;
    CUdevResource share;
};

/* What cuDevResourceGenerateDesc gives. */
struct ResourceDescriptor {
    uint32_t tag;
    CUdevResource share;
};

/* SMs go in groups that share a part of the chip: by eight since compute capability 9.0, by two before. */
static unsigned group_of(const Gpu *gpu) {
    return gpu->major >= 9 ? 8 : 2;
}

static CUdevResource resource_of(unsigned sms) {
    unsigned group = group_of(core_settings()->gpu);
    return (CUdevResource){.type = RESOURCE_SM, .sm = {sms, group, group}};
}

/* A part cannot be split before it is a context's. */
static CUdevResource part_of(unsigned sms) {
    return (CUdevResource){.type = sms ? RESOURCE_SM : 0, .sm = {.smCount = sms}};
}

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, int type) {
    if (!resource)
        return CUDA_ERROR_INVALID_VALUE;
    if (!device_of(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (type != RESOURCE_SM)
        return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    *resource = resource_of(core_settings()->gpu->sms);
    return CUDA_SUCCESS;
}

CUresult cuDevSmResourceSplitByCount(CUdevResource *result, unsigned *groups,
                                     const CUdevResource *input, CUdevResource *remaining,
                                     unsigned flags, unsigned least) {
    enum { IGNORE_COSCHEDULING = 1, MAX_POTENTIAL_CLUSTER_SIZE = 2 };
    if (!groups || !input || flags > (IGNORE_COSCHEDULING | MAX_POTENTIAL_CLUSTER_SIZE))
        return CUDA_ERROR_INVALID_VALUE;
    if (input->type != RESOURCE_SM)
        return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    if (least > input->sm.smCount) {
        *groups = 0;
        return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    }
    unsigned step = flags & IGNORE_COSCHEDULING ? 2 : group_of(core_settings()->gpu);
    unsigned sms = least > step ? (least + step - 1) / step * step : step;
    unsigned most = input->sm.smCount / sms;
    *groups = sms > input->sm.smCount ? 0 : *groups;
    if (sms > input->sm.smCount)
        return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    if (result && *groups < most)
        most = *groups;
    for (unsigned i = 0; result && i < most; i++)
        result[i] = part_of(sms);
    if (remaining)
        *remaining = part_of(input->sm.smCount - most * sms);
    *groups = most;
    return CUDA_SUCCESS;
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *descriptor, CUdevResource *resources,
                                   unsigned count) {
    if (!descriptor || !resources || count == 0)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned sms = 0;
    for (unsigned i = 0; i < count; i++) {
        if (resources[i].type != RESOURCE_SM)
            return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        sms += resources[i].sm.smCount;
    }
    CUdevResourceDesc made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *made = (struct ResourceDescriptor){TAG_RESOURCE, resource_of(sms)};
    *descriptor = made;
    return CUDA_SUCCESS;
}

CUresult cuGreenCtxCreate(CUgreenCtx *green, CUdevResourceDesc descriptor, CUdevice device,
                          unsigned flags) {
    Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!green || (descriptor && descriptor->tag != TAG_RESOURCE) || flags != GREEN_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    CUgreenCtx made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->tag = TAG_GREEN;
    made->share = descriptor ? descriptor->share : resource_of(core_settings()->gpu->sms);
    context_init(&made->context, of, core_settings()->gpu, 0, core_number());
    made->context.green = made;
    *green = made;
    return CUDA_SUCCESS;
}

CUresult cuGreenCtxDestroy(CUgreenCtx green) {
    if (!IS(green, TAG_GREEN))
        return CUDA_ERROR_INVALID_CONTEXT;
    green->tag = TAG_NONE; /* streams may still name it */
    green->context.tag = TAG_NONE;
    return CUDA_SUCCESS;
}

CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green) {
    if (!context || !IS(green, TAG_GREEN))
        return context ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *context = &green->context;
    return CUDA_SUCCESS;
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx green, CUdevResource *resource, int type) {
    if (!IS(green, TAG_GREEN))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!resource || type != RESOURCE_SM)
        return resource ? CUDA_ERROR_INVALID_RESOURCE_TYPE : CUDA_ERROR_INVALID_VALUE;
    *resource = green->share;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *resource, int type) {
    if (!IS(context, TAG_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    return context->green ? cuGreenCtxGetDevResource(context->green, resource, type)
                          : cuDeviceGetDevResource(0, resource, type);
}

CUresult cuGreenCtxGetId(CUgreenCtx green, unsigned long long *id) {
    if (!id || !IS(green, TAG_GREEN))
        return id ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *id = green->context.id;
    return CUDA_SUCCESS;
}

/* ---- its streams ---- */

CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx green, unsigned flags, int priority) {
    enum { NON_BLOCKING = 1 };
    if (!IS(green, TAG_GREEN))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (flags != NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = cuStreamCreateWithPriority(stream, flags, priority);
    if (!result)
        (*stream)->context = &green->context;
    return result;
}

CUresult cuStreamGetGreenCtx(CUstream handle, CUgreenCtx *green) {
    CUstream stream = stream_of(handle);
    if (!stream || !green)
        return stream ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    *green = stream->context->green;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green) {
    CUgreenCtx found = NULL;
    CUresult result = cuStreamGetCtx(stream, context);
    if (!result)
        result = cuStreamGetGreenCtx(stream, &found);
    if (!result && green)
        *green = found;
    return result;
}

/* ---- events of all streams of a context: what was put into them is done ---- */

CUresult cuCtxRecordEvent(CUcontext context, CUevent event) {
    return IS(context, TAG_CONTEXT) ? cuEventRecord(event, NULL) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxWaitEvent(CUcontext context, CUevent event) {
    return IS(context, TAG_CONTEXT) ? cuStreamWaitEvent(NULL, event, 0)
                                    : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx green, CUevent event) {
    return IS(green, TAG_GREEN) ? cuEventRecord(event, NULL) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx green, CUevent event) {
    return IS(green, TAG_GREEN) ? cuStreamWaitEvent(NULL, event, 0) : CUDA_ERROR_INVALID_CONTEXT;
}

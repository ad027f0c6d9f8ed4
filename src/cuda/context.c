/* Contexts: which device, a set of flags and limits, whose memory its kernels may access, a place on a
 * thread's stack, and what goes when it goes. */
#include "cuda/context.h"
#include "cuda/aside.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/pool.h"
#include "cuda/state.h"
#include "cuda/stream.h"

#include <stdlib.h>
#include <string.h>

enum { STACK_MOST = 64 };
typedef struct ContextStack {
    CUcontext at[STACK_MOST];
    uint32_t count;
} ContextStack;

static __thread ContextStack stack; /* of the calling thread */

enum { API_VERSION = 3020 };
#define SCHEDULE_FLAGS 0xffu

CUcontext core_context(void) {
    if (stack.count == 0) {
        stack.at[0] = &core_get()->devices[0].primary;
        stack.count = 1;
    }
    return stack.at[stack.count - 1];
}

Device *device_current(void) {
    return core_context()->device;
}

bool context_valid(CUcontext context) {
    return !context || context->tag == TAG_CONTEXT;
}

static CUcontext top(void) {
    return stack.count ? stack.at[stack.count - 1] : NULL;
}

/* ---- the primary context ---- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    of->primary.references++;
    core_unlock();
    *context = &of->primary;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    CUcontext primary = &of->primary;
    core_lock();
    bool retained = primary->references > 0;
    primary->references -= retained;
    core_unlock();
    return retained ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* At most one way to wait; to map memory of the host, as all contexts do; and what has no meaning here. */
static bool flags_valid(unsigned flags) {
    enum { SCHEDULES = 7 };
    const unsigned schedule = flags & SCHEDULES;
    return !(flags & ~SCHEDULE_FLAGS) && !(schedule & (schedule - 1));
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
    Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    of->primary.flags = flags & SCHEDULE_FLAGS;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    const Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = of->primary.flags;
    *active = of->primary.references > 0;
    return CUDA_SUCCESS;
}

/* ---- contexts of the program ---- */

static CUresult push(CUcontext context) {
    if (stack.count == STACK_MOST)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack.at[stack.count++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
    const unsigned CONTEXT_FLAGS =
        0xff; /* schedules, mapped memory, core dumps, synchronous copies */
    Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!context || (flags & ~CONTEXT_FLAGS))
        return CUDA_ERROR_INVALID_VALUE;
    CUcontext made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    context_init(made, of, core_settings()->gpu, flags, core_number());
    *context = made;
    return push(made);
}

CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int count, unsigned flags,
                        CUdevice device) {
    (void)affinity;
    (void)count;
    return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, void *params, unsigned flags, CUdevice device) {
    (void)params;
    return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags) {
    if (flags || !context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = core_context();
    return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext context) {
    return IS(context, TAG_CONTEXT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* ---- the thread's stack ---- */

CUresult cuCtxPushCurrent_v2(CUcontext context) {
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    return IS(context, TAG_CONTEXT) ? push(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
    if (stack.count == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.count--;
    if (context)
        *context = stack.at[stack.count];
    return CUDA_SUCCESS;
}

/* Replaces the top of the stack; NULL takes it off. */
CUresult cuCtxSetCurrent(CUcontext context) {
    if (!context_valid(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!context) {
        stack.count -= stack.count > 0;
        return CUDA_SUCCESS;
    }
    if (stack.count == 0)
        return push(context);
    stack.at[stack.count - 1] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = top();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = top() ? top()->device->ordinal : 0;
    return top() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
    if (!device || !context_valid(context))
        return CUDA_ERROR_INVALID_VALUE;
    *device = (context ? context : core_context())->device->ordinal;
    return CUDA_SUCCESS;
}

/* ---- settings of the current context ---- */

CUresult cuCtxGetFlags(unsigned *flags) {
    enum { MAP_HOST = 8 }; /* of primary contexts, also where nobody asked for it */
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    const CUcontext context = core_context();
    *flags = context->flags | (context->primary ? MAP_HOST : 0);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags) {
    if (!flags_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    core_context()->flags = flags & SCHEDULE_FLAGS;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    if (!id || !context_valid(context))
        return CUDA_ERROR_INVALID_VALUE;
    *id = (context ? context : core_context())->id;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
    if (!top())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (core_get()->asides.count || core_get()->precedence.on)
        asides_settle(device_current());
    pools_settle();
    return core_sticky();
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
    return context_valid(context) ? cuCtxSynchronize() : CUDA_ERROR_INVALID_CONTEXT;
}

/* Local memory of a thread is 512 KB at most (CUDA C++ Programming Guide, compute capabilities); the
 * heap cannot change any more when a kernel has used it. */
static bool limit_fits(int limit, size_t value) {
    return limit == LIMIT_STACK  ? value <= LOCAL_BYTES_MOST
           : limit == LIMIT_HEAP ? !memory_has_heap(core_memory())
                                 : true;
}

/* From compute capability 9.0 on the runtime on the device does not synchronise; the last one is of graphics. */
static CUresult limit_check(int limit) {
    enum { GRAPHICS = LIMITS - 1 };
    if (limit < 0 || limit >= LIMITS)
        return CUDA_ERROR_INVALID_VALUE;
    bool depth = limit == LIMIT_DEPTH && core_settings()->gpu->major >= 9;
    return depth || limit == GRAPHICS ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(int limit, size_t value) {
    enum { STACK_UNIT = 16 }; /* measured on an H200 */
    CUresult wrong = limit_check(limit);
    if (wrong || !limit_fits(limit, value))
        return wrong ? wrong : CUDA_ERROR_INVALID_VALUE;
    core_context()->limits[limit] =
        limit == LIMIT_STACK ? (value + STACK_UNIT - 1) & ~(size_t)(STACK_UNIT - 1) : value;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, int limit) {
    CUresult wrong = value ? limit_check(limit) : CUDA_ERROR_INVALID_VALUE;
    if (wrong)
        return wrong;
    *value = core_context()->limits[limit];
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(int *config) {
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = core_context()->cache_config;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(int config) {
    if (!cache_config_valid(config))
        return CUDA_ERROR_INVALID_VALUE;
    core_context()->cache_config = config;
    return CUDA_SUCCESS;
}

/* Banks have a fixed width since Maxwell: asking for another one changes nothing. */
CUresult cuCtxGetSharedMemConfig(int *config) {
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = 1; /* CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE */
    return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(int config) {
    return config < 0 || config > 2 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
    if (!version || !context_valid(context))
        return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *version = API_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = PRIORITY_LEAST;
    if (greatest)
        *greatest = PRIORITY_GREATEST;
    return CUDA_SUCCESS;
}

/* A context has all of its device's SMs. */
CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity, int type) {
    enum { AFFINITY_SM_COUNT };
    if (!affinity)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != AFFINITY_SM_COUNT)
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    *affinity = (CUexecAffinityParam){AFFINITY_SM_COUNT, core_settings()->gpu->sms};
    return CUDA_SUCCESS;
}

/* The CUDA device runtime: what kernels call to launch others, their streams, events and errors
 * (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"; cuda_device_runtime_api.h), and which function
 * a call is. A call of a warp is one call for each of its lanes, in their order; child.c keeps what is
 * asked for. */
#include "exec/calls/device_calls.h"
#include "exec/calls/calls.h"
#include "exec/run/worker.h"

#include <string.h>

/* ---- the last error of a thread ---- */

static uint8_t *last_errors(const Caller *caller) {
    Cta *cta = caller->warp->cta;
    uint32_t threads = cta->warp_count * WARP_LANES;
    if (!cta->errors)
        cta->errors = NEW_ARRAY(cta->worker->arena, uint8_t, threads);
    if (!cta->has_errors)
        memset(cta->errors, 0, threads);
    cta->has_errors = true;
    return cta->errors + caller->warp->number * WARP_LANES + caller->lane;
}

static const struct {
    uint32_t code;
    const char *name, *text;
} errors[] = {
#define ERROR(code, name, text) {code, name, text},
#include "exec/calls/device_errors.def"
#undef ERROR
};

/* It is kept by its place in the table. */
static void keep_error(const Caller *caller, uint64_t code) {
    for (uint32_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            *last_errors(caller) = (uint8_t)i;
}

static uint64_t look_at_last_error(Caller *caller) {
    return caller->warp->cta->has_errors ? errors[*last_errors(caller)].code : SUCCESS;
}

static uint64_t take_last_error(Caller *caller) {
    uint64_t error = look_at_last_error(caller);
    if (error)
        *last_errors(caller) = 0;
    return error;
}

static uint64_t text_of(const Caller *caller, bool name) {
    uint32_t code = caller_argument32(caller, 0);
    for (uint32_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return child_text(caller->children, name ? errors[i].name : errors[i].text);
    return child_text(caller->children, "unrecognized error code");
}

static uint64_t error_text(Caller *caller) {
    return text_of(caller, false);
}

static uint64_t error_name(Caller *caller) {
    return text_of(caller, true);
}

/* ---- launches ---- */

static bool is_sized(const Child *child) {
    static const uint32_t grid_most[3] = {2147483647, 65535, 65535};
    static const uint32_t block_most[3] = {1024, 1024, 64};
    for (uint32_t i = 0; i < 3; i++)
        if (child->grid[i] == 0 || child->grid[i] > grid_most[i] || child->block[i] == 0 ||
            child->block[i] > block_most[i])
            return false;
    return true;
}

/* As a launch by the host is checked. */
static bool fits(const Caller *caller, const Child *child) {
    const DeviceHost *host = children_host(caller->children);
    const Gpu *gpu = caller->warp->worker->run->gpu;
    KernelFacts facts = {.max_threads = 1024,
                         .max_dynamic_shared = (int)gpu->shared_per_block_optin};
    if (!is_sized(child) ||
        (host && host->facts && host->facts(host->context, child->kernel, &facts)))
        return false;
    uint64_t threads = (uint64_t)child->block[0] * child->block[1] * child->block[2];
    return threads <= (uint64_t)facts.max_threads &&
           child->dynamic_shared <= (uint64_t)facts.max_dynamic_shared;
}

static uint64_t configure(const Caller *caller, Child *child, uint32_t first) {
    call_argument_bytes(caller->warp, caller->call, first, caller->lane, child->grid,
                        sizeof child->grid);
    call_argument_bytes(caller->warp, caller->call, first + 1, caller->lane, child->block,
                        sizeof child->block);
    child->dynamic_shared = caller_argument32(caller, first + 2);
    return fits(caller, child) ? SUCCESS : INVALID_CONFIGURATION;
}

static void sign(const Caller *caller, Child *child) {
    const Cta *cta = caller->warp->cta;
    const uint32_t *block = caller->warp->worker->launch->block;
    uint32_t thread = caller->warp->number * WARP_LANES + caller->lane;
    child->by = caller->warp->worker->run->kernel;
    child->insn = caller->code->insn;
    memcpy(child->by_block, cta->index, sizeof child->by_block);
    child->by_thread[0] = thread % block[0];
    child->by_thread[1] = thread / block[0] % block[1];
    child->by_thread[2] = thread / block[0] / block[1];
}

/* void *GetParameterBuffer(size_t alignment, size_t size) */
static uint64_t get_buffer(Caller *caller) {
    enum { PARAMS_MOST = 1 << 16 };
    uint64_t bytes = caller_argument(caller, 1);
    ChildWork *work = bytes > PARAMS_MOST ? NULL : child_open(caller->children, (uint32_t)bytes);
    return work ? work->buffer : 0;
}

/* void *GetParameterBufferV2(void *kernel, dim3 grid, dim3 block, unsigned dynamic_shared): what cannot
 * be launched has no buffer, and the program does not ask for the launch then. */
static uint64_t get_configured_buffer(Caller *caller) {
    const Function *kernel = caller_kernel_at(caller, caller_argument(caller, 0));
    Child child = {.kernel = kernel ? kernel->name : NULL};
    uint64_t error = kernel ? configure(caller, &child, 1) : INVALID_FUNCTION;
    ChildWork *work = error ? NULL : child_open(caller->children, kernel->param_bytes);
    if (work)
        work->child = child;
    else
        keep_error(caller, error ? error : OUT_OF_MEMORY);
    return work ? work->buffer : 0;
}

static uint64_t launch(Caller *caller, ChildWork *work, uint64_t stream) {
    work->tail = stream == STREAM_TAIL;
    sign(caller, &work->child);
    return child_add(caller->children, caller->warp->cta, work);
}

/* LaunchDevice(kernel, buffer, dim3 grid, dim3 block, unsigned dynamic_shared, stream) */
static uint64_t launch_configured(Caller *caller) {
    const Function *kernel = caller_kernel_at(caller, caller_argument(caller, 0));
    uint64_t stream = caller_argument(caller, 5);
    ChildWork *opened = child_close(caller->children, caller_argument(caller, 1));
    uint64_t error = !opened                              ? INVALID_VALUE
                     : !kernel                            ? INVALID_FUNCTION
                     : !caller_has_stream(caller, stream) ? INVALID_HANDLE
                                                          : SUCCESS;
    if (error) {
        child_discard(opened);
        return error;
    }
    ChildWork *work = child_work(CHILD_KERNEL, kernel->param_bytes);
    uint32_t given = opened->param_bytes;
    memcpy(work->params, opened->params, given < work->param_bytes ? given : work->param_bytes);
    child_discard(opened);
    work->child.kernel = kernel->name;
    if (configure(caller, &work->child, 2)) {
        child_discard(work);
        return INVALID_CONFIGURATION;
    }
    return launch(caller, work, stream);
}

/* LaunchDeviceV2(void *buffer, stream) */
static uint64_t launch_buffer(Caller *caller) {
    uint64_t stream = caller_argument(caller, 1);
    ChildWork *work = child_close(caller->children, caller_argument(caller, 0));
    if (work && work->child.kernel && caller_has_stream(caller, stream))
        return launch(caller, work, stream);
    uint64_t error = work ? INVALID_HANDLE : INVALID_VALUE;
    child_discard(work);
    return error;
}

/* ---- streams and events ---- */

/* wanted: the only flags that there are. */
static uint64_t create_handle(Caller *caller, uint32_t wanted, uint8_t kind) {
    uint64_t handle = 0;
    if (caller_argument32(caller, 1) == wanted)
        handle = child_handle(caller->children, kind);
    return handle ? caller_answer(caller, 0, &handle, sizeof handle) : INVALID_VALUE;
}

static uint64_t destroy_handle(Caller *caller, uint8_t kind) {
    return child_drop_handle(caller->children, caller_argument(caller, 0), kind) ? SUCCESS
                                                                                 : INVALID_HANDLE;
}

static uint64_t create_stream(Caller *caller) {
    return create_handle(caller, STREAM_NON_BLOCKING, HANDLE_STREAM);
}

static uint64_t destroy_stream(Caller *caller) {
    return destroy_handle(caller, HANDLE_STREAM);
}

static uint64_t create_event(Caller *caller) {
    return create_handle(caller, EVENT_DISABLE_TIMING, HANDLE_EVENT);
}

static uint64_t destroy_event(Caller *caller) {
    return destroy_handle(caller, HANDLE_EVENT);
}

static uint64_t order_by(const Caller *caller, uint64_t stream, uint64_t event) {
    return caller_has_stream(caller, stream) &&
                   child_has_handle(caller->children, event, HANDLE_EVENT)
               ? SUCCESS
               : INVALID_HANDLE;
}

/* StreamWaitEvent(stream, event, flags): a block's requests are done in their order. */
static uint64_t wait_event(Caller *caller) {
    return order_by(caller, caller_argument(caller, 0), caller_argument(caller, 1));
}

/* EventRecord(event, stream) */
static uint64_t record_event(Caller *caller) {
    return order_by(caller, caller_argument(caller, 1), caller_argument(caller, 0));
}

/* ---- which call it is ---- */

static const DeviceCall calls[] = {
#define CALL(name, function, result) {PREFIX #name, function, RESULT_##result},
#include "exec/calls/device_calls.def"
#undef CALL
};

static bool is_named(const char *name, const char *wanted) {
    size_t length = strlen(wanted);
    return strncmp(name, wanted, length) == 0 &&
           (name[length] == 0 || strcmp(name + length, "_ptsz") == 0);
}

const char *device_call_name(uint32_t index) {
    return index < sizeof calls / sizeof *calls ? calls[index].name : NULL;
}

const DeviceCall *device_call_named(const char *name) {
    for (uint32_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (is_named(name, calls[i].name))
            return &calls[i];
    return NULL;
}

Step exec_device_call(Warp *warp, const Code *code, uint32_t mask) {
    const Call *call = code->more;
    Caller caller = {warp, code, call, warp->worker->launch->children, 0, false};
    if (!caller.children)
        return warp_fault(warp, code, FAULT_UNSUPPORTED, (uint32_t)__builtin_ctz(mask), 0,
                          "cuda%s: kernels cannot be launched from this one here",
                          call->device->name + strlen(PREFIX));
    for_lanes(lane, mask) {
        caller.lane = lane;
        uint64_t result = call->device->function(&caller);
        if (caller.faulted)
            return STEP_FAULT;
        if (call->device->result == RESULT_ERROR && result)
            keep_error(&caller, result);
        call_set_result(warp, call, lane, result);
    }
    return STEP_NEXT;
}

/* The CUDA device runtime: what kernels call to launch others, and to copy, allocate and ask
 * (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"; cuda_device_runtime_api.h). A call of a warp
 * is one call for each of its lanes, in their order; child.c keeps what is asked for. */
#include "exec/child.h"

#include <string.h>

/* Of cudaError_t, driver_types.h. */
enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_CONFIGURATION = 9,
    INVALID_FUNCTION = 98,
    INVALID_DEVICE = 101,
    INVALID_HANDLE = 400,
    NOT_SUPPORTED = 801
};
enum { STREAM_NULL = 0, STREAM_PER_THREAD = 2, STREAM_TAIL = 3, STREAM_FORGET = 4 };
enum { STREAM_NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2, RUNTIME_VERSION = 13000 };

/* One lane that calls. */
typedef struct Caller {
    Warp *warp;
    const Code *code;
    const Call *call;
    Children *children;
    uint32_t lane;
    bool faulted; /* and the worker has the fault */
} Caller;

typedef uint64_t (*CallFunction)(Caller *caller);
#define PREFIX "__cudaCDP2"
struct DeviceCall {
    const char *name; /* with PREFIX; for people it is cudaNAME */
    CallFunction function;
    enum { RESULT_ERROR, RESULT_VALUE } result;
};

static uint64_t argument(const Caller *caller, uint32_t index) {
    return call_argument(caller->warp, caller->call, index, caller->lane);
}

static uint32_t argument32(const Caller *caller, uint32_t index) {
    return (uint32_t)argument(caller, index);
}

static uint64_t fault(Caller *caller, uint64_t address, const char *what) {
    warp_fault(caller->warp, caller->code, address ? FAULT_OUT_OF_BOUNDS : FAULT_NULL, caller->lane,
               address, "cuda%s: %s at 0x%llx", caller->call->device->name + strlen(PREFIX), what,
               (unsigned long long)address);
    caller->faulted = true;
    return SUCCESS;
}

/* Writes what the index-th argument points to. */
static uint64_t answer(Caller *caller, uint32_t index, const void *value, uint32_t bytes) {
    uint64_t room = 0, address = argument(caller, index);
    uint8_t *at = lane_memory(caller->warp, caller->lane, address, &room);
    if (!address)
        return INVALID_VALUE;
    if (!at || room < bytes)
        return fault(caller, address, "there is no memory for the answer");
    memcpy(at, value, bytes);
    return SUCCESS;
}

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
#include "exec/device_errors.def"
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
    uint32_t code = argument32(caller, 0);
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

/* The kernel of the module whose address it is; NULL: none. */
static const Function *kernel_at(const Caller *caller, uint64_t address) {
    const Module *module = caller->warp->worker->program->function->module;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const Function *function = module->functions.at[i];
        if (function->is_entry && function_address(function) == address)
            return function;
    }
    return NULL;
}

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
    child->dynamic_shared = argument32(caller, first + 2);
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
    uint64_t bytes = argument(caller, 1);
    ChildWork *work = bytes > PARAMS_MOST ? NULL : child_open(caller->children, (uint32_t)bytes);
    return work ? work->buffer : 0;
}

/* void *GetParameterBufferV2(void *kernel, dim3 grid, dim3 block, unsigned dynamic_shared): what cannot
 * be launched has no buffer, and the program does not ask for the launch then. */
static uint64_t get_configured_buffer(Caller *caller) {
    const Function *kernel = kernel_at(caller, argument(caller, 0));
    Child child = {.kernel = kernel ? kernel->name : NULL};
    uint64_t error = kernel ? configure(caller, &child, 1) : INVALID_FUNCTION;
    ChildWork *work = error ? NULL : child_open(caller->children, kernel->param_bytes);
    if (work)
        work->child = child;
    else
        keep_error(caller, error ? error : OUT_OF_MEMORY);
    return work ? work->buffer : 0;
}

static bool is_stream(const Caller *caller, uint64_t stream) {
    return stream <= STREAM_FORGET || child_has_handle(caller->children, stream, HANDLE_STREAM);
}

static uint64_t launch(Caller *caller, ChildWork *work, uint64_t stream) {
    work->tail = stream == STREAM_TAIL;
    sign(caller, &work->child);
    return child_add(caller->children, caller->warp->cta, work);
}

/* LaunchDevice(kernel, buffer, dim3 grid, dim3 block, unsigned dynamic_shared, stream) */
static uint64_t launch_configured(Caller *caller) {
    const Function *kernel = kernel_at(caller, argument(caller, 0));
    uint64_t stream = argument(caller, 5);
    ChildWork *opened = child_close(caller->children, argument(caller, 1));
    uint64_t error = !opened                      ? INVALID_VALUE
                     : !kernel                    ? INVALID_FUNCTION
                     : !is_stream(caller, stream) ? INVALID_HANDLE
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
    uint64_t stream = argument(caller, 1);
    ChildWork *work = child_close(caller->children, argument(caller, 0));
    if (work && work->child.kernel && is_stream(caller, stream))
        return launch(caller, work, stream);
    uint64_t error = work ? INVALID_HANDLE : INVALID_VALUE;
    child_discard(work);
    return error;
}

/* ---- streams and events ---- */

static uint64_t create_stream(Caller *caller) {
    uint64_t handle = 0;
    if (argument32(caller, 1) == STREAM_NON_BLOCKING)
        handle = child_handle(caller->children, HANDLE_STREAM);
    return handle ? answer(caller, 0, &handle, sizeof handle) : INVALID_VALUE;
}

static uint64_t destroy_stream(Caller *caller) {
    return child_drop_handle(caller->children, argument(caller, 0), HANDLE_STREAM) ? SUCCESS
                                                                                   : INVALID_HANDLE;
}

static uint64_t create_event(Caller *caller) {
    uint64_t handle = 0;
    if (argument32(caller, 1) == EVENT_DISABLE_TIMING)
        handle = child_handle(caller->children, HANDLE_EVENT);
    return handle ? answer(caller, 0, &handle, sizeof handle) : INVALID_VALUE;
}

static uint64_t destroy_event(Caller *caller) {
    return child_drop_handle(caller->children, argument(caller, 0), HANDLE_EVENT) ? SUCCESS
                                                                                  : INVALID_HANDLE;
}

static uint64_t order_by(const Caller *caller, uint64_t stream, uint64_t event) {
    return is_stream(caller, stream) && child_has_handle(caller->children, event, HANDLE_EVENT)
               ? SUCCESS
               : INVALID_HANDLE;
}

/* StreamWaitEvent(stream, event, flags): a block's requests are done in their order. */
static uint64_t wait_event(Caller *caller) {
    return order_by(caller, argument(caller, 0), argument(caller, 1));
}

/* EventRecord(event, stream) */
static uint64_t record_event(Caller *caller) {
    return order_by(caller, argument(caller, 1), argument(caller, 0));
}

/* ---- copies ---- */

/* The bytes from the first to the last that are touched lie in one allocation. */
static bool lies_somewhere(const Caller *caller, const ChildBytes *bytes, uint64_t at,
                           uint64_t pitch, uint64_t slice) {
    const MemoryBlock *block = memory_find(caller->warp->worker->launch->memory, at, NULL);
    uint64_t rows, slices, length;
    return block && !__builtin_mul_overflow(bytes->height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(bytes->depth - 1, slice, &slices) &&
           !__builtin_add_overflow(rows, slices, &length) &&
           !__builtin_add_overflow(length, bytes->width, &length) &&
           length <= block->bytes - (at - block->address);
}

static uint64_t move(Caller *caller, ChildWorkKind kind, ChildBytes bytes, uint64_t stream) {
    if (!is_stream(caller, stream))
        return INVALID_HANDLE;
    if (bytes.width == 0 || bytes.height == 0 || bytes.depth == 0)
        return SUCCESS;
    if ((bytes.height > 1 && bytes.width > bytes.to_pitch) ||
        (kind == CHILD_COPY && bytes.height > 1 && bytes.width > bytes.from_pitch))
        return INVALID_VALUE;
    if (!lies_somewhere(caller, &bytes, bytes.to, bytes.to_pitch, bytes.to_slice))
        return fault(caller, bytes.to, "the destination is not in global memory");
    if (kind == CHILD_COPY &&
        !lies_somewhere(caller, &bytes, bytes.from, bytes.from_pitch, bytes.from_slice))
        return fault(caller, bytes.from, "the source is not in global memory");
    ChildWork *work = child_work(kind, 0);
    work->bytes = bytes;
    work->tail = stream == STREAM_TAIL;
    return child_add(caller->children, caller->warp->cta, work);
}

/* (to, from, bytes, kind, stream) */
static uint64_t copy(Caller *caller) {
    ChildBytes bytes = {.to = argument(caller, 0),
                        .from = argument(caller, 1),
                        .width = argument(caller, 2),
                        .height = 1,
                        .depth = 1};
    return move(caller, CHILD_COPY, bytes, argument(caller, 4));
}

/* (to, pitch, from, pitch, width, height, kind, stream) */
static uint64_t copy_2d(Caller *caller) {
    ChildBytes bytes = {.to = argument(caller, 0),
                        .to_pitch = argument(caller, 1),
                        .from = argument(caller, 2),
                        .from_pitch = argument(caller, 3),
                        .width = argument(caller, 4),
                        .height = argument(caller, 5),
                        .depth = 1};
    return move(caller, CHILD_COPY, bytes, argument(caller, 7));
}

/* cudaPitchedPtr and cudaMemcpy3DParms of driver_types.h. */
typedef struct Pitched {
    uint64_t at, pitch, width, height;
} Pitched;
typedef struct Copy3d {
    uint64_t from_array, from_place[3];
    Pitched from;
    uint64_t to_array, to_place[3];
    Pitched to;
    uint64_t extent[3];
    uint32_t kind;
} Copy3d;

static uint64_t place_in(const Pitched *pitched, const uint64_t place[3]) {
    return pitched->at + place[2] * pitched->pitch * pitched->height + place[1] * pitched->pitch +
           place[0];
}

/* (const cudaMemcpy3DParms *, stream); between arrays it is not there on the device. */
static uint64_t copy_3d(Caller *caller) {
    Copy3d given;
    uint64_t room = 0, address = argument(caller, 0);
    const uint8_t *at = lane_memory(caller->warp, caller->lane, address, &room);
    if (!at || room < sizeof given)
        return fault(caller, address, "there are no parameters");
    memcpy(&given, at, sizeof given);
    if (given.from_array || given.to_array)
        return NOT_SUPPORTED;
    ChildBytes bytes = {.to = place_in(&given.to, given.to_place),
                        .to_pitch = given.to.pitch,
                        .to_slice = given.to.pitch * given.to.height,
                        .from = place_in(&given.from, given.from_place),
                        .from_pitch = given.from.pitch,
                        .from_slice = given.from.pitch * given.from.height,
                        .width = given.extent[0],
                        .height = given.extent[1],
                        .depth = given.extent[2]};
    return move(caller, CHILD_COPY, bytes, argument(caller, 1));
}

/* (to, value, bytes, stream) */
static uint64_t set(Caller *caller) {
    ChildBytes bytes = {.to = argument(caller, 0),
                        .value = (uint8_t)argument(caller, 1),
                        .width = argument(caller, 2),
                        .height = 1,
                        .depth = 1};
    return move(caller, CHILD_SET, bytes, argument(caller, 3));
}

/* (to, pitch, value, width, height, stream) */
static uint64_t set_2d(Caller *caller) {
    ChildBytes bytes = {.to = argument(caller, 0),
                        .to_pitch = argument(caller, 1),
                        .value = (uint8_t)argument(caller, 2),
                        .width = argument(caller, 3),
                        .height = argument(caller, 4),
                        .depth = 1};
    return move(caller, CHILD_SET, bytes, argument(caller, 5));
}

/* (cudaPitchedPtr to, value, cudaExtent, stream) */
static uint64_t set_3d(Caller *caller) {
    Pitched to;
    uint64_t extent[3];
    call_argument_bytes(caller->warp, caller->call, 0, caller->lane, &to, sizeof to);
    call_argument_bytes(caller->warp, caller->call, 2, caller->lane, extent, sizeof extent);
    ChildBytes bytes = {.to = to.at,
                        .to_pitch = to.pitch,
                        .to_slice = to.pitch * to.height,
                        .value = (uint8_t)argument(caller, 1),
                        .width = extent[0],
                        .height = extent[1],
                        .depth = extent[2]};
    return move(caller, CHILD_SET, bytes, argument(caller, 3));
}

/* ---- memory: the heap of malloc ---- */

static Heap *heap_of(const Caller *caller) {
    const Launch *launch = caller->warp->worker->launch;
    return memory_heap(launch->memory, launch->heap_bytes);
}

/* (void **pointer, size_t bytes) */
static uint64_t allocate(Caller *caller) {
    Heap *heap = heap_of(caller);
    uint64_t address = heap ? heap_allocate(heap, argument(caller, 1)) : 0;
    return address ? answer(caller, 0, &address, sizeof address) : OUT_OF_MEMORY;
}

static uint64_t release(Caller *caller) {
    Heap *heap = heap_of(caller);
    uint64_t address = argument(caller, 0);
    return !address || (heap && heap_release(heap, address)) ? SUCCESS : INVALID_VALUE;
}

/* ---- questions ---- */

static uint64_t get_int(Caller *caller, int value) {
    return answer(caller, 0, &value, sizeof value);
}

static uint64_t get_zero(Caller *caller) {
    return get_int(caller, 0);
}

static uint64_t get_device(Caller *caller) {
    return get_int(caller, 0);
}

static uint64_t count_devices(Caller *caller) {
    return get_int(caller, 1);
}

static uint64_t get_version(Caller *caller) {
    return get_int(caller, RUNTIME_VERSION);
}

/* (int *value, attribute, device) */
static uint64_t get_attribute(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    int value = 0;
    if (argument32(caller, 2) != 0)
        return INVALID_DEVICE;
    if (!host || !host->attribute)
        return NOT_SUPPORTED;
    uint32_t error = host->attribute(host->context, (int)argument32(caller, 1), &value);
    return error ? error : get_int(caller, value);
}

/* (size_t *value, limit) */
static uint64_t get_limit(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    uint64_t value = 0;
    if (!host || !host->limit)
        return NOT_SUPPORTED;
    uint32_t error = host->limit(host->context, (int)argument32(caller, 1), &value);
    return error ? error : answer(caller, 0, &value, sizeof value);
}

/* cudaFuncAttributes of driver_types.h; what is not set here is 0. */
typedef struct FunctionAttributes {
    uint64_t shared_bytes, constant_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared;
    int others[23];
} FunctionAttributes;
_Static_assert(sizeof(FunctionAttributes) == 144, "cudaFuncAttributes");

/* (cudaFuncAttributes *, const void *kernel) */
static uint64_t get_function_attributes(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    const Function *kernel = kernel_at(caller, argument(caller, 1));
    KernelFacts facts = {0};
    if (!kernel)
        return INVALID_FUNCTION;
    if (!host || !host->facts)
        return NOT_SUPPORTED;
    uint32_t error = host->facts(host->context, kernel->name, &facts);
    FunctionAttributes attributes = {.shared_bytes = facts.shared_bytes,
                                     .local_bytes = facts.local_bytes,
                                     .max_threads = facts.max_threads,
                                     .registers = facts.registers,
                                     .ptx_version = facts.ptx_version,
                                     .binary_version = facts.binary_version,
                                     .max_dynamic_shared = facts.max_dynamic_shared};
    return error ? error : answer(caller, 0, &attributes, sizeof attributes);
}

/* (int *blocks, const void *kernel, int threads, size_t dynamic_shared [, flags]) */
static uint64_t get_occupancy(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    const Function *kernel = kernel_at(caller, argument(caller, 1));
    int blocks = 0;
    if (!kernel)
        return INVALID_FUNCTION;
    if (!host || !host->occupancy)
        return NOT_SUPPORTED;
    uint32_t error = host->occupancy(host->context, kernel->name, (int)argument32(caller, 2),
                                     argument(caller, 3), &blocks);
    return error ? error : get_int(caller, blocks);
}

/* ---- which call it is ---- */

static const DeviceCall calls[] = {
#define CALL(name, function, result) {PREFIX #name, function, RESULT_##result},
#include "exec/device_calls.def"
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

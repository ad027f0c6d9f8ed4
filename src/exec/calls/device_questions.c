/* The CUDA device runtime: what kernels ask of the device and of kernels; the host knows it. */
#include "exec/calls/calls.h"
#include "exec/calls/device_calls.h"

enum { RUNTIME_VERSION = 13000 };

static uint64_t get_int(Caller *caller, int value) {
    return caller_answer(caller, 0, &value, sizeof value);
}

uint64_t device_get_zero(Caller *caller) {
    return get_int(caller, 0);
}

uint64_t device_get_device(Caller *caller) {
    return get_int(caller, 0);
}

uint64_t device_count_devices(Caller *caller) {
    return get_int(caller, 1);
}

uint64_t device_get_version(Caller *caller) {
    return get_int(caller, RUNTIME_VERSION);
}

/* (int *value, attribute, device) */
uint64_t device_get_attribute(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    int value = 0;
    if (caller_argument32(caller, 2) != 0)
        return INVALID_DEVICE;
    if (!host || !host->attribute)
        return NOT_SUPPORTED;
    uint32_t error = host->attribute(host->context, (int)caller_argument32(caller, 1), &value);
    return error ? error : get_int(caller, value);
}

/* (size_t *value, limit) */
uint64_t device_get_limit(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    uint64_t value = 0;
    if (!host || !host->limit)
        return NOT_SUPPORTED;
    uint32_t error = host->limit(host->context, (int)caller_argument32(caller, 1), &value);
    return error ? error : caller_answer(caller, 0, &value, sizeof value);
}

/* cudaFuncAttributes of driver_types.h; what is not set here is 0. */
typedef struct FunctionAttributes {
    uint64_t shared_bytes, constant_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared;
    int others[23];
} FunctionAttributes;
_Static_assert(sizeof(FunctionAttributes) == 144, "cudaFuncAttributes");

/* (cudaFuncAttributes *, const void *kernel) */
uint64_t device_get_function_attributes(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    const Function *kernel = caller_kernel_at(caller, caller_argument(caller, 1));
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
    return error ? error : caller_answer(caller, 0, &attributes, sizeof attributes);
}

/* (int *blocks, const void *kernel, int threads, size_t dynamic_shared [, flags]) */
uint64_t device_get_occupancy(Caller *caller) {
    const DeviceHost *host = children_host(caller->children);
    const Function *kernel = caller_kernel_at(caller, caller_argument(caller, 1));
    int blocks = 0;
    if (!kernel)
        return INVALID_FUNCTION;
    if (!host || !host->occupancy)
        return NOT_SUPPORTED;
    uint32_t error = host->occupancy(host->context, kernel->name, (int)caller_argument32(caller, 2),
                                     caller_argument(caller, 3), &blocks);
    return error ? error : get_int(caller, blocks);
}

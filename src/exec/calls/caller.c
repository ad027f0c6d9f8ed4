/* One lane that calls the CUDA device runtime: its arguments, and what it gets. */
#include "exec/calls/device_calls.h"
#include "exec/run/watch.h"

#include <string.h>

uint64_t caller_argument(const Caller *caller, uint32_t index) {
    return call_argument(caller->warp, caller->call, index, caller->lane);
}

uint32_t caller_argument32(const Caller *caller, uint32_t index) {
    return (uint32_t)caller_argument(caller, index);
}

uint64_t caller_fault(Caller *caller, uint64_t address, const char *what) {
    warp_fault(caller->warp, caller->code, address ? FAULT_OUT_OF_BOUNDS : FAULT_NULL, caller->lane,
               address, "cuda%s: %s at 0x%llx", caller->call->device->name + strlen(PREFIX), what,
               (unsigned long long)address);
    caller->faulted = true;
    return SUCCESS;
}

uint64_t caller_answer(Caller *caller, uint32_t index, const void *value, uint32_t bytes) {
    uint64_t room = 0, address = caller_argument(caller, index);
    uint8_t *at = lane_memory(caller->warp, caller->lane, address, &room);
    if (!address)
        return INVALID_VALUE;
    if (!at || room < bytes)
        return caller_fault(caller, address, "there is no memory for the answer");
    memcpy(at, value, bytes);
    if (watched(caller->warp))
        watch_written(caller->warp, caller->lane, address, bytes);
    return SUCCESS;
}

/* The kernel of the module whose address it is; NULL: none. */
const Function *caller_kernel_at(const Caller *caller, uint64_t address) {
    const Module *module = caller->warp->worker->program->function->module;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const Function *function = module->functions.at[i];
        if (function->is_entry && function_address(function) == address)
            return function;
    }
    return NULL;
}

bool caller_has_stream(const Caller *caller, uint64_t stream) {
    return stream <= STREAM_FORGET || child_has_handle(caller->children, stream, HANDLE_STREAM);
}

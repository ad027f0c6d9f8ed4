/* What the CUDA runtime provides to kernels: malloc, free and failed assertions; printf.c has the rest. */
#include "exec/calls/calls.h"
#include "exec/run/watch.h"

#include <string.h>

static Heap *heap_of(const Warp *warp) {
    const Launch *launch = warp->worker->launch;
    return memory_heap(launch->memory, launch->heap_bytes);
}

/* void *malloc(size_t): NULL where there is not enough left. */
Step exec_malloc(Warp *warp, const Code *code, uint32_t mask) {
    const Call *call = code->more;
    Heap *heap = heap_of(warp);
    for_lanes(lane, mask) {
        uint64_t bytes = call_argument(warp, call, 0, lane);
        uint64_t address = heap ? heap_allocate(heap, bytes) : 0;
        if (watched(warp) && address)
            watch_allocated(warp, code, lane, address, bytes);
        call_set_result(warp, call, lane, address);
    }
    return STEP_NEXT;
}

/* void free(void *) */
Step exec_free(Warp *warp, const Code *code, uint32_t mask) {
    const Call *call = code->more;
    Heap *heap = heap_of(warp);
    for_lanes(lane, mask) {
        uint64_t address = call_argument(warp, call, 0, lane);
        if (address && (!heap || !heap_release(heap, address)))
            return warp_fault(warp, code, FAULT_BAD_FREE, lane, address,
                              "free of 0x%llx, which malloc did not give, or which is free already",
                              (unsigned long long)address);
        if (watched(warp) && address)
            watch_released(warp, code, lane, address);
    }
    return STEP_NEXT;
}

const char *lane_string(const Warp *warp, uint32_t lane, uint64_t address, size_t *length) {
    uint64_t bytes;
    const char *text = (const char *)lane_memory(warp, lane, address, &bytes);
    *length = text ? strnlen(text, bytes) : 1;
    return text ? text : "?";
}

/* void cudaGraphSetConditional(unsigned long long handle, unsigned value): the handle is where the condition lies */
Step exec_set_conditional(Warp *warp, const Code *code, uint32_t mask) {
    const Call *call = code->more;
    for_lanes(lane, mask) {
        uint64_t bytes = 0, handle = call_argument(warp, call, 0, lane);
        uint32_t value = (uint32_t)call_argument(warp, call, 1, lane);
        uint8_t *at = lane_memory(warp, lane, handle, &bytes);
        if (!at || bytes < sizeof value)
            return warp_fault(warp, code, FAULT_OUT_OF_BOUNDS, lane, handle,
                              "cudaGraphSetConditional: 0x%llx is no handle of a condition",
                              (unsigned long long)handle);
        memcpy(at, &value, sizeof value);
    }
    return STEP_NEXT;
}

/* void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t) */
Step exec_assertfail(Warp *warp, const Code *code, uint32_t mask) {
    const Call *call = code->more;
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    size_t lengths[3];
    const char *texts[3];
    static const uint32_t indices[3] = {0, 1, 3};
    for (uint32_t i = 0; i < 3; i++)
        texts[i] =
            lane_string(warp, lane, call_argument(warp, call, indices[i], lane), &lengths[i]);
    return warp_fault(warp, code, FAULT_ASSERT, lane, 0, "%.*s:%u: %.*s: assertion `%.*s' failed",
                      (int)lengths[1], texts[1], (uint32_t)call_argument(warp, call, 2, lane),
                      (int)lengths[2], texts[2], (int)lengths[0], texts[0]);
}

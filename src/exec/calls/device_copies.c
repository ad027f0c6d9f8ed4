/* The CUDA device runtime: copies, which run as launches do when their turn comes, and the heap of malloc.
 * Arguments are those of the host's functions of the same names (cuda_device_runtime_api.h). */
#include "exec/calls/calls.h"
#include "exec/calls/device_calls.h"
#include "exec/run/watch.h"

#include <string.h>

/* ---- copies ---- */

/* The bytes from the first to the last that are touched lie in one allocation. */
static bool lies_somewhere(const Caller *caller, const ChildBytes *bytes, uint64_t at,
                           uint64_t pitch, uint64_t slice) {
    const MemoryBlock *block = memory_find(caller->warp->worker->launch->memory, at, NULL);
    uint64_t rows, slices, length;
    if (block)
        launch_reads(caller->warp->worker->launch, block);
    return block && !__builtin_mul_overflow(bytes->height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(bytes->depth - 1, slice, &slices) &&
           !__builtin_add_overflow(rows, slices, &length) &&
           !__builtin_add_overflow(length, bytes->width, &length) &&
           length <= block->bytes - (at - block->address);
}

static uint64_t move(Caller *caller, ChildWorkKind kind, ChildBytes bytes, uint64_t stream) {
    if (!caller_has_stream(caller, stream))
        return INVALID_HANDLE;
    if (bytes.width == 0 || bytes.height == 0 || bytes.depth == 0)
        return SUCCESS;
    if ((bytes.height > 1 && bytes.width > bytes.to_pitch) ||
        (kind == CHILD_COPY && bytes.height > 1 && bytes.width > bytes.from_pitch))
        return INVALID_VALUE;
    if (!lies_somewhere(caller, &bytes, bytes.to, bytes.to_pitch, bytes.to_slice))
        return caller_fault(caller, bytes.to, "the destination is not in global memory");
    if (kind == CHILD_COPY &&
        !lies_somewhere(caller, &bytes, bytes.from, bytes.from_pitch, bytes.from_slice))
        return caller_fault(caller, bytes.from, "the source is not in global memory");
    ChildWork *work = child_work(kind, 0);
    work->bytes = bytes;
    work->tail = stream == STREAM_TAIL;
    return child_add(caller->children, caller->warp->cta, work);
}

/* (to, from, bytes, kind, stream) */
uint64_t device_copy(Caller *caller) {
    ChildBytes bytes = {.to = caller_argument(caller, 0),
                        .from = caller_argument(caller, 1),
                        .width = caller_argument(caller, 2),
                        .height = 1,
                        .depth = 1};
    return move(caller, CHILD_COPY, bytes, caller_argument(caller, 4));
}

/* (to, pitch, from, pitch, width, height, kind, stream) */
uint64_t device_copy_2d(Caller *caller) {
    ChildBytes bytes = {.to = caller_argument(caller, 0),
                        .to_pitch = caller_argument(caller, 1),
                        .from = caller_argument(caller, 2),
                        .from_pitch = caller_argument(caller, 3),
                        .width = caller_argument(caller, 4),
                        .height = caller_argument(caller, 5),
                        .depth = 1};
    return move(caller, CHILD_COPY, bytes, caller_argument(caller, 7));
}

/* cudaPitchedPtr and cudaMemcpy3DParms of driver_types.h. */
typedef struct PitchedArea {
    uint64_t at, pitch, width, height;
} PitchedArea;
typedef struct Copy3d {
    uint64_t from_array, from_place[3];
    PitchedArea from;
    uint64_t to_array, to_place[3];
    PitchedArea to;
    uint64_t extent[3];
    uint32_t kind;
} Copy3d;

static uint64_t place_in(const PitchedArea *pitched, const uint64_t place[3]) {
    return pitched->at + place[2] * pitched->pitch * pitched->height + place[1] * pitched->pitch +
           place[0];
}

/* (const cudaMemcpy3DParms *, stream); between arrays it is not there on the device. */
uint64_t device_copy_3d(Caller *caller) {
    Copy3d given;
    uint64_t room = 0, address = caller_argument(caller, 0);
    const uint8_t *at = lane_memory(caller->warp, caller->lane, address, &room);
    if (!at || room < sizeof given)
        return caller_fault(caller, address, "there are no parameters");
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
    return move(caller, CHILD_COPY, bytes, caller_argument(caller, 1));
}

/* (to, value, bytes, stream) */
uint64_t device_set(Caller *caller) {
    ChildBytes bytes = {.to = caller_argument(caller, 0),
                        .value = (uint8_t)caller_argument(caller, 1),
                        .width = caller_argument(caller, 2),
                        .height = 1,
                        .depth = 1};
    return move(caller, CHILD_SET, bytes, caller_argument(caller, 3));
}

/* (to, pitch, value, width, height, stream) */
uint64_t device_set_2d(Caller *caller) {
    ChildBytes bytes = {.to = caller_argument(caller, 0),
                        .to_pitch = caller_argument(caller, 1),
                        .value = (uint8_t)caller_argument(caller, 2),
                        .width = caller_argument(caller, 3),
                        .height = caller_argument(caller, 4),
                        .depth = 1};
    return move(caller, CHILD_SET, bytes, caller_argument(caller, 5));
}

/* (cudaPitchedPtr to, value, cudaExtent, stream) */
uint64_t device_set_3d(Caller *caller) {
    PitchedArea to;
    uint64_t extent[3];
    call_argument_bytes(caller->warp, caller->call, 0, caller->lane, &to, sizeof to);
    call_argument_bytes(caller->warp, caller->call, 2, caller->lane, extent, sizeof extent);
    ChildBytes bytes = {.to = to.at,
                        .to_pitch = to.pitch,
                        .to_slice = to.pitch * to.height,
                        .value = (uint8_t)caller_argument(caller, 1),
                        .width = extent[0],
                        .height = extent[1],
                        .depth = extent[2]};
    return move(caller, CHILD_SET, bytes, caller_argument(caller, 3));
}

/* ---- memory: the heap of malloc ---- */

static Heap *heap_of(const Caller *caller) {
    const Launch *launch = caller->warp->worker->launch;
    return memory_heap(launch->memory, launch->heap_bytes);
}

/* (void **pointer, size_t bytes) */
uint64_t device_allocate(Caller *caller) {
    Heap *heap = heap_of(caller);
    uint64_t address = heap ? heap_allocate(heap, caller_argument(caller, 1)) : 0;
    if (address && watched(caller->warp))
        watch_allocated(caller->warp, caller->code, caller->lane, address,
                        caller_argument(caller, 1));
    return address ? caller_answer(caller, 0, &address, sizeof address) : OUT_OF_MEMORY;
}

uint64_t device_release(Caller *caller) {
    Heap *heap = heap_of(caller);
    uint64_t address = caller_argument(caller, 0);
    bool done = !address || (heap && heap_release(heap, address));
    if (address && done && watched(caller->warp))
        watch_released(caller->warp, caller->code, caller->lane, address);
    return done ? SUCCESS : INVALID_VALUE;
}

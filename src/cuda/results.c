/* What a program computes, told to `warplens fix` as hashes: every copy from the device, and all memory as
 * it is when it is released or the process ends. Two runs with other layouts of shared arrays must agree
 * in all of them. */
#include "base/rescue.h"
#include "cuda/allocation.h"
#include "cuda/record.h"
#include "cuda/state.h"
#include "cuda/work.h"
#include "wire/wire.h"

#include <search.h>
#include <string.h>

/* Eight bytes at a time: memory may be gigabytes. */
uint64_t words_hash(const void *data, size_t size, uint64_t hash) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static const uint8_t *target_of(const CUDA_MEMCPY3D *copy) {
    uint64_t base = copy->dstMemoryType == MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)copy->dstHost
                                                           : copy->dstDevice;
    return (const uint8_t *)(uintptr_t)(base + copy->dstXInBytes);
}

void results_copy(Core *core, const CUDA_MEMCPY3D *copy) {
    const uint8_t *target = target_of(copy);
    size_t height = copy->dstHeight ? copy->dstHeight : copy->Height;
    size_t pitch = copy_pitch(copy->dstPitch, copy->dstXInBytes, copy);
    ProgramResult result = {.bytes = copy->WidthInBytes * copy->Height * copy->Depth};
    for (size_t z = 0; z < copy->Depth; z++)
        for (size_t y = 0; y < copy->Height; y++) {
            size_t row = (copy->dstZ + z) * height + copy->dstY + y;
            result.hash = words_hash(target + row * pitch, copy->WidthInBytes, result.hash);
        }
    recorder_result(core->recorder, &result);
}

void results_memory(Core *core, uint64_t address, uint64_t bytes) {
    const void *at = memory_host(core->memory, address);
    ProgramResult result = {.bytes = bytes, .hash = words_hash(at, bytes, 1)};
    recorder_result(core->recorder, &result);
}

static void tell_left(const void *node, VISIT visit, void *context) {
    const AllocationRecord *record = *(AllocationRecord *const *)node;
    if ((visit == postorder || visit == leaf) && record->kind != KIND_REGISTERED)
        results_memory(context, record->address, record->bytes);
}

void results_end(Core *core) {
    lock_take(&core->lock);
    twalk_r(core->allocated, tell_left, core);
    lock_give(&core->lock);
}

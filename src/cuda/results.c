/* What a program computes, told to `warplens fix` as hashes: every copy from the device, and all memory as
 * it is when it is released or the process ends. Two runs with other layouts of shared arrays must agree
 * in all of them. */
#include "cuda/objects.h"
#include "wire/wire.h"

#include <string.h>

/* Eight bytes at a time: memory may be gigabytes. */
static uint64_t hash_bytes(const void *data, size_t size, uint64_t hash) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool on_device(uint64_t address) {
    Allocated found;
    return allocated_find(address, &found) && found.kind != KIND_HOST &&
           found.kind != KIND_REGISTERED;
}

static const uint8_t *target_of(const CUDA_MEMCPY3D *copy) {
    uint64_t base = copy->dstMemoryType == MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)copy->dstHost
                                                           : copy->dstDevice;
    return (const uint8_t *)(uintptr_t)(base + copy->dstXInBytes);
}

void results_copy(const CUDA_MEMCPY3D *copy) {
    const uint8_t *target = target_of(copy);
    size_t height = copy->dstHeight ? copy->dstHeight : copy->Height;
    ProgramResult result = {.bytes = copy->WidthInBytes * copy->Height * copy->Depth};
    if (on_device((uint64_t)(uintptr_t)target))
        return;
    for (size_t z = 0; z < copy->Depth; z++)
        for (size_t y = 0; y < copy->Height; y++) {
            size_t row = (copy->dstZ + z) * height + copy->dstY + y;
            result.hash =
                hash_bytes(target + row * copy->dstPitch, copy->WidthInBytes, result.hash);
        }
    recorder_result(core_get()->recorder, &result);
}

void results_memory(uint64_t address, uint64_t bytes) {
    const void *at = memory_host(core_memory(), address);
    ProgramResult result = {.bytes = bytes, .hash = hash_bytes(at, bytes, 1)};
    recorder_result(core_get()->recorder, &result);
}

void results_end(void) {
    allocations_tell();
}

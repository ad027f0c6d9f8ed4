/* --once: a launch that repeats one that was counted runs, and is not counted again.
 *
 * It repeats it if the kernel, its shape and the bytes of its arguments are the same, and every allocation
 * from which the counted launch read anything has the address, the size and the hash of its bytes that it
 * had then, before the launch. What the counted launch did follows from these: the first byte that another
 * launch read otherwise would lie in such an allocation, which nobody but the launch itself has written
 * since it began. Not so what follows from races, clocks and the order of atomics, which differ from run to run of any
 * program, nor from shared memory that was never written. Kernels that launch others, and all where
 * kernels call malloc, whose state is not in their memory, are counted each time. */
#include "cuda/library.h"
#include "cuda/record.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

/* Of a kernel: with so many different ones another is not likely to come again. */
enum { COUNTED_MOST = 16 };

/* An allocation before a launch. */
typedef struct Hashed {
    uint64_t address, bytes, hash;
} Hashed;

struct CountedLaunch {
    CountedLaunch *next;
    Launch shape; /* of it device, reaches, grid, block, cluster, dynamic_shared, cooperative */
    uint8_t *params;
    ReadSet reads;
    Hashed *hashed; /* [hashed_count]: all allocations; once it has run, those that it read */
    uint32_t hashed_count;
    uint64_t number; /* that the recorder gave it */
};

static Hashed hashed_of(const MemoryBlock *block) {
    const void *at = (const void *)(uintptr_t)block->address;
    return (Hashed){block->address, block->bytes,
                    block->bytes ? words_hash(at, block->bytes, 1) : 0};
}

static bool same_call(const CountedLaunch *counted, const Kernel *kernel, const Launch *launch) {
    const Launch *shape = &counted->shape;
    return shape->device == launch->device && shape->reaches == launch->reaches &&
           memcmp(shape->grid, launch->grid, sizeof shape->grid) == 0 &&
           memcmp(shape->block, launch->block, sizeof shape->block) == 0 &&
           memcmp(shape->cluster, launch->cluster, sizeof shape->cluster) == 0 &&
           shape->dynamic_shared == launch->dynamic_shared &&
           shape->cooperative == launch->cooperative && shape->stack_bytes == launch->stack_bytes &&
           memcmp(counted->params, launch->params, kernel->function->param_bytes) == 0;
}

static bool same_memory(const CountedLaunch *counted, const Memory *memory) {
    for (uint32_t i = 0; i < counted->hashed_count; i++) {
        const Hashed *then = &counted->hashed[i];
        const MemoryBlock *block = memory_find(memory, then->address, NULL);
        if (!block || block->address != then->address || block->bytes != then->bytes ||
            hashed_of(block).hash != then->hash)
            return false;
    }
    return true;
}

const CountedLaunch *once_find(const Kernel *kernel, const Launch *launch) {
    if (memory_has_heap(launch->memory))
        return NULL;
    for (const CountedLaunch *counted = kernel->counted; counted; counted = counted->next)
        if (same_call(counted, kernel, launch) && same_memory(counted, launch->memory))
            return counted;
    return NULL;
}

CountedLaunch *once_begin(const Kernel *kernel, Launch *launch) {
    uint32_t known = 0, bytes = kernel->function->param_bytes;
    for (const CountedLaunch *counted = kernel->counted; counted; counted = counted->next)
        known++;
    CountedLaunch *counted = known < COUNTED_MOST ? calloc(1, sizeof *counted) : NULL;
    if (!counted)
        return NULL;
    uint32_t count = memory_count(launch->memory);
    counted->shape = *launch;
    counted->params = malloc(bytes + 1);
    counted->reads = (ReadSet){calloc(count + 1, 1), count};
    counted->hashed = calloc(count + 1, sizeof *counted->hashed);
    if (!counted->params || !counted->reads.has || !counted->hashed) {
        once_drop(counted);
        return NULL;
    }
    memcpy(counted->params, launch->params, bytes);
    for (uint32_t i = 0; i < count; i++)
        counted->hashed[i] = hashed_of(memory_at(launch->memory, i));
    launch->reads = &counted->reads;
    return counted;
}

void once_drop(CountedLaunch *counted) {
    if (!counted)
        return;
    free(counted->params);
    free(counted->reads.has);
    free(counted->hashed);
    free(counted);
}

void once_end(Kernel *kernel, CountedLaunch *counted, Memory *memory, uint64_t number) {
    /* Numbers of allocations change where others are made meanwhile. */
    if (memory_has_heap(memory) || memory_count(memory) != counted->reads.count) {
        once_drop(counted);
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < counted->reads.count; i++)
        if (counted->reads.has[i])
            counted->hashed[kept++] = counted->hashed[i];
    counted->hashed_count = kept;
    counted->number = number;
    counted->next = kernel->counted;
    kernel->counted = counted;
}

uint64_t once_number(const CountedLaunch *counted) {
    return counted->number;
}

/* The address space of device memory (in place of exec/memory/space.c). WebAssembly's memory is one piece that grows; a page of it
 * takes memory only when it is written, so a part of the limit is taken at once, and zeroed only where a session before wrote. */
#include "exec/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#define RESERVED_BYTES ((size_t)384 << 20)
enum { BLOCKS = 1 << 14 };

uint8_t *space_reserve(uint64_t *bytes, uint64_t *limit) {
    *bytes = *limit = RESERVED_BYTES;
    return aligned_alloc(ALLOCATION_ALIGN, RESERVED_BYTES);
}

void space_release(uint8_t *base, uint64_t bytes, uint64_t used) {
    (void)bytes;
    if (base)
        memset(base, 0, used); /* whoever gets it next expects zeroes */
    free(base);
}

bool memory_grow(Memory *memory, uint64_t end) {
    return end <= memory->reserved;
}

uint32_t space_blocks(uint64_t limit) {
    (void)limit;
    return BLOCKS;
}

void *space_take(uint64_t bytes) {
    return calloc(1, bytes);
}

void space_give(void *at, uint64_t bytes) {
    (void)bytes;
    free(at);
}

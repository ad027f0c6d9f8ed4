/* The address space of device memory (in place of exec/memory/space.c). WebAssembly's memory is one piece; a page of it
 * takes memory only when it is written, so a part of the limit is taken at once, of pages that nobody had, and kept for the next session, zeroed
 * where this one wrote. */
#include "exec/memory/memory.h"

#include "heap.h"

#include <stdlib.h>
#include <string.h>

enum { RESERVED_BYTES = 384 << 20, BLOCKS = 1 << 14 };

static uint8_t *spare; /* that a session has given back */

uint8_t *space_reserve(uint64_t *bytes, uint64_t *limit) {
    *bytes = *limit = RESERVED_BYTES;
    uint8_t *base = spare;
    spare = NULL;
    return base ? base : heap_beside(RESERVED_BYTES);
}

void space_release(uint8_t *base, uint64_t bytes, uint64_t used) {
    (void)bytes;
    if (!base)
        return;
    memset(base, 0, used);
    spare = base;
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

void space_large(uint64_t address, uint64_t bytes) {
    (void)address, (void)bytes; /* it has one size of pages */
}

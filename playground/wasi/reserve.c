/* The address space of device memory (in place of exec/memory/reserve.c). WebAssembly's memory is one piece that grows; a page of it
 * takes memory only when it is written, so a part of the limit is taken at once, and zeroed only where a session before wrote. */
#include "exec/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#define RESERVED_BYTES ((size_t)384 << 20)
enum { BLOCKS = 1 << 14 };

Memory *memory_new(void) {
    Memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    pthread_mutex_init(&memory->lock, NULL);
    pthread_mutex_init(&memory->heap_lock, NULL);
    memory->reserved = memory->limit = RESERVED_BYTES;
    memory->base = aligned_alloc(ALLOCATION_ALIGN, RESERVED_BYTES);
    memory->most = BLOCKS;
    memory->blocks = calloc(BLOCKS, sizeof *memory->blocks);
    memory->slots = calloc(BLOCKS, sizeof *memory->slots);
    memory->adopted = calloc(ADOPTED_MOST, sizeof *memory->adopted);
    for (uint32_t i = 0; i < CLASSES; i++)
        memory->free[i] = NONE;
    if (memory->base && memory->blocks && memory->slots && memory->adopted)
        return memory;
    memory_free(memory);
    return NULL;
}

bool memory_grow(Memory *memory, uint64_t end) {
    return end <= memory->reserved;
}

void memory_free(Memory *memory) {
    if (!memory)
        return;
    heap_free(memory->heap);
    texture_table_free(memory->textures);
    if (memory->base)
        memset(memory->base, 0, memory->used); /* whoever gets it next expects zeroes */
    free(memory->base);
    free(memory->blocks);
    free(memory->slots);
    free(memory->adopted);
    free(memory);
}

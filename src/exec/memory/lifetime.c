/* Device memory begins and ends: its space, its tables, and what others keep in it. */
#include "exec/memory/memory.h"

#include <stdlib.h>

Memory *memory_new(void) {
    Memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    pthread_mutex_init(&memory->lock, NULL);
    pthread_mutex_init(&memory->heap_lock, NULL);
    memory->base = space_reserve(&memory->reserved, &memory->limit);
    memory->most = space_blocks(memory->limit);
    memory->blocks = space_take(memory->most * sizeof *memory->blocks);
    memory->slots = space_take(memory->most * sizeof *memory->slots);
    memory->adopted = space_take(ADOPTED_MOST * sizeof *memory->adopted);
    for (uint32_t i = 0; i < CLASSES; i++)
        memory->free[i] = NONE;
    if (memory->base && memory->blocks && memory->slots && memory->adopted)
        return memory;
    memory_free(memory);
    return NULL;
}

void memory_free(Memory *memory) {
    if (!memory)
        return;
    heap_free(memory->heap);
    texture_table_free(memory->textures);
    pthread_mutex_destroy(&memory->heap_lock);
    space_release(memory->base, memory->reserved, memory->used);
    space_give(memory->blocks, memory->most * sizeof *memory->blocks);
    space_give(memory->slots, memory->most * sizeof *memory->slots);
    space_give(memory->adopted, ADOPTED_MOST * sizeof *memory->adopted);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

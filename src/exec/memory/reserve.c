/* The address space of device memory, taken from the system and given back. */
#include "exec/memory/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Far from where programs and libraries lie, below 2^47, and above what AddressSanitizer reserves. */
#define RESERVED_AT UINT64_C(0x200000000000)
#define RESERVED_BYTES (UINT64_C(1) << 40)

static uint8_t *reserve(uint64_t *bytes) {
    for (; *bytes >= UINT64_C(1) << 32; *bytes /= 2) {
        void *at = mmap((void *)(uintptr_t)RESERVED_AT, *bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (at == MAP_FAILED)
            at = mmap(NULL, *bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at != MAP_FAILED)
            return at;
    }
    return NULL;
}

/* A table that takes memory only as far as it is filled, so that it never has to move. */
static void *table_new(size_t bytes) {
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void table_free(void *table, size_t bytes) {
    if (table)
        munmap(table, bytes);
}

Memory *memory_new(void) {
    Memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    pthread_mutex_init(&memory->lock, NULL);
    pthread_mutex_init(&memory->heap_lock, NULL);
    memory->reserved = RESERVED_BYTES;
    memory->base = reserve(&memory->reserved);
    memory->blocks = table_new(BLOCKS_MOST * sizeof *memory->blocks);
    memory->slots = table_new(BLOCKS_MOST * sizeof *memory->slots);
    memory->adopted = table_new(ADOPTED_MOST * sizeof *memory->adopted);
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
    table_free(memory->base, memory->reserved);
    table_free(memory->blocks, BLOCKS_MOST * sizeof *memory->blocks);
    table_free(memory->slots, BLOCKS_MOST * sizeof *memory->slots);
    table_free(memory->adopted, ADOPTED_MOST * sizeof *memory->adopted);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

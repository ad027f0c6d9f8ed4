/* Global memory: allocations in one reserved piece of address space that begins at the same address
 * each time, so that addresses, and with them every alignment effect, repeat from run to run. */
#include "exec/exec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Far from where programs and libraries lie, below 2^47, and above what AddressSanitizer reserves. */
#define RESERVED_AT UINT64_C(0x200000000000)
#define RESERVED_BYTES (UINT64_C(1) << 40)
#define GAP_BYTES 4096 /* between allocations: an index just outside is seen as out of bounds */

struct Memory {
    uint8_t *base;
    uint64_t reserved, used;
    MemoryBlock *blocks; /* by address */
    uint32_t count, capacity;
};

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

Memory *memory_new(void) {
    Memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    memory->reserved = RESERVED_BYTES;
    memory->base = reserve(&memory->reserved);
    if (!memory->base) {
        free(memory);
        return NULL;
    }
    return memory;
}

void memory_free(Memory *memory) {
    if (!memory)
        return;
    munmap(memory->base, memory->reserved);
    free(memory->blocks);
    free(memory);
}

uint64_t memory_allocate(Memory *memory, uint64_t bytes, const char *name, uint32_t element_bytes) {
    uint64_t whole = (bytes + GAP_BYTES + ALLOCATION_ALIGN - 1) & ~(uint64_t)(ALLOCATION_ALIGN - 1);
    if (whole < bytes || whole > memory->reserved - memory->used)
        return 0;
    if (memory->count == memory->capacity) {
        uint32_t larger = memory->capacity ? 2 * memory->capacity : 16;
        MemoryBlock *moved = realloc(memory->blocks, larger * sizeof *moved);
        if (!moved)
            return 0;
        memory->blocks = moved;
        memory->capacity = larger;
    }
    uint64_t address = (uint64_t)(uintptr_t)memory->base + memory->used;
    memory->used += whole;
    memory->blocks[memory->count++] = (MemoryBlock){
        .address = address, .bytes = bytes, .name = name, .element_bytes = element_bytes};
    return address;
}

/* Number of blocks that begin at or below address. */
static uint32_t blocks_up_to(const Memory *memory, uint64_t address) {
    uint32_t low = 0, high = memory->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (memory->blocks[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool memory_release(Memory *memory, uint64_t address) {
    uint32_t n = blocks_up_to(memory, address);
    if (n == 0 || memory->blocks[n - 1].address != address)
        return false;
    madvise((void *)(uintptr_t)address, memory->blocks[n - 1].bytes, MADV_DONTNEED);
    memmove(&memory->blocks[n - 1], &memory->blocks[n],
            (memory->count - n) * sizeof *memory->blocks);
    memory->count--;
    return true;
}

bool memory_protect(Memory *memory, uint64_t address) {
    uint32_t n = blocks_up_to(memory, address);
    if (n == 0 || memory->blocks[n - 1].address != address)
        return false;
    memory->blocks[n - 1].read_only = true;
    return true;
}

void *memory_host(const Memory *memory, uint64_t address) {
    (void)memory;
    return (void *)(uintptr_t)address;
}

static uint64_t distance(const MemoryBlock *block, uint64_t address) {
    if (address < block->address)
        return block->address - address;
    return address - block->address < block->bytes ? 0 : address - block->address - block->bytes;
}

const MemoryBlock *memory_find(const Memory *memory, uint64_t address,
                               const MemoryBlock **nearest) {
    uint32_t n = blocks_up_to(memory, address);
    const MemoryBlock *below = n > 0 ? &memory->blocks[n - 1] : NULL;
    const MemoryBlock *above = n < memory->count ? &memory->blocks[n] : NULL;
    if (nearest) {
        *nearest = !below                                                 ? above
                   : !above                                               ? below
                   : distance(below, address) <= distance(above, address) ? below
                                                                          : above;
    }
    return below && address - below->address < below->bytes ? below : NULL;
}

uint32_t memory_count(const Memory *memory) {
    return memory->count;
}

const MemoryBlock *memory_at(const Memory *memory, uint32_t index) {
    assert(index < memory->count);
    return &memory->blocks[index];
}

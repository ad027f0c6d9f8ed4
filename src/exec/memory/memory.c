/* Global memory: allocations in one reserved piece of address space that begins at the same address
 * each time, so that addresses, and with them every alignment effect, repeat from run to run, and that
 * grows behind its end; and pieces of the host's own memory that a program made known (adopted).
 *
 * Kernels look blocks up while other threads allocate and release, so the table of blocks only ever
 * grows, at its end, and never moves: addresses ascend with the index, a released block stays as one
 * of no bytes, and an allocation of about the same size takes its place, and its address, again.
 * Readers need no lock; writers have one. */
#include "exec/memory/memory.h"
#include "base/rescue.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { GIVE_BACK = 16 * 4096 }; /* from so many bytes on, released pages go back to the system */
#define GAP_BYTES 4096 /* between allocations: an index just outside is seen as out of bounds */

/* Readers see a block's bytes before or after a change, and a block's other fields once it is
 * counted. */
static uint64_t block_bytes(const MemoryBlock *block) {
    return __atomic_load_n(&block->bytes, __ATOMIC_ACQUIRE);
}

static void publish(MemoryBlock *block, uint64_t bytes) {
    __atomic_store_n(&block->bytes, bytes, __ATOMIC_RELEASE);
}

static uint32_t block_count(const Memory *memory) {
    return __atomic_load_n(&memory->count, __ATOMIC_ACQUIRE);
}

static uint32_t adopted_count(const Memory *memory) {
    return __atomic_load_n(&memory->adopted_count, __ATOMIC_ACQUIRE);
}

/* Number of blocks that begin at or below address. */
static uint32_t blocks_up_to(const Memory *memory, uint64_t address) {
    uint32_t low = 0, high = block_count(memory);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (memory->blocks[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- allocating ---- */

/* The class of a size, and the size rounded up to the largest of its class: a quarter of a power of
 * two more at most. */
static uint32_t size_class(uint64_t *whole) {
    uint32_t power = 63 - (uint32_t)__builtin_clzll(*whole);
    uint64_t step = UINT64_C(1) << (power - 2);
    uint64_t quarters = (*whole + step - 1) / step; /* 4 … 8 */
    *whole = quarters * step;
    return 4 * power + (uint32_t)(quarters - 4);
}

static uint32_t slot_take(Memory *memory, uint32_t class, uint64_t whole) {
    uint32_t slot = memory->free[class];
    if (slot != NONE) {
        memory->free[class] = memory->slots[slot].next;
        return slot;
    }
    if (memory->count == memory->most ||
        (whole > memory->reserved - memory->used && !memory_grow(memory, memory->used + whole)))
        return NONE;
    slot = memory->count;
    memory->blocks[slot].address = (uint64_t)(uintptr_t)memory->base + memory->used;
    memory->used += whole;
    return slot;
}

uint64_t memory_allocate(Memory *memory, uint64_t bytes, const char *name, uint32_t element_bytes) {
    if (bytes > memory->limit)
        return 0;
    uint64_t whole = (bytes + GAP_BYTES + ALLOCATION_ALIGN - 1) & ~(uint64_t)(ALLOCATION_ALIGN - 1);
    uint32_t class = size_class(&whole);
    lock_take(&memory->lock);
    uint32_t slot = slot_take(memory, class, whole);
    uint64_t address = 0;
    if (slot != NONE) {
        MemoryBlock *block = &memory->blocks[slot];
        address = block->address;
        space_large(address, bytes);
        block->name = name;
        block->element_bytes = element_bytes;
        block->read_only = false;
        block->devices = 0;
        memory->slots[slot] = (MemorySlot){.next = NONE};
        publish(block, bytes);
        if (slot == memory->count)
            __atomic_store_n(&memory->count, slot + 1, __ATOMIC_RELEASE);
    }
    lock_give(&memory->lock);
    return address;
}

/* What cooperative_groups finds by %envreg1 and 2: the size of a workspace, and a barrier of all blocks
 * (cooperative_groups/details/driver_abi.h). */
uint64_t memory_grid_barrier(Memory *memory) {
    static const uint32_t fresh[2] = {sizeof fresh, 0};
    lock_take(&memory->heap_lock);
    if (!memory->grid_barrier)
        memory->grid_barrier = memory_allocate(memory, sizeof fresh, "grid barrier", 4);
    uint64_t address = memory->grid_barrier;
    if (address)
        memcpy(memory_host(memory, address), fresh, sizeof fresh);
    lock_give(&memory->heap_lock);
    return address;
}

/* Zeroes; whole pages of large pieces are given back to the system, which zeroes them. */
static void clear(uint64_t address, uint64_t bytes) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t first = (address + page - 1) & ~(page - 1), end = (address + bytes) & ~(page - 1);
    if (bytes < GIVE_BACK || madvise((void *)(uintptr_t)first, end - first, MADV_DONTNEED) != 0) {
        memset((void *)(uintptr_t)address, 0, bytes);
        return;
    }
    memset((void *)(uintptr_t)address, 0, first - address);
    memset((void *)(uintptr_t)end, 0, address + bytes - end);
}

/* The living block that begins at address, or NULL. */
static MemoryBlock *block_at(Memory *memory, uint64_t address) {
    for (uint32_t i = 0; i < memory->adopted_count; i++) {
        if (memory->adopted[i].address == address && memory->adopted[i].bytes)
            return &memory->adopted[i];
    }
    uint32_t n = blocks_up_to(memory, address);
    if (n == 0 || memory->blocks[n - 1].address != address || memory->slots[n - 1].released)
        return NULL;
    return &memory->blocks[n - 1];
}

static bool is_adopted(const Memory *memory, const MemoryBlock *block) {
    return block >= memory->adopted && block < memory->adopted + ADOPTED_MOST;
}

bool memory_release(Memory *memory, uint64_t address) {
    lock_take(&memory->lock);
    MemoryBlock *block = block_at(memory, address);
    if (block) {
        uint64_t bytes = block->bytes;
        publish(block, 0);
        if (!is_adopted(memory, block)) {
            uint32_t slot = (uint32_t)(block - memory->blocks);
            uint64_t whole =
                (bytes + GAP_BYTES + ALLOCATION_ALIGN - 1) & ~(uint64_t)(ALLOCATION_ALIGN - 1);
            uint32_t class = size_class(&whole);
            MemorySlot *left = &memory->slots[slot];
            if (left->shared)
                pages_unshare(pages_of(address, bytes), left->file);
            else
                clear(address, bytes);
            *left = (MemorySlot){.next = memory->free[class], .released = true, .bytes = bytes};
            snprintf(left->name, sizeof left->name, "%s", block->name);
            memory->free[class] = slot;
        }
        block->name = "";
    }
    lock_give(&memory->lock);
    return block != NULL;
}

bool memory_adopt(Memory *memory, void *host, uint64_t bytes, const char *name) {
    uint64_t address = (uint64_t)(uintptr_t)host;
    lock_take(&memory->lock);
    uint32_t free = memory->adopted_count;
    bool overlaps = bytes == 0 || (address < (uint64_t)(uintptr_t)memory->base + memory->reserved &&
                                   address + bytes > (uint64_t)(uintptr_t)memory->base);
    for (uint32_t i = 0; i < memory->adopted_count; i++) {
        const MemoryBlock *block = &memory->adopted[i];
        if (block->bytes == 0)
            free = i;
        else if (address < block->address + block->bytes && block->address < address + bytes)
            overlaps = true;
    }
    bool done = !overlaps && free < ADOPTED_MOST;
    if (done) {
        memory->adopted[free] = (MemoryBlock){.address = address, .name = name};
        publish(&memory->adopted[free], bytes);
        if (free == memory->adopted_count)
            __atomic_store_n(&memory->adopted_count, free + 1, __ATOMIC_RELEASE);
    }
    lock_give(&memory->lock);
    return done;
}

/* Allocations lie a page apart, so no other one's bytes are on these pages. */
int memory_share(Memory *memory, uint64_t address, uint64_t *offset) {
    lock_take(&memory->lock);
    const MemoryBlock *block = block_at(memory, address);
    int file = -1;
    if (block && !is_adopted(memory, block)) {
        MemorySlot *slot = &memory->slots[block - memory->blocks];
        PageSpan span = pages_of(address, block->bytes);
        file = slot->shared ? slot->file : pages_share(span);
        slot->shared = file >= 0;
        slot->file = file;
        *offset = address - (uint64_t)(uintptr_t)span.at;
    }
    lock_give(&memory->lock);
    return file;
}

bool memory_protect(Memory *memory, uint64_t address) {
    lock_take(&memory->lock);
    MemoryBlock *block = block_at(memory, address);
    if (block)
        block->read_only = true;
    lock_give(&memory->lock);
    return block != NULL;
}

bool memory_confine(Memory *memory, uint64_t address, uint32_t devices) {
    lock_take(&memory->lock);
    MemoryBlock *block = block_at(memory, address);
    if (block)
        block->devices = devices;
    lock_give(&memory->lock);
    return block != NULL;
}

/* ---- finding ---- */

void *memory_host(const Memory *memory, uint64_t address) {
    (void)memory;
    return (void *)(uintptr_t)address;
}

static uint64_t distance(const MemoryBlock *block, uint64_t address) {
    if (address < block->address)
        return block->address - address;
    uint64_t bytes = block_bytes(block);
    return address - block->address < bytes ? 0 : address - block->address - bytes;
}

static const MemoryBlock *nearer(const MemoryBlock *a, const MemoryBlock *b, uint64_t address) {
    if (!a || !b)
        return a ? a : b;
    return distance(a, address) <= distance(b, address) ? a : b;
}

static const MemoryBlock *find_nearest(const Memory *memory, uint64_t address) {
    uint32_t n = blocks_up_to(memory, address), below = n, above = n, count = block_count(memory);
    while (below > 0 && block_bytes(&memory->blocks[below - 1]) == 0)
        below--;
    while (above < count && block_bytes(&memory->blocks[above]) == 0)
        above++;
    const MemoryBlock *nearest = nearer(below > 0 ? &memory->blocks[below - 1] : NULL,
                                        above < count ? &memory->blocks[above] : NULL, address);
    for (uint32_t i = 0; i < adopted_count(memory); i++) {
        if (block_bytes(&memory->adopted[i]))
            nearest = nearer(nearest, &memory->adopted[i], address);
    }
    return nearest;
}

static const MemoryBlock *find_adopted(const Memory *memory, uint64_t address) {
    for (uint32_t i = 0; i < adopted_count(memory); i++) {
        const MemoryBlock *block = &memory->adopted[i];
        if (address - block->address < block_bytes(block))
            return block;
    }
    return NULL;
}

const MemoryBlock *memory_find(const Memory *memory, uint64_t address,
                               const MemoryBlock **nearest) {
    if (nearest)
        *nearest = find_nearest(memory, address);
    uint32_t n = blocks_up_to(memory, address);
    if (n > 0 && address - memory->blocks[n - 1].address < block_bytes(&memory->blocks[n - 1]))
        return &memory->blocks[n - 1];
    return find_adopted(memory, address);
}

const char *memory_freed(const Memory *memory, uint64_t address, uint64_t *bytes,
                         uint64_t *offset) {
    uint32_t n = blocks_up_to(memory, address);
    if (n == 0 || !memory->slots[n - 1].released)
        return NULL;
    *bytes = memory->slots[n - 1].bytes;
    *offset = address - memory->blocks[n - 1].address;
    return *offset < *bytes ? memory->slots[n - 1].name : NULL;
}

bool memory_is_own(const Memory *memory, uint64_t address) {
    return address - (uint64_t)(uintptr_t)memory->base <
           __atomic_load_n(&memory->reserved, __ATOMIC_ACQUIRE);
}

/* The system says of a page that is not mapped that it cannot be read. */
bool memory_is_host(const Memory *memory, uint64_t address) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)address, 1};
    return !memory_is_own(memory, address) &&
           process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

uint32_t memory_count(const Memory *memory) {
    return block_count(memory) + adopted_count(memory);
}

const MemoryBlock *memory_at(const Memory *memory, uint32_t index) {
    assert(index < memory_count(memory));
    uint32_t count = block_count(memory);
    return index < count ? &memory->blocks[index] : &memory->adopted[index - count];
}

uint32_t memory_index(const Memory *memory, const MemoryBlock *block) {
    if (is_adopted(memory, block))
        return block_count(memory) + (uint32_t)(block - memory->adopted);
    return (uint32_t)(block - memory->blocks);
}

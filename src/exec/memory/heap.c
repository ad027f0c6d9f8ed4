/* malloc and free of kernels: one piece of device memory, handed out by a buddy allocator. Blocks have
 * 16 bytes times a power of two; two free halves of a block become one again. What is free and what is
 * not is kept outside the device's memory, so a kernel that writes where it should not spoils its own
 * data only. As the limit counts what was asked for and the piece has twice its size, rounding up to
 * powers of two does not make memory scarce. One heap for all launches that use a Memory, behind a
 * lock: kernels on all workers allocate from it. */
#include "base/rescue.h"
#include "exec/memory/memory.h"

#include <stdlib.h>

enum {
    UNIT = 16,       /* bytes of the smallest block */
    ORDERS = 40,     /* block of order k: UNIT << k bytes */
    FREE_BLOCK = 64, /* bits of Heap.state beside the order */
    USED_BLOCK = 128
};
#define HEAP_BYTES_DEFAULT (UINT64_C(8) << 20) /* cudaLimitMallocHeapSize */

/* A free block in the list of its order. */
typedef struct Link {
    uint32_t next, previous; /* units; NO_INDEX: none */
} Link;

struct Heap {
    Memory *memory; /* that it is a piece of */
    pthread_mutex_t lock;
    uint64_t base, limit, in_use;
    uint32_t units;
    uint8_t *state;  /* [units]: FREE_BLOCK or USED_BLOCK | order where a block begins, else 0 */
    uint32_t *asked; /* [units]: bytes that were asked for, in units, of a used block */
    Link *links;     /* [units] */
    uint32_t first[ORDERS];
};

static void push(Heap *heap, uint32_t unit, uint32_t order) {
    heap->state[unit] = (uint8_t)(FREE_BLOCK | order);
    heap->links[unit] = (Link){heap->first[order], NO_INDEX};
    if (heap->first[order] != NO_INDEX)
        heap->links[heap->first[order]].previous = unit;
    heap->first[order] = unit;
}

static void take(Heap *heap, uint32_t unit, uint32_t order) {
    Link link = heap->links[unit];
    heap->state[unit] = 0;
    if (link.previous != NO_INDEX)
        heap->links[link.previous].next = link.next;
    else
        heap->first[order] = link.next;
    if (link.next != NO_INDEX)
        heap->links[link.next].previous = link.previous;
}

Heap *heap_new(Memory *memory, uint64_t limit) {
    Heap *heap = calloc(1, sizeof *heap);
    if (!heap)
        return NULL;
    uint32_t order = 0;
    heap->memory = memory;
    heap->limit = limit ? limit : HEAP_BYTES_DEFAULT;
    while ((uint64_t)UNIT << order < 2 * heap->limit && order < 31)
        order++;
    heap->units = 1u << order;
    heap->base = memory_allocate(memory, (uint64_t)UNIT << order, "device heap", 0);
    heap->state = calloc(heap->units, sizeof *heap->state);
    heap->asked = calloc(heap->units, sizeof *heap->asked);
    heap->links = calloc(heap->units, sizeof *heap->links);
    pthread_mutex_init(&heap->lock, NULL);
    for (uint32_t i = 0; i < ORDERS; i++)
        heap->first[i] = NO_INDEX;
    if (!heap->base || !heap->state || !heap->asked || !heap->links) {
        heap_free(heap);
        return NULL;
    }
    push(heap, 0, order);
    return heap;
}

void heap_free(Heap *heap) {
    if (!heap)
        return;
    if (heap->base)
        memory_release(heap->memory, heap->base);
    pthread_mutex_destroy(&heap->lock);
    free(heap->state);
    free(heap->asked);
    free(heap->links);
    free(heap);
}

/* A block of the order: one from its list, or half of a larger one. */
static uint32_t find_block(Heap *heap, uint32_t order) {
    uint32_t larger = order;
    while (larger < ORDERS && heap->first[larger] == NO_INDEX)
        larger++;
    if (larger == ORDERS)
        return NO_INDEX;
    uint32_t unit = heap->first[larger];
    take(heap, unit, larger);
    while (larger > order) {
        larger--;
        push(heap, unit + (1u << larger), larger);
    }
    return unit;
}

uint64_t heap_allocate(Heap *heap, uint64_t bytes) {
    uint64_t units = bytes ? (bytes + UNIT - 1) / UNIT : 1, address = 0;
    if (units < bytes / UNIT || units > heap->units)
        return 0;
    uint32_t order = 0;
    while (UINT64_C(1) << order < units)
        order++;
    lock_take(&heap->lock);
    uint32_t unit = NO_INDEX;
    if (heap->in_use + units * UNIT <= heap->limit)
        unit = find_block(heap, order);
    if (unit != NO_INDEX) {
        heap->state[unit] = (uint8_t)(USED_BLOCK | order);
        heap->asked[unit] = (uint32_t)units;
        heap->in_use += units * UNIT;
        address = heap->base + (uint64_t)unit * UNIT;
    }
    lock_give(&heap->lock);
    return address;
}

/* A block and its buddy, where that is free, become one, and so on. */
static void join(Heap *heap, uint32_t unit, uint32_t order) {
    while (1u << order < heap->units) {
        uint32_t buddy = unit ^ (1u << order);
        if (heap->state[buddy] != (FREE_BLOCK | order))
            break;
        take(heap, buddy, order);
        unit &= ~(1u << order);
        order++;
    }
    push(heap, unit, order);
}

bool heap_release(Heap *heap, uint64_t address) {
    uint64_t unit = (address - heap->base) / UNIT;
    bool good = false;
    if (address % UNIT || unit >= heap->units)
        return false;
    lock_take(&heap->lock);
    if (heap->state[unit] & USED_BLOCK) {
        uint32_t order = heap->state[unit] & (FREE_BLOCK - 1);
        heap->in_use -= (uint64_t)heap->asked[unit] * UNIT;
        heap->state[unit] = 0;
        join(heap, (uint32_t)unit, order);
        good = true;
    }
    lock_give(&heap->lock);
    return good;
}

/* ---- the heap of a memory ---- */

Heap *memory_heap(Memory *memory, uint64_t limit) {
    lock_take(&memory->heap_lock);
    if (!memory->heap)
        memory->heap = heap_new(memory, limit);
    Heap *heap = memory->heap;
    lock_give(&memory->heap_lock);
    return heap;
}

bool memory_has_heap(Memory *memory) {
    lock_take(&memory->heap_lock);
    bool has = memory->heap != NULL;
    lock_give(&memory->heap_lock);
    return has;
}

void memory_drop_heap(Memory *memory) {
    lock_take(&memory->heap_lock);
    Heap *heap = memory->heap;
    memory->heap = NULL;
    lock_give(&memory->heap_lock);
    heap_free(heap);
}

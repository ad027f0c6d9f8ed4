/* Accesses to the heap of kernels' malloc: to blocks that are free again, and outside of blocks. For each 16 bytes of
 * the heap, the distance of any two blocks at least, it has the last block that was there. */
#include "sanitize/state.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 16,
    NEAR = 4096 /* units before an address, in which the block is looked for that is overrun */
};

typedef struct HeapBlock {
    uint64_t address, bytes;
    uint64_t made_in, freed_in; /* launches */
    Witness made, freed;
    bool is_free;
} HeapBlock;

struct HeapWatch {
    uint64_t first, end; /* the heap; equal: there is none yet */
    uint32_t *block_of;  /* [units]: 1 + number of the last block there; 0, and behind: none */
    uint64_t units, room;
    HeapBlock *blocks;
    uint32_t count, capacity;
};

HeapWatch *heap_watch_new(void) {
    HeapWatch *heap = calloc(1, sizeof *heap);
    if (!heap)
        out_of_memory();
    return heap;
}

void heap_watch_free(HeapWatch *heap) {
    if (!heap)
        return;
    free(heap->block_of);
    free(heap->blocks);
    free(heap);
}

static void *grown(void *at, size_t bytes) {
    at = realloc(at, bytes);
    if (!at)
        out_of_memory();
    return at;
}

/* The table goes on until there. */
static void reach(HeapWatch *heap, uint64_t end) {
    const uint64_t units = (end - heap->first + UNIT - 1) / UNIT;
    if (units > heap->room) {
        heap->room = units + units / 2 + 64;
        heap->block_of = grown(heap->block_of, heap->room * sizeof *heap->block_of);
    }
    if (units <= heap->units)
        return;
    memset(heap->block_of + heap->units, 0, (units - heap->units) * sizeof *heap->block_of);
    heap->units = units;
}

static Witness witness(const Agent *by) {
    const uint32_t lane = (uint32_t)__builtin_ctz(by->lanes);
    return (Witness){by->insn, by->block->shape.number, by->warp * WARP_LANES + lane};
}

/* A free block whose place is taken anew is nobody's any more; else a new one. */
static uint32_t block_for(HeapWatch *heap, uint64_t address) {
    const uint32_t there = heap->block_of[(address - heap->first) / UNIT];
    if (there && heap->blocks[there - 1].address == address)
        return there - 1;
    if (heap->count == heap->capacity) {
        heap->capacity = heap->capacity ? 2 * heap->capacity : 64;
        heap->blocks = grown(heap->blocks, heap->capacity * sizeof *heap->blocks);
    }
    return heap->count++;
}

void heap_allocated(HeapWatch *heap, const Agent *by, const WatchedHeap *of, uint64_t address,
                    uint64_t bytes) {
    const uint64_t size = bytes ? bytes : 1;
    heap->first = of->first;
    heap->end = of->end;
    reach(heap, address + size);
    const uint32_t number = block_for(heap, address);
    heap->blocks[number] = (HeapBlock){.address = address,
                                       .bytes = bytes,
                                       .made = witness(by),
                                       .made_in = by->block->sanitizer->launch.number};
    for (uint64_t at = (address - heap->first) / UNIT;
         at <= (address + size - 1 - heap->first) / UNIT; at++)
        heap->block_of[at] = number + 1;
}

void heap_released(HeapWatch *heap, const Agent *by, uint64_t address) {
    if (address - heap->first >= heap->end - heap->first)
        return;
    const uint64_t unit = (address - heap->first) / UNIT;
    const uint32_t number = unit < heap->units ? heap->block_of[unit] : 0;
    if (!number || heap->blocks[number - 1].address != address)
        return;
    heap->blocks[number - 1].is_free = true;
    heap->blocks[number - 1].freed = witness(by);
    heap->blocks[number - 1].freed_in = by->block->sanitizer->launch.number;
}

void heap_gone(HeapWatch *heap, uint64_t address, uint64_t bytes) {
    if (address + bytes <= heap->first || address >= heap->end)
        return;
    heap->first = heap->end = heap->units = 0;
    heap->count = 0;
}

/* The block that is there, or the last before it. NULL: there is none near. */
static const HeapBlock *block_before(const HeapWatch *heap, uint64_t address) {
    uint64_t at = (address - heap->first) / UNIT;
    for (uint32_t left = NEAR; left; left--, at--) {
        if (at < heap->units && heap->block_of[at])
            return &heap->blocks[heap->block_of[at] - 1];
        if (at == 0)
            break;
    }
    return NULL;
}

static void look_at(const HeapWatch *heap, const WatchedAccess *access, uint32_t lane) {
    const uint64_t address = access->address[lane];
    const Sanitizer *sanitizer = access->by.block->sanitizer;
    const HeapBlock *block = block_before(heap, address);
    const uint64_t end = block ? block->address + block->bytes : 0;
    FoundDefect defect = access_defect(DEFECT_freed_memory, access, lane);
    defect.count = 1;
    if (block && address < end && block->is_free) {
        if (block->freed_in == sanitizer->launch.number)
            defect.other = block->freed;
    } else if (!block || address + access->width > end) {
        defect.kind = DEFECT_outside_malloc;
        defect.number[0] = block ? block->bytes : 0;
        defect.number[1] = address < end || !block ? 0 : address - end;
        if (block && block->made_in == sanitizer->launch.number)
            defect.other = block->made;
    } else {
        return;
    }
    sanitize_report(access->by.block->sanitizer, &defect);
}

void heap_access(const HeapWatch *heap, const WatchedAccess *access) {
    if (access->space != SPACE_GLOBAL || access->object)
        return;
    for (uint32_t rest = access->by.lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (access->address[lane] - heap->first < heap->end - heap->first)
            look_at(heap, access, lane);
    }
}

static bool is_outside(const HeapWatch *heap, uint64_t one, uint64_t other) {
    const uint64_t low = one < other ? one : other, high = one < other ? other : one;
    return high < heap->first || low >= heap->end;
}

bool heap_run(const HeapWatch *heap, const WatchedRun *run) {
    return run->space != SPACE_GLOBAL || (is_outside(heap, run_first(run, 0), run_last(run, 0)) &&
                                          is_outside(heap, run_first(run, 1), run_last(run, 1)));
}

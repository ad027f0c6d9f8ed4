/* Runs a kernel with arrays of global memory stored in another way, its code untouched: each array is
 * moved before the launch to where the storage puts its bytes, every access goes there, and afterwards the
 * bytes are put back. That proves a fix of global accesses before anybody edits the source: memory must be
 * the same then, and the sectors are those of the changed array. */
#include "exec/run/warp.h"

#include <stdlib.h>
#include <string.h>

struct StoredArrays {
    uint64_t first, end; /* where the program thinks the array is; the last entry: end = 0 */
    uint8_t *at;         /* where it begins */
    const Storage *storage;
};

static const MemoryBlock *block_named(const Memory *memory, const char *name) {
    for (uint32_t i = 0; i < memory_count(memory); i++) {
        const MemoryBlock *block = memory_at(memory, i);
        if (block->bytes && strcmp(block->name, name) == 0)
            return block;
    }
    return NULL;
}

/* Byte by byte: a storage may tear anything apart. */
static void fill(const StoredArrays *stored) {
    const uint8_t *from = (const uint8_t *)(uintptr_t)stored->first;
    for (uint64_t i = 0; i < stored->end - stored->first; i++)
        stored->at[storage_offset(stored->storage, i)] = from[i];
}

static void put_back(const StoredArrays *stored) {
    uint8_t *to = (uint8_t *)(uintptr_t)stored->first;
    for (uint64_t i = 0; i < stored->end - stored->first; i++)
        to[i] = stored->at[storage_offset(stored->storage, i)];
}

static bool begin(StoredArrays *stored, const Launch *launch, const Relayout *relayout,
                  Diags *diags) {
    const MemoryBlock *block = block_named(launch->memory, relayout->symbol);
    if (!block) {
        diags_error(diags, "there is no allocation '%s'", relayout->symbol);
        return false;
    }
    uint64_t bytes = storage_bytes(relayout->storage, block->bytes);
    void *at = NULL;
    if (posix_memalign(&at, ALLOCATION_ALIGN, bytes) != 0) {
        diags_error(diags, "no memory for '%s' stored otherwise: %llu bytes", relayout->symbol,
                    (unsigned long long)bytes);
        return false;
    }
    memset(at, 0, bytes);
    *stored = (StoredArrays){block->address, block->address + block->bytes, at, relayout->storage};
    fill(stored);
    return true;
}

const StoredArrays *stored_make(Arena *arena, const Launch *launch, Diags *diags) {
    StoredArrays *stored = NULL, *next = NULL;
    for (uint32_t i = 0; i < launch->relayout_count; i++) {
        const Relayout *relayout = &launch->relayouts[i];
        if (!relayout->storage ||
            (relayout->if_there && !block_named(launch->memory, relayout->symbol)))
            continue;
        if (!stored)
            next = stored = NEW_ARRAY(arena, StoredArrays, launch->relayout_count + 1);
        if (!begin(next, launch, relayout, diags)) {
            stored_end(stored);
            return NULL;
        }
        next++;
    }
    return stored;
}

void stored_end(const StoredArrays *stored) {
    for (; stored && stored->end; stored++) {
        put_back(stored);
        free(stored->at);
    }
}

static uint64_t moved(const void *context, uint64_t address) {
    for (const StoredArrays *stored = context; stored->end; stored++)
        if (address >= stored->first && address < stored->end)
            return (uintptr_t)stored->at + storage_offset(stored->storage, address - stored->first);
    return address;
}

bool stored_has(const StoredArrays *stored, uint64_t address, uint64_t bytes) {
    for (; stored->end; stored++)
        if (address < stored->end && address + bytes > stored->first)
            return true;
    return false;
}

Step stored_touch(const StoredArrays *stored, Touch *touch, Warp *warp, const Code *code,
                  uint32_t mask, uint32_t width, bool writes) {
    return touch_move(touch, warp, code, SPACE_GLOBAL, mask, width, writes, moved, stored);
}

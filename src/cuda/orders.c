/* What memory holds behind each launch, for `warplens run --schedules`: a line of FOLDER/launches for each allocation
 * or variable that the launch has changed,
 *
 *   LAUNCH INDEX BYTES HASH KERNEL<tab>NAME
 *
 * and, where WARPLENS_ORDERS_KEEP names "LAUNCH.INDEX " among others, its bytes as FOLDER/LAUNCH.INDEX. Allocations have the
 * number in which they were made, which is the same in each run of a program that always does the same. */
#include "cuda/library.h"
#include "cuda/record.h"
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>

/* Hashes behind the launch before, by index. */
struct Orders {
    uint64_t *hash;
    uint32_t count;
};

static uint64_t *hash_at(Orders *orders, uint32_t index) {
    if (index >= orders->count) {
        const uint32_t count = 2 * index + 16;
        uint64_t *grown = realloc(orders->hash, count * sizeof *grown);
        if (!grown)
            return NULL;
        memset(grown + orders->count, 0, (count - orders->count) * sizeof *grown);
        orders->hash = grown;
        orders->count = count;
    }
    return &orders->hash[index];
}

/* Whether the launch has changed them or not: in another order it may have. */
static void keep(const char *folder, const char *kept, const char *name, const MemoryBlock *block,
                 const void *bytes) {
    Arena *arena = arena_new();
    if (kept && strstr(kept, arena_printf(arena, "%s ", name)))
        file_write(arena_printf(arena, "%s/%s", folder, name), bytes, block->bytes);
    arena_free(arena);
}

void orders_launched(Core *core, const Kernel *kernel) {
    const char *folder = core->settings.orders, *kept = getenv("WARPLENS_ORDERS_KEEP");
    Arena *arena = arena_new();
    FILE *out = fopen(arena_printf(arena, "%s/launches", folder), "ae");
    core_lock();
    if (!core->orders)
        core->orders = calloc(1, sizeof *core->orders);
    for (uint32_t i = 0; out && core->orders && i < memory_count(core->memory); i++) {
        const MemoryBlock *block = memory_at(core->memory, i);
        const void *bytes = block->bytes ? memory_host(core->memory, block->address) : NULL;
        uint64_t *before = bytes ? hash_at(core->orders, i) : NULL;
        const uint64_t hash = before ? words_hash(bytes, block->bytes, 1) : 0;
        const char *name = arena_printf(arena, "%llu.%u", (unsigned long long)core->launches, i);
        if (before)
            keep(folder, kept, name, block, bytes);
        if (!before || hash == *before)
            continue;
        *before = hash;
        fprintf(out, "%llu %u %llu %llu %s\t%s\n", (unsigned long long)core->launches, i,
                (unsigned long long)block->bytes, (unsigned long long)hash,
                name_demangled(arena, kernel->name, false), block->name);
    }
    core_unlock();
    if (out)
        fclose(out);
    arena_free(arena);
}

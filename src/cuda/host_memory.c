/* --sanitize memory: copies with memory of the host that is not there, or not all there: freed pinned memory, pages that are not
 * mapped, more than was pinned or registered. What malloc and free do with memory that stays mapped is not seen. */
#include "cuda/allocation.h"
#include "cuda/defects.h"

typedef struct HostSide {
    uint64_t first, bytes;
    const char *verb; /* "copy from" */
} HostSide;

static void tell(const HostSide *side, const char *why) {
    Arena *arena = arena_new();
    defect_note(DEFECT_host_memory, arena_printf(arena, "%s host memory, %llu bytes at 0x%llx: %s",
                                                 side->verb, (unsigned long long)side->bytes,
                                                 (unsigned long long)side->first, why));
    arena_free(arena);
}

/* Pinned or registered memory, of which all is meant. */
static void check_known(const HostSide *side, const AllocationRecord *found) {
    const bool pinned = found->kind == KIND_HOST || found->kind == KIND_REGISTERED;
    const uint64_t rest = found->bytes - (side->first - found->address);
    AllocationRecord next; /* several pieces may be registered one by one */
    if (!pinned || side->bytes <= rest || allocated_find(found->address + found->bytes, &next))
        return;
    Arena *arena = arena_new();
    tell(side, arena_printf(arena, "%llu bytes behind the end of %s (%llu bytes)",
                            (unsigned long long)(side->bytes - rest), found->name,
                            (unsigned long long)found->bytes));
    arena_free(arena);
}

static bool check_unknown(const HostSide *side) {
    const Memory *memory = core_memory();
    uint64_t bytes, offset;
    Arena *arena = arena_new();
    const char *freed = memory_freed(memory, side->first, &bytes, &offset);
    const char *why = freed ? arena_printf(arena, "%s (%llu bytes) was freed before", freed,
                                           (unsigned long long)bytes)
                      : !memory_is_host(memory, side->first) ? "nothing is mapped there"
                      : !memory_is_host(memory, side->first + side->bytes - 1)
                          ? "nothing is mapped at its end"
                          : NULL;
    if (why)
        tell(side, why);
    arena_free(arena);
    return !why;
}

bool host_memory_check(const void *memory, uint64_t bytes, bool writes) {
    const HostSide side = {(uint64_t)(uintptr_t)memory, bytes, writes ? "copy to" : "copy from"};
    AllocationRecord found;
    if (!bytes || !memory)
        return true;
    if (!allocated_find(side.first, &found))
        return check_unknown(&side);
    check_known(&side, &found);
    return true;
}

/* mbarriers that are made anew, or written by what is no operation on mbarriers, while they are valid: from mbarrier.init to
 * mbarrier.inval both are undefined (PTX ISA, "Contents of the mbarrier object", "mbarrier.init"). What an operation on an
 * mbarrier itself does not allow is a fault of the launch. */
#include "sanitize/state.h"

enum { OBJECT_BYTES = 8 };

void mbarriers_begin(WatchedBlock *block) {
    block->mbarriers.count = 0;
    block->mbarriers_low = UINT64_MAX;
    block->mbarriers_end = 0;
}

static WatchedMbarrier *find(WatchedBlock *block, uint64_t first, uint64_t bytes) {
    for (uint32_t i = 0; i < block->mbarriers.count; i++) {
        WatchedMbarrier *object = &block->mbarriers.at[i];
        if (object->address < first + bytes && first < object->address + OBJECT_BYTES)
            return object;
    }
    return NULL;
}

static void made(const WatchedEvent *event, uint64_t address) {
    WatchedBlock *block = event->by.block;
    const uint32_t lane = (uint32_t)__builtin_ctz(event->by.lanes);
    const Witness by = {event->by.insn, block->shape.number, event->by.warp * WARP_LANES + lane};
    WatchedMbarrier *object = find(block, address, OBJECT_BYTES);
    if (object) {
        const FoundDefect defect = {.kind = DEFECT_mbarrier_reused,
                                    .by = by,
                                    .other = object->made,
                                    .space = SPACE_SHARED,
                                    .address = address,
                                    .bytes = OBJECT_BYTES,
                                    .ways = ACCESS_WRITES,
                                    .count = 1};
        sanitize_report(block->sanitizer, &defect);
    } else {
        object = vec_add(block->sanitizer->launch_arena, &block->mbarriers);
    }
    *object = (WatchedMbarrier){address, by};
    if (address < block->mbarriers_low)
        block->mbarriers_low = address;
    if (address + OBJECT_BYTES > block->mbarriers_end)
        block->mbarriers_end = address + OBJECT_BYTES;
}

void mbarriers_event(const WatchedEvent *event) {
    WatchedBlock *block = event->by.block;
    const bool makes = event->kind == EVENT_MBARRIER_INIT;
    if (!makes && event->kind != EVENT_MBARRIER_INVAL)
        return;
    const uint64_t address = event->host - (uintptr_t)block->shape.shared;
    if (address >= block->shape.shared_end) /* another block's */
        return;
    if (makes) {
        made(event, address);
        return;
    }
    WatchedMbarrier *object = find(block, address, OBJECT_BYTES);
    if (object)
        *object = block->mbarriers.at[--block->mbarriers.count];
}

void mbarriers_access(const WatchedAccess *access) {
    WatchedBlock *block = access->by.block;
    if (block->mbarriers.count == 0 || access->space != SPACE_SHARED || access->remote ||
        access->object || !(access->ways & ACCESS_WRITES))
        return;
    for (uint32_t rest = access->by.lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint64_t at = access->address[lane];
        const WatchedMbarrier *object =
            at < block->mbarriers_end && at + access->width > block->mbarriers_low
                ? find(block, at, access->width)
                : NULL;
        if (!object)
            continue;
        FoundDefect defect = access_defect(DEFECT_mbarrier_reused, access, lane);
        defect.other = object->made;
        sanitize_report(block->sanitizer, &defect);
    }
}

bool mbarriers_run(const WatchedRun *run) {
    const WatchedBlock *block = run->by.block;
    bool apart = true;
    for (uint32_t half = 0; half < 2 && block->mbarriers.count; half++) {
        const uint64_t first = run_first(run, half), last = run_last(run, half);
        const uint64_t low = first < last ? first : last, high = first < last ? last : first;
        apart &= low >= block->mbarriers_end || high + run->width <= block->mbarriers_low;
    }
    return apart || run->space != SPACE_SHARED || !(run->ways & ACCESS_WRITES);
}

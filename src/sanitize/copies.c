/* cp.async that nobody awaited: the bytes of shared memory that a thread's copies are on their way to, until
 * that thread has waited for their group. Who accesses them before is told, whoever it is. A copy that arrives at an
 * mbarrier is over here, since who waits for that is not followed. */
#include "sanitize/state.h"

#include <string.h>

typedef struct PendingCopy {
    uint32_t warp, lane, group, insn, bytes;
    uint64_t address;
} PendingCopy;

/* Of a block. */
struct PendingCopies {
    VEC(PendingCopy) list;
    uint32_t *groups; /* [threads]: that each has committed */
    uint8_t *bits;    /* bit i: byte i of shared memory is a target */
};

void copies_begin(WatchedBlock *block) {
    block->copies = NULL;
}

static PendingCopies *copies_of(WatchedBlock *block) {
    Arena *arena = block->sanitizer->launch_arena;
    if (!block->copies) {
        block->copies = NEW(arena, PendingCopies);
        block->copies->groups =
            NEW_ARRAY(arena, uint32_t, (block->shape.threads + WARP_LANES) & ~31u);
        block->copies->bits = arena_alloc(arena, block->shape.shared_end / 8 + 8);
    }
    return block->copies;
}

static void mark(PendingCopies *copies, const PendingCopy *copy, bool pending) {
    for (uint64_t at = copy->address; at < copy->address + copy->bytes; at++) {
        uint8_t bit = (uint8_t)(1u << (at & 7));
        copies->bits[at >> 3] =
            (uint8_t)(pending ? copies->bits[at >> 3] | bit : copies->bits[at >> 3] & ~bit);
    }
}

static void begin(const WatchedAccess *access) {
    WatchedBlock *block = access->by.block;
    PendingCopies *copies = copies_of(block);
    for (uint32_t rest = access->by.lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        PendingCopy copy = {
            access->by.warp, lane,          copies->groups[access->by.warp * WARP_LANES + lane],
            access->by.insn, access->width, access->address[lane]};
        *vec_add(block->sanitizer->launch_arena, &copies->list) = copy;
        mark(copies, &copy, true);
    }
}

static bool overlaps(const PendingCopy *copy, uint64_t address, uint32_t width) {
    return copy->address < address + width && address < copy->address + copy->bytes;
}

static void look(const WatchedAccess *access, const PendingCopies *copies, uint32_t lane) {
    const uint64_t address = access->address[lane];
    for (uint32_t i = 0; i < copies->list.count; i++) {
        const PendingCopy *copy = &copies->list.at[i];
        if (!overlaps(copy, address, access->width))
            continue;
        FoundDefect defect = access_defect(DEFECT_missing_wait, access, lane);
        defect.other = (Witness){copy->insn, access->by.block->shape.number,
                                 copy->warp * WARP_LANES + copy->lane};
        defect.count = 1;
        sanitize_report(access->by.block->sanitizer, &defect);
        return;
    }
}

void copies_access(const WatchedAccess *access) {
    const PendingCopies *copies = access->by.block->copies;
    if (access->space != SPACE_SHARED || access->remote || access->object)
        return;
    if (access->async) {
        if (access->ways & ACCESS_WRITES)
            begin(access);
        return;
    }
    for (uint32_t rest = copies ? access->by.lanes : 0; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t address = access->address[lane];
        bool pending = false;
        for (uint64_t at = address; at < address + access->width && !pending; at++)
            pending = copies->bits[at >> 3] >> (at & 7) & 1;
        if (pending)
            look(access, copies, lane);
    }
}

/* Copies of the lanes in groups before `end[lane]` are over. */
static void finish(WatchedBlock *block, const Agent *by, uint32_t left, bool all) {
    PendingCopies *copies = block->copies;
    uint32_t kept = 0;
    for (uint32_t i = 0; copies && i < copies->list.count; i++) {
        PendingCopy *copy = &copies->list.at[i];
        uint32_t committed = copies->groups[copy->warp * WARP_LANES + copy->lane];
        bool mine = copy->warp == by->warp && (by->lanes >> copy->lane & 1);
        if (mine && (all || copy->group + left < committed))
            mark(copies, copy, false);
        else
            copies->list.at[kept++] = *copy;
    }
    if (copies)
        copies->list.count = kept;
}

void copies_event(const WatchedEvent *event) {
    WatchedBlock *block = event->by.block;
    if (!block->copies)
        return;
    if (event->kind == EVENT_COPY_COMMIT) {
        for (uint32_t rest = event->by.lanes; rest; rest &= rest - 1)
            block->copies->groups[event->by.warp * WARP_LANES + (uint32_t)__builtin_ctz(rest)]++;
    } else if (event->kind == EVENT_COPY_WAIT) {
        finish(block, &event->by, event->count, event->number == 1);
    } else if (event->kind == EVENT_COPY_ARRIVE) {
        finish(block, &event->by, 0, true);
    }
}

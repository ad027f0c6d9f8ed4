/* Threads that meet wrongly: an .aligned barrier that lanes of a warp reach in parts, one barrier with
 * different numbers of threads, lanes that execute a warp-wide operation whose mask does not name them. What never
 * ends is a fault of the launch. */
#include "sanitize/state.h"

#include <string.h>

static void report(const WatchedEvent *event, DefectKind kind, Witness other, uint64_t a,
                   uint64_t b) {
    const Agent *by = &event->by;
    const uint32_t first = by->warp * WARP_LANES + (uint32_t)__builtin_ctz(by->lanes);
    const FoundDefect defect = {.kind = kind,
                                .by = {by->insn, by->block->shape.number, first},
                                .other = other,
                                .count = (uint64_t)__builtin_popcount(by->lanes),
                                .number = {a, b}};
    sanitize_report(by->block->sanitizer, &defect);
}

void sync_begin(WatchedBlock *block) {
    memset(block->barriers, 0, sizeof block->barriers);
    block->parts = NULL;
}

/* Lanes of each warp that have come to a barrier without the others, and where. */
static WatchedPart *part_of(WatchedBlock *block, uint32_t number, uint32_t warp) {
    const uint32_t warps = (block->shape.threads + WARP_LANES - 1) / WARP_LANES;
    if (!block->parts)
        block->parts =
            NEW_ARRAY(block->sanitizer->launch_arena, WatchedPart, warps * NAMED_BARRIERS);
    return &block->parts[number * warps + warp];
}

/* Lanes that never come, since they end, are not missed. */
static void arrive_part(const WatchedEvent *event) {
    WatchedPart *part = part_of(event->by.block, event->number, event->by.warp);
    if (part->lanes & event->live) {
        const Witness other = {part->insn, event->by.block->shape.number,
                               event->by.warp * WARP_LANES + (uint32_t)__builtin_ctz(part->lanes)};
        report(event, DEFECT_divergent_barrier, other, event->by.lanes, part->lanes);
    }
    *part = (WatchedPart){part->lanes | event->by.lanes, event->by.insn};
}

static void arrive(const WatchedEvent *event) {
    const Witness nobody = {.insn = NONE};
    if (event->number >= NAMED_BARRIERS)
        return;
    if (event->aligned && event->by.lanes != event->live)
        arrive_part(event);
    WatchedBarrier *barrier = &event->by.block->barriers[event->number];
    if (barrier->begun && barrier->threads != event->count)
        report(event, DEFECT_barrier_counts, nobody, event->count, barrier->threads);
    *barrier = (WatchedBarrier){true, event->count};
}

static void release(WatchedBlock *block, uint32_t number) {
    const uint32_t warps = (block->shape.threads + WARP_LANES - 1) / WARP_LANES;
    if (number >= NAMED_BARRIERS)
        return;
    block->barriers[number].begun = false;
    if (block->parts)
        memset(&block->parts[number * warps], 0, warps * sizeof *block->parts);
}

void sync_event(const WatchedEvent *event) {
    switch (event->kind) {
    case EVENT_ARRIVE:
        arrive(event);
        break;
    case EVENT_RELEASE:
        release(event->by.block, event->number);
        break;
    case EVENT_NOT_NAMED:
        report(event, DEFECT_absent_lanes, (Witness){.insn = NONE}, event->by.lanes, event->count);
        break;
    default:
        break;
    }
}

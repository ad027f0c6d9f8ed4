/* race_cells: accesses to cells, each looked at by itself, and races told. */
#include "sanitize/race_visit.h"

#include <string.h>

/* A pair of lanes, the other's first, that are not in order; false: all are. */
static bool apart(Visit *visit, ListEntry entry, uint32_t *their, uint32_t *own) {
    const RaceAccess *access = visit->access;
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    const BlockOrder *order = access->block->order;
    if (entry.segment == visit->known)
        return false;
    *their = (uint32_t)__builtin_ctz(entry.lanes);
    *own = (uint32_t)__builtin_ctz(visit->lanes);
    if (other->launch != visit->races->launch)
        return !launch_known(visit->races, other->launch);
    if (order_warp_knows(order, access->warp, other->at.block, other->at.warp, other->at.time)) {
        visit->known = entry.segment;
        return false;
    }
    for (uint32_t rest = visit->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (uint32_t left = entry.lanes; left; left &= left - 1) {
            Moment then = other->at;
            then.lane = (uint32_t)__builtin_ctz(left);
            if (order_knows(order, access->warp, lane, then))
                continue;
            *their = then.lane;
            *own = lane;
            return true;
        }
    }
    return false;
}

/* Lanes of one instruction that write to the same place: what the one of them wrote is not in memory yet. */
static bool same_value(const Visit *visit, const Segment *other, uint32_t their, uint32_t own,
                       uintptr_t at, uint32_t bytes, bool at_once) {
    const RaceAccess *access = visit->access;
    uint8_t value[64], before[64];
    if (!access->value || access->reads || other->reads || access->width > sizeof value)
        return false;
    const uintptr_t skip = at - (access->host + access->place[own]);
    access->value(access->context, own, value);
    if (at_once)
        access->value(access->context, their, before);
    else
        memcpy(before + skip, (const void *)at, bytes);
    return memcmp(before + skip, value + skip, bytes) == 0;
}

static RaceWitness witness(const Segment *segment, uint32_t lane) {
    const bool copies = segment->at.warp >= BLOCK_WARPS;
    const uint32_t asked = segment->at.warp >= WARP_MBARRIERS ? segment->lane : lane;
    return (RaceWitness){segment->insn, segment->launch, segment->at.block,
                         32u * segment->warp + asked, copies};
}

static void tell(const Visit *visit, ListEntry entry, uint32_t their, uint32_t own, uintptr_t at,
                 uint32_t bytes) {
    const RaceAccess *access = visit->access;
    const Segment *self = visit->self;
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    const bool at_once = entry.segment == visit->number && !access->done && their < own &&
                         (access->lanes >> their & 1) && access->place[their] == access->place[own];
    RaceFound found = {.kind = !self->writes    ? RACE_WRITE_READ
                               : !other->writes ? RACE_READ_WRITE
                                                : RACE_WRITE_WRITE,
                       .level = other->launch != self->launch       ? RACE_LAUNCHES
                                : other->at.block != self->at.block ? RACE_BLOCKS
                                : other->warp != self->warp         ? RACE_WARPS
                                                                    : RACE_LANES,
                       .by = witness(self, own),
                       .other = witness(other, their),
                       .host = at,
                       .bytes = bytes,
                       .width = access->width,
                       .at_once = at_once};
    if (found.kind == RACE_WRITE_WRITE)
        found.benign = same_value(visit, other, their, own, at, bytes, at_once);
    visit->races->found(visit->races->context, &found);
}

static ListEntry entry_of_stamp(const Shadow *shadow, uint32_t stamp) {
    const uint32_t number = (stamp & ~(uint32_t)STAMP_GROUP) >> STAMP_LANE_BITS;
    return (ListEntry){
        number, stamp & STAMP_GROUP ? shadow->segments[number].lanes : 1u << (stamp & 31), 0, 0};
}

/* Each lane of the entry is before one of the lanes that ask now, as far as that is found at once. */
static bool is_behind(const Visit *visit, ListEntry entry) {
    const RaceAccess *access = visit->access;
    const BlockOrder *order = access->block->order;
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    const uint32_t own = (uint32_t)__builtin_ctz(visit->lanes);
    if (entry.segment == visit->known)
        return true;
    if (other->launch != visit->races->launch)
        return launch_known(visit->races, other->launch);
    if (order_warp_knows(order, access->warp, other->at.block, other->at.warp, other->at.time))
        return true;
    if (other->at.block == order->number && other->at.warp == access->warp &&
        !(entry.lanes & ~visit->lanes))
        return true;
    for (uint32_t left = entry.lanes; left; left &= left - 1) {
        Moment then = other->at;
        then.lane = (uint32_t)__builtin_ctz(left);
        if (!order_knows(order, access->warp, own, then))
            return false;
    }
    return true;
}

/* *kept: it is still to be remembered; *needed: so is what is done now. */
static void look_at(Visit *visit, ListEntry entry, uintptr_t at, uint32_t bytes, bool *kept,
                    bool *needed) {
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    uint32_t their, own;
    if (conflict(other, visit->self) && apart(visit, entry, &their, &own))
        tell(visit, entry, their, own, at, bytes);
    if (chained(visit->self, other)) {
        *kept = false;
        return;
    }
    *kept = !covers(visit->self, other) || !is_behind(visit, entry);
    if (stands_for(other, visit->self))
        *needed = false;
}

static void visit_list(Visit *visit, ShadowCell *cell, uintptr_t at, uint32_t bytes, bool *needed) {
    Shadow *shadow = &visit->races->shadow;
    AccessList *list = &shadow->lists[cell->rest & ~STAMP_LIST];
    const uint32_t like = like_of(visit->self);
    uint32_t count = 0;
    bool alike = like != 0, stands = false;
    if (is_looked_through(visit, list)) {
        *needed &= !list->stands;
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const Segment *other = &shadow->segments[list->at[i].segment];
        const bool again = stands && stays_read(visit->races, other);
        bool kept = true;
        look_at(visit, list->at[i], at, bytes, &kept, needed);
        alike = alike && like_of(other) == like && !conflict(visit->self, other);
        stands |= stays_read(visit->races, other);
        if (kept && !again)
            list->at[count++] = list->at[i];
    }
    list->count = count;
    look_through(visit, list, alike, !*needed);
    if (count == 0)
        rest_clear(shadow, cell);
}

static void visit_cell(Visit *visit, ShadowCell *cell, uintptr_t at, uint32_t bytes) {
    Shadow *shadow = &visit->races->shadow;
    const Segment *self = visit->self;
    bool kept = true, needed = true;
    if (cell->rest == visit->stamp && !self->writes &&
        cell->write >> STAMP_LANE_BITS == visit->known)
        return;
    if (cell->write && cell->write >> STAMP_LANE_BITS != visit->known) {
        const ListEntry entry = entry_of_stamp(shadow, cell->write);
        uint32_t their, own;
        if (apart(visit, entry, &their, &own))
            tell(visit, entry, their, own, at, bytes);
    }
    if (cell->rest == visit->stamp && !self->writes)
        return;
    if (cell->rest & STAMP_LIST) {
        visit_list(visit, cell, at, bytes, &needed);
    } else if (cell->rest) {
        look_at(visit, entry_of_stamp(shadow, cell->rest), at, bytes, &kept, &needed);
        if (!kept)
            cell->rest = 0;
    }
    if (self->writes && !self->strong) {
        rest_clear(shadow, cell);
        cell->write = visit->stamp;
    } else if (needed) {
        rest_add(shadow, cell, visit->stamp, visit->entry);
    }
}

bool cell_stays_read(const Races *races, ShadowCell cell) {
    const Shadow *shadow = &races->shadow;
    if (cell.write || !cell.rest)
        return false;
    if (!(cell.rest & STAMP_LIST))
        return stays_read(races, &shadow->segments[entry_of_stamp(shadow, cell.rest).segment]);
    const AccessList *list = &shadow->lists[cell.rest & ~STAMP_LIST];
    return (list->like == LIKE_READ || list->count == 1) &&
           stays_read(races, &shadow->segments[list->at[0].segment]);
}

/* ---- bytes ---- */

static void visit_bytes(Visit *visit, uintptr_t at, uint64_t bytes) {
    while (bytes) {
        const uintptr_t room = SHADOW_PAGE - (at & (SHADOW_PAGE - 1));
        const uint32_t now = (uint32_t)(bytes < room ? bytes : room);
        ShadowPage *page = shadow_cells(&visit->races->shadow, at, now);
        const uint32_t step = 1u << page->shift;
        const uint32_t first = (uint32_t)(at - page->first);
        for (uint32_t row = first >> ROW_SHIFT;
             !is_weak_read(visit->self) && row <= (first + now - 1) >> ROW_SHIFT; row++)
            page->said[row] = 0;
        ShadowCell *cell = &page->cells[(at - page->first) >> page->shift];
        for (uint32_t i = 0; i < now; i += step)
            visit_cell(visit, cell++, at + i, step);
        at += now;
        bytes -= now;
    }
}

void visit_lanes(Visit *visit, uint32_t lanes, uint32_t lane, uint64_t bytes) {
    const RaceAccess *access = visit->access;
    const bool group = !access->observes && (lanes & (lanes - 1));
    const Moment at = access->done ? access->done[lane] : moment_now(access);
    const uint32_t number = segment_for(visit->races, access, at, group ? lanes : 0, lane);
    /* Of atomics on one place the last lane's has seen the others. */
    const uint32_t stamp_lane = access->done       ? at.lane
                                : access->observes ? 31 - (uint32_t)__builtin_clz(lanes)
                                                   : lane;
    visit->number = number;
    visit->self = &visit->races->shadow.segments[number];
    visit->lanes = lanes;
    visit->stamp = number << STAMP_LANE_BITS | (group ? (uint32_t)STAMP_GROUP : stamp_lane);
    visit->entry = (ListEntry){number, group ? lanes : 1u << stamp_lane, 0, 0};
    visit_bytes(visit, access->host + access->place[lane], bytes);
}

/* race_rows: accesses of lanes to elements that are one distance apart, as most are. Of each row that they touch an
 * entry says which lanes it were, which element is lane 0's, and the distance. */
#include "sanitize/race_visit.h"

enum {
    ROW_MOST = 24, /* entries, before a row is taken apart */
    ROW_FEW = 8    /* … of which fewer lanes than these have a part in it */
};
__extension__ typedef unsigned __int128 RowBits; /* of a row's bytes, or of larger elements */

/* ---- which bytes ---- */

static RowBits low_bits(uint32_t count) {
    return count >= 128 ? ~(RowBits)0 : ((RowBits)1 << count) - 1;
}

static uint32_t lowest_bit(RowBits bits) {
    const uint64_t low = (uint64_t)bits;
    return low ? (uint32_t)__builtin_ctzll(low)
               : 64 + (uint32_t)__builtin_ctzll((uint64_t)(bits >> 64));
}

static RowBits elements_of(ListEntry entry) {
    RowBits elements = 0;
    if (entry.step == 1)
        return entry.first >= 0 ? (RowBits)entry.lanes << entry.first
                                : (RowBits)(entry.lanes >> -entry.first);
    for (uint32_t rest = entry.lanes; rest; rest &= rest - 1)
        elements |= (RowBits)1 << (entry.first + __builtin_ctz(rest) * entry.step);
    return elements;
}

/* The entry's lanes whose elements are among these. */
static uint32_t lanes_of(ListEntry entry, RowBits elements) {
    uint32_t lanes = 0;
    if (entry.step == 1)
        return entry.first >= 0 ? (uint32_t)(elements >> entry.first)
                                : (uint32_t)elements << -entry.first;
    for (uint32_t rest = entry.lanes; rest; rest &= rest - 1) {
        const int32_t lane = __builtin_ctz(rest);
        lanes |= (uint32_t)(elements >> (entry.first + lane * entry.step) & 1) << lane;
    }
    return lanes;
}

static uint32_t lane_of(ListEntry entry, uint32_t element) {
    return (uint32_t)(((int32_t)element - entry.first) / entry.step);
}

/* A bit for each byte, of one for each element. */
static RowBits bytes_of(RowBits elements, uint32_t size) {
    RowBits bytes = 0;
    while (elements && size > 1) {
        const uint32_t first = lowest_bit(elements);
        const RowBits gap = ~(elements >> first);
        const uint32_t count = gap ? lowest_bit(gap) : 128;
        bytes |= low_bits(count * size) << (first * size);
        elements &= ~(low_bits(count) << first);
    }
    return bytes | elements;
}

/* What an access and an entry have in a row. */
typedef struct Both {
    RowBits own, other;
    uint32_t unit; /* bytes that a bit stands for */
    bool alike;    /* … which are both elements */
} Both;

static Both both_of(const Visit *visit, ListEntry own, ListEntry entry) {
    const uint32_t size = visit->access->width;
    const uint32_t other = visit->races->shadow.segments[entry.segment].element;
    if (size == other)
        return (Both){elements_of(own), elements_of(entry), size, true};
    return (Both){bytes_of(elements_of(own), size), bytes_of(elements_of(entry), other), 1, false};
}

/* ---- who knows of whom ---- */

static bool lanes_know(const Visit *visit, ListEntry own, ListEntry entry, const Both *both) {
    const RaceAccess *access = visit->access;
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    for (RowBits rest = both->own & both->other; rest; rest &= rest - 1) {
        const uint32_t byte = lowest_bit(rest) * both->unit;
        const uint32_t lane = lane_of(own, byte / access->width);
        Moment then = other->at;
        then.lane = lane_of(entry, byte / other->element);
        if (!order_knows(access->block->order, access->warp, lane, then))
            return false;
    }
    return true;
}

/* Each lane knows what was done to its bytes. */
static bool knows(Visit *visit, ListEntry own, ListEntry entry, const Both *both) {
    const RaceAccess *access = visit->access;
    const BlockOrder *order = access->block->order;
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    if (entry.segment == visit->known)
        return true;
    if (other->launch != visit->races->launch)
        return launch_known(visit->races, other->launch);
    if (order_warp_knows(order, access->warp, other->at.block, other->at.warp, other->at.time)) {
        visit->known = entry.segment;
        return true;
    }
    if (other->final)
        return false;
    if (other->at.block == order->number && other->at.warp == access->warp &&
        other->element == access->width && own.first == entry.first && own.step == entry.step)
        return true;
    return order->warps[access->warp].has_clocks && lanes_know(visit, own, entry, both);
}

static bool races_with(Visit *visit, ListEntry own, ListEntry entry) {
    if (!conflict(&visit->races->shadow.segments[entry.segment], visit->self))
        return false;
    const Both both = both_of(visit, own, entry);
    return (both.own & both.other) && !knows(visit, own, entry, &both);
}

/* ---- a row ---- */

static ListEntry whole_row(uint32_t stamp) {
    return (ListEntry){stamp >> STAMP_LANE_BITS, UINT32_MAX, 0, 1};
}

static bool is_whole_row(const Visit *visit, ListEntry own) {
    return own.first == 0 && own.step == 1 && own.lanes == UINT32_MAX && visit->access->width == 4;
}

/* The row's accesses, as entries. */
static void rest_of_row(const Shadow *shadow, const ShadowCell *row, Rest *rest) {
    rest_of(shadow, row, rest);
    if (row->rest && !(row->rest & STAMP_LIST))
        rest->one = whole_row(row->rest);
}

static void make_list(Shadow *shadow, ShadowCell *row) {
    const uint32_t stamp = row->rest;
    if (!stamp || stamp & STAMP_LIST)
        return;
    row->rest = 0;
    rest_add(shadow, row, 0, whole_row(stamp));
}

static void add(Visit *visit, ShadowCell *row, ListEntry own) {
    Shadow *shadow = &visit->races->shadow;
    if (!row->rest && is_whole_row(visit, own)) {
        row->rest = visit->stamp;
        return;
    }
    make_list(shadow, row);
    rest_add(shadow, row, 0, own);
}

/* Without the lanes whose elements are all among those of the access. */
static ListEntry without(const Visit *visit, ListEntry own, ListEntry entry) {
    const Both both = both_of(visit, own, entry);
    const RowBits left = both.other & ~both.own;
    if (!left)
        entry.lanes = 0;
    else if (both.alike && left != both.other)
        entry.lanes = lanes_of(entry, left);
    return entry;
}

/* An access that is not the last to write some of the bytes of what was written before it. */
static bool cuts_writes(const Visit *visit, ListEntry own, const Rest *rest) {
    for (uint32_t i = 0; i < rest->count; i++) {
        if (!visit->races->shadow.segments[rest->at[i].segment].writes)
            continue;
        const Both both = both_of(visit, own, rest->at[i]);
        if (!both.alike && (both.own & both.other) && (both.other & ~both.own))
            return true;
    }
    return false;
}

/* What is left of the row's accesses is what the weak write does not write over. */
static bool write_over(Visit *visit, ShadowCell *row, ListEntry own) {
    Shadow *shadow = &visit->races->shadow;
    Rest rest;
    if (is_whole_row(visit, own)) {
        rest_clear(shadow, row);
        row->write = visit->stamp;
        return true;
    }
    make_list(shadow, row);
    if (row->write) {
        rest_add(shadow, row, 0, whole_row(row->write));
        row->write = 0;
    }
    rest_of(shadow, row, &rest);
    if (cuts_writes(visit, own, &rest))
        return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rest.count; i++) {
        rest.at[kept] = without(visit, own, rest.at[i]);
        kept += rest.at[kept].lanes != 0;
    }
    if (row->rest) {
        shadow->lists[row->rest & ~STAMP_LIST].count = kept;
        shadow->lists[row->rest & ~STAMP_LIST].like = 0;
    }
    return rest_add(shadow, row, 0, own);
}

/* What the row keeps of an entry beside the access; *needed: the access says something that it does not. */
static ListEntry keep(Visit *visit, ListEntry own, ListEntry entry, bool *needed) {
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    const Both both = both_of(visit, own, entry);
    const bool same =
        entry.segment == visit->number && entry.first == own.first && entry.step == own.step;
    if (chained(visit->self, other) && !same)
        return without(visit, own, entry);
    if (!(both.own & ~both.other) && (same || stands_for(other, visit->self)))
        *needed = false;
    if (same || !(both.own & both.other) || !covers(visit->self, other) ||
        !knows(visit, own, entry, &both))
        return entry;
    return without(visit, own, entry);
}

static bool is_full(uint32_t count, ListEntry own) {
    return count >= ROW_MOST || (count >= ROW_FEW && __builtin_popcount(own.lanes) < ROW_FEW);
}

/* A weak read, or a strong access. false: there is no room for it. */
static bool put_beside(Visit *visit, ShadowCell *row, ListEntry own, Rest *rest) {
    Shadow *shadow = &visit->races->shadow;
    bool needed = true, reads = true;
    RowBits stay = 0; /* bytes that are read for good */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rest->count; i++) {
        const ListEntry entry = rest->at[i];
        const Segment *other = &shadow->segments[entry.segment];
        const RowBits bytes =
            stays_read(visit->races, other) ? bytes_of(elements_of(entry), other->element) : 0;
        const bool again = bytes && !(bytes & ~stay);
        reads &= is_weak_read(other);
        rest->at[kept] = keep(visit, own, entry, &needed);
        kept += rest->at[kept].lanes && !again;
        stay |= bytes;
    }
    if (row->rest & STAMP_LIST) {
        AccessList *list = &shadow->lists[row->rest & ~STAMP_LIST];
        list->count = kept;
        look_through(visit, list, reads && needed && is_weak_read(visit->self), false);
    }
    if (kept == 0)
        rest_clear(shadow, row);
    if (needed && is_full(kept, own))
        return false;
    if (needed)
        add(visit, row, own);
    return true;
}

/* false: the row must be looked at cell by cell. */
static bool visit_row(Visit *visit, ShadowCell *row, ListEntry own) {
    Shadow *shadow = &visit->races->shadow;
    const Segment *self = visit->self;
    Rest rest;
    if (row->write && races_with(visit, own, whole_row(row->write)))
        return false;
    rest_of_row(shadow, row, &rest);
    if (row->rest & STAMP_LIST && !is_full(rest.count, own) &&
        is_looked_through(visit, &shadow->lists[row->rest & ~STAMP_LIST]))
        return rest_add(shadow, row, 0, own);
    for (uint32_t i = 0; i < rest.count; i++)
        if (races_with(visit, own, rest.at[i]))
            return false;
    if (self->writes && !self->strong)
        return !is_full(rest.count, own) && write_over(visit, row, own);
    return put_beside(visit, row, own, &rest);
}

/* ---- a run ---- */

/* Those of the lanes whose elements are in one row with the first one's, and where that row is. */
static ListEntry part_of(const Visit *visit, uint32_t lanes, uintptr_t *row) {
    const RaceAccess *access = visit->access;
    const int32_t lane = __builtin_ctz(lanes);
    const uintptr_t at = access->host + access->place[lane];
    *row = at & ~(uintptr_t)(ROW_BYTES_ALL - 1);
    const int32_t element = (int32_t)((uint32_t)(at - *row) / access->width);
    const int32_t last = (int32_t)(ROW_BYTES_ALL / access->width) - 1;
    const int32_t more = visit->step > 0 ? (last - element) / visit->step : element / -visit->step;
    const uint32_t part = lanes & (uint32_t)low_bits((uint32_t)(more < 32 ? more + 1 : 32)) << lane;
    return (ListEntry){visit->number, part, (int16_t)(element - lane * visit->step),
                       (int16_t)visit->step};
}

uint32_t visit_run(Visit *visit) {
    Shadow *shadow = &visit->races->shadow;
    uint32_t left = 0;
    visit->number = segment_for(visit->races, visit->access, moment_now(visit->access), 0, 0);
    visit->self = &shadow->segments[visit->number];
    visit->stamp = visit->number << STAMP_LANE_BITS;
    for (uint32_t rest = visit->access->lanes; rest;) {
        uintptr_t at;
        const ListEntry own = part_of(visit, rest, &at);
        ShadowPage *page = shadow_page(shadow, at);
        const uint32_t row = (uint32_t)(at - page->first) >> ROW_SHIFT;
        rest &= ~own.lanes;
        if (!is_weak_read(visit->self))
            page->said[row] = 0;
        if (page->apart >> row & 1 || !visit_row(visit, &page->rows[row], own))
            left |= own.lanes;
    }
    return left;
}

void make_rows_whole(Visit *visit, uint32_t lanes) {
    Shadow *shadow = &visit->races->shadow;
    visit->stamp = visit->number << STAMP_LANE_BITS;
    while (lanes) {
        uintptr_t at;
        const ListEntry own = part_of(visit, lanes, &at);
        lanes &= ~own.lanes;
        if (bytes_of(elements_of(own), visit->access->width) != ~(RowBits)0)
            continue;
        ShadowPage *page = shadow_page(shadow, at);
        ShadowCell *row = shadow_row(shadow, page, (uint32_t)(at - page->first) >> ROW_SHIFT);
        write_over(visit, row, own);
    }
}

bool row_stays_read(const Races *races, ShadowCell row, uint32_t first, uint32_t last) {
    const Shadow *shadow = &races->shadow;
    RowBits stay = 0;
    Rest rest;
    if (row.write || !row.rest)
        return false;
    rest_of_row(shadow, &row, &rest);
    for (uint32_t i = 0; i < rest.count; i++) {
        const Segment *segment = &shadow->segments[rest.at[i].segment];
        if (!is_weak_read(segment))
            return false;
        if (stays_read(races, segment))
            stay |= bytes_of(elements_of(rest.at[i]), segment->element);
    }
    return !((low_bits(last - first + 1) << first) & ~stay);
}

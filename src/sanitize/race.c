#include "sanitize/race.h"

#include <stdlib.h>
#include <string.h>

void races_init(Races *races) {
    *races = (Races){.order = order_new(), .memory = order_memory_new()};
    shadow_init(&races->shadow);
}

void races_free(Races *races) {
    while (races->running) /* where a launch ended by a fault */
        race_end(races, races->running);
    shadow_free(&races->shadow);
    order_free(races->order);
    order_memory_free(races->memory);
    while (races->spare) {
        RaceBlock *block = races->spare;
        races->spare = block->next;
        log_free(&block->log);
        free(block);
    }
}

void races_launch(Races *races) {
    while (races->running)
        race_end(races, races->running);
    shadow_forget_all(&races->shadow);
    order_memory_forget(races->memory, 0, UINTPTR_MAX);
    races->known_launch = races->launch++;
}

static void settle(void *context);
static void forget(void *context);

RaceBlock *race_begin(Races *races, uint32_t number, uint64_t cluster, uint32_t threads,
                      uintptr_t own_first, uintptr_t own_end) {
    RaceBlock *block = races->spare;
    if (block)
        races->spare = block->next;
    else if (!(block = calloc(1, sizeof *block)))
        out_of_memory();
    block->order = order_begin(races->order, number, cluster, threads);
    block->races = races;
    block->keeper = (OrderKeeper){settle, forget, block};
    block->order->keeper = &block->keeper;
    log_begin(&block->log, own_first, own_end);
    block->segments = 0;
    memset(block->remembered, 0, sizeof block->remembered);
    block->next = races->running;
    races->running = block;
    return block;
}

void race_end(Races *races, RaceBlock *block) {
    const BlockOrder *order = block->order;
    for (uint32_t i = block->segments; i;) {
        Segment *segment = &races->shadow.segments[i];
        const uint32_t warp = segment->at.warp;
        segment->final =
            warp < BLOCK_WARPS ? segment->at.time > order->published[warp] : !order->publishes;
        i = segment->next;
    }
    order_end(block->order);
    RaceBlock **place = &races->running;
    while (*place != block)
        place = &(*place)->next;
    *place = block->next;
    block->next = races->spare;
    races->spare = block;
}

/* ---- segments ---- */

static void sweep(Races *races) {
    for (const RaceBlock *block = races->running; block; block = block->next)
        for (uint32_t i = block->segments; i; i = races->shadow.segments[i].next)
            races->shadow.segments[i].live = true;
    segments_sweep(&races->shadow);
}

static bool is_segment(const Segment *segment, const RaceAccess *access, Moment at,
                       uint32_t lanes) {
    return segment->insn == access->insn && segment->at.time == at.time &&
           segment->at.warp == at.warp && segment->lanes == lanes &&
           segment->at.block == at.block && segment->reads == access->reads &&
           segment->writes == access->writes && segment->strong == access->strong &&
           segment->element == access->width && segment->reach == access->reach &&
           (at.warp < WARP_MBARRIERS || segment->at.lane == at.lane);
}

/* The segment of an access that is done at `at`; lanes: STAMP_GROUP, of all that are meant; else 0. */
static uint32_t segment_for(Races *races, const RaceAccess *access, Moment at, uint32_t lanes,
                            uint32_t lane) {
    uint32_t hash = (access->insn * 2 + at.warp * 7 + lanes * 13) % RACE_REMEMBERED;
    uint32_t *remembered = &access->block->remembered[access->warp][hash];
    if (*remembered && is_segment(&races->shadow.segments[*remembered], access, at, lanes))
        return *remembered;
    if (segments_are_many(&races->shadow))
        sweep(races);
    const uint32_t number = segment_new(&races->shadow);
    races->shadow.segments[number] = (Segment){.at = at,
                                               .launch = races->launch,
                                               .insn = access->insn,
                                               .lanes = lanes,
                                               .next = access->block->segments,
                                               .warp = (uint8_t)access->warp,
                                               .lane = (uint8_t)lane,
                                               .reads = access->reads,
                                               .writes = access->writes,
                                               .strong = access->strong,
                                               .reach = (uint8_t)access->reach,
                                               .element = (uint8_t)access->width};
    access->block->segments = number;
    return *remembered = number;
}

/* ---- one cell ---- */

/* Lanes that ask for the same bytes with one instruction. */
typedef struct Visit {
    Races *races;
    const RaceAccess *access;
    const Segment *self;
    uint32_t number; /* its */
    uint32_t lanes;  /* who asks */
    uint32_t stamp;
    ListEntry entry;
    uint32_t known; /* a segment that all lanes of the warp know */
} Visit;

static bool launch_known(const Races *races, uint32_t launch) {
    return launch <= races->known_launch ||
           (races->known && launch <= races->known[races->streams[launch]]);
}

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

static bool reach_each_other(const Segment *a, const Segment *b) {
    return a->at.block == b->at.block || (a->reach >= REACH_CLUSTER && b->reach >= REACH_CLUSTER);
}

static bool conflict(const Segment *a, const Segment *b) {
    if (!a->writes && !b->writes)
        return false;
    const bool strong = a->strong && b->strong && a->element == b->element;
    return !strong || !reach_each_other(a, b);
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

/* What could race with `old` races with `self`, too, which comes after it. */
static bool covers(const Segment *self, const Segment *old) {
    const bool alike = old->strong && self->reach == old->reach && self->element == old->element;
    if (self->strong)
        return alike && (self->writes || !old->writes);
    return !old->writes;
}

/* What could race with `self` races with `old`, which nobody ever knows of. */
static bool stands_for(const Segment *old, const Segment *self) {
    if (!old->final || old->launch != self->launch)
        return false;
    if (self->strong)
        return old->strong && old->reach == self->reach && old->element == self->element &&
               (old->writes || !self->writes);
    return !old->strong;
}

static ListEntry entry_of_stamp(const Shadow *shadow, uint32_t stamp) {
    const uint32_t number = (stamp & ~(uint32_t)STAMP_GROUP) >> STAMP_LANE_BITS;
    return (ListEntry){number,
                       stamp & STAMP_GROUP ? shadow->segments[number].lanes : 1u << (stamp & 31)};
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
    *kept = !covers(visit->self, other) || !is_behind(visit, entry);
    if (stands_for(other, visit->self))
        *needed = false;
}

static bool is_weak_read(const Segment *segment) {
    return !segment->strong && !segment->writes;
}

/* Read by a block that has ended, for good: whoever writes here races with that. One such read is enough. */
static bool stays_read(const Races *races, const Segment *segment) {
    return segment->final && is_weak_read(segment) && segment->launch == races->launch;
}

/* Reads alone, through which somebody of the block looked already, at the same floor: another read is put to them. */
static bool is_looked_through(const Visit *visit, const AccessList *list) {
    const BlockOrder *order = visit->access->block->order;
    return list->reads && is_weak_read(visit->self) && list->block == order->number &&
           list->floor == order->warps[visit->access->warp].floor;
}

static void look_through(const Visit *visit, AccessList *list, bool reads) {
    const BlockOrder *order = visit->access->block->order;
    list->reads = reads && is_weak_read(visit->self);
    list->block = order->number;
    list->floor = order->warps[visit->access->warp].floor;
}

static void visit_list(Visit *visit, ShadowCell *cell, uintptr_t at, uint32_t bytes, bool *needed) {
    Shadow *shadow = &visit->races->shadow;
    AccessList *list = &shadow->lists[cell->rest & ~STAMP_LIST];
    uint32_t count = 0;
    bool reads = true, stands = false;
    if (is_looked_through(visit, list))
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        const Segment *other = &shadow->segments[list->at[i].segment];
        const bool again = stands && stays_read(visit->races, other);
        bool kept = true;
        look_at(visit, list->at[i], at, bytes, &kept, needed);
        reads &= is_weak_read(other);
        stands |= stays_read(visit->races, other);
        if (kept && !again)
            list->at[count++] = list->at[i];
    }
    list->count = count;
    look_through(visit, list, reads && *needed);
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

/* ---- a row ---- */

/* Each lane knows what the lane of its number did then. */
static bool row_known(Visit *visit, uint32_t number) {
    const RaceAccess *access = visit->access;
    const BlockOrder *order = access->block->order;
    const Segment *other = &visit->races->shadow.segments[number];
    if (number == visit->known)
        return true;
    if (other->launch != visit->races->launch)
        return launch_known(visit->races, other->launch);
    if (order_warp_knows(order, access->warp, other->at.block, other->at.warp, other->at.time)) {
        visit->known = number;
        return true;
    }
    if (other->final)
        return false;
    if (other->at.block == order->number && other->at.warp == access->warp)
        return true;
    if (!order->warps[access->warp].has_clocks)
        return false;
    for (uint32_t lane = 0; lane < 32; lane++) {
        Moment then = other->at;
        then.lane = lane;
        if (!order_knows(order, access->warp, lane, then))
            return false;
    }
    return true;
}

static bool row_conflicts(Visit *visit, ListEntry entry) {
    return conflict(&visit->races->shadow.segments[entry.segment], visit->self) &&
           !row_known(visit, entry.segment);
}

static bool row_keeps(Visit *visit, ListEntry entry, bool *needed) {
    const Segment *other = &visit->races->shadow.segments[entry.segment];
    *needed &= !stands_for(other, visit->self) && entry.segment != visit->number;
    return !covers(visit->self, other) || entry.segment == visit->number ||
           !row_known(visit, entry.segment);
}

/* false: the row must be looked at cell by cell. */
static bool visit_row(Visit *visit, ShadowCell *row) {
    Shadow *shadow = &visit->races->shadow;
    const Segment *self = visit->self;
    bool needed = true, reads = true, stands = false;
    uint32_t kept = 0;
    Rest rest;
    if (row->write && !row_known(visit, row->write >> STAMP_LANE_BITS))
        return false;
    rest_of(shadow, row, &rest);
    AccessList *list = row->rest & STAMP_LIST ? &shadow->lists[row->rest & ~STAMP_LIST] : NULL;
    if (list && is_looked_through(visit, list)) {
        rest_add(shadow, row, visit->stamp, visit->entry);
        return true;
    }
    for (uint32_t i = 0; i < rest.count; i++)
        if (row_conflicts(visit, rest.at[i]))
            return false;
    if (self->writes && !self->strong) {
        rest_clear(shadow, row);
        row->write = visit->stamp;
        return true;
    }
    for (uint32_t i = 0; i < rest.count; i++) {
        const Segment *other = &shadow->segments[rest.at[i].segment];
        const bool again = stands && stays_read(visit->races, other);
        reads &= is_weak_read(other);
        stands |= stays_read(visit->races, other);
        if (row_keeps(visit, rest.at[i], &needed) && !again)
            rest.at[kept++] = rest.at[i];
    }
    if (list) {
        list->count = kept;
        look_through(visit, list, reads && needed);
    }
    if (kept == 0)
        rest_clear(shadow, row);
    if (needed)
        rest_add(shadow, row, visit->stamp, visit->entry);
    return true;
}

/* ---- reads that say nothing new ---- */

/* … and nobody has written, in any way. */
static bool cell_stays_read(const Races *races, ShadowCell cell) {
    const Shadow *shadow = &races->shadow;
    if (cell.write || !cell.rest)
        return false;
    if (!(cell.rest & STAMP_LIST))
        return stays_read(races, &shadow->segments[entry_of_stamp(shadow, cell.rest).segment]);
    const AccessList *list = &shadow->lists[cell.rest & ~STAMP_LIST];
    return (list->reads || list->count == 1) &&
           stays_read(races, &shadow->segments[list->at[0].segment]);
}

/* Of its row, those that the bytes are in. */
static uint32_t words_of(uint32_t first, uint32_t bytes) {
    const uint32_t low = first % ROW_BYTES_ALL / 4, high = (first % ROW_BYTES_ALL + bytes - 1) / 4;
    return (UINT32_MAX << low) & (UINT32_MAX >> (31 - high));
}

/* Another read says nothing new: as of tables that all blocks read. */
static bool is_said(Races *races, uintptr_t at, uint32_t bytes) {
    ShadowPage *page = shadow_page(&races->shadow, at);
    const uint32_t first = (uint32_t)(at - page->first), last = first + bytes - 1;
    const uint32_t row = first >> ROW_SHIFT; /* of the first byte, and the last */
    if (row != last >> ROW_SHIFT)
        return false;
    const uint32_t words = words_of(first, bytes);
    if ((page->said[row] & words) == words)
        return true;
    if (!(page->apart >> row & 1) && !cell_stays_read(races, page->rows[row]))
        return false;
    for (uint32_t cell = first >> page->shift;
         (page->apart >> row & 1) && cell <= last >> page->shift; cell++)
        if (!cell_stays_read(races, page->cells[cell]))
            return false;
    if ((first | bytes) % 4 == 0)
        page->said[row] |= words;
    return true;
}

/* ---- accesses ---- */

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

static void visit_lanes(Visit *visit, uint32_t lanes, uint32_t lane, uint64_t bytes) {
    const RaceAccess *access = visit->access;
    const BlockOrder *order = access->block->order;
    const bool group = lanes & (lanes - 1);
    const Moment at =
        access->done ? access->done[lane]
                     : (Moment){order->number, access->warp, 0, order->warps[access->warp].time};
    const uint32_t number = segment_for(visit->races, access, at, group ? lanes : 0, lane);
    const uint32_t stamp_lane = access->done ? at.lane : lane;
    visit->number = number;
    visit->self = &visit->races->shadow.segments[number];
    visit->lanes = lanes;
    visit->stamp = number << STAMP_LANE_BITS | (group ? (uint32_t)STAMP_GROUP : stamp_lane);
    visit->entry = (ListEntry){number, group ? lanes : 1u << stamp_lane};
    visit_bytes(visit, access->host + access->place[lane], bytes);
}

/* The lanes among `rest`, from its first on, whose place is the same. */
static uint32_t same_place(const RaceAccess *access, uint32_t rest) {
    const uint64_t place = access->place[__builtin_ctz(rest)];
    uint32_t lanes = 0;
    for (; rest && access->place[__builtin_ctz(rest)] == place; rest &= rest - 1)
        lanes |= rest & (0u - rest);
    return lanes;
}

static bool is_row(const RaceAccess *access) {
    if (access->width != 4 || access->lanes != UINT32_MAX || access->done || access->together ||
        (access->host + access->place[0]) % ROW_BYTES_ALL)
        return false;
    uint64_t wrong = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        wrong |= access->place[lane] ^ (access->place[0] + 4 * lane);
    return wrong == 0;
}

/* In each half, bytes that follow each other, or one place. */
static bool run_is_said(Races *races, uint32_t width, const uintptr_t first[2],
                        const int64_t stride[2]) {
    for (uint32_t half = 0; half < 2; half++) {
        const uintptr_t end = first[half] + (stride[half] == 0 ? width : 16 * width);
        if (stride[half] && stride[half] != (int64_t)width)
            return false;
        for (uintptr_t at = first[half]; at < end;) {
            const uintptr_t row_end = (at | (ROW_BYTES_ALL - 1)) + 1;
            const uintptr_t until = row_end < end ? row_end : end;
            if (!is_said(races, at, (uint32_t)(until - at)))
                return false;
            at = until;
        }
    }
    return true;
}

/* All lanes, each its word. A row that is written in one go by lanes that race with nobody is one cell again. */
static bool visit_whole(Visit *visit) {
    Shadow *shadow = &visit->races->shadow;
    const RaceAccess *access = visit->access;
    const uintptr_t at = access->host + access->place[0];
    ShadowPage *page = shadow_page(shadow, at);
    const uint32_t row = (uint32_t)(at - page->first) >> ROW_SHIFT;
    const BlockOrder *order = access->block->order;
    const Moment now = {order->number, access->warp, 0, order->warps[access->warp].time};
    visit->number = segment_for(visit->races, access, now, 0, 0);
    visit->self = &shadow->segments[visit->number];
    visit->stamp = visit->number << STAMP_LANE_BITS;
    visit->entry = (ListEntry){visit->number, 1};
    if (!is_weak_read(visit->self))
        page->said[row] = 0;
    return !(page->apart >> row & 1) && visit_row(visit, &page->rows[row]);
}

static void make_whole(Visit *visit) {
    Shadow *shadow = &visit->races->shadow;
    const uintptr_t at = visit->access->host + visit->access->place[0];
    ShadowPage *page = shadow_page(shadow, at);
    shadow_row(shadow, page, (uint32_t)(at - page->first) >> ROW_SHIFT)->write = visit->number
                                                                                 << STAMP_LANE_BITS;
}

static void visit_each(Visit *visit) {
    const RaceAccess *access = visit->access;
    const bool alone = access->done || (access->writes && !access->strong);
    const bool reads = !access->writes && !access->strong && !access->done && !access->together;
    for (uint32_t rest = access->lanes; rest;) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint32_t lanes = alone ? 1u << lane : same_place(access, rest);
        rest &= ~lanes;
        if (reads && is_said(visit->races, access->host + access->place[lane], access->width))
            continue;
        if (access->together)
            lanes = access->block->order->warps[access->warp].exists;
        visit_lanes(visit, lanes, lane, access->width);
    }
}

static void look_through_access(Races *races, const RaceAccess *access) {
    Visit visit = {.races = races, .access = access};
    const bool row = is_row(access);
    if (row && visit_whole(&visit))
        return;
    visit_each(&visit);
    if (row && access->writes && !access->strong)
        make_whole(&visit);
}

/* ---- what is kept back ---- */

static void settle(void *context) {
    RaceBlock *block = context;
    RaceLog *log = &block->log;
    LoggedAccess logged;
    for (uint32_t next = 0; log_next(log, &next, &logged);) {
        const RaceAccess access = {.block = block,
                                   .warp = logged.warp,
                                   .lanes = logged.lanes,
                                   .insn = logged.insn,
                                   .reads = !logged.writes,
                                   .writes = logged.writes,
                                   .together = logged.together,
                                   .reach = REACH_CTA,
                                   .width = logged.width,
                                   .host = log->first,
                                   .place = logged.place};
        look_through_access(block->races, &access);
    }
    log->count = 0;
}

static void forget(void *context) {
    RaceBlock *block = context;
    log_forget(&block->log);
}

/* It is to be looked at now, and what was kept of the block before it. */
static void refuse(const RaceAccess *access) {
    RaceLog *log = &access->block->log;
    settle(access->block);
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        log_refuse(log, access->host + access->place[__builtin_ctz(rest)], access->width,
                   access->done != NULL);
}

static bool is_kept(const RaceAccess *access) {
    RaceLog *log = &access->block->log;
    if (!log_has(log, access->host + access->place[__builtin_ctz(access->lanes)]))
        return false;
    const LoggedAccess logged = {.insn = access->insn,
                                 .warp = access->warp,
                                 .lanes = access->lanes,
                                 .width = access->width,
                                 .writes = access->writes,
                                 .together = access->together};
    if (!access->strong && !access->done && log_access(log, &logged, access->host, access->place))
        return true;
    refuse(access);
    return false;
}

void race_access(Races *races, const RaceAccess *access) {
    if (!is_kept(access))
        look_through_access(races, access);
}

/* Lane by lane. */
static void look_through_run(Races *races, const RaceAccess *run, const uintptr_t first[2],
                             const int64_t stride[2], bool refused) {
    RaceAccess access = *run;
    uint64_t place[32];
    for (uint32_t lane = 0; lane < 32; lane++)
        place[lane] = first[lane / 16] + lane % 16 * (uint64_t)stride[lane / 16];
    access.host = 0;
    access.place = place;
    if (refused)
        refuse(&access);
    look_through_access(races, &access);
}

void race_run(Races *races, const RaceAccess *run, const uintptr_t first[2],
              const int64_t stride[2]) {
    const bool own = log_has(&run->block->log, first[0]);
    const LoggedRun logged = {run->insn, run->warp, run->width, run->writes, first, stride};
    if (own ? log_run(&run->block->log, &logged)
            : run->reads && run_is_said(races, run->width, first, stride))
        return;
    look_through_run(races, run, first, stride, own);
}

void race_range(Races *races, const RaceAccess *access, uint64_t bytes) {
    Visit visit = {.races = races, .access = access};
    const uint32_t lane = (uint32_t)__builtin_ctz(access->lanes);
    RaceLog *log = &access->block->log;
    const uintptr_t first = access->host + access->place[lane];
    if (log_has(log, first)) {
        settle(access->block);
        log_refuse(log, first, bytes, true);
    }
    visit_lanes(&visit, 1u << lane, lane, bytes);
}

/* race_visit: which segment an access belongs to, and what it is to another one. */
#include "sanitize/race_visit.h"

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
           segment->observes == access->observes && segment->element == access->width &&
           segment->reach == access->reach &&
           (at.warp < WARP_MBARRIERS || segment->at.lane == at.lane);
}

uint32_t segment_for(Races *races, const RaceAccess *access, Moment at, uint32_t lanes,
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
                                               .observes = access->observes,
                                               .reach = (uint8_t)access->reach,
                                               .element = (uint8_t)access->width};
    access->block->segments = number;
    return *remembered = number;
}

/* ---- two of them ---- */

bool launch_known(const Races *races, uint32_t launch) {
    return launch <= races->known_launch ||
           (races->known && launch <= races->known[races->streams[launch]]);
}

static bool reach_each_other(const Segment *a, const Segment *b) {
    return a->at.block == b->at.block || (a->reach >= REACH_CLUSTER && b->reach >= REACH_CLUSTER);
}

bool conflict(const Segment *a, const Segment *b) {
    if (!a->writes && !b->writes)
        return false;
    const bool strong = a->strong && b->strong && a->element == b->element;
    return !strong || !reach_each_other(a, b);
}

bool covers(const Segment *self, const Segment *old) {
    const bool alike = old->strong && self->reach == old->reach && self->element == old->element;
    if (self->strong)
        return alike && (self->writes || !old->writes);
    return !old->writes;
}

bool chained(const Segment *self, const Segment *old) {
    return self->observes && old->strong && old->writes && self->reach == old->reach &&
           !conflict(self, old);
}

bool stands_for(const Segment *old, const Segment *self) {
    if (!old->final || old->launch != self->launch)
        return false;
    if (self->strong)
        return old->strong && old->reach == self->reach && old->element == self->element &&
               (old->writes || !self->writes);
    return !old->strong;
}

/* ---- lists of accesses that are alike ---- */

uint32_t like_of(const Segment *segment) {
    if (is_weak_read(segment))
        return LIKE_READ;
    if (!segment->strong || segment->observes)
        return 0;
    return 2u | (uint32_t)segment->writes << 2 | (uint32_t)segment->reads << 3 |
           (uint32_t)segment->reach << 4 | (uint32_t)segment->element << 8;
}

bool is_looked_through(const Visit *visit, const AccessList *list) {
    const BlockOrder *order = visit->access->block->order;
    return list->like && list->like == like_of(visit->self) && list->block == order->number &&
           list->floor == order->warps[visit->access->warp].floor;
}

void look_through(const Visit *visit, AccessList *list, bool alike, bool stands) {
    const BlockOrder *order = visit->access->block->order;
    list->like = alike ? like_of(visit->self) : 0;
    list->stands = stands;
    list->block = order->number;
    list->floor = order->warps[visit->access->warp].floor;
}

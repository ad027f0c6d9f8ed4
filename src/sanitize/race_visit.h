/* race_visit.h: an access that looks at what its bytes have (race_shadow.h). Private to sanitize. */
#pragma once

#include "sanitize/race.h"

/* Lanes that access something with one instruction. */
typedef struct Visit {
    Races *races;
    const RaceAccess *access;
    const Segment *self;
    uint32_t number; /* its */
    uint32_t lanes;  /* who asks for the same bytes */
    uint32_t stamp;
    ListEntry entry;
    uint32_t known; /* a segment that all lanes of the warp know */
    int32_t step;   /* of a run: elements from one lane's to the next one's */
} Visit;

/* ---- race_visit.c ---- */

/* The segment of an access that is done at `at`; lanes: STAMP_GROUP, of all that are meant; else 0. */
uint32_t segment_for(Races *races, const RaceAccess *access, Moment at, uint32_t lanes,
                     uint32_t lane);
/* The moment in which the access is executed. */
static inline Moment moment_now(const RaceAccess *access) {
    const BlockOrder *order = access->block->order;
    return (Moment){order->number, access->warp, 0, order->warps[access->warp].time};
}

/* All of the launch is before what runs now. */
bool launch_known(const Races *races, uint32_t launch);
/* The two must be ordered. */
bool conflict(const Segment *a, const Segment *b);
/* What could race with `old` races with `self`, too, which comes after it. */
bool covers(const Segment *self, const Segment *old);
/* An atomic that reads `old`, or what came of it, and writes over it: who comes behind `self` comes behind both. */
bool chained(const Segment *self, const Segment *old);
/* What could race with `self` races with `old`, which nobody ever knows of. */
bool stands_for(const Segment *old, const Segment *self);

static inline bool is_weak_read(const Segment *segment) {
    return !segment->strong && !segment->writes;
}
/* Read by a block that has ended, for good: whoever writes here races with that. One such read is enough. */
static inline bool stays_read(const Races *races, const Segment *segment) {
    return segment->final && is_weak_read(segment) && segment->launch == races->launch;
}

/* What a weak read is, or a strong access that reads over nothing, so that others of its kind need not look at it: a
 * key; 0: there is none. */
enum { LIKE_READ = 1 };
uint32_t like_of(const Segment *segment);
/* The list has accesses alone that are as this one, and do not race with it: somebody of the block looked through it, at
 * the same floor. */
bool is_looked_through(const Visit *visit, const AccessList *list);
/* alike: each of the list's is as this one. stands: one of them stands for it. */
void look_through(const Visit *visit, AccessList *list, bool alike, bool stands);

/* ---- race_cells.c ---- */

/* An access of these lanes to the bytes that the first of them has as its place. */
void visit_lanes(Visit *visit, uint32_t lanes, uint32_t lane, uint64_t bytes);
/* No other read says anything new of the cell: it is read for good, and nobody has written. */
bool cell_stays_read(const Races *races, ShadowCell cell);

/* ---- race_rows.c ---- */

/* The lanes access elements that are one distance apart in the order of the lanes.
 * Those of them that are left must be visited each on its own. */
uint32_t visit_run(Visit *visit);
/* Those of the run's rows that these lanes have written as a whole, each lane on its own, are one cell again. */
void make_rows_whole(Visit *visit, uint32_t lanes);
/* The same as cell_stays_read, of bytes first … last of a row that is not apart. */
bool row_stays_read(const Races *races, ShadowCell row, uint32_t first, uint32_t last);

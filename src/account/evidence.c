/* Evidence: the distinct access patterns of each site in the blocks that are recorded, with how often
 * each occurred and which variable it hit. What rules and fixes need to reason about an access without
 * running the kernel again. Where nearly all accesses differ, a part of the patterns is kept (account/room.h). */
#include "account/again.h"
#include "account/room.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Kept in the profile: the most frequent; all, where all blocks are recorded. */
enum {
    PATTERNS_PER_SITE = 1024,
    LANES_BYTES = WARP_LANES * sizeof(int64_t),
    RECENT_MOST = 1 << 17
};

typedef struct Record {
    uint64_t hash;
    uint32_t site, space, variable, mask;
    bool no_change; /* of loops of atomics, whose cost it decides */
    uint64_t base, count;
    uint64_t first;        /* global memory: the lowest offset in the variable */
    const int64_t *delta;  /* [WARP_LANES] */
    const int64_t *source; /* cp.async: relative to the line of the first active lane's source */
} Record;

/* A pattern of runs, how often it occurred since it came here, and its record, which has no other one.
 * anchor: where its allocation begins; 0: shared memory. */
typedef struct Recent {
    uint64_t hash; /* of what follows, up to the site; 0: an empty place */
    uint64_t anchor, base;
    int64_t apart, stride[2];
    uint32_t site;
    uint32_t record;       /* its number; NONE: it is not kept */
    uint64_t count, first; /* as in Record, of what was counted */
} Recent;

/* Records are many: what tells most of them apart lies with their numbers. */
typedef struct Entry {
    uint32_t hash;   /* the lower half of the record's */
    uint32_t number; /* of the record + 1; 0: an empty place */
} Entry;

struct Evidence {
    Arena *arena;
    AddressMap map;
    bool in_order; /* shared variables: each behind those before it, but for the same place again */
    Recent *recent; /* open addressing */
    uint32_t recent_size, recent_count;
    VEC(Record) records;
    Entry *index; /* open addressing */
    uint32_t size;
    Room room;
    VEC(const int64_t *) free_lanes; /* of records that are not kept any more */
    Transcript *transcript;          /* of what is recorded now; NULL: none is made */
};

static bool lie_in_order(const AddressMap *map) {
    for (uint32_t i = 1; i < map->shared_count; i++) {
        const Extent *before = &map->shared[i - 1], *one = &map->shared[i];
        bool again = one->first == before->first && one->bytes == before->bytes;
        if (!again && one->first < before->first + before->bytes)
            return false;
    }
    return true;
}

Evidence *evidence_new(Arena *arena, const AddressMap *map, bool all) {
    Evidence *evidence = NEW(arena, Evidence);
    evidence->arena = arena;
    evidence->map = *map;
    evidence->in_order = lie_in_order(map);
    evidence->size = 1024;
    evidence->recent_size = 32;
    evidence->recent = NEW_ARRAY(arena, Recent, evidence->recent_size);
    evidence->index = NEW_ARRAY(arena, Entry, evidence->size);
    evidence->room = room_new(arena, all);
    return evidence;
}

/* Of lanes at one address. Where lanes part these are many records, which need no lanes of their own. */
static const int64_t at_one[WARP_LANES];

static bool lanes_equal(const int64_t *a, const int64_t *b) {
    return a == b || memcmp(a, b, LANES_BYTES) == 0;
}

static bool same(const Record *a, const Record *b) {
    if (a->hash != b->hash || a->site != b->site || a->space != b->space ||
        a->variable != b->variable || a->mask != b->mask || a->base != b->base ||
        a->no_change != b->no_change || !lanes_equal(a->delta, b->delta) ||
        !a->source != !b->source)
        return false;
    return !a->source || lanes_equal(a->source, b->source);
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* A sum, whose terms do not wait for each other. */
static uint64_t hash_lanes(const int64_t value[WARP_LANES]) {
    uint64_t hash = 0;
    for (uint32_t l = 0; value != at_one && l < WARP_LANES; l++)
        hash += (uint64_t)value[l] * (UINT64_C(0xd1342543de82ef95) * (2 * l + 1));
    return hash;
}

static uint64_t hash_of(const Record *record) {
    uint64_t hash = mix(mix(0, record->site), (uint64_t)record->space << 32 | record->variable);
    hash = mix(mix(hash, record->mask | (uint64_t)record->no_change << 32), record->base);
    hash = mix(hash, hash_lanes(record->delta));
    return record->source ? mix(hash, hash_lanes(record->source)) : hash;
}

static void index_add(Evidence *evidence, Entry entry) {
    uint32_t at = entry.hash & (evidence->size - 1);
    while (evidence->index[at].number)
        at = (at + 1) & (evidence->size - 1);
    evidence->index[at] = entry;
}

static void grow(Evidence *evidence) {
    enum { FACTOR = 4 };
    const Entry *all = evidence->index;
    uint32_t size = evidence->size;
    evidence->size *= FACTOR;
    evidence->index = NEW_ARRAY(evidence->arena, Entry, evidence->size);
    for (uint32_t i = 0; i < size; i++)
        if (all[i].number)
            index_add(evidence, all[i]);
}

static const int64_t *copy_lanes(Arena *arena, const int64_t *lanes) {
    if (!lanes || lanes == at_one)
        return lanes;
    return memcpy(NEW_ARRAY(arena, int64_t, WARP_LANES), lanes, LANES_BYTES);
}

static const int64_t *keep_lanes(Evidence *evidence, const int64_t *lanes) {
    if (!lanes || lanes == at_one || evidence->free_lanes.count == 0)
        return copy_lanes(evidence->arena, lanes);
    return memcpy((int64_t *)evidence->free_lanes.at[--evidence->free_lanes.count], lanes,
                  LANES_BYTES);
}

static void free_lanes(Evidence *evidence, const int64_t *lanes) {
    if (lanes && lanes != at_one)
        *vec_add(evidence->arena, &evidence->free_lanes) = lanes;
}

/* ---- what is kept ---- */

/* Whether lane l is at l * stride over the active lanes. */
static bool affine(const Record *record, int64_t *stride) {
    uint32_t first = (uint32_t)__builtin_ctz(record->mask);
    uint32_t rest = record->mask & (record->mask - 1);
    *stride = 0;
    if (!rest)
        return true;
    uint32_t second = (uint32_t)__builtin_ctz(rest);
    int64_t apart = record->delta[second];
    if (apart % (int64_t)(second - first))
        return false;
    *stride = apart / (int64_t)(second - first);
    for_lanes(lane, rest) {
        if (record->delta[lane] != *stride * (int64_t)(lane - first))
            return false;
    }
    return true;
}

/* Lanes at one stride before others: they are few, so each occurs often. */
static uint64_t key_of(const Record *record) {
    int64_t stride;
    return record->hash >> 1 | (uint64_t)!affine(record, &stride) << 63;
}

static bool has_room(Evidence *evidence, const Record *record) {
    const SiteRoom *of = room_of(&evidence->room, record->site);
    return !of->narrow || key_of(record) <= of->last;
}

/* Takes out the records that have no room. Others get new numbers. */
static void leave_out(Evidence *evidence) {
    uint32_t kept = 0;
    memset(evidence->index, 0, evidence->size * sizeof *evidence->index);
    for (uint32_t i = 0; i < evidence->room.sites.count; i++)
        evidence->room.sites.at[i].count = 0;
    evidence->room.count = 0;
    for (uint32_t i = 0; i < evidence->records.count; i++) {
        Record *record = &evidence->records.at[i];
        if (!has_room(evidence, record)) {
            room_leave_out(&evidence->room, record->count);
            free_lanes(evidence, record->delta);
            free_lanes(evidence, record->source);
            continue;
        }
        evidence->records.at[kept] = *record;
        index_add(evidence, (Entry){(uint32_t)record->hash, ++kept});
        room_add(&evidence->room, record->site);
    }
    evidence->records.count = kept;
    evidence->room.crowded = false;
}

static void flush(Evidence *evidence, Recent *recent) {
    if (recent->count == 0)
        return;
    if (recent->record == NONE) {
        room_leave_out(&evidence->room, recent->count);
    } else {
        Record *record = &evidence->records.at[recent->record];
        record->count += recent->count;
        record->first = recent->first < record->first ? recent->first : record->first;
    }
    recent->count = 0;
}

static void forget_recent(Evidence *evidence) {
    for (uint32_t i = 0; i < evidence->recent_size; i++)
        flush(evidence, &evidence->recent[i]);
    memset(evidence->recent, 0, evidence->recent_size * sizeof *evidence->recent);
    evidence->recent_count = 0;
}

static void divide(Evidence *evidence) {
    Arena *scratch = arena_new();
    RoomKey *keys = NEW_ARRAY(scratch, RoomKey, evidence->records.count + 1);
    forget_recent(evidence);
    for (uint32_t i = 0; i < evidence->records.count; i++)
        keys[i] = (RoomKey){evidence->records.at[i].site, key_of(&evidence->records.at[i])};
    room_divide(&evidence->room, keys, evidence->records.count);
    leave_out(evidence);
    arena_free(scratch);
}

void evidence_make_room(Evidence *evidence) {
    if (evidence->room.crowded)
        divide(evidence);
}

bool evidence_left_out(const Evidence *evidence) {
    return evidence->room.left_out;
}

/* Returns its number; NONE: it is not kept. keeps: its lanes lie where they can stay, and are no other record's. */
static uint32_t add(Evidence *evidence, const Record *record, bool keeps) {
    uint32_t hash = (uint32_t)record->hash, at = hash & (evidence->size - 1);
    for (; evidence->index[at].number; at = (at + 1) & (evidence->size - 1)) {
        const Entry *entry = &evidence->index[at];
        Record *known = &evidence->records.at[entry->number - 1];
        if (entry->hash == hash && same(known, record)) {
            known->count += record->count;
            known->first = record->first < known->first ? record->first : known->first;
            return entry->number - 1;
        }
    }
    if (!has_room(evidence, record)) {
        room_leave_out(&evidence->room, record->count);
        return NONE;
    }
    room_add(&evidence->room, record->site);
    Record *kept = vec_add(evidence->arena, &evidence->records);
    *kept = *record;
    if (!keeps) {
        kept->delta = keep_lanes(evidence, record->delta);
        kept->source = keep_lanes(evidence, record->source);
    }
    evidence->index[at] = (Entry){hash, evidence->records.count};
    if (evidence->records.count * 2 > evidence->size)
        grow(evidence);
    return evidence->records.count - 1;
}

/* The last of those that it lies in; NONE: it lies in none. */
static uint32_t find_shared(const Evidence *evidence, uint64_t address) {
    const Extent *shared = evidence->map.shared;
    uint32_t first = 0, end = evidence->map.shared_count, found = NONE;
    while (evidence->in_order && end - first > 1) { /* the last one that does not begin behind it */
        uint32_t middle = first + (end - first) / 2;
        if (shared[middle].first <= address)
            first = middle;
        else
            end = middle;
    }
    for (uint32_t i = first; i < end; i++)
        if (address - shared[i].first < shared[i].bytes)
            found = i;
    return found;
}

/* Which variable an address lies in, and where. Sectors and lines do not change when a multiple of 512 is
 * added to all addresses: kept apart by their offset in the allocation, patterns would be as many as
 * accesses. */
static void locate(const Evidence *evidence, Record *record, uint64_t address) {
    const AddressMap *map = &evidence->map;
    Extent extent;
    record->variable = NONE;
    record->base = address;
    if (record->space == SPACE_SHARED) {
        record->variable = find_shared(evidence, address);
        if (record->variable != NONE)
            record->base = address - map->shared[record->variable].first;
    } else if ((record->space == SPACE_GLOBAL || record->space == SPACE_CONST) &&
               map->find(map->memory, address, &extent, &record->variable)) {
        record->first = address - extent.first;
        record->base = record->first % map->period;
    }
}

/* How far the active lanes' addresses are from `from`, those of the others being 0. */
static void find_distances(const uint64_t address[WARP_LANES], uint32_t mask, uint64_t from,
                           int64_t distance[WARP_LANES]) {
    if (mask == FULL_MASK) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            distance[lane] = (int64_t)(address[lane] - from);
        return;
    }
    memset(distance, 0, LANES_BYTES);
    for_lanes(lane, mask) distance[lane] = (int64_t)(address[lane] - from);
}

/* Sources are kept relative to their line. */
static bool moves_on(const Record *record) {
    return (record->space == SPACE_GLOBAL || record->space == SPACE_CONST) && !record->source;
}

uint32_t evidence_record(Evidence *evidence, uint32_t site, const Access *access, uint64_t times) {
    int64_t delta[WARP_LANES], source[WARP_LANES];
    Record record = {.site = site,
                     .space = access->space,
                     .mask = access->mask,
                     .count = times,
                     .delta = at_one};
    bool loops = access->kind == ACCESS_ATOMIC_LOOP32 || access->kind == ACCESS_ATOMIC_LOOP64;
    uint32_t first = (uint32_t)__builtin_ctz(access->mask);
    record.no_change = loops && access->no_change;
    locate(evidence, &record, access->address[first]);
    if (!access->uniform) {
        find_distances(access->address, access->mask, access->address[first], delta);
        record.delta = delta;
    }
    if (access->source) {
        uint64_t line = access->source[first] & ~(uint64_t)(LINE_BYTES - 1);
        find_distances(access->source, access->mask, line, source);
        record.source = source;
    }
    record.hash = hash_of(&record);
    evidence_make_room(evidence);
    uint32_t number = add(evidence, &record, false);
    if (evidence->transcript && number != NONE)
        transcript_evidence(evidence->transcript, number, moves_on(&record), record.first, times);
    return number;
}

void evidence_transcribe(Evidence *evidence, Transcript *transcript) {
    evidence->transcript = transcript;
}

void evidence_moved(Evidence *evidence, uint32_t record, uint64_t count, uint64_t first,
                    int64_t by) {
    Record moved = evidence->records.at[record];
    assert(!evidence->room.left_out);
    assert(by == 0 || (moves_on(&moved) && moved.variable != NONE));
    moved.count = count;
    moved.first = first + (uint64_t)by;
    if (by) {
        moved.base = moved.first % evidence->map.period;
        moved.hash = hash_of(&moved);
    }
    add(evidence, &moved, false);
}

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void evidence_record_again(Evidence *evidence, uint32_t site, const Access *access, uint64_t times,
                           int64_t step) {
    uint64_t address[WARP_LANES], by = (uint64_t)step;
    Access moved = *access;
    if (step == 0 || access->source) { /* sources are kept relative to their line */
        evidence_record(evidence, site, access, times);
        return;
    }
    /* After so many they are the same patterns again. Of each the lowest is recorded, for all. */
    uint64_t size = step < 0 ? 0 - by : by;
    uint64_t kinds = evidence->map.period / gcd(size, evidence->map.period);
    moved.address = address;
    for (uint64_t i = 1; i <= kinds && i <= times; i++) {
        uint64_t count = (times - i) / kinds + 1, lowest = step < 0 ? i + (count - 1) * kinds : i;
        for_lanes(lane, access->mask) address[lane] = access->address[lane] + lowest * by;
        evidence_record(evidence, site, &moved, count);
    }
}

/* ---- patterns of runs: most accesses, which are recognised without their 32 addresses ---- */

/* Its place, which is empty if it has not occurred before. */
static Recent *recent_find(Evidence *evidence, const Recent *one) {
    for (uint64_t at = one->hash;; at++) {
        Recent *known = &evidence->recent[at & (evidence->recent_size - 1)];
        if (!known->hash ||
            (known->hash == one->hash && known->site == one->site && known->base == one->base &&
             known->anchor == one->anchor && known->apart == one->apart &&
             known->stride[0] == one->stride[0] && known->stride[1] == one->stride[1]))
            return known;
    }
}

static void recent_add(Evidence *evidence, const Recent *one) {
    if (2 * (evidence->recent_count + 1) >= RECENT_MOST)
        forget_recent(evidence);
    *recent_find(evidence, one) = *one;
    if (2 * ++evidence->recent_count < evidence->recent_size)
        return;
    const Recent *all = evidence->recent;
    uint32_t size = evidence->recent_size;
    evidence->recent_size *= 4;
    evidence->recent = NEW_ARRAY(evidence->arena, Recent, evidence->recent_size);
    for (uint32_t i = 0; i < size; i++)
        if (all[i].hash)
            *recent_find(evidence, &all[i]) = all[i];
}

void evidence_record_runs(Evidence *evidence, uint32_t site, const Pattern *pattern,
                          uint64_t anchor) {
    uint64_t first = anchor ? pattern->base[0] - anchor : 0;
    Recent one = {.site = site,
                  .anchor = anchor,
                  .first = first,
                  .base = anchor ? first % evidence->map.period : pattern->base[0],
                  .apart = (int64_t)(pattern->base[1] - pattern->base[0]),
                  .stride = {pattern->stride[0], pattern->stride[1]}};
    one.hash = mix(mix(one.site, (uint64_t)one.apart ^ (uint64_t)one.stride[0]), one.base) |
               UINT64_C(1) << 63;
    Recent *known = recent_find(evidence, &one);
    if (known->hash) {
        known->count++;
        known->first = first < known->first ? first : known->first;
        return;
    }
    uint64_t address[WARP_LANES];
    pattern_addresses(pattern, address);
    Access access = {
        .space = anchor ? SPACE_GLOBAL : SPACE_SHARED, .mask = FULL_MASK, .address = address};
    one.record = evidence_record(evidence, site, &access, 1);
    recent_add(evidence, &one);
}

/* ---- into the profile ---- */

static int by_site_and_count(const void *left, const void *right) {
    const Record *a = left, *b = right;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->base != b->base)
        return a->base < b->base ? -1 : 1;
    if (a->mask != b->mask)
        return a->mask > b->mask ? -1 : 1;
    int differs = memcmp(a->delta, b->delta, LANES_BYTES);
    return differs || !a->source ? differs : memcmp(a->source, b->source, LANES_BYTES);
}

static SiteSpace site_space(uint32_t space) {
    switch (space) {
    case SPACE_SHARED:
        return SITE_SHARED;
    case SPACE_LOCAL:
        return SITE_LOCAL;
    case SPACE_CONST:
        return SITE_CONST;
    default:
        return SITE_GLOBAL;
    }
}

static void save(Profile *profile, Arena *arena, const Record *record, uint32_t launch,
                 uint32_t first_site) {
    AccessPattern *pattern = vec_add(profile->arena, &profile->patterns);
    *pattern = (AccessPattern){.launch = launch,
                               .site = first_site + record->site,
                               .space = site_space(record->space),
                               .variable = record->variable,
                               .base = record->base,
                               .first = record->first,
                               .mask = record->mask,
                               .count = record->count,
                               .no_change = record->no_change};
    pattern->affine = affine(record, &pattern->stride);
    pattern->delta = copy_lanes(arena, record->delta);
    pattern->source = copy_lanes(arena, record->source);
}

static void take_over(Evidence *all, const Evidence *one) {
    const bool endless = all->room.endless;
    all->records.at = one->records.at;
    all->records.count = one->records.count;
    all->records.capacity = one->records.capacity;
    all->index = one->index;
    all->size = one->size;
    all->room = one->room;
    all->room.endless = endless;
}

void evidence_join(Evidence *all, Evidence *one) {
    forget_recent(one);
    if (all->records.count == 0 && !all->room.left_out) { /* one is of the only worker, say */
        take_over(all, one);
        return;
    }
    room_join(&all->room, &one->room);
    if (one->room.left_out)
        leave_out(all);
    for (uint32_t i = 0; i < one->records.count; i++) {
        evidence_make_room(all);
        add(all, &one->records.at[i], true);
    }
}

uint64_t evidence_save(Evidence *evidence, Profile *profile, Arena *arena, uint32_t launch,
                       uint32_t first_site) {
    const bool all = evidence->room.endless;
    forget_recent(evidence);
    if (!all)
        divide(evidence);
    uint64_t others = evidence->room.others;
    if (evidence->records.count)
        qsort(evidence->records.at, evidence->records.count, sizeof *evidence->records.at,
              by_site_and_count);
    uint32_t of_site = 0;
    for (uint32_t i = 0; i < evidence->records.count; i++) {
        const Record *record = &evidence->records.at[i];
        of_site = i > 0 && record->site == record[-1].site ? of_site + 1 : 0;
        if (of_site < PATTERNS_PER_SITE || all)
            save(profile, arena, record, launch, first_site);
        else
            others += record->count;
    }
    return others;
}

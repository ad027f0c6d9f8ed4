/* L2: sectors come from DRAM in pairs of 64 bytes; what is written stays until its line has to go, or too much
 * is dirty. Each rule as measured on an H200: docs/caches.md. */
#include "cache/level2.h"

/* Of L2's size: beyond that, what was dirty longest is written to DRAM. */
enum { DIRTY_PERCENT = 42, HOME_LINES = 16, WORDS_OF_SECTOR = 0xff };

void level2_begin(Level2 *l2, Arena *arena, const CacheShape *shape, uint32_t bits) {
    *l2 = (Level2){.arena = arena, .partitions = shape->partitions};
    for (uint32_t p = 0; p < l2->partitions; p++)
        lines_begin(&l2->part[p], arena, shape->l2_bytes / l2->partitions, bits);
    l2->dirty_most = (shape->l2_bytes / SECTOR_BYTES * DIRTY_PERCENT / 100) >> bits;
}

static uint32_t home_of(const Level2 *l2, uint64_t line) {
    uint64_t hash = line / HOME_LINES * UINT64_C(0x9e3779b97f4a7c15);
    return l2->partitions == 1 ? 0 : (uint32_t)(hash >> 63);
}

static uint32_t count_of(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

void level2_expect(const Level2 *l2, uint64_t number) {
    for (uint32_t p = 0; p < l2->partitions; p++)
        lines_expect(&l2->part[p], number);
}

/* ---- to DRAM ---- */

/* What was written of sectors that are not valid cannot be written alone: the rest is read first. */
static void write_back(Level2 *l2, CacheLine *line) {
    uint32_t parts = words_sectors(line->words) & line->dirty & ~line->valid;
    l2->read += count_of(parts);
    l2->written += count_of(line->dirty);
    l2->dirty -= count_of(line->dirty);
    line->valid |= (uint8_t)parts;
    line->dirty = 0;
    line->words = 0;
}

static CacheLine *make(Level2 *l2, uint32_t part, uint64_t number) {
    bool found;
    CacheLine evicted;
    CacheLine *line = lines_make(&l2->part[part], number, &found, &evicted);
    if (evicted.dirty)
        write_back(l2, &evicted);
    return line;
}

/* Drops from the list what is no longer dirty, when it has grown. */
static void forget_clean(Level2 *l2) {
    if (l2->oldest < 4096 || l2->oldest * 2 < l2->dirtied.count)
        return;
    uint32_t left = l2->dirtied.count - l2->oldest;
    for (uint32_t i = 0; i < left; i++)
        l2->dirtied.at[i] = l2->dirtied.at[l2->oldest + i];
    l2->dirtied.count = left;
    l2->oldest = 0;
}

static void drain(Level2 *l2) {
    while (l2->dirty > l2->dirty_most && l2->oldest < l2->dirtied.count) {
        uint64_t number = l2->dirtied.at[l2->oldest++];
        CacheLine *line = lines_peek(&l2->part[home_of(l2, number)], number);
        if (line && line->dirty)
            write_back(l2, line);
    }
    forget_clean(l2);
}

static void make_dirty(Level2 *l2, CacheLine *line, uint32_t mask) {
    if (!line->dirty)
        *vec_add(l2->arena, &l2->dirtied) = line->number;
    l2->dirty += count_of(mask & ~line->dirty);
    line->dirty |= (uint8_t)mask;
}

/* The copies elsewhere no longer hold. */
static void invalidate(Level2 *l2, uint32_t home, uint64_t number, uint32_t mask) {
    for (uint32_t p = 0; p < l2->partitions; p++) {
        CacheLine *copy = p == home ? NULL : lines_peek(&l2->part[p], number);
        if (copy)
            copy->valid &= (uint8_t)~mask;
    }
}

/* ---- requests ---- */

/* The home has these sectors from now on; returns those that it had to fetch. */
static uint32_t fetch(Level2 *l2, CacheLine *home, uint32_t mask) {
    uint32_t fills = mask & ~home->valid;
    l2->read += count_of(fills);
    home->valid |= (uint8_t)mask;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        if (fills >> s & 1)
            home->words &= ~((uint32_t)WORDS_OF_SECTOR << 8 * s);
    return count_of(fills);
}

static uint32_t pairs_of(uint32_t mask) {
    return mask | (mask << 1 & 10) | (mask >> 1 & 5);
}

L2Answer level2_read(Level2 *l2, uint32_t part, uint64_t number, uint32_t mask, uint64_t now) {
    L2Answer answer = {0};
    CacheLine *line = make(l2, part, number);
    uint32_t home = home_of(l2, number), missing = mask & ~line->valid;
    if ((int32_t)(line->ready - (uint32_t)now) <= 0)
        line->coming = 0;
    answer.hits = count_of(mask & line->valid & ~line->coming);
    line->coming &= (uint8_t)~mask;
    if (!missing) {
        const int32_t left = (int32_t)(line->ready - (uint32_t)now);
        answer.late = left > 0 ? (uint32_t)left : 0;
        return answer;
    }
    answer.far = home != part;
    answer.fills = fetch(l2, answer.far ? make(l2, home, number) : line, pairs_of(missing));
    line->coming |= (uint8_t)(pairs_of(missing) & ~line->valid & ~missing);
    line->valid |= (uint8_t)pairs_of(missing);
    line->ready = (uint32_t)now + FETCH_CLOCKS;
    return answer;
}

void level2_write(Level2 *l2, uint64_t number, uint32_t words) {
    uint32_t home = home_of(l2, number), mask = words_sectors(words), whole = 0;
    CacheLine *line = make(l2, home, number);
    for (uint32_t s = 0; s < LINE_SECTORS; s++) {
        uint32_t of_sector = (uint32_t)WORDS_OF_SECTOR << 8 * s;
        if (!(line->valid >> s & 1))
            line->words |= words & of_sector;
        if ((line->words & of_sector) != of_sector)
            continue;
        line->words &= ~of_sector;
        whole |= 1u << s;
    }
    line->valid |= (uint8_t)whole;
    make_dirty(l2, line, mask);
    for (uint32_t p = 0; p < l2->partitions; p++)
        if (p != home) {
            CacheLine *copy = make(l2, p, number);
            copy->valid = (uint8_t)((copy->valid & ~mask) | whole);
        }
    drain(l2);
}

L2Answer level2_atomic(Level2 *l2, uint32_t part, uint64_t number, uint32_t mask) {
    uint32_t home = home_of(l2, number);
    CacheLine *line = make(l2, home, number);
    L2Answer answer = {.far = home != part};
    for (uint32_t s = 0; s < LINE_SECTORS; s++) {
        if (!(mask >> s & 1))
            continue;
        answer.hits += line->valid >> s & 1;
        answer.fills += fetch(l2, line, pairs_of(1u << s));
    }
    make_dirty(l2, line, mask);
    invalidate(l2, home, number, mask);
    drain(l2);
    return answer;
}

/* A cache of lines with four sectors each: least recently used within a set. A line is found by a table of all; the order in
 * which those of a set were used lies apart from the lines, in 256 bytes. */
#include "cache/cache.h"

#include <string.h>

/* Measured on an H200 by reading more and more again and again: from 0.94 to 1.2 times the nominal size hits become
 * fewer, half of them at 1.07. Sets of so many lines, chosen by a hash, do the same. */
enum { WAYS = 128, SETS_MANY = 8, ROOM_PERCENT = 106, BUCKETS_LEAST = 256, ROOM_LEAST = 8 };
/* A line's place: its set, and the way in it. */
enum { WAY_BITS = 8, WAY_MASK = (1 << WAY_BITS) - 1 };

static uint64_t hash_of(uint64_t number) {
    number = (number ^ number >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (number ^ number >> 32) * UINT64_C(0x94d049bb133111eb);
}

void lines_begin(LineCache *cache, Arena *arena, uint64_t bytes, uint32_t bits) {
    uint64_t lines = bytes / LINE_BYTES * ROOM_PERCENT / 100 >> bits;
    *cache = (LineCache){.arena = arena, .ways = WAYS};
    cache->sets = (uint32_t)((lines + WAYS / 2) / WAYS);
    if (cache->sets < 2) { /* a small one: as it is */
        cache->sets = 1;
        cache->ways = lines ? (uint32_t)lines : 1;
    } else if (bits && cache->sets < SETS_MANY) { /* whose lines are no multiple of 128 */
        cache->ways = (uint32_t)((lines + cache->sets / 2) / cache->sets);
    }
    cache->bucket_count = BUCKETS_LEAST;
    cache->buckets = NEW_ARRAY(arena, uint32_t, cache->bucket_count);
    memset(cache->buckets, 0xff, cache->bucket_count * sizeof *cache->buckets);
    cache->set = NEW_ARRAY(arena, LineSet, cache->sets);
}

static uint32_t set_of(const LineCache *cache, uint64_t hash) {
    return (uint32_t)(((hash >> 32) * cache->sets) >> 32);
}

static uint32_t *bucket_of(const LineCache *cache, uint64_t hash) {
    return &cache->buckets[hash & (cache->bucket_count - 1)];
}

static CacheLine *line_at(const LineCache *cache, uint32_t at) {
    return &cache->set[at >> WAY_BITS].line[at & WAY_MASK];
}

/* As many buckets as lines, at least: most launches touch little of L2. */
static void grow(LineCache *cache) {
    if (cache->count < cache->bucket_count)
        return;
    cache->bucket_count *= 4;
    cache->buckets = NEW_ARRAY(cache->arena, uint32_t, cache->bucket_count);
    memset(cache->buckets, 0xff, cache->bucket_count * sizeof *cache->buckets);
    for (uint32_t s = 0; s < cache->sets; s++)
        for (uint32_t i = 0; i < cache->set[s].used; i++) {
            CacheLine *line = &cache->set[s].line[i];
            uint32_t *bucket = bucket_of(cache, hash_of(line->number));
            line->next = *bucket;
            *bucket = s << WAY_BITS | i;
        }
}

static void make_room(LineCache *cache, LineSet *set) {
    if (set->used < set->room)
        return;
    uint32_t room = set->room ? 4 * set->room : ROOM_LEAST;
    room = room < cache->ways ? room : cache->ways;
    CacheLine *line = NEW_ARRAY(cache->arena, CacheLine, room);
    LineOrder *order = NEW_ARRAY(cache->arena, LineOrder, room);
    if (set->used) {
        memcpy(line, set->line, set->used * sizeof *line);
        memcpy(order, set->order, set->used * sizeof *order);
    }
    set->line = line;
    set->order = order;
    set->room = room;
}

/* ---- the order of uses ---- */

static void append(LineSet *set, uint32_t way) {
    set->order[set->newest].newer = (uint8_t)way;
    set->order[way].older = set->newest;
    set->newest = (uint8_t)way;
}

/* A way that was there becomes the newest. */
static void use(LineSet *set, uint32_t way) {
    if (set->newest == way)
        return;
    const LineOrder of = set->order[way];
    if (set->oldest == way)
        set->oldest = of.newer;
    else
        set->order[of.older].newer = of.newer;
    set->order[of.newer].older = of.older;
    append(set, way);
}

/* ---- lines ---- */

static uint32_t place_of(const LineCache *cache, uint64_t number, uint64_t hash) {
    uint32_t at = *bucket_of(cache, hash);
    while (at != CACHE_NONE) {
        const CacheLine *line = line_at(cache, at);
        if (line->number == number)
            break;
        at = line->next;
    }
    return at;
}

CacheLine *lines_peek(LineCache *cache, uint64_t number) {
    uint32_t at = place_of(cache, number, hash_of(number));
    return at == CACHE_NONE ? NULL : line_at(cache, at);
}

void lines_expect(const LineCache *cache, uint64_t number) {
    __builtin_prefetch(bucket_of(cache, hash_of(number)));
}

void lines_expect_more(const LineCache *cache, uint64_t number) {
    uint32_t at = *bucket_of(cache, hash_of(number));
    if (at == CACHE_NONE)
        return;
    const LineSet *set = &cache->set[at >> WAY_BITS];
    __builtin_prefetch(&set->line[at & WAY_MASK]);
    __builtin_prefetch(&set->order[at & WAY_MASK]);
}

/* The line of a full set that was not used for longest, taken out of the table. */
static uint32_t evict(LineCache *cache, uint32_t number, CacheLine *evicted) {
    const LineSet *set = &cache->set[number];
    uint32_t way = set->oldest;
    uint32_t at = number << WAY_BITS | way;
    *evicted = set->line[way];
    uint32_t *link = bucket_of(cache, hash_of(evicted->number));
    while (*link != at)
        link = &line_at(cache, *link)->next;
    *link = evicted->next;
    return way;
}

CacheLine *lines_make(LineCache *cache, uint64_t number, bool *found, CacheLine *evicted) {
    uint64_t hash = hash_of(number);
    uint32_t at = place_of(cache, number, hash);
    *found = at != CACHE_NONE;
    evicted->valid = evicted->dirty = 0;
    evicted->words = 0;
    if (*found) {
        use(&cache->set[at >> WAY_BITS], at & WAY_MASK);
        return line_at(cache, at);
    }
    uint32_t in = set_of(cache, hash), way;
    LineSet *set = &cache->set[in];
    if (set->used == cache->ways) {
        way = evict(cache, in, evicted);
        use(set, way);
    } else {
        grow(cache);
        make_room(cache, set);
        cache->count++;
        way = set->used++;
        if (way == 0)
            set->oldest = set->newest = 0;
        else
            append(set, way);
    }
    uint32_t *bucket = bucket_of(cache, hash);
    set->line[way] = (CacheLine){.number = number, .next = *bucket};
    *bucket = in << WAY_BITS | way;
    return &set->line[way];
}

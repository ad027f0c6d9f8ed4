/* Footprint: which bytes of global memory the recorded blocks touch, each counted once. What passes
 * between DRAM and the caches is at least that, where sectors that are accessed again may be hits.
 *
 * A page of memory has a bit for each byte; marking is a union, so that neither the order of blocks nor
 * the workers that ran them can be seen in the result. */
#include "account/again.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 512, PAGE_SECTORS = PAGE_BYTES / SECTOR_BYTES, BLOCK_BITS = 64 };
enum { RECENT_PAGES = 128 };

typedef struct Page {
    uint64_t number; /* address / PAGE_BYTES */
    bool stored;     /* else loaded */
    uint32_t bytes[PAGE_SECTORS];
    uint64_t *blocks; /* [PAGE_SECTORS]: which blocks, by their number modulo 64; NULL: not asked */
} Page;

/* What tells most pages apart, so that few are looked at. */
typedef struct PageEntry {
    uint32_t hash, page; /* its number + 1; 0: an empty place */
} PageEntry;

struct ByteMap {
    Arena *arena;
    bool by_blocks;
    VEC(Page *) pages;
    PageEntry *index; /* open addressing */
    uint32_t size;
    Page *recent[RECENT_PAGES]; /* by the low bits of the number, then stored; NULL: none yet */
};

ByteMap *bytes_new(Arena *arena, bool by_blocks) {
    ByteMap *map = NEW(arena, ByteMap);
    map->arena = arena;
    map->by_blocks = by_blocks;
    map->size = 64;
    map->index = NEW_ARRAY(arena, PageEntry, map->size);
    return map;
}

/* Neighbours are mostly touched together: eight of them lie in one line of the processor's cache. */
static uint32_t hash_of(uint64_t number, bool stored) {
    enum { TOGETHER = 8 };
    const uint64_t group = (number / TOGETHER * 2 + stored) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(group >> 32) * TOGETHER + (uint32_t)(number % TOGETHER);
}

static void grow(ByteMap *map) {
    const PageEntry *all = map->index;
    const uint32_t size = map->size;
    map->size *= 2;
    map->index = NEW_ARRAY(map->arena, PageEntry, map->size);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t at = all[i].hash & (map->size - 1);
        while (all[i].page && map->index[at].page)
            at = (at + 1) & (map->size - 1);
        if (all[i].page)
            map->index[at] = all[i];
    }
}

static Page *page_new(ByteMap *map, uint64_t number, bool stored) {
    Page *page = NEW(map->arena, Page);
    page->number = number;
    page->stored = stored;
    if (map->by_blocks && !stored)
        page->blocks = NEW_ARRAY(map->arena, uint64_t, PAGE_SECTORS);
    *vec_add(map->arena, &map->pages) = page;
    return page;
}

static Page *page_of(ByteMap *map, uint64_t number, bool stored) {
    Page **recent = &map->recent[(2 * number + stored) % RECENT_PAGES];
    if (*recent && (*recent)->number == number)
        return *recent;
    const uint32_t hash = hash_of(number, stored);
    uint32_t at = hash & (map->size - 1);
    for (; map->index[at].page; at = (at + 1) & (map->size - 1)) {
        if (map->index[at].hash != hash)
            continue;
        Page *page = map->pages.at[map->index[at].page - 1];
        if (page->number == number && page->stored == stored)
            return *recent = page;
    }
    Page *page = page_new(map, number, stored);
    map->index[at] = (PageEntry){hash, map->pages.count};
    if (map->pages.count * 2 > map->size)
        grow(map);
    return *recent = page;
}

/* Accesses are aligned to their width, at most 32 bytes: they lie in one sector. */
static void mark(ByteMap *map, uint32_t block, uint64_t address, uint32_t width, bool stored) {
    Page *page = page_of(map, address / PAGE_BYTES, stored);
    uint32_t sector = (uint32_t)(address % PAGE_BYTES / SECTOR_BYTES);
    uint32_t bits = width >= SECTOR_BYTES ? UINT32_MAX : (1u << width) - 1;
    page->bytes[sector] |= bits << address % SECTOR_BYTES;
    if (page->blocks)
        page->blocks[sector] |= UINT64_C(1) << block % BLOCK_BITS;
}

static bool loads(const Access *access) {
    return access->kind != ACCESS_STORE && access->kind != ACCESS_STMATRIX;
}

static bool stores(const Access *access) {
    return access->kind != ACCESS_LOAD && access->kind != ACCESS_LDMATRIX && !access->source;
}

void bytes_access(ByteMap *map, uint32_t block, const Access *access) {
    if (access->space != SPACE_GLOBAL && !access->source)
        return;
    const uint64_t *address = access->source ? access->source : access->address;
    const uint32_t lanes = access->mask & ~access->idle;
    for_lanes(lane, access->uniform ? lanes & (0u - lanes) : lanes) {
        if (loads(access))
            mark(map, block, address[lane], access->width, false);
        if (stores(access))
            mark(map, block, address[lane], access->width, true);
    }
}

static void mark_page(Page *page, uint64_t of_block) {
    memset(page->bytes, UINT8_MAX, sizeof page->bytes);
    for (uint32_t s = 0; page->blocks && s < PAGE_SECTORS; s++)
        page->blocks[s] |= of_block;
}

static void mark_in_page(Page *page, uint32_t block, uint32_t first, uint32_t end) {
    uint64_t of_block = UINT64_C(1) << block % BLOCK_BITS;
    if (end - first == PAGE_BYTES) {
        mark_page(page, of_block);
        return;
    }
    for (uint32_t at = first; at < end;) {
        uint32_t sector = at / SECTOR_BYTES, skip = at % SECTOR_BYTES;
        uint32_t count = SECTOR_BYTES - skip < end - at ? SECTOR_BYTES - skip : end - at;
        page->bytes[sector] |= (UINT32_MAX >> (SECTOR_BYTES - count)) << skip;
        if (page->blocks)
            page->blocks[sector] |= of_block;
        at += count;
    }
}

void bytes_range(ByteMap *map, uint32_t block, uint64_t address, uint64_t bytes, bool stored) {
    while (bytes) {
        uint64_t skip = address % PAGE_BYTES, room = PAGE_BYTES - skip;
        uint64_t count = bytes < room ? bytes : room;
        mark_in_page(page_of(map, address / PAGE_BYTES, stored), block, (uint32_t)skip,
                     (uint32_t)(skip + count));
        address += count;
        bytes -= count;
    }
}

/* `lanes` addresses, each `stride` after the one before. */
static void add_run(ByteMap *map, uint32_t block, uint64_t first, int64_t stride, uint32_t lanes,
                    uint32_t width, bool stored) {
    uint64_t last = first + (uint64_t)((lanes - 1) * stride);
    uint64_t low = first < last ? first : last, high = first < last ? last : first;
    if (high - low <= (uint64_t)(lanes - 1) * width) { /* it leaves no byte out */
        bytes_range(map, block, low, high + width - low, stored);
        return;
    }
    for (uint32_t l = 0; l < lanes; l++)
        mark(map, block, first + (uint64_t)(l * stride), width, stored);
}

void bytes_runs(ByteMap *map, uint32_t block, const Pattern *pattern, uint32_t width, bool stored) {
    enum { HALF = WARP_LANES / 2 };
    const uint64_t *base = pattern->base;
    const int64_t *stride = pattern->stride;
    bool one = pattern->affine, same = base[0] == base[1] && stride[0] == stride[1];
    add_run(map, block, base[0], stride[0], one ? WARP_LANES : HALF, width, stored);
    if (!one && !same)
        add_run(map, block, base[1], stride[1], HALF, width, stored);
}

/* ---- the same again and again ---- */

/* Those of lanes that follow each other are one. */
static void add_span(Again *spans, uint32_t *count, uint64_t first, uint32_t width, int64_t step,
                     bool stored) {
    Again *last = *count ? &spans[*count - 1] : NULL;
    if (last && last->stored == stored && first == last->span.first + last->span.bytes)
        last->span.bytes += width;
    else
        spans[(*count)++] = (Again){{first, width}, step, stored, 0};
}

uint32_t bytes_of_access(const Access *access, int64_t step, Again spans[AGAIN_MOST]) {
    const uint64_t *address = access->source ? access->source : access->address;
    uint32_t count = 0;
    if (access->space != SPACE_GLOBAL && !access->source)
        return 0;
    for_lanes(lane, loads(access) ? access->mask & ~access->idle : 0)
        add_span(spans, &count, address[lane], access->width, step, false);
    for_lanes(lane, stores(access) ? access->mask & ~access->idle : 0)
        add_span(spans, &count, address[lane], access->width, step, true);
    return count;
}

/* ---- the sum ---- */

void bytes_join(ByteMap *all, ByteMap *one) {
    if (all->pages.count == 0) { /* one is of the only worker, say */
        all->pages.at = one->pages.at;
        all->pages.count = one->pages.count;
        all->pages.capacity = one->pages.capacity;
        all->index = one->index;
        all->size = one->size;
        return;
    }
    for (uint32_t i = 0; i < one->pages.count; i++) {
        const Page *from = one->pages.at[i];
        Page *to = page_of(all, from->number, from->stored);
        for (uint32_t s = 0; s < PAGE_SECTORS; s++) {
            to->bytes[s] |= from->bytes[s];
            if (to->blocks)
                to->blocks[s] |= from->blocks[s];
        }
    }
}

/* by: a multiple of a sector. */
static void join_sectors(ByteMap *all, const Page *from, uint64_t of_block, int64_t by) {
    const uint64_t begin = from->number * PAGE_BYTES + (uint64_t)by;
    Page *to = NULL;
    for (uint32_t s = 0; s < PAGE_SECTORS; s++) {
        const uint64_t at = begin + s * SECTOR_BYTES, number = at / PAGE_BYTES;
        const uint32_t sector = (uint32_t)(at % PAGE_BYTES / SECTOR_BYTES);
        if (!from->bytes[s])
            continue;
        if (!to || to->number != number)
            to = page_of(all, number, from->stored);
        to->bytes[sector] |= from->bytes[s];
        if (to->blocks)
            to->blocks[sector] |= of_block;
    }
}

void bytes_moved(ByteMap *all, const ByteMap *one, uint32_t block, int64_t by) {
    const uint64_t of_block = UINT64_C(1) << block % BLOCK_BITS;
    assert(by % SECTOR_BYTES == 0);
    for (uint32_t i = 0; i < one->pages.count; i++)
        join_sectors(all, one->pages.at[i], of_block, by);
}

static void count(const Page *page, Footprint *sum) {
    for (uint32_t s = 0; s < PAGE_SECTORS; s++) {
        uint32_t bytes = (uint32_t)__builtin_popcount(page->bytes[s]);
        if (page->stored) {
            sum->stored_sectors += bytes > 0;
            sum->stored_bytes += bytes;
        } else {
            sum->loaded_sectors += bytes > 0;
            sum->loaded_bytes += bytes;
        }
        if (page->blocks)
            sum->loaded_by_blocks += (uint32_t)__builtin_popcountll(page->blocks[s]);
    }
}

Footprint bytes_sum(const ByteMap *map) {
    Footprint sum = {0};
    for (uint32_t i = 0; i < map->pages.count; i++)
        count(map->pages.at[i], &sum);
    return sum;
}

/* Which bytes have values: a bit for each byte of the memory that was told of as having none, set by what
 * writes it. A read of a byte without a value is a defect.
 *
 * Shared memory has none when a block begins, local memory of a thread neither; global memory as it is told
 * of. Accesses are aligned to their width, so the bits of one lie in one byte of the map, or fill some. */
#include "base/rescue.h"
#include "sanitize/state.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- maps of bits ---- */

/* Bits of `width` bytes from `at` on: 1, 2, 4, 8 … of them, aligned. */
static bool all_set(const uint8_t *map, uint64_t at, uint32_t width) {
    if (width <= 8) {
        uint32_t bits = ((1u << width) - 1) << (at & 7);
        return (map[at >> 3] & bits) == bits;
    }
    for (uint32_t i = 0; i < width / 8; i++)
        if (map[(at >> 3) + i] != 0xff)
            return false;
    return true;
}

static void set_bits(uint8_t *map, uint64_t at, uint32_t width) {
    if (width <= 8) {
        map[at >> 3] |= (uint8_t)(((1u << width) - 1) << (at & 7));
        return;
    }
    memset(map + (at >> 3), 0xff, width / 8);
}

static bool is_set(const uint8_t *map, uint64_t at) {
    return map[at >> 3] >> (at & 7) & 1;
}

static void set_range(uint8_t *map, uint64_t first, uint64_t bytes) {
    uint64_t at = first, end = first + bytes;
    for (; at < end && (at & 7); at++)
        map[at >> 3] |= (uint8_t)(1u << (at & 7));
    if (end - at >= 8)
        memset(map + (at >> 3), 0xff, (end - at) >> 3);
    for (at = at + ((end - at) & ~UINT64_C(7)); at < end; at++)
        map[at >> 3] |= (uint8_t)(1u << (at & 7));
}

static bool range_set(const uint8_t *map, uint64_t first, uint64_t bytes) {
    const uint64_t end = first + bytes;
    uint64_t at = first, word = UINT64_MAX;
    for (; !(at & 7) && end - at >= 64 && word == UINT64_MAX; at += 64)
        memcpy(&word, map + (at >> 3), sizeof word);
    if (word != UINT64_MAX)
        return false;
    while (at < end) {
        bool whole = !(at & 7) && end - at >= 8;
        if (whole ? map[at >> 3] != 0xff : !is_set(map, at))
            return false;
        at += whole ? 8 : 1;
    }
    return true;
}

/* ---- global memory ---- */

typedef struct KnownBlock {
    uint64_t address, bytes;
    uint8_t *map;
} KnownBlock;

/* Any thread may tell of memory while a launch runs. */
struct KnownBytes {
    pthread_mutex_t lock;
    KnownBlock *blocks; /* by address */
    uint32_t count, room, last;
};

KnownBytes *known_new(void) {
    KnownBytes *known = calloc(1, sizeof *known);
    if (!known)
        out_of_memory();
    pthread_mutex_init(&known->lock, NULL);
    return known;
}

void known_free(KnownBytes *known) {
    for (uint32_t i = 0; known && i < known->count; i++)
        free(known->blocks[i].map);
    if (known)
        free(known->blocks);
    free(known);
}

/* The number of the first block that ends behind the address. */
static uint32_t place_of(const KnownBytes *known, uint64_t address) {
    uint32_t low = 0, high = known->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (known->blocks[middle].address + known->blocks[middle].bytes > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The block that has the byte; NULL: nothing was told of it. */
static KnownBlock *block_at(KnownBytes *known, uint64_t address) {
    KnownBlock *last = known->last < known->count ? &known->blocks[known->last] : NULL;
    if (last && address - last->address < last->bytes)
        return last;
    uint32_t at = place_of(known, address);
    if (at == known->count || address < known->blocks[at].address)
        return NULL;
    known->last = at;
    return &known->blocks[at];
}

void known_add(KnownBytes *known, uint64_t address, uint64_t bytes) {
    uint8_t *map = calloc(bytes / 8 + 1, 1);
    lock_take(&known->lock);
    if (known->count == known->room) {
        known->room = 2 * known->room + 64;
        known->blocks = realloc(known->blocks, known->room * sizeof *known->blocks);
    }
    if (!map || !known->blocks)
        out_of_memory();
    uint32_t at = place_of(known, address);
    memmove(known->blocks + at + 1, known->blocks + at, (known->count - at) * sizeof(KnownBlock));
    known->blocks[at] = (KnownBlock){address, bytes, map};
    known->count++;
    lock_give(&known->lock);
}

void known_remove(KnownBytes *known, uint64_t address) {
    lock_take(&known->lock);
    uint32_t at = place_of(known, address);
    if (at < known->count && known->blocks[at].address == address) {
        free(known->blocks[at].map);
        known->count--;
        memmove(known->blocks + at, known->blocks + at + 1,
                (known->count - at) * sizeof(KnownBlock));
    }
    lock_give(&known->lock);
}

/* As much of the range as lies in the block. */
static void set_part(KnownBlock *block, uint64_t address, uint64_t bytes) {
    uint64_t first = address > block->address ? address : block->address;
    uint64_t end = address + bytes, most = block->address + block->bytes;
    end = end < most ? end : most;
    if (first < end)
        set_range(block->map, first - block->address, end - first);
}

static void set_global(KnownBytes *known, uint64_t address, uint64_t bytes) {
    for (uint32_t i = place_of(known, address);
         i < known->count && known->blocks[i].address < address + bytes; i++)
        set_part(&known->blocks[i], address, bytes);
}

void known_write(KnownBytes *known, uint64_t address, uint64_t bytes) {
    lock_take(&known->lock);
    set_global(known, address, bytes);
    lock_give(&known->lock);
}

void known_copy(KnownBytes *known, uint64_t to, uint64_t from, uint64_t bytes) {
    lock_take(&known->lock);
    KnownBlock *source = block_at(known, from);
    KnownBlock at = source ? *source : (KnownBlock){0};
    KnownBlock *target = block_at(known, to);
    bool inside = source && target && at.bytes - (from - at.address) >= bytes &&
                  target->bytes - (to - target->address) >= bytes;
    bool whole = !inside || range_set(at.map, from - at.address, bytes);
    if (whole)
        set_global(known, to, bytes);
    for (uint64_t i = 0; !whole && i < bytes; i++) {
        uint64_t bit = to - target->address + i;
        uint8_t mask = (uint8_t)(1u << (bit & 7));
        bool is = is_set(at.map, from - at.address + i);
        target->map[bit >> 3] =
            (uint8_t)(is ? target->map[bit >> 3] | mask : target->map[bit >> 3] & ~mask);
    }
    lock_give(&known->lock);
}

/* ---- blocks ---- */

static uint8_t *room_for(Arena *arena, uint8_t *map, uint64_t *room, uint64_t bytes) {
    if (map && *room >= bytes) {
        memset(map, 0, bytes);
        return map;
    }
    *room = bytes;
    return arena_alloc(arena, bytes);
}

void init_begin(WatchedBlock *block) {
    const BlockShape *shape = &block->shape;
    Arena *arena = block->sanitizer->launch_arena;
    block->shared_known =
        room_for(arena, block->shared_known, &block->shared_room, shape->shared_end / 8 + 8);
    set_range(block->shared_known, 0, shape->shared_base); /* the system's */
    uint64_t warps = (shape->threads + WARP_LANES - 1) / WARP_LANES;
    if (!block->local_known || block->warps_room < warps) {
        block->local_known = NEW_ARRAY(arena, uint8_t *, warps);
        block->warps_room = warps;
    }
    for (uint64_t i = 0; i < warps; i++)
        if (block->local_known[i])
            memset(block->local_known[i], 0, (size_t)shape->local_stride / 8 * WARP_LANES + 8);
}

/* Of a warp's local memory, lane after lane as it lies. */
static uint8_t *local_map(WatchedBlock *block, uint32_t warp) {
    uint8_t **map = &block->local_known[warp];
    if (!*map)
        *map = arena_alloc(block->sanitizer->launch_arena,
                           (size_t)block->shape.local_stride / 8 * WARP_LANES + 8);
    return *map;
}

/* The block whose shared memory has the byte of the host's. */
static WatchedBlock *owner_of(WatchedBlock *by, uintptr_t host) {
    for (WatchedBlock *block = by->sanitizer->blocks; block; block = block->next)
        if (host - (uintptr_t)block->shape.shared < block->shape.shared_end)
            return block;
    return NULL;
}

/* ---- accesses ---- */

/* Where the bits of a lane's bytes are; NULL: nothing is known of them. */
static uint8_t *map_of(const WatchedAccess *access, uint32_t lane, uint64_t *at) {
    WatchedBlock *block = access->by.block;
    KnownBlock *global;
    const uint64_t address = access->address[lane];
    *at = address;
    switch (access->space) {
    case SPACE_SHARED:
        if (access->remote)
            block = owner_of(block, access->host + access->place[lane]);
        return block ? block->shared_known : NULL;
    case SPACE_LOCAL:
        *at = address + (uint64_t)lane * block->shape.local_stride;
        return local_map(block, access->by.warp);
    case SPACE_GLOBAL:
        global = block_at(block->sanitizer->known, address);
        *at = global ? address - global->address : 0;
        return global ? global->map : NULL;
    default:
        return NULL;
    }
}

/* Local memory has values of which nothing is told: arguments of functions. */
static bool is_judged(const WatchedAccess *access) {
    return access->space != SPACE_LOCAL || access->array_end > access->array_first;
}

bool init_access(const WatchedAccess *access) {
    KnownBytes *known = access->by.block->sanitizer->known;
    const uint32_t width = access->width;
    uint32_t unset = 0;
    bool global = access->space == SPACE_GLOBAL;
    if (global)
        lock_take(&known->lock);
    for (uint32_t rest = global && known->count == 0 ? 0 : access->by.lanes; rest;
         rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t at;
        uint8_t *map = map_of(access, lane, &at);
        if (map && (access->ways & ACCESS_READS) && !all_set(map, at, width))
            unset |= 1u << lane;
        if (map && (access->ways & ACCESS_WRITES))
            set_bits(map, at, width);
    }
    if (global)
        lock_give(&known->lock);
    if (!unset || !is_judged(access) || access->object)
        return false;
    if (access->follows)
        return true;
    FoundDefect defect =
        access_defect(DEFECT_uninitialised, access, (uint32_t)__builtin_ctz(unset));
    defect.count = (uint32_t)__builtin_popcount(unset);
    sanitize_report(access->by.block->sanitizer, &defect);
    return true;
}

FoundDefect sanitize_unset_read(const WatchedAccess *access) {
    uint32_t unset = 0;
    for (uint32_t i = 0; i < access->width; i++)
        unset |= sanitize_unset(access, i);
    return access_defect(DEFECT_uninitialised, access,
                         (uint32_t)__builtin_ctz(unset ? unset : access->by.lanes));
}

/* The lanes whose byte has no value; gone: those that lose it. */
static uint32_t byte_of_lanes(const WatchedAccess *access, uint32_t lanes, uint32_t skip,
                              bool gone) {
    KnownBytes *known = access->by.block->sanitizer->known;
    uint32_t unset = 0;
    lock_take(&known->lock);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t at;
        uint8_t *map = map_of(access, lane, &at);
        if (map && gone)
            map[(at + skip) >> 3] &= (uint8_t) ~(1u << ((at + skip) & 7));
        unset |= (uint32_t)(map && !is_set(map, at + skip)) << lane;
    }
    lock_give(&known->lock);
    return unset;
}

uint32_t sanitize_unset(const WatchedAccess *access, uint32_t skip) {
    return byte_of_lanes(access, access->by.lanes, skip, false);
}

void sanitize_unwrite(const WatchedAccess *access, uint32_t lanes, uint32_t skip) {
    if (wants(access->by.block->sanitizer, CHECK_init))
        byte_of_lanes(access, access->by.lanes & lanes, skip, true);
}

/* Bits of a map, as far as one half of a run reaches. */
static bool half_set(const uint8_t *map, uint64_t at, int64_t stride, uint32_t width) {
    if (stride == (int64_t)width)
        return range_set(map, at, (uint64_t)width * RUN_LANES);
    bool set = all_set(map, at, width);
    for (uint32_t i = 1; stride && i < RUN_LANES && set; i++)
        set = all_set(map, at + i * (uint64_t)stride, width);
    return set;
}

static void set_half(uint8_t *map, uint64_t at, int64_t stride, uint32_t width) {
    if (stride == (int64_t)width) {
        set_range(map, at, (uint64_t)width * RUN_LANES);
        return;
    }
    for (uint32_t i = 0; i < RUN_LANES; i++)
        set_bits(map, at + i * (uint64_t)stride, width);
}

static bool run_set(const uint8_t *map, const WatchedRun *run, uint64_t base) {
    const int64_t *stride = run->pattern->stride;
    if (run->pattern->affine && stride[0] == (int64_t)run->width)
        return range_set(map, run_first(run, 0) - base, (uint64_t)run->width * WARP_LANES);
    return half_set(map, run_first(run, 0) - base, stride[0], run->width) &&
           half_set(map, run_first(run, 1) - base, stride[1], run->width);
}

static void set_run(uint8_t *map, const WatchedRun *run, uint64_t base) {
    for (uint32_t half = 0; half < 2; half++)
        set_half(map, run_first(run, half) - base, run->pattern->stride[half], run->width);
}

/* Where the bits are, and what of the addresses is before them; NULL: nothing is known of them. Accesses lie in one
 * allocation, but what is told of may be less. */
static uint8_t *run_map(const WatchedRun *run, uint64_t *base, bool *whole) {
    WatchedBlock *block = run->by.block;
    *base = 0;
    if (run->space == SPACE_SHARED)
        return block->shared_known;
    if (run->space != SPACE_GLOBAL)
        return NULL;
    KnownBytes *known = block->sanitizer->known;
    const KnownBlock *global = known->count ? block_at(known, run_first(run, 0)) : NULL;
    const uint64_t room = global && global->bytes >= run->width ? global->bytes - run->width : 0;
    for (uint32_t half = 0; half < 2 && known->count; half++)
        *whole &= global && run_first(run, half) - global->address <= room &&
                  run_last(run, half) - global->address <= room;
    *base = global ? global->address : 0;
    return global ? global->map : NULL;
}

static bool run_is_set(const WatchedRun *run) {
    uint64_t base;
    bool whole = true;
    uint8_t *map = run_map(run, &base, &whole);
    if (!map || !whole)
        return whole;
    if (run->ways & ACCESS_READS)
        return run_set(map, run, base);
    set_run(map, run, base);
    return true;
}

bool init_run(const WatchedRun *run) {
    KnownBytes *known = run->by.block->sanitizer->known;
    if (run->space != SPACE_GLOBAL)
        return run_is_set(run);
    if (__atomic_load_n(&known->count, __ATOMIC_RELAXED) == 0)
        return true;
    lock_take(&known->lock);
    const bool set = run_is_set(run);
    lock_give(&known->lock);
    return set;
}

void init_range(const WatchedRange *range) {
    WatchedBlock *block = range->by.block;
    KnownBytes *known = block->sanitizer->known;
    bool unset = false;
    if (range->space == SPACE_SHARED) {
        WatchedBlock *owner = owner_of(block, range->host);
        if (owner && (range->ways & ACCESS_READS))
            unset = !range_set(owner->shared_known, range->address, range->bytes);
        if (owner && (range->ways & ACCESS_WRITES))
            set_range(owner->shared_known, range->address, range->bytes);
    } else if (range->space == SPACE_LOCAL) {
        uint64_t lane = (uint64_t)__builtin_ctz(range->by.lanes) * block->shape.local_stride;
        if (range->ways & ACCESS_WRITES)
            set_range(local_map(block, range->by.warp), lane + range->address, range->bytes);
    } else {
        lock_take(&known->lock);
        KnownBlock *at = block_at(known, range->address);
        if (at && (range->ways & ACCESS_READS))
            unset = !range_set(at->map, range->address - at->address, range->bytes);
        if (range->ways & ACCESS_WRITES)
            set_global(known, range->address, range->bytes);
        lock_give(&known->lock);
    }
    if (!unset)
        return;
    const FoundDefect defect = {
        .kind = DEFECT_uninitialised,
        .by = {range->by.insn, block->shape.number,
               range->by.warp * WARP_LANES + (uint32_t)__builtin_ctz(range->by.lanes)},
        .other = {.insn = NONE},
        .space = range->space,
        .address = range->address,
        .bytes = (uint32_t)range->bytes,
        .ways = ACCESS_READS};
    sanitize_report(block->sanitizer, &defect);
}

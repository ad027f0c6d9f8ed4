/* sectors: what a warp's access to global, local or constant memory asks of the caches.
 *
 * The unit of traffic is a sector of 32 bytes, the unit of a tag look-up a line of 128. An access
 * is aligned to its width, so it lies in one sector. Measured on an H100, see docs/memory-model.md,
 * sections 2 and 3. */
#include "mem/lanes.h"

#include <string.h>

/* ---- the lines that a warp touches ---- */

enum { SLOT_BITS = 6, SLOT_COUNT = 1 << SLOT_BITS, NO_LINE = 0xff };

/* An open hash table of at most 32 keys, one for each lane; what the two words of bits mean is the
 * user's. */
typedef struct Lines {
    uint8_t slot[SLOT_COUNT]; /* index of a line, or NO_LINE */
    uint64_t key[WARP_LANES];
    uint64_t bits[WARP_LANES][2];
    uint32_t count;
} Lines;

static void lines_clear(Lines *lines) {
    memset(lines->slot, NO_LINE, sizeof lines->slot);
    lines->count = 0;
}

/* The bits of the line with this key; 0 where it is new. */
static uint64_t *lines_find(Lines *lines, uint64_t key) {
    uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
    while (lines->slot[slot] != NO_LINE) {
        uint32_t found = lines->slot[slot];
        if (lines->key[found] == key)
            return lines->bits[found];
        slot = (slot + 1) % SLOT_COUNT;
    }
    uint32_t added = lines->count++;
    lines->slot[slot] = (uint8_t)added;
    lines->key[added] = key;
    lines->bits[added][0] = lines->bits[added][1] = 0;
    return lines->bits[added];
}

/* ---- global memory ---- */

static uint32_t bits_count64(uint64_t bits) {
    return (uint32_t)__builtin_popcountll(bits);
}

/* lines: a bit for each byte of the 128. */
static GlobalCost count_bytes(const Lines *lines) {
    GlobalCost cost = {.tag_requests = lines->count};
    for (uint32_t i = 0; i < lines->count; i++)
        for (uint32_t half = 0; half < 2; half++) {
            uint64_t bits = lines->bits[i][half];
            cost.sectors += (uint32_t)((uint32_t)bits != 0) + (uint32_t)(bits >> 32 != 0);
            cost.bytes_used += bits_count64(bits);
        }
    return cost;
}

static GlobalCost touched(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width,
                          bool uniform) {
    if (mask && (uniform || lanes_uniform(address, mask)))
        return (GlobalCost){.sectors = 1, .tag_requests = 1, .bytes_used = width};
    Lines lines;
    lines_clear(&lines);
    uint64_t span = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    uint64_t last_line = 0, *bits = NULL;
    for (; mask; mask &= mask - 1) {
        uint64_t at = address[lanes_lowest(mask)], line = at / LINE_BYTES;
        if (!bits || line != last_line) /* neighbours mostly share a line */
            bits = lines_find(&lines, line);
        last_line = line;
        bits[at / 64 % 2] |= span << at % 64;
    }
    return count_bytes(&lines);
}

static uint32_t global_ideal(uint32_t sectors, uint32_t lanes, uint32_t width) {
    uint32_t packed = ceil_div(lanes * width, SECTOR_BYTES);
    return packed < sectors ? packed : sectors;
}

/* Asynchronous copies, by source. The ideal is lower than others where active lanes are spread over
 * more quarter-warps than they would fill: measured, so we count it so. */
static GlobalCost cp_async_global(const Access *access) {
    static const Groups quarters = {4, 8};
    GlobalCost cost = touched(access->source, access->mask, access->width, false);
    uint32_t lanes = access->mask;
    if (access->kind == ACCESS_CP_ASYNC_CG) {
        lanes = cp_async_winners(access);
        cost.sectors = cp_async_transfers(access);
    }
    uint32_t ideal = global_ideal(cost.sectors, bits_count(lanes), access->width);
    uint32_t spread =
        groups_active(quarters, access->mask) - ceil_div(bits_count(access->mask), quarters.lanes);
    cost.ideal = ideal > spread ? ideal - spread : 0;
    return cost;
}

GlobalCost mem_global(const Access *access) {
    if (access->kind == ACCESS_CP_ASYNC_CA || access->kind == ACCESS_CP_ASYNC_CG)
        return cp_async_global(access);
    GlobalCost cost = touched(access->address, access->mask, access->width, access->uniform);
    cost.ideal = global_ideal(cost.sectors, bits_count(access->mask), access->width);
    return cost;
}

/* ---- local memory ---- */

/* Word k of all lanes makes up one line, the words of eight lanes a sector. Lanes of a width use
 * aligned units of that many bytes, so their units are equal or have no word in common. */
GlobalCost mem_local(const Access *access) {
    Lines lines;
    lines_clear(&lines);
    uint32_t unit = access->width > 4 ? access->width : 4, words = unit / 4;
    uint64_t last = 0, *bits = NULL;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        uint64_t number = access->address[lane] / unit;
        if (!bits || number != last) /* as for neighbours above */
            bits = lines_find(&lines, number);
        last = number;
        *bits |= UINT64_C(1) << lane / 8;
    }
    uint32_t lanes = bits_count(access->mask);
    GlobalCost cost = {.tag_requests = lines.count * words, .bytes_used = lanes * access->width};
    for (uint32_t i = 0; i < lines.count; i++)
        cost.sectors += bits_count64(lines.bits[i][0]) * words;
    cost.ideal = global_ideal(cost.sectors, lanes, access->width);
    return cost;
}

/* ---- constant memory ---- */

uint32_t mem_constant(const Access *access) {
    Lines lines;
    if (access->uniform || lanes_uniform(access->address, access->mask))
        return access->mask != 0;
    lines_clear(&lines);
    for (uint32_t rest = access->mask; rest; rest &= rest - 1)
        lines_find(&lines, access->address[lanes_lowest(rest)]);
    return lines.count;
}

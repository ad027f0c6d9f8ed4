/* tile: what a tensor copy moves, by the map of its tensor as a GPU keeps it. NVIDIA does not document that; its fields are where
 * ptxas 13.0 has tensormap.replace write them, for sm_90a, sm_100a and sm_120a alike:
 *
 *   word 2      bits 4 to 6: dimensions, less 1; 7 to 10: type of the elements; 11 and 12: how they are interleaved
 *   words 8 …   extents of the dimensions, less 1
 *   word 13     from bit 3i on: the step along dimension i, less 1; 24 to 31: the box's extent along dimension 0, less 1
 *   word 14     from bit 8i on: along dimension i + 1 */
#pragma once

#include "probe/device/lanes.h"

typedef struct TileRule {
    uint32_t
        bytes; /* of the box; 0: it is not known, where elements are interleaved, or several are packed */
    uint32_t inside; /* of them in the tensor: what lies outside is filled */
} TileRule;

enum { TILE_RANK_MOST = 5, TILE_INTERLEAVED = 3 << 11, TILE_BOX = 13, TILE_EXTENTS = 8 };

/* By type, the binary logarithm of its bytes in four bits: of u8, u16, u32, s32, u64, s64, f16, f32 (and tf32), f32.ftz, f64, bf16. */
#define TILE_TYPES 11
#define TILE_LOG_BYTES UINT64_C(0x13221332210)

/* At most so far lies a box's last element from its first. A division of 64 bits would be a call, which no patch has. */
PROBE_CODE uint32_t tile_clipped(int64_t distance) {
    enum { MOST = 256 * 8 };
    return distance < MOST ? (uint32_t)distance : MOST;
}

/* Of `count` elements from `at` on, so many apart, those that are in an extent of last + 1. */
PROBE_CODE uint32_t tile_inside(int64_t at, uint32_t count, uint32_t step, uint32_t last) {
    if (at > last)
        return 0;
    uint32_t from = at < 0 ? (tile_clipped(-at) + step - 1) / step : 0;
    uint32_t to = tile_clipped(last - at) / step + 1;
    to = to < count ? to : count;
    return to > from ? to - from : 0;
}

/* map: 16 words or more; at: the box's coordinates. */
PROBE_CODE TileRule rule_tile(const uint32_t *map, const int32_t at[TILE_RANK_MOST]) {
    const uint32_t kind = map[2], rank = (kind >> 4 & 7) + 1, type = kind >> 7 & 15;
    const uint64_t boxes = (uint64_t)map[TILE_BOX + 1] << 8 | map[TILE_BOX] >> 24;
    TileRule tile = {0, 0};
    if (kind & TILE_INTERLEAVED || type >= TILE_TYPES || rank > TILE_RANK_MOST)
        return tile;
    tile.bytes = tile.inside = 1u << (TILE_LOG_BYTES >> 4 * type & 15);
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t box = (uint32_t)(boxes >> 8 * i & 255) + 1;
        uint32_t step =
            i ? (map[TILE_BOX] >> 3 * i & 7) + 1 : 1; /* along dimension 0 there is none */
        uint32_t count = (box + step - 1) / step;
        tile.bytes *= count;
        tile.inside *= tile_inside(at[i], count, step, map[TILE_EXTENTS + i]);
    }
    return tile;
}

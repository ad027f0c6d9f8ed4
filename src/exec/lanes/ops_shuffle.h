/* ops_shuffle.h: which lane each lane of a shuffle reads. */
#pragma once

#include "exec/run/warp.h"

/* The source lane of each lane of a shuffle, and all ones where it is in range: the pseudo-code of
 * "shfl.sync". Inlined with a constant mode, its loop becomes vector instructions. */
static inline void sources_of(Func mode, const uint32_t *b, const uint32_t *c,
                              uint32_t source[WARP_LANES], uint32_t inside[WARP_LANES]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t bval = b[lane] & 31, cval = c[lane] & 31, segment = (c[lane] >> 8) & 31;
        uint32_t min_lane = lane & segment, max_lane = min_lane | (cval & ~segment);
        uint32_t j = mode == FUNC_UP     ? lane - bval
                     : mode == FUNC_DOWN ? lane + bval
                     : mode == FUNC_BFLY ? lane ^ bval
                                         : min_lane | (bval & ~segment);
        bool in_range = mode == FUNC_UP ? (int32_t)j >= (int32_t)max_lane : j <= max_lane;
        inside[lane] = 0u - (uint32_t)in_range;
        source[lane] = in_range ? j : lane;
    }
}

static inline void shuffle_sources(Func mode, const uint32_t *b, const uint32_t *c,
                                   uint32_t source[WARP_LANES], uint32_t inside[WARP_LANES]) {
    switch (mode) {
    case FUNC_UP:
        sources_of(FUNC_UP, b, c, source, inside);
        break;
    case FUNC_DOWN:
        sources_of(FUNC_DOWN, b, c, source, inside);
        break;
    case FUNC_BFLY:
        sources_of(FUNC_BFLY, b, c, source, inside);
        break;
    default:
        sources_of(FUNC_IDX, b, c, source, inside);
        break;
    }
}

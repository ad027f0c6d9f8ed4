/* Which lanes a shuffle reads, for who does not execute it. */
#include "exec/lanes/lanes.h"
#include "exec/lanes/ops_shuffle.h"

void shuffle_lanes(const Code *code, uint32_t b, uint32_t c, uint8_t lanes[WARP_LANES]) {
    uint32_t bs[WARP_LANES], cs[WARP_LANES], source[WARP_LANES], inside[WARP_LANES];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        bs[lane] = b;
        cs[lane] = c;
    }
    shuffle_sources((Func)code->mods.func, bs, cs, source, inside);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        lanes[lane] = (uint8_t)(source[lane] | (inside[lane] & 1) << 5);
}

/* Shuffles: lanes read registers of each other, all side by side. Built once for each level of the processor
 * (ops.cmake). */
#include "exec/lanes/ops_shuffle.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/ops.h"

static Step shuffle(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t *a = reg32(warp, code->a);
    uint32_t source[WARP_LANES], inside[WARP_LANES], result[WARP_LANES];
    shuffle_sources((Func)code->mods.func, reg32(warp, code->b), reg32(warp, code->c), source,
                    inside);
    if (code->d != NO_OPERAND) {
        uint32_t *d = reg32(warp, code->d);
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            result[lane] = a[source[lane]];
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            d[lane] = mask & lane_bit[lane] ? result[lane] : d[lane];
    }
    if (code->d2 != NO_OPERAND) {
        uint32_t yes = 0;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            yes |= inside[lane] & lane_bit[lane];
        write_pred(warp, code->d2, mask, yes);
    }
    return STEP_NEXT;
}

Execute AT_LEVEL(ops_shuffle)(void) {
    return shuffle;
}

/* ops_near.h: wavefronts of lanes whose words lie near each other, all looked at side by side (mem/near.h). */
#pragma once

#include "exec/lanes/ops.h"
#include "mem/near.h"

/* Words in up to 32 lines that follow each other; else 0. Which lines, is looked at side by side; they are noted one lane after
 * the other. */
ALWAYS_INLINE uint32_t spread_wavefronts(const uint64_t *restrict address, uint32_t mask) {
    uint32_t bank[BANKS] = {0}, lowest = UINT32_MAX, highest = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t line = (uint32_t)address[l] / LINE_BYTES;
        const uint32_t low = mask & lane_bit[l] ? line : UINT32_MAX;
        const uint32_t high = mask & lane_bit[l] ? line : 0;
        lowest = low < lowest ? low : lowest;
        highest = high > highest ? high : highest;
    }
    if (highest - lowest >= SPREAD_LINES)
        return 0;
    if (mask == FULL_MASK)
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            spread_add(bank, address[lane]);
    else
        for_lanes(lane, mask) spread_add(bank, address[lane]);
    return spread_depth(bank);
}

/* The lanes on the fullest bank: those of an atomic take turns on it. */
ALWAYS_INLINE uint32_t lanes_on_bank(const uint64_t *restrict address, uint32_t mask) {
    uint8_t lanes[BANKS] = {0}, most = 0;
    for_lanes(lane, mask) lanes[address[lane] / BANK_BYTES % BANKS]++;
    for (uint32_t b = 0; b < BANKS; b++)
        most = lanes[b] > most ? lanes[b] : most;
    return most;
}

/* Of a load or store of shared memory by the lanes of the mask, one at least, of up to 4 bytes each; 0: they lie farther
 * apart. Lines that follow each other differ in their last digits, so that it does not matter which of them is the first. */
ALWAYS_INLINE uint32_t near_wavefronts(const uint64_t *restrict address, uint32_t mask) {
#if defined __x86_64__ && !defined __AVX2__
    return 0; /* it has no shifts by as many bits as the lane says: one lane after the other is faster (banks.c) */
#endif
    const uint32_t most = NEAR_LINES - 1;
    const uint32_t first = (uint32_t)(address[__builtin_ctz(mask)] / LINE_BYTES) - most;
    uint32_t line0 = 0, line1 = 0, line2 = 0, line3 = 0, lines = 0, any = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t active = mask & lane_bit[l] ? UINT32_MAX : 0, at = (uint32_t)address[l];
        const uint32_t bank = UINT32_C(1) << at / BANK_BYTES % BANKS & active;
        const uint32_t line = at / LINE_BYTES, from = (line - first) & active;
        line0 |= line % NEAR_LINES == 0 ? bank : 0;
        line1 |= line % NEAR_LINES == 1 ? bank : 0;
        line2 |= line % NEAR_LINES == 2 ? bank : 0;
        line3 |= line % NEAR_LINES == 3 ? bank : 0;
        lines |=
            UINT32_C(1) << from % 32 & active; /* that are asked for, from the first that may be */
        any |= from;
    }
    if (any >= 32 || lines >> __builtin_ctz(lines) >= 1u << NEAR_LINES)
        return spread_wavefronts(address, mask);
    return near_depth((uint32_t[NEAR_LINES]){line0, line1, line2, line3});
}

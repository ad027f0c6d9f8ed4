/* remote: what loads and stores in the shared memory of other blocks of the cluster cost. They leave the SM
 * as sectors. Looked up are lines, four at once where they lie in different tag banks. Measured on an H200,
 * see docs/memory-model.md, section 8. */
#include "mem/lanes.h"

enum { TAG_BANKS = 4, LINE_SHIFT = 7, SECTOR_SHIFT = 5, OFFSET_BITS = 18, RANK_BITS = 4 };

/* The tag bank is a sum, without carry, over the bits that are set in the line's number and the rank. */
static uint32_t tag_bank(uint64_t line, uint32_t rank) {
    static const uint8_t of_line[OFFSET_BITS - LINE_SHIFT] = {1, 3, 1, 3, 2, 1, 3, 2, 3, 1, 3};
    static const uint8_t of_rank[RANK_BITS] = {1, 2, 1, 2};
    uint32_t bank = 0;
    for (uint32_t i = 0; i < OFFSET_BITS - LINE_SHIFT; i++)
        bank ^= line >> i & 1 ? of_line[i] : 0u;
    for (uint32_t i = 0; i < RANK_BITS; i++)
        bank ^= rank >> i & 1 ? of_rank[i] : 0u;
    return bank;
}

/* The lanes of `mask` that are the first ones in their unit of 1 << shift bytes. */
static uint32_t first_in_units(const Access *access, uint32_t mask, uint32_t shift) {
    uint32_t first = 0;
    for_lanes(lane, mask) {
        bool found = false;
        for_lanes(other, first) found |=
            access->block[other] == access->block[lane] &&
            access->address[other] >> shift == access->address[lane] >> shift;
        first |= (uint32_t)!found << lane;
    }
    return first;
}

RemoteCost mem_remote(const Access *access) {
    RemoteCost cost = {0};
    uint32_t mask = 0, banks[TAG_BANKS] = {0};
    for_lanes(lane, access->mask) mask |= (uint32_t)(access->block[lane] != BLOCK_OWN) << lane;
    uint32_t lines = first_in_units(access, mask, LINE_SHIFT);
    cost.sectors = (uint32_t)__builtin_popcount(first_in_units(access, mask, SECTOR_SHIFT));
    cost.lines = (uint32_t)__builtin_popcount(lines);
    for_lanes(lane, lines) {
        uint32_t lookups =
            ++banks[tag_bank(access->address[lane] >> LINE_SHIFT, access->block[lane])];
        cost.wavefronts = lookups > cost.wavefronts ? lookups : cost.wavefronts;
    }
    return cost;
}

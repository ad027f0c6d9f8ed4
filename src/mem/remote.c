/* remote: what loads and stores in the shared memory of other blocks of the cluster cost. They leave the SM
 * as sectors. Looked up are lines, four at once where they lie in different tag banks. Measured on an H200,
 * see docs/memory-model.md, section 8. */
#include "mem/lanes.h"

enum { TAG_BANKS = 4, LINE_SHIFT = 7, SECTOR_SHIFT = 5 };

/* The tag bank is a sum, without carry, over the bits that are set in the line's number and the rank: of those that
 * each of its two bits looks at, whether they are odd in number. */
static uint32_t tag_bank(uint32_t line, uint32_t rank) {
    enum { LINE_LOW = 0x76f, LINE_HIGH = 0x5da, RANK_LOW = 0x5, RANK_HIGH = 0xa };
    return (uint32_t)(__builtin_parity(line & LINE_LOW) ^ __builtin_parity(rank & RANK_LOW)) |
           (uint32_t)(__builtin_parity(line & LINE_HIGH) ^ __builtin_parity(rank & RANK_HIGH)) << 1;
}

static uint64_t unit_of(const Access *access, uint32_t lane, uint32_t shift) {
    return access->address[lane] >> shift | (uint64_t)access->block[lane] << 56;
}

/* The lanes of `mask` that are the first ones in their unit of 1 << shift bytes. A unit behind the last one that
 * was met is new, and one of those that are in front of it is looked for. */
static uint32_t first_in_units(const Access *access, uint32_t mask, uint32_t shift) {
    uint32_t first = 0;
    uint64_t last = 0;
    for_lanes(lane, mask) {
        const uint64_t unit = unit_of(access, lane, shift);
        bool found = first && unit == last;
        if (unit < last)
            for_lanes(other, first) found |= unit_of(access, other, shift) == unit;
        else
            last = unit;
        first |= (uint32_t)!found << lane;
    }
    return first;
}

RemoteCost mem_remote(const Access *access) {
    RemoteCost cost = {0};
    uint32_t mask = 0, banks[TAG_BANKS] = {0};
    for_lanes(lane, access->mask) mask |= (uint32_t)(access->block[lane] != BLOCK_OWN) << lane;
    const uint32_t sectors = first_in_units(access, mask, SECTOR_SHIFT);
    const uint32_t lines = first_in_units(access, sectors, LINE_SHIFT);
    cost.sectors = (uint32_t)__builtin_popcount(sectors);
    cost.lines = (uint32_t)__builtin_popcount(lines);
    for_lanes(lane, lines) {
        uint32_t lookups =
            ++banks[tag_bank((uint32_t)(access->address[lane] >> LINE_SHIFT), access->block[lane])];
        cost.wavefronts = lookups > cost.wavefronts ? lookups : cost.wavefronts;
    }
    return cost;
}

/* banks: how many wavefronts a warp's access to shared memory takes.
 *
 * A wavefront is one pass of the data stage; in it every one of the 32 banks (4 bytes wide) can
 * give or take one word. Lanes on the same word share it, so a lane group takes as many wavefronts
 * as its fullest bank has distinct words. The rules were measured on an H100, see
 * docs/memory-model.md, section 1. */
#include "mem/lanes.h"
#include "mem/near.h"

#include <string.h>

Groups groups_by_width(uint32_t width) {
    uint32_t lanes = width <= 4 ? 32 : width == 8 ? 16 : 8;
    return (Groups){WARP_LANES / lanes, lanes};
}

uint32_t groups_active(Groups groups, uint32_t mask) {
    uint32_t active = 0;
    for (uint32_t g = 0; g < groups.count; g++)
        active += group_mask(groups, g, mask) != 0;
    return active;
}

/* The lanes t of `mask` whose bit `step`, 1 or 2, is not set. */
static uint32_t lower_partners(uint32_t mask, uint32_t step) {
    return mask & (step == 1 ? 0x55555555u : 0x33333333u);
}

/* Every lane t that is active with lane t^step has its address. */
static bool paired_at(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t step) {
    uint32_t both = lower_partners(mask & mask >> step, step);
    for (; both; both &= both - 1) {
        uint32_t lane = lanes_lowest(both);
        if (address[lane] != address[lane + step])
            return false;
    }
    return true;
}

/* Every active lane t has the address of lane t^1, or every one that of lane t^2; a partner that is not active
 * counts as equal. */
static bool lanes_paired(const uint64_t address[WARP_LANES], uint32_t mask) {
    return paired_at(address, mask, 1) || paired_at(address, mask, 2);
}

/* As the metric of Nsight Compute decides it for lanes 0 to 15 of a load of 16 bytes: as if all of them were
 * active where lane 31 is, and none where it is not. */
static bool first_half_merges(const uint64_t address[WARP_LANES], uint32_t mask) {
    uint32_t half = mask & 0xffff;
    bool merges = !(mask >> 31);
    for (uint32_t step = 1; step <= 2; step++)
        merges |= !lower_partners(half ^ half >> step, step) && paired_at(address, half, step);
    return merges;
}

bool groups_merge(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t lanes,
                  uint32_t width) {
    if (width == 16 && lanes & 0xffff)
        return first_half_merges(address, mask);
    return lanes_paired(address, lanes);
}

bool lanes_uniform(const uint64_t address[WARP_LANES], uint32_t mask) {
    uint64_t first = mask ? address[lanes_lowest(mask)] : 0;
    for (; mask; mask &= mask - 1)
        if (address[lanes_lowest(mask)] != first)
            return false;
    return true;
}

/* ---- counting ---- */

/* For each lane: what tells its unit from others of its group, and the counter that it belongs to -
 * one for each column of each group, 32 in all. Lanes that are not active have neither. */
typedef struct Units {
    uint32_t key[WARP_LANES];
    uint32_t counter[WARP_LANES];
} Units;

static inline void unit_of(uint32_t address, uint32_t lane, uint32_t shift, Groups groups,
                           Units *units) {
    uint32_t unit = address >> shift, group = lane >> __builtin_ctz(groups.lanes);
    units->key[lane] = unit << 2 | group;
    units->counter[lane] = group * columns_of(shift) + (unit & (columns_of(shift) - 1));
}

static void units_of(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t shift,
                     Groups groups, Units *units) {
    if (mask == FULL_MASK) { /* all at once; else the others are not ours to read */
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            unit_of((uint32_t)address[lane], lane, shift, groups, units);
        return;
    }
    memset(units->key, 0, sizeof units->key);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        unit_of((uint32_t)address[lanes_lowest(rest)], lanes_lowest(rest), shift, groups, units);
}

/* same[l]: the active lanes that have the key of lane l. All lanes are compared with each active
 * lane, without a branch: a few vector instructions for each, which beats sorting and hashing. */
static void find_same(const uint32_t key[WARP_LANES], uint32_t mask, uint32_t same[WARP_LANES]) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest), wanted = key[lane], bit = UINT32_C(1) << lane;
        for (uint32_t other = 0; other < WARP_LANES; other++)
            same[other] |= -(uint32_t)(key[other] == wanted) & bit;
    }
}

/* The sum over the groups of their fullest column; a group has `columns` counters, 8, 16 or 32. */
static uint32_t sum_of_maxima(const uint8_t counts[WARP_LANES], uint32_t columns) {
    enum { BLOCK = 8 };
    uint8_t most[WARP_LANES / BLOCK] = {0};
    for (uint32_t b = 0; b < WARP_LANES / BLOCK; b++)
        for (uint32_t i = 0; i < BLOCK; i++)
            most[b] = counts[b * BLOCK + i] > most[b] ? counts[b * BLOCK + i] : most[b];
    if (columns == 8)
        return (uint32_t)most[0] + most[1] + most[2] + most[3];
    uint32_t lower = most[0] > most[1] ? most[0] : most[1];
    uint32_t upper = most[2] > most[3] ? most[2] : most[3];
    return columns == 16 ? lower + upper : lower > upper ? lower : upper;
}

/* One wavefront of each group: in every column one unit is served, and with it all lanes on it. Which
 * one does not matter, since each column takes as many wavefronts as it has units. Returns the lanes that
 * are left. */
static uint32_t serve(const Units *units, uint32_t mask) {
    uint32_t key[WARP_LANES], left = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        key[units->counter[lane]] = units->key[lane];
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        left |= (uint32_t)(key[units->counter[lane]] != units->key[lane]) << lane;
    }
    return left;
}

/* No two lanes have one counter: most accesses without conflicts. */
static bool all_apart(const Units *units, uint32_t mask) {
    uint32_t counters = 0;
    if (mask == FULL_MASK)
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            counters |= UINT32_C(1) << units->counter[lane];
    else
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            counters |= UINT32_C(1) << units->counter[lanes_lowest(rest)];
    return bits_count(counters) == bits_count(mask);
}

/* The lanes of each counter that are in the mask, in the fullest column of each group. */
static uint32_t fullest(const Units *units, uint32_t mask, uint32_t columns) {
    uint8_t counts[WARP_LANES] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        counts[units->counter[lanes_lowest(rest)]]++;
    return sum_of_maxima(counts, columns);
}

/* One lane for each unit: the last on it. */
static uint32_t distinct(const Units *units, uint32_t mask) {
    uint32_t same[WARP_LANES] = {0}, last = 0;
    find_same(units->key, mask, same);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        last |= (uint32_t)(same[lane] >> lane == 1) << lane;
    }
    return last;
}

/* ---- words of one group that lie near each other ---- */

enum { NEAR_WORDS = NEAR_LINES * BANKS / 2 };

/* The banks that are asked for in each of some lines that follow each other; false: the active lanes lie
 * farther apart. In two numbers of 64 words each: in memory, one lane would wait for the other. */
static bool near_fill(uint32_t line[NEAR_LINES], const uint64_t address[WARP_LANES],
                      uint32_t mask) {
    const uint64_t one = address[lanes_lowest(mask)], other = address[31 - __builtin_clz(mask)];
    const uint64_t first = (one < other ? one : other) / LINE_BYTES * BANKS;
    uint64_t lower = 0, upper = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint64_t word = address[lanes_lowest(rest)] / BANK_BYTES - first;
        const uint64_t bit = UINT64_C(1) << word % NEAR_WORDS;
        if (word >= 2 * NEAR_WORDS)
            return false;
        lower |= word < NEAR_WORDS ? bit : 0;
        upper |= word < NEAR_WORDS ? 0 : bit;
    }
    line[0] = (uint32_t)lower;
    line[1] = (uint32_t)(lower >> BANKS);
    line[2] = (uint32_t)upper;
    line[3] = (uint32_t)(upper >> BANKS);
    return true;
}

/* ---- words of one group in some more lines ---- */

/* The wavefronts; 0: the active lanes, of which there is one, lie farther apart. */
static uint32_t spread_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask) {
    uint32_t bank[BANKS] = {0}, lowest = UINT32_MAX, highest = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint64_t at = address[lanes_lowest(rest)];
        const uint32_t line = (uint32_t)at / LINE_BYTES;
        lowest = line < lowest ? line : lowest;
        highest = line > highest ? line : highest;
        spread_add(bank, at);
    }
    return highest - lowest < SPREAD_LINES ? spread_depth(bank) : 0;
}

uint32_t wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width,
                    Groups groups, CountBy by) {
    enum { SERVED_MOST = 4 };
    uint32_t shift = unit_shift(width), count = 0;
    if (groups.count == 1 && by == COUNT_UNITS && width <= BANK_BYTES && mask) {
        uint32_t line[NEAR_LINES];
        if (near_fill(line, address, mask))
            return near_depth(line);
        const uint32_t spread = spread_wavefronts(address, mask);
        if (spread)
            return spread;
    }
    Units units;
    units_of(address, mask, shift, groups, &units);
    if (all_apart(&units, mask))
        return groups_active(groups, mask);
    if (by == COUNT_LANES)
        return fullest(&units, mask, columns_of(shift));
    for (uint32_t i = 0; mask && i < SERVED_MOST; i++) {
        count += groups_active(groups, mask);
        mask = serve(&units, mask);
    }
    /* What has many wavefronts is counted at once. */
    return mask ? count + fullest(&units, distinct(&units, mask), columns_of(shift)) : count;
}

/* ---- costs ---- */

/* What would do if the active lanes' bytes were packed: one wavefront for each 128 bytes. */
uint32_t store_ideal(uint32_t mask, uint32_t width) {
    return ceil_div(bits_count(mask) * width, LINE_BYTES);
}

/* A load whose lanes all read one 16-byte unit is served 16 lanes at a time, wherever they are. */
static SharedCost uniform_cost(uint32_t mask) {
    uint32_t passes = ceil_div(bits_count(mask), 16);
    return (SharedCost){.wavefronts = passes, .ideal = passes};
}

SharedCost groups_cost(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width,
                       Groups groups) {
    uint32_t count = wavefronts(address, mask, width, groups, COUNT_UNITS);
    return (SharedCost){.wavefronts = count,
                        .ideal = store_ideal(mask, width),
                        .conflicts = count - groups_active(groups, mask)};
}

/* Two groups that follow each other are merged by the pair rule; merged, they are served at once only if that
 * takes one wavefront, else one after the other. */
static SharedCost merged_cost(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width) {
    Groups parts = groups_by_width(width), merged = {parts.count / 2, parts.lanes * 2};
    uint32_t count = 0, active = 0;
    for (uint32_t g = 0; g < merged.count; g++) {
        uint32_t lanes = group_mask(merged, g, mask);
        if (!lanes)
            continue;
        bool merges = groups_merge(address, mask, lanes, width);
        bool at_once = merges && wavefronts(address, lanes, width, merged, COUNT_UNITS) <= 1;
        bool one_group = at_once || (merges && lanes_paired(address, lanes));
        count += at_once ? 1 : wavefronts(address, lanes, width, parts, COUNT_UNITS);
        active += one_group ? 1 : groups_active(parts, lanes);
    }
    uint32_t packed = store_ideal(mask, width);
    return (SharedCost){
        .wavefronts = count, .ideal = packed < count ? packed : count, .conflicts = count - active};
}

SharedCost load_cost(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width) {
    if (width < 8)
        return groups_cost(address, mask, width, groups_by_width(width));
    if (width == 16 && lanes_uniform(address, mask))
        return uniform_cost(mask);
    return merged_cost(address, mask, width);
}

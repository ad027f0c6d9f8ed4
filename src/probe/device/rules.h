/* rules: what an access of a warp costs, by docs/memory-model.md, told by all its lanes at once: the text that the GPU
 * runs, and that tests/probe compares with src/mem on the host. What src/mem says of an access of machine code, this says.
 *
 * Invariants
 *   - Addresses are those of Access (mem/mem.h): multiples of the width, offsets in shared and local memory.
 *   - At least one lane is active. */
#pragma once

#include "probe/device/lanes.h"

enum { RULE_SECTOR_SHIFT = 5, RULE_LINE_SHIFT = 7, RULE_LINE_BYTES = 128, RULE_SECTOR_BYTES = 32 };

/* Lanes that are served together: `count` groups of `lanes`. */
typedef struct RuleGroups {
    uint32_t count, lanes;
} RuleGroups;

typedef struct SharedRule {
    uint32_t wavefronts, ideal;
    uint32_t groups; /* with an active lane, after merging: conflicts are what is beyond them */
} SharedRule;

typedef struct GlobalRule {
    uint32_t sectors, ideal, tag_requests, bytes_used;
} GlobalRule;

PROBE_CODE uint32_t rule_ceil(uint32_t a, uint32_t b) {
    return (a + b - 1) / b;
}

PROBE_CODE uint32_t rule_least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* The least width of an access that has so many bytes, 1 to 32. */
PROBE_CODE uint32_t rule_whole(uint32_t bytes) {
    return bytes < 2 ? bytes : 2u << highest_of(bytes - 1);
}

/* log2 of the unit of shared memory that a lane uses: 4, 8 or 16 bytes. */
PROBE_CODE uint32_t rule_unit(uint32_t width) {
    return width <= 4 ? 2 : width == 8 ? 3 : 4;
}

PROBE_CODE RuleGroups rule_groups(uint32_t width) {
    RuleGroups groups = {width <= 4   ? 1u
                         : width == 8 ? 2u
                                      : 4u,
                         width <= 4   ? 32u
                         : width == 8 ? 16u
                                      : 8u};
    return groups;
}

/* How many groups have active lanes: each folded into the bit of its first lane. */
PROBE_CODE uint32_t rule_active(RuleGroups groups, uint32_t mask) {
    uint32_t end = groups.count * groups.lanes,
             firsts = groups.lanes == 8 ? 0x01010101 : 0x00010001;
    mask &= UINT32_MAX >> (PROBE_LANES - end);
    mask |= mask >> 1;
    mask |= mask >> 2;
    mask |= mask >> 4;
    mask |= groups.lanes > 8 ? mask >> 8 : 0;
    mask |= groups.lanes > 16 ? mask >> 16 : 0;
    return bits_of(mask & (groups.lanes == 32 ? 1 : firsts));
}

PROBE_CODE uint32_t rule_packed(uint32_t mask, uint32_t width) {
    return rule_ceil(bits_of(mask) * width, RULE_LINE_BYTES);
}

/* ---- addresses in ascending order: most accesses ---- */

/* Of each lane the address of the active lane before it; of the first its own. */
PROBE_CODE Lanes64 rule_before(LaneSet warp, Lanes64 address) {
    Lanes32 from;
    EACH_LANE(warp) {
        uint32_t below = warp.mask & lanes_below(lane);
        AT(from) = below ? highest_of(below) : lane;
    }
    return lanes_from(warp, address, from);
}

PROBE_CODE int rule_ascends(LaneSet warp, Lanes64 address, Lanes64 before) {
    Lanes32 falls;
    EACH_LANE(warp) AT(falls) = AT(address) < AT(before);
    return lanes_where(warp, falls) == 0;
}

/* How many values (addresses without their low bits) there are. ascends: equal ones are neighbours. */
PROBE_CODE uint32_t rule_distinct(LaneSet warp, Lanes64 address, Lanes64 before, int ascends,
                                  uint32_t shift) {
    if (ascends) {
        Lanes32 differs;
        EACH_LANE(warp) AT(differs) = AT(address) >> shift != AT(before) >> shift;
        return 1 + bits_of(lanes_where(warp, differs));
    }
    Lanes64 number;
    EACH_LANE(warp) AT(number) = AT(address) >> shift;
    return bits_of(lanes_first(warp, lanes_like64(warp, number)));
}

/* ---- global and local memory ---- */

PROBE_CODE uint32_t rule_global_ideal(uint32_t sectors, uint32_t lanes, uint32_t width) {
    return rule_least(sectors, rule_ceil(lanes * width, RULE_SECTOR_BYTES));
}

PROBE_CODE GlobalRule rule_lines(LaneSet warp, Lanes64 address, Lanes64 before, int ascends,
                                 uint32_t width) {
    GlobalRule cost = {rule_distinct(warp, address, before, ascends, RULE_SECTOR_SHIFT), 0,
                       rule_distinct(warp, address, before, ascends, RULE_LINE_SHIFT),
                       rule_distinct(warp, address, before, ascends, 0) * width};
    cost.ideal = rule_global_ideal(cost.sectors, bits_of(warp.mask), width);
    return cost;
}

/* Where no lane's address is below that of the lane before it. */
PROBE_CODE GlobalRule rule_global_ascending(LaneSet warp, Lanes64 address, Lanes64 before,
                                            uint32_t width) {
    return rule_lines(warp, address, before, 1, width);
}

PROBE_CODE GlobalRule rule_global(LaneSet warp, Lanes64 address, uint32_t width) {
    Lanes64 before = rule_before(warp, address);
    return rule_lines(warp, address, before, rule_ascends(warp, address, before), width);
}

/* Word k of all lanes makes up one line, the words of eight lanes a sector. */
PROBE_CODE GlobalRule rule_local(LaneSet warp, Lanes64 address, uint32_t width) {
    uint32_t shift = rule_unit(width), words = (1u << shift) / 4;
    Lanes32 unit, part;
    EACH_LANE(warp) {
        AT(unit) = (uint32_t)(AT(address) >> shift);
        AT(part) = AT(unit) << 2 | lane >> 3;
    }
    uint32_t lines = bits_of(lanes_first(warp, lanes_like(warp, unit)));
    uint32_t sectors = bits_of(lanes_first(warp, lanes_like(warp, part)));
    GlobalRule cost = {sectors * words, 0, lines * words, bits_of(warp.mask) * width};
    cost.ideal = rule_global_ideal(cost.sectors, bits_of(warp.mask), width);
    return cost;
}

/* ---- shared memory: banks ---- */

/* Of each lane, what tells its unit from others of its group, and the column that this lies on. */
typedef struct RuleUnits {
    Lanes32 key, column;
} RuleUnits;

PROBE_CODE RuleUnits rule_units(LaneSet warp, Lanes32 address, uint32_t width, RuleGroups groups) {
    uint32_t shift = rule_unit(width), columns = RULE_LINE_BYTES >> shift;
    uint32_t group_shift = groups.lanes == 32 ? 5 : groups.lanes == 16 ? 4 : 3;
    RuleUnits units = {NO_LANES, NO_LANES};
    EACH_LANE(warp) {
        uint32_t unit = AT(address) >> shift, group = lane >> group_shift;
        AT(units.key) = unit << 2 | group;
        AT(units.column) = (unit & (columns - 1)) << 2 | group;
    }
    return units;
}

/* Of each lane, how many `counted` lanes are among those that it is alike to. */
PROBE_CODE Lanes32 rule_count(LaneSet warp, Lanes32 like, uint32_t counted) {
    Lanes32 count = NO_LANES;
    EACH_LANE(warp) AT(count) = bits_of(AT(like) & counted);
    return count;
}

/* The sum over the groups of the largest count in each. */
PROBE_CODE uint32_t rule_sum_most(LaneSet warp, Lanes32 count, RuleGroups groups) {
    Lanes32 most = lanes_most(warp, count, groups.lanes),
            first = lanes_first_of_group(warp, groups.lanes);
    EACH_LANE(warp) AT(most) = AT(first) && lane < groups.count * groups.lanes ? AT(most) : 0;
    return lanes_sum(warp, most);
}

/* Where each lane's column holds no unit but its own, groups take one wavefront each: most accesses. */
PROBE_CODE int rule_apart(LaneSet warp, Lanes32 same, Lanes32 on) {
    Lanes32 crowded;
    EACH_LANE(warp) AT(crowded) = AT(same) ^ AT(on);
    return lanes_where(warp, crowded) == 0;
}

PROBE_CODE uint32_t rule_wavefronts(LaneSet warp, Lanes32 address, uint32_t width,
                                    RuleGroups groups) {
    RuleUnits units = rule_units(warp, address, width, groups);
    Lanes32 same = lanes_like(warp, units.key), on = lanes_like(warp, units.column);
    if (rule_apart(warp, same, on))
        return rule_active(groups, warp.mask);
    return rule_sum_most(warp, rule_count(warp, on, lanes_first(warp, same)), groups);
}

PROBE_CODE SharedRule rule_store(LaneSet warp, Lanes32 address, uint32_t width) {
    RuleGroups groups = rule_groups(width);
    SharedRule cost = {rule_wavefronts(warp, address, width, groups), rule_packed(warp.mask, width),
                       rule_active(groups, warp.mask)};
    return cost;
}

/* The first active lane's. */
PROBE_CODE Lanes32 rule_from_first(LaneSet warp, Lanes32 address) {
    Lanes32 from;
    uint32_t first = lowest_of(warp.mask);
    EACH_LANE(warp) AT(from) = first;
    return lanes_from32(warp, address, from);
}

PROBE_CODE int rule_uniform(LaneSet warp, Lanes32 address) {
    Lanes32 wanted = rule_from_first(warp, address), differs;
    EACH_LANE(warp) AT(differs) = AT(wanted) ^ AT(address);
    return lanes_where(warp, differs) == 0;
}

/* All lanes, one behind the other from the first: whatever the width, no two units share a bank in a group. */
PROBE_CODE int rule_follows(LaneSet warp, Lanes32 address, uint32_t width) {
    Lanes32 differs;
    if (warp.mask != UINT32_MAX)
        return 0;
    Lanes32 first = rule_from_first(warp, address);
    EACH_LANE(warp) AT(differs) = AT(address) - AT(first) - lane * width;
    return lanes_where(warp, differs) == 0;
}

/* The lanes whose partner at distance `step` is active and has another address. */
PROBE_CODE uint32_t rule_unlike(LaneSet warp, Lanes32 address, uint32_t step) {
    Lanes32 from, differs;
    EACH_LANE(warp) AT(from) = warp.mask >> (lane ^ step) & 1 ? lane ^ step : lane;
    Lanes32 partner = lanes_from32(warp, address, from);
    EACH_LANE(warp) AT(differs) = AT(partner) ^ AT(address);
    return lanes_where(warp, differs);
}

/* Of each lane, how many units its column has in its group. */
PROBE_CODE Lanes32 rule_on_column(LaneSet warp, Lanes32 address, uint32_t width,
                                  RuleGroups groups) {
    RuleUnits units = rule_units(warp, address, width, groups);
    uint32_t owners = lanes_first(warp, lanes_like(warp, units.key));
    return rule_count(warp, lanes_like(warp, units.column), owners);
}

/* The first half-warp of a load of 16 bytes, as the metric has it: all lanes count where lane 31 is active, none where it is not.
 * unlike1, unlike2: see rule_unlike. */
PROBE_CODE bool rule_first_half(LaneSet warp, uint32_t unlike1, uint32_t unlike2) {
    uint32_t half = warp.mask & 0xffff;
    bool by1 = !(((half ^ half >> 1) & 0x5555) | (unlike1 & 0xffff));
    bool by2 = !(((half ^ half >> 2) & 0x3333) | (unlike2 & 0xffff));
    return !(warp.mask >> 31) || by1 || by2;
}

/* The pair rule: two groups that follow each other are one if every active lane t has the address of lane t^1, or every one that
 * of lane t^2, and they then take one wavefront if no column has two units. */
PROBE_CODE SharedRule rule_merged(LaneSet warp, Lanes32 address, uint32_t width) {
    RuleGroups parts = rule_groups(width), merged = {parts.count / 2, parts.lanes * 2};
    uint32_t unlike1 = rule_unlike(warp, address, 1), unlike2 = rule_unlike(warp, address, 2);
    bool first_half = rule_first_half(warp, unlike1, unlike2);
    Lanes32 group, several, most = rule_on_column(warp, address, width, merged);
    SharedRule cost = {0, 0, 0};
    EACH_LANE(warp) AT(several) = AT(most) > 1;
    uint32_t crowded = lanes_where(warp, several);
    most = lanes_most(warp, rule_on_column(warp, address, width, parts), parts.lanes);
    EACH_LANE(warp) { /* of a merged group the first lane counts, else of each part */
        uint32_t whole = lanes_group(lane, merged.lanes), part = lanes_group(lane, parts.lanes);
        bool paired = !(unlike1 & whole) || !(unlike2 & whole);
        bool merges = width == 16 && lane < 16 ? first_half : paired;
        bool once = merges && !(crowded & whole);
        uint32_t before = warp.mask & lanes_below(lane);
        AT(group) = (before & (once || (merges && paired) ? whole : part)) == 0;
        uint32_t first = (before & (once ? whole : part)) == 0;
        AT(most) = !first ? 0 : once ? 1 : AT(most);
    }
    cost.groups = bits_of(lanes_where(warp, group));
    cost.wavefronts = lanes_sum(warp, most);
    cost.ideal = rule_least(rule_packed(warp.mask, width), cost.wavefronts);
    return cost;
}

PROBE_CODE SharedRule rule_load(LaneSet warp, Lanes32 address, uint32_t width) {
    if (width < 8)
        return rule_store(warp, address, width);
    if (rule_follows(warp, address, width)) {
        SharedRule cost = {width / 4, width / 4, width / 4};
        return cost;
    }
    if (width == 16 && rule_uniform(warp, address)) {
        uint32_t passes = rule_ceil(bits_of(warp.mask), 16);
        SharedRule cost = {passes, passes, passes};
        return cost;
    }
    return rule_merged(warp, address, width);
}

/* Lanes 8i … 8i+7 name the rows of matrix i, 16 bytes each. */
PROBE_CODE SharedRule rule_matrix(LaneSet warp, Lanes32 address, uint32_t matrices) {
    RuleGroups groups = {matrices, 8}, all = {4, 8};
    uint32_t lanes = matrices == 4 ? warp.mask : warp.mask & ((1u << matrices * 8) - 1);
    SharedRule cost = {rule_sum_most(warp, rule_on_column(warp, address, 16, all), groups),
                       matrices, rule_active(groups, lanes)};
    return cost;
}

/* Of an atomic, by how it is done, which the machine code says: `turns`, where lanes on a word take turns; `words`, where
 * they are counted first (ATOMS.POPC.INC). A compare-and-swap takes twice its turns; one try of it, twice its groups. */
typedef struct AtomicRule {
    uint32_t turns, words, ideal, groups;
} AtomicRule;

PROBE_CODE AtomicRule rule_atomic(LaneSet warp, Lanes32 address, uint32_t width) {
    RuleGroups groups = rule_groups(width);
    RuleUnits units = rule_units(warp, address, width, groups);
    uint32_t owners = lanes_first(warp, lanes_like(warp, units.key));
    Lanes32 on = lanes_like(warp, units.column);
    AtomicRule cost = {rule_sum_most(warp, rule_count(warp, on, warp.mask), groups),
                       rule_sum_most(warp, rule_count(warp, on, owners), groups),
                       rule_packed(warp.mask, width), rule_active(groups, warp.mask)};
    return cost;
}

/* ---- asynchronous copies ---- */

typedef struct CopyRule {
    SharedRule shared;
    GlobalRule global;
} CopyRule;

/* The ideal is lower where active lanes are spread over more quarter-warps than they would fill. */
PROBE_CODE uint32_t rule_copy_ideal(uint32_t sectors, uint32_t lanes, uint32_t mask,
                                    uint32_t width) {
    RuleGroups quarters = {4, 8};
    uint32_t ideal = rule_global_ideal(sectors, bits_of(lanes), width);
    uint32_t spread = rule_active(quarters, mask) - rule_ceil(bits_of(mask), quarters.lanes);
    return ideal > spread ? ideal - spread : 0;
}

/* cp.async.ca: a group takes as many wavefronts as its unluckiest lane finds lanes that share its source bank or its
 * destination bank. */
PROBE_CODE CopyRule rule_copy_ca(LaneSet warp, Lanes64 address, Lanes64 source, uint32_t width) {
    RuleGroups groups = rule_groups(width);
    RuleUnits from = rule_units(warp, lanes_low(warp, source), width, groups),
              to = rule_units(warp, lanes_low(warp, address), width, groups);
    Lanes32 like_from = lanes_like(warp, from.column), like_to = lanes_like(warp, to.column), count;
    CopyRule cost = {{0, rule_packed(warp.mask, width), rule_active(groups, warp.mask)},
                     rule_global(warp, source, width)};
    EACH_LANE(warp) AT(count) = bits_of(AT(like_from) | AT(like_to));
    cost.shared.wavefronts = rule_sum_most(warp, count, groups);
    cost.global.ideal = rule_copy_ideal(cost.global.sectors, warp.mask, warp.mask, width);
    return cost;
}

/* Lanes whose destination no later lane overwrites. */
PROBE_CODE uint32_t rule_winners(LaneSet warp, Lanes64 address) {
    Lanes32 like = lanes_like64(warp, address), last;
    EACH_LANE(warp) AT(last) = highest_of(AT(like)) == lane;
    return lanes_where(warp, last);
}

/* cp.async.cg, 16 bytes: 32-byte sectors from L2 into shared memory, by steps 1 to 4 of the memory model. Transfers that agree
 * in step 4's respects never share a slot (class_serve of mem/cp_async.c says why), so a class is a wavefront. */
PROBE_CODE CopyRule rule_copy_cg(LaneSet warp, Lanes64 address, Lanes64 source) {
    uint32_t winners = rule_winners(warp, address);
    Lanes64 transfer, chunk;
    Lanes32 round, first;
    EACH_LANE(warp) {
        uint64_t from = AT(source) >> 4, to = AT(address) >> 4 & 0x3fff;
        uint64_t flip = (from ^ to) & 1, lost = winners >> lane & 1 ? 0 : 1;
        AT(transfer) = lost ? UINT64_MAX - lane : (from >> 1) << 14 | (to >> 1) << 1 | flip;
        AT(chunk) = lost ? UINT64_MAX - lane : from << 12 | (to >> 3) << 1 | flip;
    }
    uint32_t transfers = bits_of(lanes_first(warp, lanes_like64(warp, transfer)) & winners);
    Lanes32 like = lanes_like64(warp, chunk);
    EACH_LANE(warp) AT(round) = bits_of(AT(like) & winners & ~(lanes_below(lane) << 1 | 1));
    /* of each transfer of a round, the halves that it carries; then the classes */
    Lanes64 carried, kind;
    Lanes32 upper;
    EACH_LANE(warp) {
        AT(carried) = winners >> lane & 1 ? AT(transfer) << 5 | AT(round) : UINT64_MAX - lane;
        AT(upper) = AT(source) >> 4 & 1;
    }
    like = lanes_like64(warp, carried);
    uint32_t uppers = lanes_where(warp, upper);
    EACH_LANE(warp) {
        uint64_t from = AT(source) >> 5, to = AT(address) >> 5 & 0x1fff;
        uint64_t flip = (AT(source) ^ AT(address)) >> 4 & 1;
        uint64_t halves = (AT(like) & ~uppers ? 1u : 0u) | (AT(like) & uppers ? 2u : 0u);
        AT(kind) = (from >> 2) << 20 | (to >> 2) << 9 | flip << 8 | halves << 6 |
                   (uint64_t)AT(round) << 1 | ((from ^ to) & 1);
        AT(first) = (AT(like) & lanes_below(lane)) == 0 && winners >> lane & 1;
    }
    uint32_t owners = lanes_where(warp, first);
    EACH_LANE(warp) AT(kind) = owners >> lane & 1 ? AT(kind) : UINT64_MAX - lane;
    uint32_t classes = bits_of(lanes_first(warp, lanes_like64(warp, kind)) & owners);
    CopyRule cost = {{classes, rule_packed(winners, 16), classes}, rule_global(warp, source, 16)};
    cost.global.sectors = transfers;
    cost.global.ideal = rule_copy_ideal(transfers, winners, warp.mask, 16);
    return cost;
}

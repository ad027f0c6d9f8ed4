/* atomics: what atom and red on shared memory cost, in wavefronts.
 *
 * The hardware does 32-bit integer operations and exchanges itself; lanes on one word then take
 * turns. The others are compiled to a loop: load, compute, compare-and-swap, again for the lanes
 * that lost. The loop's wavefronts are the sum over its rounds. Measured on an H100, see
 * docs/memory-model.md, section 1. */
#include "mem/lanes.h"

/* Lanes on the same word are not merged: they take turns. passes: 1, or CAS_PASSES. */
static SharedCost native_cost(const Access *access, uint32_t passes) {
    Groups groups = groups_by_width(access->width);
    uint32_t count =
        passes * wavefronts(access->address, access->mask, access->width, groups, COUNT_LANES);
    return (SharedCost){.wavefronts = count,
                        .ideal = passes * store_ideal(access->mask, access->width),
                        .conflicts = count - groups_active(groups, access->mask)};
}

/* ATOMS.POPC.INC counts the lanes on each word first, so that each word is written once. */
static SharedCost popc_cost(const Access *access) {
    Groups groups = groups_by_width(4);
    uint32_t count = wavefronts(access->address, access->mask, 4, groups, COUNT_UNITS);
    return (SharedCost){.wavefronts = count,
                        .ideal = store_ideal(access->mask, 4),
                        .conflicts = count - groups_active(groups, access->mask)};
}

/* ---- compare-and-swap loops ---- */

uint32_t loop_width(AccessKind kind) {
    return kind == ACCESS_ATOMIC_LOOP32 ? 4 : kind == ACCESS_ATOMIC_LOOP64 ? 8 : 0;
}

uint32_t loop_swaps(uint32_t mask, uint32_t width) {
    return CAS_PASSES * groups_active(groups_by_width(width), mask);
}

/* The lowest lane of `mask` on each column: those that a round's compare-and-swap lets through. */
static uint32_t first_on_column(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width) {
    uint32_t shift = unit_shift(width), columns = columns_of(shift), taken = 0, winners = 0;
    for (; mask; mask &= mask - 1) {
        uint32_t lane = lanes_lowest(mask);
        uint32_t column = (uint32_t)(address[lane] >> shift) & (columns - 1);
        if (taken >> column & 1)
            continue;
        taken |= UINT32_C(1) << column;
        winners |= UINT32_C(1) << lane;
    }
    return winners;
}

/* Lanes of `mask` on a word that one of `writers` has just changed. */
static uint32_t overtaken(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t writers) {
    uint32_t lost = 0;
    for (; mask; mask &= mask - 1) {
        uint32_t lane = lanes_lowest(mask);
        for (uint32_t rest = writers; rest; rest &= rest - 1)
            if (address[lanes_lowest(rest)] == address[lane])
                lost |= UINT32_C(1) << lane;
    }
    return lost;
}

/* Those of each group, which follow each other. */
uint32_t mem_cast_lanes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width) {
    Groups groups = groups_by_width(width);
    uint32_t first = 0;
    for (uint32_t g = 0; g < groups.count; g++)
        first |= first_on_column(address, group_mask(groups, g, mask), width);
    return first;
}

/* Half-warps swap one after the other, so a lane of the upper half finds its word changed where the
 * lower half has just written it, and stays. */
uint32_t loop_retired(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width) {
    if (width == 4)
        return first_on_column(address, mask, width);
    uint32_t lower = first_on_column(address, mask & 0xffffu, width);
    uint32_t upper = first_on_column(address, mask & 0xffff0000u, width);
    return lower | (upper & ~overtaken(address, upper, lower));
}

/* Lanes that all want one word - a sum over the block - share the load and retire one a round. */
static SharedCost loop_cost(const Access *access, uint32_t width) {
    uint32_t mask = access->mask;
    bool uniform = lanes_uniform(access->address, mask);
    SharedCost total = {0};
    while (mask) {
        SharedCost load = {.wavefronts = 1, .ideal = 1};
        if (!uniform)
            load = load_cost(access->address, mask, width);
        total.wavefronts += load.wavefronts;
        total.ideal += load.ideal;
        total.conflicts += load.conflicts;
        if (access->no_change)
            break;
        total.wavefronts += loop_swaps(mask, width);
        total.ideal += CAS_PASSES * store_ideal(mask, width);
        mask &= uniform ? mask - 1 : ~loop_retired(access->address, mask, width);
    }
    return total;
}

/* A try takes no turns: the lanes that do not come first have failed. */
static SharedCost cast_cost(const Access *access) {
    return (SharedCost){.wavefronts = loop_swaps(access->mask, access->width),
                        .ideal = CAS_PASSES * store_ideal(access->mask, access->width)};
}

SharedCost atomic_cost(const Access *access) {
    switch (access->kind) {
    case ACCESS_ATOMIC_CAST:
        return cast_cost(access);
    case ACCESS_ATOMIC_POPC:
        return popc_cost(access);
    case ACCESS_ATOMIC_CAS:
        return native_cost(access, CAS_PASSES);
    case ACCESS_ATOMIC_LOOP32:
    case ACCESS_ATOMIC_LOOP64:
        return loop_cost(access, loop_width(access->kind));
    default:
        return native_cost(access, 1);
    }
}

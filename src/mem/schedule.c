/* schedule: which wavefront serves which lane and why, so that a conflict can be drawn. It follows
 * banks.c and atomics.c step by step - the same groups, the same merging, the same rounds - but
 * keeps who is served when, where they only count. */
#include "mem/lanes.h"

/* An earlier lane of `mask` on the same unit, or WARP_LANES. */
static uint32_t partner_of(const Access *access, uint32_t mask, uint32_t lane) {
    uint32_t shift = unit_shift(access->width);
    for (uint32_t rest = mask & ((UINT32_C(1) << lane) - 1); rest; rest &= rest - 1)
        if (access->address[lanes_lowest(rest)] >> shift == access->address[lane] >> shift)
            return lanes_lowest(rest);
    return WARP_LANES;
}

/* Serves a group's lanes: a column gives one unit in each wavefront. `by` says whether lanes
 * on the same unit share it. */
static void serve(const Access *access, uint32_t mask, CountBy by, Schedule *schedule) {
    uint32_t shift = unit_shift(access->width), columns = columns_of(shift), most = 0;
    uint8_t turns[WARP_LANES] = {0}; /* that each column has given, and to whom the last */
    uint8_t last[WARP_LANES] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        uint32_t column = (uint32_t)(access->address[lane] >> shift) & (columns - 1);
        uint32_t partner = by == COUNT_UNITS ? partner_of(access, mask, lane) : WARP_LANES;
        if (partner < WARP_LANES) {
            schedule_lane(schedule, lane, schedule->wavefront[partner], SERVED_WITH, partner);
            continue;
        }
        bool free = turns[column] == 0;
        schedule_lane(schedule, lane, schedule->wavefronts + turns[column],
                      free ? SERVED_FREE : SERVED_AFTER, free ? lane : last[column]);
        last[column] = (uint8_t)lane;
        turns[column]++;
        most = turns[column] > most ? turns[column] : most;
    }
    schedule->wavefronts += most;
    schedule->groups += mask != 0;
}

static void serve_groups(const Access *access, uint32_t mask, Groups groups, CountBy by,
                         Schedule *schedule) {
    for (uint32_t g = 0; g < groups.count; g++)
        serve(access, group_mask(groups, g, mask), by, schedule);
}

/* 16 lanes at a time, wherever they are. */
static void serve_uniform(const Access *access, Schedule *schedule) {
    for (uint32_t rest = access->mask; rest;) {
        uint32_t group = 0;
        for (; rest && bits_count(group) < 16; rest &= rest - 1)
            group |= rest & -rest;
        serve(access, group, COUNT_UNITS, schedule);
    }
}

/* Two groups that the pair rule merges are served at once if that takes one wavefront. */
static void serve_merged(const Access *access, Schedule *schedule) {
    Groups parts = groups_by_width(access->width);
    Groups merged = {parts.count / 2, parts.lanes * 2};
    for (uint32_t g = 0; g < merged.count; g++) {
        uint32_t lanes = group_mask(merged, g, access->mask);
        if (lanes && groups_merge(access->address, access->mask, lanes, access->width) &&
            wavefronts(access->address, lanes, access->width, merged, COUNT_UNITS) <= 1)
            serve(access, lanes, COUNT_UNITS, schedule);
        else
            serve_groups(access, lanes, parts, COUNT_UNITS, schedule);
    }
}

static void serve_load(const Access *access, Schedule *schedule) {
    if (access->width < 8)
        serve_groups(access, access->mask, groups_by_width(access->width), COUNT_UNITS, schedule);
    else if (access->width == 16 && lanes_uniform(access->address, access->mask))
        serve_uniform(access, schedule);
    else
        serve_merged(access, schedule);
}

static void serve_matrices(const Access *access, Schedule *schedule) {
    uint32_t rows = access->matrices * 8;
    uint32_t named = rows < WARP_LANES ? (UINT32_C(1) << rows) - 1 : FULL_MASK;
    serve_groups(access, access->mask & named, (Groups){access->matrices, 8}, COUNT_UNITS,
                 schedule);
}

/* A round of a loop: its load; then the compare-and-swap lets some lanes through. */
static void serve_round(const Access *access, Schedule *schedule) {
    Access load = *access;
    load.kind = ACCESS_LOAD;
    load.width = loop_width(access->kind);
    serve_load(&load, schedule);
    if (access->no_change)
        return;
    schedule->swaps = loop_swaps(access->mask, load.width);
    schedule->left = access->mask & ~loop_retired(access->address, access->mask, load.width);
}

/* A try: a wavefront for each group; who does not come first on a bank has failed. */
static void serve_first(const Access *access, Schedule *schedule) {
    uint32_t first = mem_cast_lanes(access->address, access->mask, access->width);
    serve_groups(access, first, groups_by_width(access->width), COUNT_LANES, schedule);
    schedule->passes = CAS_PASSES;
}

void mem_schedule(const Access *access, Schedule *schedule) {
    Groups groups = groups_by_width(access->width);
    *schedule = (Schedule){.passes = access->kind == ACCESS_ATOMIC_CAS ? CAS_PASSES : 1};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        schedule->with[lane] = (uint8_t)lane;
    switch (access->kind) {
    case ACCESS_LOAD:
        serve_load(access, schedule);
        break;
    case ACCESS_STORE:
    case ACCESS_ATOMIC_POPC:
        serve_groups(access, access->mask, groups, COUNT_UNITS, schedule);
        break;
    case ACCESS_LDMATRIX:
    case ACCESS_STMATRIX:
        serve_matrices(access, schedule);
        break;
    case ACCESS_ATOMIC_LOOP32:
    case ACCESS_ATOMIC_LOOP64:
        serve_round(access, schedule);
        break;
    case ACCESS_ATOMIC_CAST:
        serve_first(access, schedule);
        break;
    case ACCESS_CP_ASYNC_CA:
    case ACCESS_CP_ASYNC_CG:
        cp_async_schedule(access, schedule);
        break;
    default: /* atomics that the hardware does itself */
        serve_groups(access, access->mask, groups, COUNT_LANES, schedule);
        break;
    }
}

/* schedule: which wavefront serves which lane, so that a conflict can be drawn. It follows banks.c
 * step by step - the same groups, the same merging - but keeps who is served when, where banks.c
 * only counts. */
#include "mem/lanes.h"

/* An earlier lane of `mask` on the same unit, or WARP_LANES. */
static uint32_t partner_of(const Access *access, uint32_t mask, uint32_t lane) {
    uint32_t shift = unit_shift(access->width);
    for (uint32_t rest = mask & ((UINT32_C(1) << lane) - 1); rest; rest &= rest - 1)
        if (access->address[lanes_lowest(rest)] >> shift == access->address[lane] >> shift)
            return lanes_lowest(rest);
    return WARP_LANES;
}

/* Serves a group's lanes: a column gives one unit in each wavefront. `counted` says whether lanes on
 * the same unit share it. */
static void serve(const Access *access, uint32_t mask, Counted counted, Schedule *schedule) {
    uint32_t shift = unit_shift(access->width), columns = columns_of(shift), most = 0;
    uint8_t turns[WARP_LANES] = {0}; /* that each column has given */
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        uint32_t column = (uint32_t)(access->address[lane] >> shift) & (columns - 1);
        uint32_t partner = counted == COUNT_UNITS ? partner_of(access, mask, lane) : WARP_LANES;
        if (partner < WARP_LANES) {
            schedule->wavefront[lane] = schedule->wavefront[partner];
            continue;
        }
        schedule->wavefront[lane] = (uint8_t)(schedule->wavefronts + turns[column]++);
        most = turns[column] > most ? turns[column] : most;
    }
    schedule->wavefronts += most;
}

static void serve_groups(const Access *access, uint32_t mask, Groups groups, Counted counted,
                         Schedule *schedule) {
    for (uint32_t g = 0; g < groups.count; g++)
        serve(access, group_mask(groups, g, mask), counted, schedule);
}

/* 16 lanes at a time, wherever they are. */
static void serve_uniform(uint32_t mask, Schedule *schedule) {
    uint32_t served = 0;
    for (; mask; mask &= mask - 1)
        schedule->wavefront[lanes_lowest(mask)] = (uint8_t)(served++ / 16);
    schedule->wavefronts = ceil_div(served, 16);
}

/* Two groups that the pair rule merges are served at once if that takes one wavefront. */
static void serve_merged(const Access *access, Schedule *schedule) {
    Groups parts = groups_by_width(access->width);
    Groups merged = {parts.count / 2, parts.lanes * 2};
    for (uint32_t g = 0; g < merged.count; g++) {
        uint32_t lanes = group_mask(merged, g, access->mask);
        if (lanes_paired(access->address, lanes) &&
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
        serve_uniform(access->mask, schedule);
    else
        serve_merged(access, schedule);
}

bool mem_schedule(const Access *access, Schedule *schedule) {
    Groups groups = groups_by_width(access->width);
    uint32_t rows = access->matrices * 8;
    *schedule = (Schedule){0};
    switch (access->kind) {
    case ACCESS_LOAD:
        serve_load(access, schedule);
        return true;
    case ACCESS_STORE:
    case ACCESS_ATOMIC_POPC:
        serve_groups(access, access->mask, groups, COUNT_UNITS, schedule);
        return true;
    case ACCESS_ATOMIC:
        serve_groups(access, access->mask, groups, COUNT_LANES, schedule);
        return true;
    case ACCESS_LDMATRIX:
    case ACCESS_STMATRIX:
        serve_groups(access, rows < 32 ? access->mask & ((UINT32_C(1) << rows) - 1) : access->mask,
                     (Groups){access->matrices, 8}, COUNT_UNITS, schedule);
        return true;
    default:
        return false;
    }
}

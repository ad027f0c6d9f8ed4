/* From an SM to the launch: how many blocks it gets, what the grid leaves it of L2 and DRAM, and what launching takes. */
#include "timing/memory.h"
#include "timing/sim.h"
#include "timing/uneven.h"

#include <math.h>
#include <string.h>

typedef struct TimedGpu {
    const char *name;
    double l2, dram;
} TimedGpu;

static const TimedGpu timed_gpus[] = {
#define TIMED(name, l2, dram) {name, l2, dram},
#include "timing/gpus.def"
};

/* That the first of them has, in whose L2's share the numbers of memory.def are. */
enum { TIMED_SMS = 132 };

/* NULL: it was not measured. */
static const TimedGpu *timed_gpu(const Gpu *gpu) {
    for (size_t i = 0; i < sizeof timed_gpus / sizeof *timed_gpus; i++)
        if (strcmp(timed_gpus[i].name, gpu->name) == 0)
            return &timed_gpus[i];
    return NULL;
}

enum {
    ROUNDS = 4, /* of resident blocks that are simulated; the rest of the grid goes on like that */
    EVENTS_MOST = 3000000 /* of one simulation, as far as two rounds allow */
};

typedef struct Plan {
    double sms, per_sm; /* that have blocks; blocks of one */
    uint32_t simulated, first;
    const uint32_t *order; /* [simulated]: traced blocks; NULL: in turn, from the first */
    double longer;         /* instructions of a block of the grid, by those of a traced one */
} Plan;

static uint64_t events_of(const TimeLaunch *launch, uint64_t *executed) {
    uint64_t events = 0;
    *executed = 0;
    for (uint32_t b = 0; b < launch->block_count; b++)
        for (uint32_t w = 0; w < launch->warps_per_block; w++) {
            events += launch->blocks[b].warps[w].events.count;
            *executed += launch->blocks[b].warps[w].executed;
        }
    return events;
}

static uint32_t longest_block(const TimeLaunch *launch) {
    uint64_t most = 0;
    uint32_t longest = 0;
    for (uint32_t b = 0; b < launch->block_count; b++) {
        uint64_t executed = 0;
        for (uint32_t w = 0; w < launch->warps_per_block; w++)
            executed += launch->blocks[b].warps[w].executed;
        if (executed > most) {
            most = executed;
            longest = b;
        }
    }
    return longest;
}

static Plan plan_of(Arena *arena, const TimeLaunch *launch) {
    Plan plan = {.sms = launch->grid < launch->gpu->sms ? (double)launch->grid : launch->gpu->sms};
    uint64_t executed, events = events_of(launch, &executed);
    double of_block = launch->block_count ? (double)events / launch->block_count : 1;
    plan.per_sm = (double)launch->grid / plan.sms;
    const UnevenOrder uneven = uneven_order(arena, launch, (uint32_t)plan.sms, EVENTS_MOST);
    plan.longer = uneven.longer;
    if (uneven.order) {
        plan.order = uneven.order;
        plan.simulated = uneven.count;
        plan.per_sm = uneven.count;
        return plan;
    }
    if (plan.per_sm <= launch->blocks_per_sm) /* one round: the longest block ends it */
        plan.first = longest_block(launch);
    else if (launch->executed && executed)
        plan.longer = (double)launch->executed / (double)launch->grid /
                      ((double)executed / launch->block_count);
    double wanted = ceil(plan.per_sm), most = ROUNDS * (double)launch->blocks_per_sm;
    double least = 2.0 * launch->blocks_per_sm + 1;
    if (most * of_block > EVENTS_MOST)
        most = fmax(least, EVENTS_MOST / of_block);
    plan.simulated = (uint32_t)fmin(wanted, most);
    return plan;
}

/* Clocks of the busiest SM, when `blocks` of its blocks were simulated. */
static double sm_clocks(const Plan *plan, const TimeLaunch *launch, const SimResult *result) {
    uint32_t n = plan->simulated, resident = launch->blocks_per_sm;
    double rest = plan->per_sm - n,
           longer = plan->longer * (result->traced > 0 ? 1 + result->between / result->traced : 1);
    if (rest <= 0)
        return result->clocks * longer;
    uint32_t from = resident < n ? resident : n - 1, to = n - 1;
    if (n > 2 * resident + 1)
        to = n - resident;
    double marginal =
        to > from ? (result->ends[to] - result->ends[from]) / (to - from) : result->clocks / n;
    return (result->clocks + rest * marginal) * longer;
}

/* How much slower each unit is than an H200's: lanes of an SM (isa/gpus.def), four parts of which have one each. */
static void units_of(const Gpu *gpu, double slower[TIME_UNIT_COUNT]) {
    static const double periods[] = {
#define UNIT(id, name, scope, period, latency) period,
#include "timing/units.def"
    };
    const double lanes = WARP_LANES * TIME_SUBCORES;
    for (uint32_t unit = 0; unit < TIME_UNIT_COUNT; unit++)
        slower[unit] = 1;
    slower[TIME_fma] = lanes / gpu->fp32_lanes / periods[TIME_fma];
    slower[TIME_fp64] = lanes / gpu->fp64_lanes / periods[TIME_fp64];
}

/* The GPU whose L2 the numbers of memory.def are of. */
static const Gpu *first_gpu(void) {
    return gpu_named(str_of(timed_gpus[0].name));
}

/* What L2 does in a clock, in that of the first GPU: measured, or as many slices as there are. (Of the H100, by which nothing was set,
 * they say 0.85; 0.86 was measured.) What an SM alone can get of it is another matter: l2_bytes_per_clock. */
static double l2_of(const Gpu *gpu) {
    const TimedGpu *measured = timed_gpu(gpu);
    return measured ? measured->l2 : (double)gpu_l2_slices(gpu) / gpu_l2_slices(first_gpu());
}

static SimSetup setup_of(const TimeLaunch *launch, const Plan *plan, const TimeMend *mends) {
    const TimedGpu *measured = timed_gpu(launch->gpu), *gpu = measured ? measured : timed_gpus;
    double ghz = launch->clock_mhz / 1000;
    double share = plan->per_sm < plan->simulated ? plan->simulated / plan->per_sm : 1;
    double l2 = TIMED_SMS / plan->sms * l2_of(launch->gpu) * share;
    double dram = launch->gpu->dram_gbs * gpu->dram / ghz / plan->sms * share;
    SimSetup setup = {
        .launch = launch,
        .mends = mends,
        .first = plan->first,
        .order = plan->order,
        .blocks = plan->simulated,
        .l2_share = l2,
        .l2_wide = (double)gpu_l2_slice_bytes(first_gpu()) / gpu_l2_slice_bytes(launch->gpu),
        .l2_copies = (double)gpu_l2_partitions(launch->gpu) / gpu_l2_partitions(first_gpu()),
        .dram_bytes = fmin(dram, time_sm_l2_bytes * launch->gpu->l2_bytes_per_clock / 64),
        .begin_clocks = time_blocks_apart * plan->sms,
        .atomic_sms = plan->sms};
    units_of(launch->gpu, setup.slower);
    return setup;
}

/* ---- what decides ---- */

static const char *const unit_names[] = {
#define UNIT(id, name, scope, period, latency) name,
#include "timing/units.def"
};

static void find_limit(TimeEstimate *estimate, const SimResult *result, double launching) {
    static const char *const waits[WAIT_KINDS] = {"issue", "latency of arithmetic",
                                                  "latency of shared memory", "latency of memory",
                                                  "barriers"};
    static const TimeLimit limits[WAIT_KINDS] = {TIME_BY_ISSUE, TIME_BY_ARITHMETIC_LATENCY,
                                                 TIME_BY_SHARED_LATENCY, TIME_BY_MEMORY_LATENCY,
                                                 TIME_BY_BARRIERS};
    double clocks = result->clocks > 1 ? result->clocks : 1;
    estimate->limit = TIME_BY_ISSUE;
    estimate->limit_name = "instruction issue";
    estimate->busy = result->issued / TIME_SUBCORES / clocks;
    double lsu = 0;
    for (uint32_t u = 0; u < TIME_UNIT_COUNT; u++) {
        bool memory = u == TIME_shared || u == TIME_global || u == TIME_shuffle || u == TIME_copy ||
                      u == TIME_texture;
        double busy = result->unit_busy[u] / (memory ? 1 : TIME_SUBCORES) / clocks;
        lsu += memory ? busy : 0;
        if (busy > estimate->busy && u != TIME_control && u != TIME_barrier) {
            estimate->busy = busy;
            estimate->limit = memory ? TIME_BY_L1 : TIME_BY_UNIT;
            estimate->limit_name = unit_names[u];
        }
    }
    if (lsu > estimate->busy) {
        estimate->busy = lsu;
        estimate->limit = TIME_BY_L1;
        estimate->limit_name = "shared memory and L1";
    }
    const double l2 = result->l2_busy / clocks, dram = result->dram_busy / clocks,
                 atomics = result->atomic_busy / clocks;
    if (l2 > estimate->busy) {
        estimate->busy = l2;
        estimate->limit = TIME_BY_L2;
        estimate->limit_name = "L2";
    }
    if (atomics > estimate->busy) {
        estimate->busy = atomics;
        estimate->limit = TIME_BY_ATOMICS;
        estimate->limit_name = "atomics";
    }
    if (dram > estimate->busy) {
        estimate->busy = dram;
        estimate->limit = TIME_BY_DRAM;
        estimate->limit_name = "DRAM";
    }
    if (launching > clocks) {
        estimate->limit = TIME_BY_LAUNCH;
        estimate->limit_name = "launching";
        estimate->busy = launching / (launching + clocks);
        return;
    }
    if (estimate->busy > 0.6)
        return;
    uint32_t most = WAIT_ARITHMETIC;
    for (uint32_t w = WAIT_ARITHMETIC; w < WAIT_KINDS; w++)
        if (result->waited[w] > result->waited[most])
            most = w;
    estimate->limit = limits[most];
    estimate->limit_name = waits[most];
}

static double clocks_of(Arena *arena, const TimeLaunch *launch, const TimeMend *mends,
                        TimeEstimate *estimate) {
    Plan plan = plan_of(arena, launch);
    if (!plan.simulated || !launch->block_count)
        return 0;
    SimSetup setup = setup_of(launch, &plan, mends);
    SimResult result = sim_run(arena, &setup);
    if (estimate)
        find_limit(estimate, &result, time_launch_us * launch->clock_mhz);
    return sm_clocks(&plan, launch, &result) + time_launch_us * launch->clock_mhz;
}

bool time_is_calibrated(const Gpu *gpu) {
    return timed_gpu(gpu) != NULL;
}

typedef struct Interval {
    double least, most; /* of the estimate */
} Interval;

static const Interval intervals[] = {
#define INTERVAL(limit, least, most) [TIME_BY_##limit] = {least, most},
#include "timing/intervals.def"
};

/* Blocks that are simulated may ask for less than the others do, and what is read only to be written again belongs to no access: a
 * launch takes at least as long as DRAM takes for all of its bytes. */
static void hold_to_dram(const TimeLaunch *launch, TimeEstimate *estimate) {
    const TimedGpu *measured = timed_gpu(launch->gpu), *gpu = measured ? measured : timed_gpus;
    const double rate = launch->gpu->dram_gbs * gpu->dram, /* bytes a ns */
        least = launch->dram_bytes / rate * launch->clock_mhz / 1000;
    if (estimate->clocks >= least)
        return;
    estimate->held = least / estimate->clocks;
    estimate->clocks = least;
    estimate->limit = TIME_BY_DRAM;
    estimate->limit_name = "DRAM";
    estimate->busy = 1;
}

TimeEstimate time_estimate(const TimeLaunch *launch) {
    Arena *arena = arena_new();
    TimeEstimate estimate = {0};
    estimate.clocks = clocks_of(arena, launch, NULL, &estimate);
    estimate.held = 1;
    hold_to_dram(launch, &estimate);
    estimate.us = estimate.clocks / launch->clock_mhz;
    const bool machine = launch->code->machine;
    const Interval *interval = &intervals[estimate.limit];
    estimate.least_us = estimate.us * (machine ? interval->least : time_ptx_least);
    estimate.most_us = estimate.us * (machine ? interval->most : time_ptx_most);
    arena_free(arena);
    return estimate;
}

double time_mended(const TimeLaunch *launch, const TimeMend *mends) {
    Arena *arena = arena_new();
    double clocks = clocks_of(arena, launch, mends, NULL);
    arena_free(arena);
    return clocks / launch->clock_mhz;
}

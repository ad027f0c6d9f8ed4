/* What a launch moves between its kernel and each level of memory: sums over its sites. */
#include "report/levels.h"

#include "isa/isa.h"

#include <assert.h>
#include <string.h>

enum { SECTOR = 32 };

const char *level_name(Level level) {
    static const char *const names[] = {
        "kernel", "shared memory", "shared memory of other blocks", "L1", "L2", "DRAM"};
    return names[level];
}

const char *flow_basis(FlowBasis basis) {
    static const char *const names[] = {"counted", "estimated", "at most"};
    return names[basis];
}

/* The flow of that name between the two, made where it is not there. */
static Flow *flow_at(Levels *levels, Level from, Level to, const char *what, FlowBasis basis) {
    for (uint32_t i = 0; i < levels->count; i++) {
        Flow *flow = &levels->flow[i];
        if (flow->from == from && flow->to == to && strcmp(flow->what, what) == 0)
            return flow;
    }
    assert(levels->count < FLOWS_MOST); /* there are fewer names */
    levels->flow[levels->count] = (Flow){.from = from, .to = to, .what = what, .basis = basis};
    return &levels->flow[levels->count++];
}

static void add(Flow *flow, uint64_t requests, uint64_t wavefronts, uint64_t sectors,
                uint64_t bytes) {
    flow->requests += requests;
    flow->wavefronts += wavefronts;
    flow->sectors += sectors;
    flow->bytes += bytes;
}

typedef enum Way { WAY_IN, WAY_OUT, WAY_BOTH } Way; /* to the kernel, from it */

static Way way_of(SiteOp op) {
    return op == SITE_STORE || op == SITE_STMATRIX     ? WAY_OUT
           : op == SITE_ATOMIC || op == SITE_REDUCTION ? WAY_BOTH
                                                       : WAY_IN;
}

static const char *way_name(Way way, bool local) {
    static const char *const names[2][3] = {{"loads", "stores", "atomics"},
                                            {"local loads", "local stores", "local atomics"}};
    return names[local][way];
}

static Flow *kernel_flow(Levels *levels, Level with, Way way, bool local) {
    const char *name = way_name(way, local);
    return way == WAY_IN ? flow_at(levels, with, LEVEL_KERNEL, name, FLOW_COUNTED)
                         : flow_at(levels, LEVEL_KERNEL, with, name, FLOW_COUNTED);
}

/* A sector of L1 that is asked of L2 at most, where hits are not modelled. */
static void add_l2(Levels *levels, Way way, uint64_t sectors) {
    if (levels->modelled || !sectors)
        return;
    Flow *flow = way == WAY_IN
                     ? flow_at(levels, LEVEL_L2, LEVEL_L1, way_name(way, false), FLOW_AT_MOST)
                     : flow_at(levels, LEVEL_L1, LEVEL_L2, way_name(way, false), FLOW_AT_MOST);
    add(flow, 0, 0, sectors, sectors * SECTOR);
}

/* Loads, stores and atomics. What a generic access turned out to be, its counters say. */
static void add_access(Levels *levels, const Site *site, const Counters *counters) {
    const Way way = way_of(site->op);
    const bool local = site->space == SITE_LOCAL;
    const uint64_t local_sectors = local ? counters->sectors : counters->local_sectors;
    const uint64_t sectors = local ? 0 : counters->sectors;
    if (counters->wavefronts)
        add(kernel_flow(levels, LEVEL_SHARED, way, false), counters->requests, counters->wavefronts,
            0, counters->bytes);
    if (sectors)
        add(kernel_flow(levels, LEVEL_L1, way, false), counters->requests, 0, sectors,
            sectors * SECTOR);
    if (local_sectors)
        add(kernel_flow(levels, LEVEL_L1, way, true), counters->requests, 0, local_sectors,
            local_sectors * SECTOR);
    add_l2(levels, way, sectors + local_sectors);
}

/* Bulk and tensor copies pass L1. */
static void add_copy(Levels *levels, const Site *site, const Counters *counters) {
    const bool out = strstr(site->text, "global.shared") != NULL;
    Flow *flow = out ? flow_at(levels, LEVEL_SHARED, LEVEL_L2, "bulk copies", FLOW_COUNTED)
                     : flow_at(levels, LEVEL_L2, LEVEL_SHARED, "bulk copies", FLOW_COUNTED);
    const uint64_t moved =
        counters->global_moved ? counters->global_moved : counters->copy_sectors * SECTOR;
    add(flow, counters->requests, 0, counters->copy_sectors, moved);
}

static void add_site(Levels *levels, const Site *site, const Counters *counters) {
    const uint64_t remote = counters->remote_sectors * SECTOR;
    if (remote)
        add(kernel_flow(levels, LEVEL_OTHERS, way_of(site->op), false), counters->remote,
            counters->remote_wavefronts, counters->remote_sectors, remote);
    switch (site->op) {
    case SITE_CP_ASYNC:
        add(flow_at(levels, LEVEL_L1, LEVEL_SHARED, "cp.async", FLOW_COUNTED), counters->requests,
            counters->wavefronts, counters->sectors, counters->sectors * SECTOR);
        add_l2(levels, WAY_IN, counters->sectors);
        break;
    case SITE_COPY:
        add_copy(levels, site, counters);
        break;
    case SITE_WGMMA:
        add(flow_at(levels, LEVEL_SHARED, LEVEL_KERNEL, "wgmma", FLOW_COUNTED), counters->requests,
            counters->matrix_wavefronts, 0, counters->shared_moved);
        break;
    case SITE_TEXTURE:
        add(flow_at(levels, LEVEL_L1, LEVEL_KERNEL, "textures", FLOW_COUNTED), counters->requests,
            0, 0, counters->bytes);
        break;
    default:
        add_access(levels, site, counters);
    }
}

/* What --caches estimates, by what the sites do. */
static void add_caches(Levels *levels, const Profile *profile, const LaunchView *view) {
    const LaunchRecord *record = view->record;
    const CacheCount sum = launch_caches(profile, view->number);
    const uint64_t l1 = sum.l1_loads + sum.l1_others;
    for (uint32_t i = 0; i < record->cache_counts.count; i++) {
        const CacheCount *row = &record->cache_counts.at[i];
        const Way way = way_of(profile->sites.at[row->site].op);
        Flow *flow =
            way == WAY_IN
                ? flow_at(levels, LEVEL_L2, LEVEL_L1, way_name(way, false), FLOW_ESTIMATED)
                : flow_at(levels, LEVEL_L1, LEVEL_L2, way_name(way, false), FLOW_ESTIMATED);
        add(flow, 0, 0, row->l2_sectors, row->l2_sectors * SECTOR);
    }
    add(flow_at(levels, LEVEL_DRAM, LEVEL_L2, "reads", FLOW_ESTIMATED), 0, 0, record->dram_read,
        record->dram_read * SECTOR);
    add(flow_at(levels, LEVEL_L2, LEVEL_DRAM, "writes", FLOW_ESTIMATED), 0, 0, record->dram_written,
        record->dram_written * SECTOR);
    if (l1)
        levels->l1_rate = (double)(sum.l1_load_hits + sum.l1_other_hits) / (double)l1;
    if (sum.l2_sectors)
        levels->l2_rate = (double)sum.l2_hits / (double)sum.l2_sectors;
}

Levels levels_of(const Profile *profile, const LaunchView *view) {
    Levels levels = {.modelled = view->record->l1_bytes != 0, .l1_rate = -1, .l2_rate = -1};
    for (uint32_t i = 0; i < view->kernel->site_count; i++)
        add_site(&levels, &profile->sites.at[view->kernel->first_site + i],
                 &view->record->counters[i]);
    if (levels.modelled)
        add_caches(&levels, profile, view);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < levels.count; i++)
        if (levels.flow[i].bytes)
            levels.flow[kept++] = levels.flow[i];
    levels.count = kept;
    return levels;
}

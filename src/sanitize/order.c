/* Barriers, warps, groups of copies: what a block's threads know of each other. */
#include "sanitize/order.h"

#include <stdlib.h>
#include <string.h>

#define FOR_LANES(lane, mask)                                                                      \
    for (uint32_t rest_ = (mask), lane = 0;                                                        \
         rest_ && (lane = (uint32_t)__builtin_ctz(rest_), true); rest_ &= rest_ - 1)

struct LaunchOrder {
    BlockOrder *spare;
    Facts facts;
};

LaunchOrder *order_new(void) {
    LaunchOrder *launch = calloc(1, sizeof *launch);
    if (!launch)
        out_of_memory();
    return launch;
}

void order_free(LaunchOrder *launch) {
    if (!launch)
        return;
    while (launch->spare) {
        BlockOrder *block = launch->spare;
        launch->spare = block->next;
        for (uint32_t w = 0; w < BLOCK_WARPS; w++)
            free(block->warps[w].lanes);
        free(block);
    }
    facts_free(&launch->facts);
    free(launch);
}

static void begin_warp(WarpOrder *warp, uint32_t threads) {
    LaneOrder *lanes = warp->lanes;
    free(lanes);
    *warp = (WarpOrder){.time = 1, .exists = threads >= 32 ? UINT32_MAX : (1u << threads) - 1};
}

BlockOrder *order_begin(LaunchOrder *launch, uint32_t number, uint64_t cluster, uint32_t threads) {
    BlockOrder *block = launch->spare;
    if (block)
        launch->spare = block->next;
    else if (!(block = calloc(1, sizeof *block)))
        out_of_memory();
    block->launch = launch;
    block->number = number;
    block->cluster = cluster;
    block->warp_count = (threads + 31) / 32;
    block->mbarriers = 0;
    block->publishes = false;
    block->keeper = NULL;
    memset(block->published, 0, sizeof block->published);
    memset(block->barriers, 0, sizeof block->barriers);
    for (uint32_t w = 0; w < block->warp_count; w++)
        begin_warp(&block->warps[w], threads - 32 * w);
    return block;
}

static void end_lane(LaneOrder *lane) {
    for (uint32_t reach = 0; reach < REACHES; reach++) {
        clock_drop(lane->fenced[reach].clock);
        clock_drop(lane->seen[reach]);
    }
}

void order_end(BlockOrder *block) {
    for (uint32_t i = 0; i < BLOCK_BARRIERS; i++) {
        clock_drop(block->barriers[i].gathered);
        for (uint32_t reach = 0; reach < REACHES; reach++)
            clock_drop(block->barriers[i].fenced[reach]);
    }
    for (uint32_t w = 0; w < block->warp_count; w++) {
        WarpOrder *warp = &block->warps[w];
        for (uint32_t lane = 0; lane < 32; lane++) {
            clock_set(&warp->clock[lane], NULL);
            if (warp->lanes)
                end_lane(&warp->lanes[lane]);
        }
        free(warp->lanes);
        warp->lanes = NULL;
    }
    block->next = block->launch->spare;
    block->launch->spare = block;
}

LaneOrder *order_lane(BlockOrder *block, uint32_t warp, uint32_t lane) {
    WarpOrder *self = &block->warps[warp];
    if (!self->lanes) {
        self->lanes = calloc(32, sizeof *self->lanes);
        if (!self->lanes)
            out_of_memory();
        for (uint32_t i = 0; i < 32; i++)
            self->lanes[i].copy_time = self->lanes[i].bulk_time = 1;
    }
    return &self->lanes[lane];
}

Facts *order_facts(BlockOrder *block) {
    block->launch->facts.count = 0;
    return &block->launch->facts;
}

/* ---- knowing ---- */

static uint32_t own_copies(const LaneOrder *lane, uint32_t kind) {
    return kind == WARP_COPIES       ? lane->copied
           : kind == WARP_BULK_READS ? lane->bulk_read
                                     : lane->bulk_written;
}

bool order_knows(const BlockOrder *block, uint32_t warp, uint32_t lane, Moment then) {
    const WarpOrder *self = &block->warps[warp];
    if (order_warp_knows(block, warp, then.block, then.warp, then.time))
        return true;
    if (then.block == block->number && then.lane == lane) {
        if (then.warp == warp)
            return true;
        const uint32_t kind = then.warp - warp;
        if (self->lanes && then.warp >= WARP_COPIES && then.warp < WARP_MBARRIERS &&
            kind % 64 == 0 && then.time <= own_copies(&self->lanes[lane], kind))
            return true;
    }
    return clock_time(self->clock[lane], then.block, then.warp, then.lane) >= then.time;
}

/* ---- telling and learning ---- */

void order_publish(BlockOrder *block, Reach reach) {
    if (reach == REACH_CTA)
        return;
    block->publishes = true;
    for (uint32_t w = 0; w < block->warp_count; w++)
        block->published[w] = block->warps[w].time;
}

static void add_fact(const BlockOrder *block, Facts *facts, uint32_t warp, uint32_t lanes,
                     uint32_t time) {
    if (time)
        facts_add(facts, (Fact){block->number, block->number, warp, lanes, time});
}

static void add_copies(const BlockOrder *block, uint32_t warp, uint32_t lanes, Facts *facts) {
    const WarpOrder *self = &block->warps[warp];
    if (!self->lanes)
        return;
    FOR_LANES(lane, lanes) {
        const LaneOrder *order = &self->lanes[lane];
        add_fact(block, facts, WARP_COPIES + warp, 1u << lane, order->copied);
        add_fact(block, facts, WARP_BULK_READS + warp, 1u << lane, order->bulk_read);
        add_fact(block, facts, WARP_BULK_WRITES + warp, 1u << lane, order->bulk_written);
    }
}

/* What these lanes know of others. */
static void add_known(const BlockOrder *block, uint32_t warp, uint32_t lanes, Facts *facts) {
    const WarpOrder *self = &block->warps[warp];
    const Clock *before = NULL;
    if (self->has_clocks)
        FOR_LANES(lane, lanes) {
            if (self->clock[lane] != before)
                facts_add_clock(facts, self->clock[lane]);
            before = self->clock[lane];
        }
    add_copies(block, warp, lanes, facts);
}

void order_tell(BlockOrder *block, uint32_t warp, uint32_t lane, Reach reach, Facts *facts) {
    const WarpOrder *self = &block->warps[warp];
    add_fact(block, facts, warp, 1u << lane, self->time);
    add_fact(block, facts, WARP_ALL, UINT32_MAX, self->floor);
    add_fact(block, facts, warp, UINT32_MAX, self->warp_floor);
    add_known(block, warp, 1u << lane, facts);
    order_publish(block, reach);
}

/* Leaves out what the floors say. */
static Clock *above_floors(const BlockOrder *block, uint32_t warp, Facts *facts) {
    const WarpOrder *self = &block->warps[warp];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->count; i++) {
        const Fact *fact = &facts->at[i];
        const bool own = fact->first == block->number && fact->last == block->number;
        const bool below = fact->warp <= WARP_ALL && fact->time <= self->floor;
        const bool below_warp = fact->warp == warp && fact->time <= self->warp_floor;
        if (!own || !(below || below_warp))
            facts->at[kept++] = *fact;
    }
    facts->count = kept;
    return facts_clock(facts);
}

static void set_clock(BlockOrder *block, uint32_t warp, uint32_t lanes, Clock *clock) {
    WarpOrder *self = &block->warps[warp];
    bool any = clock != NULL;
    order_changes(block);
    FOR_LANES(lane, lanes) clock_set(&self->clock[lane], clock);
    for (uint32_t lane = 0; lane < 32 && !any; lane++)
        any = self->clock[lane] != NULL;
    self->has_clocks = any;
}

void order_learn(BlockOrder *block, uint32_t warp, uint32_t lane, const Clock *clock) {
    WarpOrder *self = &block->warps[warp];
    if (!clock || self->clock[lane] == clock)
        return;
    Facts *facts = order_facts(block);
    facts_add_clock(facts, self->clock[lane]);
    facts_add_clock(facts, clock);
    Clock *joined = above_floors(block, warp, facts);
    set_clock(block, warp, 1u << lane, joined);
    clock_drop(joined);
}

/* ---- fences ---- */

void order_fenced(const BlockOrder *block, uint32_t warp, uint32_t lane, Reach reach,
                  Facts *facts) {
    const Fenced *fenced = &block->warps[warp].lanes[lane].fenced[reach];
    facts_add_clock(facts, fenced->clock);
    add_fact(block, facts, warp, 1u << lane, fenced->time);
    add_fact(block, facts, WARP_ALL, UINT32_MAX, fenced->floor);
    add_fact(block, facts, warp, UINT32_MAX, fenced->warp_floor);
}

/* Programs let each thread execute a fence, and one of them tell, behind a barrier, that all have ("__threadfence();
 * __syncthreads(); if (threadIdx.x == 0) atomicInc(…)"). The manual asks for another fence behind the barrier; what
 * was in order as far as the GPU stays so without. */
static void gather_fenced(BlockOrder *block, uint32_t warp, uint32_t lanes, Reach reach,
                          Facts *facts) {
    if (!block->warps[warp].lanes)
        return;
    FOR_LANES(lane, lanes) order_fenced(block, warp, lane, reach, facts);
}

static void spread_fenced(BlockOrder *block, uint32_t warp, uint32_t lanes, Reach reach,
                          Clock *clock) {
    if (!clock)
        return;
    FOR_LANES(lane, lanes)
    clock_set(&order_lane(block, warp, lane)->fenced[reach].clock, clock);
}

/* ---- barriers ---- */

void order_arrive(BlockOrder *block, uint32_t warp, uint32_t lanes, uint32_t barrier, bool waits) {
    BarrierOrder *order = &block->barriers[barrier];
    if (waits) {
        order->waiting[warp] |= lanes;
        return;
    }
    Facts *facts = order_facts(block);
    facts_add_clock(facts, order->gathered);
    FOR_LANES(lane, lanes) order_tell(block, warp, lane, REACH_CTA, facts);
    clock_drop(order->gathered);
    order->gathered = facts_clock(facts);
    for (uint32_t reach = 0; reach < REACHES; reach++) {
        facts_add_clock(facts, order->fenced[reach]);
        gather_fenced(block, warp, lanes, (Reach)reach, facts);
        clock_drop(order->fenced[reach]);
        order->fenced[reach] = facts_clock(facts);
    }
    order_tick(block, warp);
}

static bool are_all(const BlockOrder *block, const BarrierOrder *barrier) {
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (block->warps[w].exists & ~(barrier->waiting[w] | block->warps[w].exited))
            return false;
    return true;
}

/* What the lane has read from flags: NVIDIA's own programs let a barrier of the block follow where the manual asks
 * for a fence (the last block of a reduction), so it is as good as one. */
static void add_seen(const BlockOrder *block, uint32_t warp, uint32_t lanes, Facts *facts) {
    WarpOrder *self = (WarpOrder *)&block->warps[warp];
    if (!self->lanes)
        return;
    FOR_LANES(lane, lanes) for (uint32_t reach = 0; reach < REACHES; reach++) {
        facts_add_clock(facts, self->lanes[lane].seen[reach]);
        clock_set(&self->lanes[lane].seen[reach], NULL);
    }
}

static void release_all(BlockOrder *block, const BarrierOrder *barrier) {
    uint32_t most = 0;
    if (block->keeper)
        block->keeper->forgets(block->keeper->context);
    Facts *facts = order_facts(block);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        most = block->warps[w].time > most ? block->warps[w].time : most;
        add_known(block, w, barrier->waiting[w], facts);
        add_seen(block, w, barrier->waiting[w], facts);
    }
    facts_add_clock(facts, barrier->gathered);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        WarpOrder *warp = &block->warps[w];
        warp->floor = warp->warp_floor = most;
        warp->time = most + 1;
    }
    Clock *clock = facts->count ? above_floors(block, 0, facts) : NULL;
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (clock || block->warps[w].has_clocks)
            set_clock(block, w, UINT32_MAX, clock);
    clock_drop(clock);
}

static void release_some(BlockOrder *block, const BarrierOrder *barrier) {
    Facts *facts = order_facts(block);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const WarpOrder *warp = &block->warps[w];
        if (!barrier->waiting[w])
            continue;
        add_fact(block, facts, w, barrier->waiting[w], warp->time);
        add_fact(block, facts, WARP_ALL, UINT32_MAX, warp->floor);
        add_fact(block, facts, w, UINT32_MAX, warp->warp_floor);
        add_known(block, w, barrier->waiting[w], facts);
        add_seen(block, w, barrier->waiting[w], facts);
    }
    facts_add_clock(facts, barrier->gathered);
    Clock *clock = facts_clock(facts);
    for (uint32_t w = 0; w < block->warp_count; w++)
        if (barrier->waiting[w]) {
            set_clock(block, w, barrier->waiting[w], clock);
            order_tick(block, w);
        }
    clock_drop(clock);
}

static void release_fenced(BlockOrder *block, BarrierOrder *barrier, Reach reach) {
    Facts *facts = order_facts(block);
    facts_add_clock(facts, barrier->fenced[reach]);
    for (uint32_t w = 0; w < block->warp_count; w++)
        gather_fenced(block, w, barrier->waiting[w], reach, facts);
    Clock *clock = facts_clock(facts);
    for (uint32_t w = 0; w < block->warp_count; w++)
        spread_fenced(block, w, barrier->waiting[w], reach, clock);
    clock_drop(clock);
    clock_set(&barrier->fenced[reach], NULL);
}

void order_release(BlockOrder *block, uint32_t number) {
    BarrierOrder *barrier = &block->barriers[number];
    for (uint32_t reach = 0; reach < REACHES; reach++)
        release_fenced(block, barrier, (Reach)reach);
    if (are_all(block, barrier))
        release_all(block, barrier);
    else
        release_some(block, barrier);
    clock_drop(barrier->gathered);
    *barrier = (BarrierOrder){0};
}

void order_warp_sync(BlockOrder *block, uint32_t warp, uint32_t lanes) {
    WarpOrder *self = &block->warps[warp];
    const bool all = lanes == (self->exists & ~self->exited);
    if (!(lanes & (lanes - 1)))
        return;
    for (uint32_t reach = 0; self->lanes && reach < REACHES; reach++) {
        Facts *fenced = order_facts(block);
        gather_fenced(block, warp, lanes, (Reach)reach, fenced);
        Clock *clock = facts_clock(fenced);
        spread_fenced(block, warp, lanes, (Reach)reach, clock);
        clock_drop(clock);
    }
    if (!all || self->has_clocks || self->lanes) {
        Facts *facts = order_facts(block);
        add_known(block, warp, lanes, facts);
        if (!all)
            add_fact(block, facts, warp, lanes, self->time);
        Clock *clock = above_floors(block, warp, facts);
        set_clock(block, warp, lanes, clock);
        clock_drop(clock);
    }
    order_changes(block);
    if (all)
        self->warp_floor = self->time;
    order_tick(block, warp);
}

void order_exit(BlockOrder *block, uint32_t warp, uint32_t lanes) {
    block->warps[warp].exited |= lanes;
}

void order_cluster_arrive(BlockOrder *block, uint32_t warp, uint32_t lanes, Clock **gathered) {
    Facts *facts = order_facts(block);
    facts_add_clock(facts, *gathered);
    FOR_LANES(lane, lanes) order_tell(block, warp, lane, REACH_CLUSTER, facts);
    clock_drop(*gathered);
    *gathered = facts_clock(facts);
    order_tick(block, warp);
}

void order_cluster_wait(BlockOrder *block, uint32_t warp, uint32_t lanes, const Clock *gathered) {
    FOR_LANES(lane, lanes) order_learn(block, warp, lane, gathered);
}

/* ---- groups of copies ---- */

Moment order_copy(BlockOrder *block, uint32_t warp, uint32_t lane) {
    return (Moment){block->number, WARP_COPIES + warp, lane,
                    order_lane(block, warp, lane)->copy_time};
}

Moment order_bulk(BlockOrder *block, uint32_t warp, uint32_t lane, bool reads) {
    return (Moment){block->number, (reads ? WARP_BULK_READS : WARP_BULK_WRITES) + warp, lane,
                    order_lane(block, warp, lane)->bulk_time};
}

void order_copy_commit(BlockOrder *block, uint32_t warp, uint32_t lanes) {
    FOR_LANES(lane, lanes) {
        LaneOrder *order = order_lane(block, warp, lane);
        order->commit_time[order->commits++ % COPY_GROUPS] = order->copy_time++;
    }
}

void order_copy_wait(BlockOrder *block, uint32_t warp, uint32_t lanes, uint32_t left) {
    FOR_LANES(lane, lanes) {
        LaneOrder *order = order_lane(block, warp, lane);
        if (left == UINT32_MAX)
            order->copied = order->copy_time++;
        else if (left < order->commits && left < COPY_GROUPS) {
            uint32_t time = order->commit_time[(order->commits - 1 - left) % COPY_GROUPS];
            order->copied = time > order->copied ? time : order->copied;
        }
    }
}

void order_bulk_commit(BlockOrder *block, uint32_t warp, uint32_t lanes) {
    FOR_LANES(lane, lanes) order_lane(block, warp, lane)->bulk_time++;
}

void order_bulk_wait(BlockOrder *block, uint32_t warp, uint32_t lanes, uint32_t left,
                     bool reads_only) {
    FOR_LANES(lane, lanes) {
        LaneOrder *order = order_lane(block, warp, lane);
        uint32_t time = order->bulk_time - 1 > left ? order->bulk_time - 1 - left : 0;
        order->bulk_read = time > order->bulk_read ? time : order->bulk_read;
        if (!reads_only && time > order->bulk_written)
            order->bulk_written = time;
    }
}

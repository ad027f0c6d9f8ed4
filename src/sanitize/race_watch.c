/* What is told of a launch, as races take it: who is ordered with whom, and what is accessed.
 *
 * A copy beside the warp reads and writes when its group, or the phase of its mbarrier, is complete. The ranges of one
 * that reports to an mbarrier are told before the mbarrier is: they are kept until then. */
#include "sanitize/race.h"
#include "sanitize/state.h"

#include <stdlib.h>

typedef struct ClusterOrder {
    uint64_t number;
    Clock *gathered, *done; /* of the barrier that is filled, and of the last that was */
    bool used;
} ClusterOrder;

enum { CLUSTERS = 64 /* that run at once */ };

struct RaceWatch {
    Sanitizer *sanitizer;
    Races races;
    ClusterOrder clusters[CLUSTERS];
    WatchedRange *ranges; /* that wait for their mbarrier */
    uint32_t range_count, range_capacity;
};

static Reach reach_of(Scope scope) {
    return scope == SCOPE_CTA ? REACH_CTA : scope == SCOPE_CLUSTER ? REACH_CLUSTER : REACH_GPU;
}

/* ---- findings ---- */

static Witness witness_of(const RaceWitness *witness) {
    return (Witness){witness->insn, witness->block, witness->thread};
}

/* Addresses of shared memory are those of the block that has it. */
static void set_address(const Sanitizer *sanitizer, uintptr_t host, FoundDefect *defect) {
    defect->space = SPACE_GLOBAL;
    defect->address = host;
    for (const WatchedBlock *block = sanitizer->blocks; block; block = block->next) {
        const BlockShape *shape = &block->shape;
        const uintptr_t first = (uintptr_t)shape->shared + shape->shared_first;
        if (host < first || host >= (uintptr_t)shape->shared + shape->shared_end)
            continue;
        defect->space = SPACE_SHARED;
        defect->address = host - (uintptr_t)shape->shared;
    }
}

static void found(void *context, const RaceFound *race) {
    static const DefectKind kinds[] = {DEFECT_write_write, DEFECT_read_write, DEFECT_write_read};
    RaceWatch *watch = context;
    FoundDefect defect = {.kind = kinds[race->kind],
                          .by = witness_of(&race->by),
                          .other = witness_of(&race->other),
                          .bytes = race->width,
                          .ways = race->kind == RACE_WRITE_READ ? ACCESS_READS : ACCESS_WRITES,
                          .benign = race->benign,
                          .count = 1,
                          .number = {race->level, race->at_once}};
    if (race->benign && !watch->sanitizer->options.benign)
        return;
    set_address(watch->sanitizer, race->host, &defect);
    sanitize_report(watch->sanitizer, &defect);
}

/* ---- launches and blocks ---- */

RaceWatch *race_watch_new(Sanitizer *sanitizer) {
    RaceWatch *watch = calloc(1, sizeof *watch);
    if (!watch)
        out_of_memory();
    races_init(&watch->races);
    watch->sanitizer = sanitizer;
    watch->races.found = found;
    watch->races.context = watch;
    return watch;
}

static void drop_clusters(RaceWatch *watch) {
    for (uint32_t i = 0; i < CLUSTERS; i++) {
        clock_drop(watch->clusters[i].gathered);
        clock_drop(watch->clusters[i].done);
        watch->clusters[i] = (ClusterOrder){0};
    }
}

void race_watch_free(RaceWatch *watch) {
    if (!watch)
        return;
    drop_clusters(watch);
    races_free(&watch->races);
    free(watch->ranges);
    free(watch);
}

void race_watch_launch(RaceWatch *watch) {
    drop_clusters(watch);
    watch->range_count = 0;
    races_launch(&watch->races);
}

static uintptr_t shared_first(const WatchedBlock *block) {
    return (uintptr_t)block->shape.shared + block->shape.shared_first;
}

static uintptr_t shared_end(const WatchedBlock *block) {
    return (uintptr_t)block->shape.shared + block->shape.shared_end;
}

void race_watch_begin(RaceWatch *watch, WatchedBlock *block) {
    const BlockShape *shape = &block->shape;
    shadow_forget(&watch->races.shadow, shared_first(block), shared_end(block));
    const bool alone = watch->sanitizer->launch.cluster_size <= 1;
    block->race = race_begin(&watch->races, (uint32_t)shape->number, shape->cluster, shape->threads,
                             shared_first(block), alone ? shared_end(block) : shared_first(block));
}

void race_watch_end(RaceWatch *watch, WatchedBlock *block) {
    order_memory_forget(watch->races.memory, shared_first(block), shared_end(block));
    race_end(&watch->races, block->race);
    block->race = NULL;
}

/* What was there before has been freed, and is ordered with what comes. */
void race_watch_allocated(RaceWatch *watch, uint64_t address, uint64_t bytes) {
    shadow_forget(&watch->races.shadow, address, address + bytes);
}

/* ---- accesses ---- */

static RaceAccess access_of(const Agent *by) {
    return (RaceAccess){
        .block = by->block->race, .warp = by->warp, .lanes = by->lanes, .insn = by->insn};
}

/* What the place tells is learnt with a read, and told with a write: before the accesses of the lanes behind, whose
 * order the memory model leaves open. */
static void order_access(RaceWatch *watch, const WatchedAccess *access) {
    for (uint32_t rest = access->by.lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        order_strong(watch->races.memory, access->by.block->race->order, access->by.warp, lane,
                     access->host + access->place[lane], access->ways & ACCESS_READS,
                     access->ways & ACCESS_WRITES, access->order, reach_of(access->scope));
    }
}

void race_watch_access(RaceWatch *watch, const WatchedAccess *access) {
    if (access->space == SPACE_LOCAL || access->space == SPACE_PARAM || access->object)
        return;
    RaceAccess race = access_of(&access->by);
    Moment done[32];
    race.reads = access->ways & ACCESS_READS;
    race.writes = access->ways & ACCESS_WRITES;
    race.strong = access->atomic || access->order != ORDER_WEAK;
    race.together = access->tile;
    race.observes = access->returns;
    race.reach = race.strong ? reach_of(access->scope) : REACH_CTA;
    race.width = access->width;
    race.host = access->host;
    race.place = access->place;
    race.value = access->value;
    race.context = access->context;
    if (access->async) {
        for (uint32_t rest = race.lanes; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            done[lane] = order_copy(race.block->order, race.warp, lane);
        }
        race.done = done;
    }
    race_access(&watch->races, &race);
    if (race.strong)
        order_access(watch, access);
}

void race_watch_run(RaceWatch *watch, const WatchedRun *run) {
    const RaceAccess access = {.block = run->by.block->race,
                               .warp = run->by.warp,
                               .lanes = run->by.lanes,
                               .insn = run->by.insn,
                               .reads = run->ways & ACCESS_READS,
                               .writes = run->ways & ACCESS_WRITES,
                               .reach = REACH_CTA,
                               .width = run->width,
                               .value = run->value,
                               .context = run->context};
    const uintptr_t first[2] = {run->host + run_first(run, 0), run->host + run_first(run, 1)};
    race_run(&watch->races, &access, first, run->pattern->stride);
}

static void visit_range(RaceWatch *watch, const WatchedRange *range, Moment at) {
    RaceAccess race = access_of(&range->by);
    Moment done[32];
    uint64_t place[32] = {0};
    const uint32_t lane = (uint32_t)__builtin_ctz(race.lanes);
    done[lane] = at;
    race.reads = range->ways & ACCESS_READS;
    race.writes = range->ways & ACCESS_WRITES;
    race.width = 16;
    race.host = range->host;
    race.place = place;
    race.done = done;
    if (race.block && at.time)
        race_range(&watch->races, &race, range->bytes);
}

void race_watch_range(RaceWatch *watch, const WatchedRange *range) {
    if (range->group) {
        const uint32_t lane = (uint32_t)__builtin_ctz(range->by.lanes);
        const bool reads = !(range->ways & ACCESS_WRITES);
        visit_range(watch, range,
                    order_bulk(range->by.block->race->order, range->by.warp, lane, reads));
        return;
    }
    if (watch->range_count == watch->range_capacity) {
        watch->range_capacity = watch->range_capacity ? 2 * watch->range_capacity : 16;
        watch->ranges = realloc(watch->ranges, watch->range_capacity * sizeof *watch->ranges);
        if (!watch->ranges)
            out_of_memory();
    }
    watch->ranges[watch->range_count++] = *range;
}

/* Those of the copy whose bytes have come. */
static void visit_ranges(RaceWatch *watch, const WatchedEvent *event) {
    const Moment at = order_mbarrier_copy(watch->races.memory, event->host);
    for (uint32_t i = 0; i < watch->range_count; i++)
        if (watch->ranges[i].by.insn == event->by.insn &&
            watch->ranges[i].by.block == event->by.block)
            visit_range(watch, &watch->ranges[i], at);
    watch->range_count = 0;
}

/* ---- meetings ---- */

static ClusterOrder *cluster_order(RaceWatch *watch, uint64_t number) {
    uint32_t at = (uint32_t)number % CLUSTERS;
    ClusterOrder *cluster = &watch->clusters[at];
    if (!cluster->used || cluster->number != number) {
        clock_drop(cluster->gathered);
        clock_drop(cluster->done);
        *cluster = (ClusterOrder){.number = number, .used = true};
    }
    return cluster;
}

static void cluster_event(RaceWatch *watch, const WatchedEvent *event, BlockOrder *order) {
    ClusterOrder *cluster = cluster_order(watch, event->by.block->shape.cluster);
    if (event->kind == EVENT_CLUSTER_ARRIVE && event->order != ORDER_RELAXED) {
        order_cluster_arrive(order, event->by.warp, event->by.lanes, &cluster->gathered);
    } else if (event->kind == EVENT_CLUSTER_RELEASE) {
        clock_drop(cluster->done);
        cluster->done = cluster->gathered;
        cluster->gathered = NULL;
    } else if (event->kind == EVENT_CLUSTER_WAIT) {
        order_cluster_wait(order, event->by.warp, event->by.lanes, cluster->done);
    }
}

/* The object itself is written by who makes it, and by nobody else in a way that another could race with. Not by
 * who takes it back either: destructors of libcu++ do so when all threads have counted themselves out, each warp
 * by one of its lanes. */
static void mbarrier_access(RaceWatch *watch, const WatchedEvent *event, bool strong) {
    RaceAccess race = access_of(&event->by);
    const uint64_t place[32] = {0};
    race.reads = strong;
    race.writes = true;
    race.strong = strong;
    race.reach = REACH_GPU;
    race.width = 8;
    race.host = event->host;
    race.place = place;
    race_access(&watch->races, &race);
}

static void mbarrier_event(RaceWatch *watch, const WatchedEvent *event, BlockOrder *order) {
    OrderMemory *memory = watch->races.memory;
    const uint32_t warp = event->by.warp, lane = (uint32_t)__builtin_ctz(event->by.lanes);
    switch (event->kind) {
    case EVENT_MBARRIER_INIT:
        mbarrier_access(watch, event, false);
        order_mbarrier_init(memory, order, event->host);
        break;
    case EVENT_MBARRIER_INVAL:
        mbarrier_access(watch, event, true);
        break;
    case EVENT_MBARRIER_ARRIVE:
    case EVENT_COPY_ARRIVE:
        mbarrier_access(watch, event, true);
        order_mbarrier_arrive(memory, order, warp, lane, event->host,
                              event->kind == EVENT_COPY_ARRIVE, reach_of(event->scope));
        break;
    case EVENT_MBARRIER_COPIED:
        visit_ranges(watch, event);
        break;
    case EVENT_MBARRIER_PHASE:
        order_mbarrier_phase(memory, event->host);
        break;
    default:
        order_mbarrier_waited(memory, order, warp, lane, event->host);
        break;
    }
}

void race_watch_event(RaceWatch *watch, const WatchedEvent *event) {
    BlockOrder *order = event->by.block->race->order;
    const uint32_t warp = event->by.warp, lanes = event->by.lanes;
    const Order fence = event->order == ORDER_WEAK ? ORDER_SC : event->order;
    switch (event->kind) {
    case EVENT_ARRIVE:
        order_arrive(order, warp, lanes, event->number, event->waits);
        break;
    case EVENT_RELEASE:
        order_release(order, event->number);
        break;
    case EVENT_WARP_SYNC:
        if (event->orders)
            order_warp_sync(order, warp, lanes);
        break;
    case EVENT_CLUSTER_ARRIVE:
    case EVENT_CLUSTER_RELEASE:
    case EVENT_CLUSTER_WAIT:
        cluster_event(watch, event, order);
        break;
    case EVENT_FENCE:
        order_fence(order, warp, lanes, fence, reach_of(event->scope));
        break;
    case EVENT_COPY_COMMIT:
        order_copy_commit(order, warp, lanes);
        break;
    case EVENT_COPY_WAIT:
        order_copy_wait(order, warp, lanes, event->number ? UINT32_MAX : event->count);
        break;
    case EVENT_BULK_COMMIT:
        order_bulk_commit(order, warp, lanes);
        break;
    case EVENT_BULK_WAIT:
        order_bulk_wait(order, warp, lanes, event->count, event->number != 0);
        break;
    case EVENT_EXIT:
        order_exit(order, warp, lanes);
        break;
    default:
        mbarrier_event(watch, event, order);
        break;
    }
}

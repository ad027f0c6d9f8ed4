/* One block: its warps take turns until all have ended. Memory of an ended block is used again for
 * the next one on the same worker. */
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/run/observe.h"
#include "exec/run/schedule.h"
#include "exec/run/unset.h"
#include "exec/run/watch.h"

#include <string.h>

enum {
    WARP_BUDGET = 65536, /* instructions of a warp's turn */
    QUIET_BUDGET = 128,  /* of a turn of one basic block, for what others do not notice around it */
    ROUNDS_TOGETHER = 8, /* the first rounds of a block, in which a turn is one basic block */
    ROUNDS_RELEASED = 1, /* the first ones behind a barrier, likewise */
    ROUNDS_FIRST = 256,  /* short rounds of a block's warps before it is seen to wait for others */
    ROUNDS_AGAIN = 4,    /* where it has been before */
    CTA_BUDGET = 64 * 65536, /* of a block's turn, where others wait */
    STUCK_ROUNDS = 65536, /* in which the warps of a cluster only look at mbarriers: a deadlock. Who
                             leaves such a loop by itself, after a time or on a flag, does it before */
    STUCK_DRAWN = 16      /* as many times that of rounds which may be as short as a basic block */
};

Cta *cta_new(Worker *worker) {
    const Program *program = worker->program;
    const Launch *launch = worker->launch;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    Cta *cta = NEW(worker->arena, Cta);
    cta->worker = worker;
    cta->program = program;
    cta->shared_end = program->shared.dynamic_at + launch->dynamic_shared;
    cta->shared_room = worker->run->shared_end;
    cta->shared = arena_alloc_aligned(worker->arena, cta->shared_room + 64, 64);
    cta->warp_count = (threads + WARP_LANES - 1) / WARP_LANES;
    cta->warps = arena_alloc_aligned(worker->arena, cta->warp_count * sizeof(Warp), _Alignof(Warp));
    memset(cta->warps, 0, cta->warp_count * sizeof(Warp));
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[i];
        warp->cta = cta;
        warp->worker = worker;
        warp->activity = &worker->activity;
        warp->number = i;
        uint32_t lanes = threads - i * WARP_LANES;
        warp->exists = lanes >= WARP_LANES ? FULL_MASK : (1u << lanes) - 1;
        warp->registers = arena_alloc_aligned(worker->arena, program->register_bytes, 64);
        warp->sweeps = NEW_ARRAY(worker->arena, Sweep, program->sweep_count);
        if (program->stack_bytes)
            warp->local =
                arena_alloc_aligned(worker->arena, (size_t)program->stack_stride * WARP_LANES, 64);
    }
    return cta;
}

/* What the last block left on the stacks of its lanes. */
static void clear_stack(Warp *warp) {
    const Program *program = warp->worker->program;
    for (uint32_t lane = 0; warp->stack_used && lane < WARP_LANES; lane++)
        memset(warp->local + (size_t)lane * program->stack_stride, 0, warp->stack_used);
    warp->stack_used = program->routines[0].frame_bytes;
    for (uint32_t lane = 0; program->alloca_at != NO_OPERAND && lane < WARP_LANES; lane++)
        reg32(warp, program->alloca_at)[lane] = program->stack_bytes;
}

/* Clusters follow each other in the grid as blocks do, and so do the blocks of a cluster. */
static void find_place(Cta *cta, uint64_t unit) {
    const Launch *launch = cta->worker->launch;
    const uint32_t *cluster = cta->worker->run->cluster;
    uint64_t rank = cta->rank;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t units = launch->grid[i] / cluster[i];
        cta->index[i] = (uint32_t)(unit % units * cluster[i] + rank % cluster[i]);
        unit /= units;
        rank /= cluster[i];
    }
    cta->linear = ((uint64_t)cta->index[2] * launch->grid[1] + cta->index[1]) * launch->grid[0] +
                  cta->index[0];
}

/* Nobody waits any more; mostly the last block has left it so. */
static void clear_barriers(Cta *cta) {
    if (cta->awaited | cta->parted)
        memset(cta->barriers, 0, sizeof cta->barriers);
    for (uint32_t i = 0; cta->parted && i < cta->warp_count; i++)
        memset(cta->warps[i].arrived, 0, sizeof cta->warps[i].arrived);
    cta->awaited = cta->parted = 0;
}

void cta_begin(Cta *cta, Cluster *cluster, uint64_t unit, uint32_t rank) {
    const Launch *launch = cta->worker->launch;
    cta->cluster = cluster;
    cta->rank = rank;
    cluster->blocks[rank] = cta;
    find_place(cta, unit);
    watch_begin(cta, unit);
    cta->live_threads = launch->block[0] * launch->block[1] * launch->block[2];
    cta->next = NULL;
    cta->spinning = false;
    cta->over = false;
    cta->together = cta->warp_count > 1 ? ROUNDS_TOGETHER : 0;
    clear_barriers(cta);
    memset(cta->shared, 0, cta->shared_room);
    cta->requests = 0;
    cta->has_errors = false;
    const bool machine = cta->program->function->machine;
    bool fill = cta->filled != cta->worker->run->number;
    cta->filled = cta->worker->run->number;
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[i];
        warp->live = warp->exists;
        warp->carry = 0;
        warp->before += warp->executed;
        warp->executed = warp->entered = warp->lasting = 0;
        warp->looked_at = 0;
        warp->look_at = cta->worker->run->period;
        warp->spins = warp->spins_ever = 0;
        warp->sleeps = 0;
        warp->patience = cta->worker->run->schedule ? PATIENCE_NONE : PATIENCE_MOST;
        if (machine) {
            memset(warp->barriers, 0, sizeof warp->barriers);
            warp->picked = WARP_LANES - 1;
            warp->from_queue = warp->yields = false;
        }
        warp->cluster_arrived = 0;
        warp->awaited = (MbarrierWait){0};
        warp->multiplied = false;
        warp->done = false;
        warp->counting = cta->counting;
        warp->current = NULL;
        if (warp->unset)
            unset_clear(warp);
        warp->path_count = 1;
        warp->paths[0] = (Path){.mask = warp->exists};
        clear_stack(warp);
        if (fill)
            fill_warp(cta, warp);
    }
    fill_block(cta);
}

/* No warp can go on: lanes wait for others that never come. Names the first that waits. */
static void fault_deadlock(Cta *cta) {
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[i];
        for (uint32_t p = 0; p < warp->path_count; p++) {
            Path *path = &warp->paths[p];
            if (!path->mask)
                continue;
            uint32_t lane = (uint32_t)__builtin_ctz(path->mask);
            const Code *code = &cta->program->code[path->pc];
            warp->current = path;
            if (path->state == PATH_WAITS_BARRIER && path->wait >= BARRIERS_NAMED)
                warp_fault(warp, code, FAULT_BARRIER, lane, 0,
                           "deadlock: %u of the four warps of the warpgroup wait for the others, "
                           "which never come to wgmma.wait_group",
                           cta->barriers[path->wait].warps);
            else if (path->state == PATH_WAITS_BARRIER)
                warp_fault(warp, code, FAULT_BARRIER, lane, 0,
                           "deadlock: %u of the block's %u live threads wait at barrier %u for "
                           "threads that never arrive",
                           cta->barriers[path->wait].threads, cta->live_threads, path->wait);
            else if (path->state == PATH_WAITS_CLUSTER)
                warp_fault(warp, code, FAULT_DEADLOCK, lane, 0,
                           "deadlock: %u threads wait at the cluster's barrier for threads that "
                           "never arrive",
                           cta->cluster->arrived);
            else
                warp_fault(warp, code, FAULT_DEADLOCK, lane, 0,
                           "deadlock: lanes 0x%08x of the warp wait for lanes 0x%08x, which never "
                           "come to this instruction",
                           path->mask, path->wait & ~path->mask);
            return;
        }
    }
}

/* One turn for each warp. */
typedef struct Turn {
    bool ran;    /* a warp could run */
    bool alive;  /* a warp is not done */
    bool spun;   /* no warp's turn ended otherwise than by spinning or waiting */
    bool awaits; /* a path waits for an mbarrier, and none does anything else */
    bool fault;
} Turn;

static inline bool can_run(const Warp *warp) {
    bool can = path_runs(&warp->paths[0]);
    for (uint32_t p = 1; !can && p < warp->path_count; p++)
        can = path_runs(&warp->paths[p]);
    return can;
}

/* What the warp's paths wait for, if all of them do. */
static inline void look_at_paths(const Warp *warp, bool *for_mbarrier, bool *all_wait) {
    for (uint32_t p = 0; p < warp->path_count; p++) {
        const Path *path = &warp->paths[p];
        if (!path_runs(path))
            continue;
        *for_mbarrier |= path->awaits;
        *all_wait &= path->awaits;
    }
}

void cta_side_by_side(Warp *warp) {
    Cta *cta = warp->cta;
    if (cta->warp_count == 1 || cta->worker->run->schedule)
        return;
    warp->stop_at = 0;
    cta->together = cta->together > ROUNDS_RELEASED ? cta->together : ROUNDS_RELEASED;
}

/* A turn of one basic block. Of one that the warp is in, which has been counted, it is what is left, if that is what the warps
 * are to do side by side: load from shared memory. Else the next block may, behind a branch or a label; and behind those of
 * which the others notice nothing, as where a kernel finds its threads' places. Where defects are looked for turns stay
 * as short as they can be: of two that race, both orders are seen more often. */
static WarpEnd run_briefly(Warp *warp, const Program *program, bool checked) {
    const Path *path = &warp->paths[0];
    uint32_t budget = 1;
    if (warp->path_count == 1 && path->inside)
        budget = !program->shared_follows[path->pc];
    else if (warp->path_count == 1 && !checked)
        budget += program->quiet[program->block_of[path->pc]];
    return warp_run(warp, budget, checked ? budget : QUIET_BUDGET);
}

/* Any order of warps is allowed; this one is near the GPU's where programs notice. A GPU starts the
 * warps of a block together, and what each reads first, none of them has changed yet: x[i] += y[j] in
 * a loop, by several warps that mean the same i, gives there what one of them alone would give. So
 * the warps begin side by side, a basic block each, before they take long turns, which cost less. And so they leave a
 * barrier: a sum over the block that all of them read from shared[0] there is read by all before the first one of them
 * is through with the next sum, which begins with a store to shared[0], though no barrier lies between. */
static Turn run_warps(Cta *cta) {
    Turn turn = {.spun = true};
    bool for_mbarrier = false, all_wait = true;
    const bool together = cta->together != 0, checked = cta->worker->launch->sanitizer;
    cta->together -= together;
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[i];
        if (warp->done)
            continue;
        /* From one barrier to the next may be within a basic block. */
        turn.ran = turn.ran || can_run(warp);
        const bool brief = together || cta->together;
        WarpEnd end = brief ? run_briefly(warp, cta->program, checked)
                            : warp_run(warp, WARP_BUDGET, WARP_BUDGET);
        /* Lanes that waited for each other were let go. */
        turn.ran = turn.ran || can_run(warp);
        if (end == WARP_FAULT) {
            turn.fault = true;
            return turn;
        }
        warp->done = end == WARP_DONE || warp->live == 0;
        /* Short turns say nothing. */
        turn.spun &= end == WARP_YIELDED || end == WARP_BLOCKED || together || cta->together;
        turn.alive |= !warp->done;
        look_at_paths(warp, &for_mbarrier, &all_wait);
    }
    turn.awaits = turn.spun && for_mbarrier && all_wait;
    return turn;
}

/* The same in an order that is drawn. What a turn is stopped for there says nothing about what a warp waits for:
 * paths do. */
static Turn run_drawn(Cta *cta, DrawnOrder *schedule) {
    Turn turn = {.ran = false};
    bool for_mbarrier = false, all_wait = true;
    uint8_t order[WARP_LANES];
    schedule_warps(schedule, cta->warp_count, order);
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[order[i]];
        if (warp->done)
            continue;
        turn.ran |= can_run(warp);
        const bool sleeps = can_run(warp) && schedule_sleeps(schedule, warp);
        const uint64_t budget = sleeps ? 0 : schedule_budget(schedule);
        WarpEnd end = sleeps ? WARP_SLICE : warp_run(warp, budget, budget);
        if (end == WARP_FAULT) {
            turn.fault = true;
            return turn;
        }
        warp->done = end == WARP_DONE;
        turn.alive |= !warp->done;
        look_at_paths(warp, &for_mbarrier, &all_wait);
    }
    turn.awaits = for_mbarrier && all_wait;
    return turn;
}

static CtaEnd fault_stuck(Cta *cta) {
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[i];
        for (uint32_t p = 0; !warp->done && p < warp->path_count; p++)
            if (warp->paths[p].mask && warp->paths[p].awaits) {
                warp->current = &warp->paths[p];
                mbarrier_deadlock(warp);
                return CTA_FAULT;
            }
    }
    return CTA_FAULT;
}

/* A turn of a few rounds. */
static CtaEnd run_rounds(Cta *cta, DrawnOrder *schedule) {
    Cluster *cluster = cta->cluster;
    for (uint32_t rounds = schedule_rounds(schedule); rounds > 0; rounds--) {
        const uint64_t phases = cluster->phases;
        const Turn turn = run_drawn(cta, schedule);
        if (turn.fault)
            return CTA_FAULT;
        if (!turn.alive)
            return CTA_DONE;
        if (!turn.ran && !cta_release_partial(cta)) {
            if (cluster_awaited(cta))
                return CTA_WAITS;
            fault_deadlock(cta);
            return CTA_FAULT;
        }
        cluster->stuck = turn.awaits && cluster->phases == phases ? cluster->stuck + 1 : 0;
        if (cluster->stuck > STUCK_DRAWN * STUCK_ROUNDS)
            return fault_stuck(cta);
    }
    return CTA_SLICE;
}

CtaEnd cta_run(Cta *cta) {
    if (cta->worker->run->schedule)
        return run_rounds(cta, cta->worker->run->schedule);
    uint64_t until = cta->worker->clock + CTA_BUDGET;
    Cluster *cluster = cta->cluster;
    uint32_t rounds = 0;
    for (;;) {
        uint64_t before = cta->worker->clock, phases = cluster->phases;
        Turn turn = run_warps(cta);
        if (turn.fault)
            return CTA_FAULT;
        if (!turn.alive)
            return CTA_DONE;
        if (!turn.ran && !cta_release_partial(cta)) {
            if (cluster_awaited(cta))
                return CTA_WAITS;
            fault_deadlock(cta);
            return CTA_FAULT;
        }
        /* Warps that wait at barriers of their own make short rounds, too: only many of them in a
         * row look like waiting for another block. A turn that ends by spinning has 32 rounds of a
         * loop, of up to 32 instructions if it only waits. A block that waited in its last turn is
         * believed sooner, so that a chain of blocks that wait for each other gets on. Where a phase of
         * an mbarrier came to its end, the blocks of the cluster get on by themselves. */
        uint64_t brief = (turn.spun ? 1024 : 64) * (uint64_t)cta->warp_count;
        bool waits = cta->worker->clock - before < brief && cluster->phases == phases;
        cluster->stuck = waits && turn.awaits ? cluster->stuck + 1 : 0;
        if (cluster->stuck > STUCK_ROUNDS)
            return fault_stuck(cta);
        rounds = waits ? rounds + 1 : 0;
        cta->spinning &= waits && turn.spun;
        if (rounds > (cta->spinning ? ROUNDS_AGAIN : ROUNDS_FIRST))
            return CTA_YIELDED;
        if (cta->worker->clock >= until || cta->worker->run->stop)
            return CTA_SLICE;
    }
}

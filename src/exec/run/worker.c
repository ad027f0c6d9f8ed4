/* Workers: each takes blocks of the grid in order and runs them. A block that only waits (for another
 * block, in a grid barrier or a look-back scan) stays resident while the worker begins or resumes
 * others, so that blocks that wait for each other make progress. */
#include "exec/run/worker.h"
#include "base/rescue.h"
#include "exec/run/observe.h"
#include "exec/run/sample.h"
#include "exec/run/schedule.h"
#include "exec/run/timed.h"
#include "exec/run/watch.h"
#include "exec/tier/tier.h"

#include <stdatomic.h>
#include <string.h>

/* Blocks that may be resident at once on the whole GPU, shared among the workers. */
static uint32_t resident_limit(const Worker *worker) {
    const Gpu *gpu = worker->run->gpu;
    const Launch *launch = worker->launch;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t per_sm = gpu->threads_per_sm / ((threads + 31) & ~31u);
    uint32_t shared = launch->dynamic_shared + worker->program->shared.bytes;
    if (shared && gpu->shared_per_sm / shared < per_sm)
        per_sm = gpu->shared_per_sm / shared;
    if (per_sm > gpu->blocks_per_sm)
        per_sm = gpu->blocks_per_sm;
    uint32_t all = (per_sm ? per_sm : 1) * gpu->sms, workers = worker->run->worker_count;
    return (all + workers - 1) / workers;
}

static Cta *take_cta(Worker *worker) {
    Cta *cta = worker->spare;
    if (!cta)
        return cta_new(worker);
    worker->spare = cta->next;
    return cta;
}

/* What is written down of the accesses of the k-th blocks. */
static Counting counting_of(const Run *run, uint64_t k) {
    if (!run->launch->counting)
        return COUNT_NOTHING;
    if (run->evidence_step && k % run->evidence_step == 0)
        return COUNT_AND_RECORD;
    return run->sampling && !sampling_takes(run->sampling, k) ? COUNT_NOTHING : COUNT_ACCESSES;
}

/* The blocks of a cluster begin together; mostly that is one. */
static bool begin(Worker *worker, uint32_t *resident) {
    Run *run = worker->run;
    uint64_t k = run->next++;
    if (k >= run->count)
        return false;
    if (run->schedule)
        k = schedule_unit(run->schedule);
    if (run->launch->shard.parts)
        k = shard_unit(run, k);
    Cluster *cluster = cluster_new(worker, run->cluster_size);
    for (uint32_t rank = run->cluster_size; rank-- > 0;) {
        Cta *cta = take_cta(worker);
        cta->counting = counting_of(run, k);
        cta_begin(cta, cluster, run->chosen ? run->chosen[k] : k * run->step, rank);
        cta->record = cta->counting == COUNT_AND_RECORD ? (uint32_t)(k / run->evidence_step) : 0;
        observe_begin(cta);
        caches_begin(cta);
        timed_begin(cta);
        cta->next = worker->resident;
        if (run->sampling)
            sample_begin(worker, cta, !worker->resident);
        worker->resident = cta;
        ++*resident;
    }
    return true;
}

static void end(Worker *worker, Cta *cta, uint32_t *resident) {
    observe_end(cta);
    caches_end(cta);
    timed_end(cta);
    watch_end(cta);
    if (worker->run->sampling)
        sample_end(worker, cta);
    worker->resident = cta->next;
    cta->next = worker->spare;
    worker->spare = cta;
    cluster_leave(worker, cta);
    --*resident;
    worker->ended++;
    tier_block_ended(worker);
}

/* The first resident block goes behind the others. */
static void rotate(Worker *worker) {
    Cta *first = worker->resident;
    if (!first->next)
        return;
    worker->resident = first->next;
    Cta *last = worker->resident;
    while (last->next)
        last = last->next;
    last->next = first;
    first->next = NULL;
}

void worker_ready(Worker *worker, Run *run, uint32_t number) {
    const Program *program = run->program;
    if (!worker->arena) {
        worker->arena = arena_new();
        worker->account = account_make(worker->arena, program->site_count);
        worker->block_counts =
            arena_alloc_aligned(worker->arena, (program->block_count + 1) * sizeof(BlockCount), 64);
        worker->hits = NEW_ARRAY(worker->arena, LastHit, program->site_count + 1);
    }
    account_clear(&worker->account, program->site_count);
    memset(worker->block_counts, 0, (program->block_count + 1) * sizeof(BlockCount));
    memset(worker->hits, 0, (program->site_count + 1) * sizeof(LastHit));
    worker->run = run;
    worker->launch = run->launch;
    worker->program = run->program;
    worker->number = number;
    worker->counting = run->launch->counting;
    worker->tier = run->tier;
    worker->observes = number == 0 && run->tier && tier_observes(run->tier);
    worker->interpreted = worker->by_plan = 0;
    memset(worker->stops, 0, sizeof worker->stops);
    worker->follower = NULL;
    worker->looks = run->launch->sanitizer || run->schedule || run->timed;
    worker->last = NULL;
    worker->fault.kind = FAULT_NONE;
    worker->beyond = 0;
    worker->beyond_at = NULL;
    worker->activity = (Activity){0};
    worker->deeds_seen = worker->idle = worker->excused = 0;
    worker->progress_seen = worker->waited = 0;
    worker->runs = true;
    worker->counts_then = NULL;
    while (worker->resident) { /* of a launch that was stopped */
        Cta *cta = worker->resident;
        worker->resident = cta->next;
        cta->next = worker->spare;
        worker->spare = cta;
    }
    if (run->evidence_step && !worker->evidence_arena)
        worker->evidence_arena = arena_new();
    if (run->evidence_step) {
        arena_clear(worker->evidence_arena);
        AddressMap map = address_map(worker->evidence_arena, worker);
        account_keep_evidence(&worker->account, worker->evidence_arena, &map, run->evidence_all,
                              run->evidence_step > 1);
    }
}

static void show_progress(const Worker *worker, double now) {
    const Run *run = worker->run;
    /* Thread instructions of this worker stand for those of all. */
    uint64_t insts = 0;
    for (uint32_t b = 0; b < run->program->block_count; b++)
        insts += worker->block_counts[b].lanes * run->program->blocks[b].count;
    Progress progress = {run->count * run->cluster_size, run_done(run), insts * run->worker_count,
                         now - run->started};
    run->launch->progress(run->launch->progress_context, &progress);
}

/* The others begin only when a launch lasts, or will, as far as the one before it tells: most launches of
 * most programs are over before a thread would have started. */
static void start_others(Run *run, double seconds) {
    enum { PATIENCE_US = 200 };
    if (!run->others && run->worker_count > 1 && run->next < run->count &&
        seconds > PATIENCE_US * 1e-6)
        run->others = workers_start(1, run->worker_count - 1, worker_run, run);
}

/* What the first worker does between blocks. */
enum { BETWEEN_LOOKS = 4096 }; /* at the time, in warp instructions: 40 us and more, interpreted */

static void look_up(Worker *worker, double *next_report) {
    Run *run = worker->run;
    const Launch *launch = run->launch;
    if (launch->interrupted && *launch->interrupted)
        run->stop = 1;
    if (worker->number != 0 || worker->clock - worker->told_at < BETWEEN_LOOKS)
        return;
    worker->told_at = worker->clock;
    double now = clock_wall();
    start_others(run, now - run->started);
    if (launch->progress && now >= *next_report) {
        *next_report = now + 0.1;
        show_progress(worker, now);
    }
}

/* Blocks before one in an endless loop go on, as they may be in it, too: the first is told, whatever the
 * workers. Blocks of clusters wait for each other, and all stop. */
static void take_fault(Worker *worker, const Cta *cta) {
    Run *run = worker->run;
    uint64_t first = run->endless;
    if (worker->fault.kind != FAULT_TIME_LIMIT || run->cluster_size > 1)
        run->stop = 1;
    while (cta->linear < first && !atomic_compare_exchange_weak(&run->endless, &first, cta->linear))
        ;
}

/* Drops resident blocks from the first endless one on. false: there was none. */
static bool drop_endless(Worker *worker) {
    Run *run = worker->run;
    if (run->endless == UINT64_MAX)
        return false;
    for (Cta **at = &worker->resident; *at;) {
        Cta *cta = *at;
        if (cta->linear < run->endless) {
            at = &cta->next;
            continue;
        }
        *at = cta->next;
        cta->next = worker->spare;
        worker->spare = cta;
    }
    return true;
}

/* The first resident block has its turn. */
static CtaEnd take_turn(Worker *worker, uint32_t *resident) {
    if (worker->run->schedule)
        schedule_choose(worker, *resident);
    Cta *cta = worker->resident;
    CtaEnd result = cta_run(cta);
    if (result == CTA_FAULT)
        take_fault(worker, cta);
    else if (result == CTA_DONE && (cta->over || cta->cluster->left == 1))
        end(worker, cta, resident);
    else if (result == CTA_DONE)
        cta->over = true; /* as on a GPU, where the others run beside it */
    else if (result == CTA_YIELDED)
        cta->spinning = true;
    if (worker->resident == cta)
        rotate(worker);
    return result;
}

bool worker_run_unit(Worker *worker, uint64_t k) {
    Run *run = worker->run;
    uint32_t resident = 0;
    run->next = k;
    begin(worker, &resident);
    while (worker->resident && !run->stop) {
        if (take_turn(worker, &resident) == CTA_FAULT)
            return false;
        if (run->launch->interrupted && *run->launch->interrupted)
            run->stop = 1;
    }
    return !worker->resident;
}

/* Whether one more block is to begin, if there is one. */
static bool wants_more(const Worker *worker, uint32_t resident, uint32_t limit) {
    if (!worker->resident)
        return true;
    return worker->run->schedule ? schedule_begins(worker, resident, limit)
                                 : worker->resident->spinning && resident < limit;
}

static void run_blocks(Run *run, uint32_t number) {
    Worker *worker = &run->workers[number];
    if (number == 0)
        start_others(run, run->expected);
    worker_ready(worker, run, number);
    uint32_t resident = 0, limit = resident_limit(worker);
    double next_report = run->started + 0.5;
    bool more = true;
    while (!run->stop) {
        more = !drop_endless(worker) && more;
        if (!worker->resident || (more && wants_more(worker, resident, limit))) {
            more = more && begin(worker, &resident);
            if (!worker->resident)
                break;
        }
        take_turn(worker, &resident);
        look_up(worker, &next_report);
    }
    compiled_count_up(worker);
    atomic_thread_fence(memory_order_seq_cst); /* what was stored past the caches is there */
}

void worker_run(void *context, uint32_t number) {
    Run *run = context;
    Rescue rescue;
    if (RESCUE(&rescue)) {
        run_blocks(run, number);
    } else { /* the others end, too, before anybody is told */
        run->exhausted = true;
        run->stop = 1;
    }
    run->workers[number].runs = false;
    rescue_end(&rescue);
}

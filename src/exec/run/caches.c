/* Workers execute blocks in whatever order; the model gets them by number. Who brings the next one in turn models
 * what it can, while others wait at the lock: so no more is kept than blocks that are resident on the GPU, and some. */
#include "exec/run/caches.h"
#include "base/rescue.h"

#include <stdatomic.h>
#include <stdlib.h>

struct Caches {
    Arena *arena;
    pthread_mutex_t lock;
    CacheShape shape;
    CacheModel *model;   /* NULL: there is none any more */
    CacheTrace **traces; /* [blocks]: that came before their turn */
    uint8_t *ops;        /* [sites]: CacheOp */
    uint64_t blocks, next;
    _Atomic uint32_t bits;       /* model_bits: what blocks that begin now need to keep */
    _Atomic size_t room;         /* that the last block's trace took */
    _Atomic(CacheTrace *) spare; /* for who begins next; NULL: none */
    uint32_t site_count;
    const char *because; /* why there is no result; NULL: there is */
};

static void find_ops(Caches *caches, const Program *program) {
    caches->ops = NEW_ARRAY(caches->arena, uint8_t, program->site_count + 1);
    for (uint32_t i = 0; i < program->code_count; i++) {
        const Insn *insn = program->code[i].insn;
        uint32_t site = program->code[i].site;
        if (insn->site == NO_SITE || site >= program->site_count)
            continue;
        Arena *scratch = arena_new();
        Str text = insn->machine ? insn->text : str_of(insn_text(scratch, insn));
        caches->ops[site] = (uint8_t)cache_op(text, program->lowered[site].kind);
        arena_free(scratch);
    }
}

BlockNeeds block_needs(const Run *run) {
    const Launch *launch = run->launch;
    const Function *kernel = run->kernel;
    return (BlockNeeds){
        .threads = launch->block[0] * launch->block[1] * launch->block[2],
        .registers = kernel->registers ? kernel->registers : kernel_registers(kernel),
        .shared = (uint64_t)kernel->shared_bytes + launch->dynamic_shared,
    };
}

double launch_clock_mhz(const Run *run) {
    return run->launch->clock_mhz ? run->launch->clock_mhz : run->gpu->clock_mhz;
}

const char *order_refusal(const Run *run) {
    const Launch *launch = run->launch;
    if (launch->choice != BLOCKS_ALL)
        return "only some blocks run (--blocks)";
    if (launch->counts_only)
        return "only some blocks run (--counts-only)";
    if (launch->schedule)
        return "the order of blocks is drawn (--schedule)";
    return NULL;
}

static const char *refusal(const Run *run) {
    const char *because = order_refusal(run);
    if (!because && run->launch->relayout_count)
        because = "arrays lie elsewhere than the program put them";
    return because;
}

Caches *caches_new(const Run *run) {
    const Launch *launch = run->launch;
    if (!launch_models_caches(launch) || !launch->counting)
        return NULL;
    Arena *arena = arena_new();
    Caches *caches = NEW(arena, Caches);
    caches->arena = arena;
    pthread_mutex_init(&caches->lock, NULL);
    caches->because = refusal(run);
    if (caches->because)
        return caches;
    const BlockNeeds needs = block_needs(run);
    caches->blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    caches->site_count = run->program->site_count;
    caches->shape =
        cache_shape(run->gpu, launch_clock_mhz(run), needs.threads, needs.shared, needs.registers);
    caches->shape.every_line = launch->time; /* whose model was fitted to that of all lines */
    caches->model = model_new(&caches->shape, caches->blocks, caches->site_count);
    caches->traces = NEW_ARRAY(arena, CacheTrace *, caches->blocks);
    find_ops(caches, run->program);
    return caches;
}

void caches_free(Caches *caches) {
    if (!caches)
        return;
    for (uint64_t b = 0; b < caches->blocks; b++)
        trace_free(caches->traces[b]);
    trace_free(caches->spare);
    model_free(caches->model);
    pthread_mutex_destroy(&caches->lock);
    arena_free(caches->arena);
}

void caches_begin(Cta *cta) {
    Caches *caches = cta->worker->run->caches;
    trace_free(cta->trace); /* of a launch that was stopped */
    cta->trace = NULL;
    if (!caches || !caches->model)
        return;
    cta->trace = atomic_exchange(&caches->spare, NULL);
    if (cta->trace)
        trace_clear(cta->trace, caches->bits);
    else
        cta->trace = trace_new(caches->bits, caches->room);
}

void caches_end(Cta *cta) {
    Caches *caches = cta->worker->run->caches;
    CacheTrace *trace = cta->trace;
    cta->trace = NULL;
    if (!trace)
        return;
    trace_end(trace);
    caches->room = trace->count;
    lock_take(&caches->lock);
    caches->traces[cta->linear] = trace;
    while (caches->next < caches->blocks && caches->traces[caches->next]) {
        CacheTrace *first = caches->traces[caches->next];
        caches->traces[caches->next++] = NULL;
        model_block(caches->model, first);
    }
    caches->bits = model_bits(caches->model);
    if (!caches->spare)
        caches->spare = model_spare(caches->model);
    lock_give(&caches->lock);
}

void caches_access(Warp *warp, const Code *code, const Access *access) {
    const Caches *caches = warp->worker->run->caches;
    trace_access(warp->cta->trace, warp->number, code->site, (CacheOp)caches->ops[code->site],
                 access);
}

CachePattern *caches_pattern(const Worker *worker, Arena *arena, const Code *code,
                             const Access *access, uint64_t line) {
    const CacheOp op = (CacheOp)worker->run->caches->ops[code->site];
    return pattern_new(arena, (uint32_t)(code - worker->program->code), code->site, op, access,
                       line);
}

void caches_wait(const Warp *warp) {
    trace_wait(warp->cta->trace, warp->number);
}

void caches_conclude(Caches *caches) {
    if (!caches || caches->because)
        return;
    if (caches->next < caches->blocks)
        caches->because = "not all blocks ran to their ends";
    else
        model_end(caches->model);
}

const CacheWaits *caches_waits(const Caches *caches) {
    return caches && !caches->because ? model_waits(caches->model) : NULL;
}

static bool asks(const CacheCounts *counts) {
    return counts->l1_loads || counts->l1_others || counts->l2_sectors;
}

void caches_record(const Caches *caches, Arena *arena, LaunchRecord *record, uint32_t first_site) {
    if (!caches)
        return;
    record->caches_because = caches->because;
    if (caches->because)
        return;
    const CacheCounts *counts = model_counts(caches->model);
    CacheTraffic traffic = model_traffic(caches->model);
    record->l1_bytes = (uint32_t)caches->shape.l1_bytes;
    record->dram_read = traffic.read;
    record->dram_written = traffic.written;
    for (uint32_t s = 0; s < caches->site_count; s++)
        if (asks(&counts[s]))
            *vec_add(arena, &record->cache_counts) =
                (CacheCount){.site = first_site + s,
                             .l1_loads = counts[s].l1_loads,
                             .l1_load_hits = counts[s].l1_load_hits,
                             .l1_others = counts[s].l1_others,
                             .l1_other_hits = counts[s].l1_other_hits,
                             .l2_sectors = counts[s].l2_sectors,
                             .l2_hits = counts[s].l2_hits,
                             .dram_reads = counts[s].dram_reads};
}

/* `--sample`: all blocks of a launch run, and only some are counted, if that gives every counter
 * within 1 %; docs/decisions/0015-sample-by-kinds-of-blocks.md has the reasons, 0020-load-and-sample-programs.md those of programs.
 *
 * A kernel whose addresses or branches depend on what it loads is counted in every block. Of another
 * one, blocks are of one kind if they executed each basic block equally often, in as many warps and
 * lanes; that is known of all of them. Counted are the blocks at the edges of the grid and one of each
 * stratum of the others. At least four of each kind must have been counted (or all of it), and no
 * counter of a site may differ by more than 1 % between them. Where that is not so, memory is restored
 * and the launch repeated, with every block counted. */
#include "exec/run/sample.h"
#include "exec/calls/calls.h"
#include "exec/lanes/lanes.h"
#include "exec/run/prepared.h"
#include "exec/tier/tier.h"

#include <string.h>

enum {
    KINDS_MOST = 256,
    OF_KIND_LEAST = 4,
    SPREAD_PARTS = 100 /* counters differ by at most one part of so many */
};
#define SAVED_MOST (UINT64_C(1) << 30) /* bytes of memory that are kept to be restored */

/* Blocks that executed each basic block equally often. */
typedef struct Kind {
    uint64_t hash, blocks, counted;
    Counters *sum, *low, *high; /* [sites]: of those that were counted */
} Kind;

struct Sampler {
    Arena *arena;
    const Cta *now;
    bool mixed;         /* blocks ran beside each other: what is whose is not known */
    bool many;          /* more kinds of blocks than are told apart */
    BlockCount *blocks; /* [basic blocks]: before the block */
    Counters *counters; /* [sites]: the same, of a block that is counted */
    VEC(Kind) kinds;
};

struct Sampling {
    const Run *run;
    Arena *arena;
    uint64_t stratum; /* blocks of each */
    Sampler *samplers;
    uint32_t count;  /* of them */
    uint8_t **saved; /* [memory blocks]; NULL: not kept */
};

/* ---- does the kernel's behaviour depend on data? ---- */

typedef struct Taint {
    bool *data; /* [registers]: comes from memory */
    bool any, changed, from_memory;
} Taint;

static void look(void *context, uint32_t reg, bool defined) {
    Taint *taint = context;
    taint->any |= !defined && taint->data[reg];
}

static void spread(void *context, uint32_t reg, bool defined) {
    Taint *taint = context;
    if (!defined || taint->data[reg])
        return;
    taint->data[reg] = true;
    taint->changed = true;
}

/* What it writes follows from its operands: no load, no atomic, no clock. */
static bool is_pure(const Code *code) {
    Code probe = *code;
    Execute full, some;
    CodeKind kind = memory_kind(code);
    return kind == KIND_PARAM || kind == KIND_ADDRESS ||
           (ops_lookup(code->insn->op, &probe, &full, &some) && full == code->full);
}

static bool address_from(const Taint *taint, const Insn *insn) {
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        const Operand *operand = &insn->operands[i];
        if (operand->kind == OPERAND_ADDRESS && operand->reg != NO_REG && taint->data[operand->reg])
            return true;
    }
    return false;
}

static bool decides(const Taint *taint, const Code *code) {
    const Insn *insn = code->insn;
    bool matters = code->control != CONTROL_NONE || insn->site != NO_SITE;
    if (!matters)
        return false;
    return (insn->guard != NO_REG && taint->data[insn->guard]) || address_from(taint, insn) ||
           code->control == CONTROL_SWITCH;
}

static bool depends_on_data(Arena *arena, const Program *program) {
    const Function *kernel = program->routines[0].function;
    Taint taint = {.data = NEW_ARRAY(arena, bool, kernel->regs.count + 1), .changed = true};
    while (taint.changed) {
        taint.changed = false;
        for (uint32_t i = 0; i < kernel->insns.count; i++) {
            const Code *code = &program->code[i];
            taint.any = !is_pure(code);
            insn_registers(code->insn, look, &taint);
            if (taint.any)
                insn_registers(code->insn, spread, &taint);
        }
    }
    for (uint32_t i = 0; i < kernel->insns.count; i++) {
        if (decides(&taint, &program->code[i]))
            return true;
    }
    return false;
}

static bool has(const Program *program, Trait trait) {
    for (uint32_t i = 0; i < program->code_count; i++)
        if (op_has(program->code[i].insn->op, trait))
            return true;
    return false;
}

/* Why no launch of the kernel can be sampled, by its code alone; NULL: nothing speaks against it. */
static const char *find_objection(Arena *arena, const Program *program) {
    return has(program, TRAIT_CALLS)         ? "the kernel calls functions"
           : has(program, TRAIT_WRITES)      ? "the kernel writes to surfaces"
           : depends_on_data(arena, program) ? "addresses or branches depend on data"
                                             : NULL;
}

/* ---- memory, as it was ---- */

static void mark(bool *marked, const Memory *memory, uint64_t address) {
    const MemoryBlock *nearest, *block = memory_find(memory, address, &nearest);
    if (block && !block->read_only)
        marked[memory_index(memory, block)] = true;
}

static void mark_operand(bool *marked, const Run *run, const Operand *operand) {
    const Variable *variable = operand->variable;
    if (variable && variable->space == SPACE_GLOBAL)
        mark(marked, run->launch->memory, loaded_address(run->program->loaded, variable));
}

/* Allocations that the kernel can reach: addresses do not depend on what it loads, so they come from its
 * parameters, at whatever offset, and from variables that it names. */
static bool *find_reached(Arena *arena, const Run *run) {
    const Memory *memory = run->launch->memory;
    const uint8_t *params = run->launch->params;
    bool *marked = NEW_ARRAY(arena, bool, memory_count(memory) + 1);
    for (uint32_t at = 0; at + sizeof(uint64_t) <= run->kernel->param_bytes; at++) {
        uint64_t address;
        memcpy(&address, params + at, sizeof address);
        mark(marked, memory, address);
    }
    for (uint32_t i = 0; i < run->kernel->insns.count; i++) {
        const Insn *insn = &run->kernel->insns.at[i];
        for (uint32_t o = 0; o < insn->operand_count; o++) {
            mark_operand(marked, run, &insn->operands[o]);
            for (uint32_t e = 0; e < insn->operands[o].count; e++)
                mark_operand(marked, run, &insn->operands[o].elements[e]);
        }
    }
    return marked;
}

static bool save(Sampling *sampling) {
    const Memory *memory = sampling->run->launch->memory;
    uint64_t bytes = 0;
    uint32_t count = memory_count(memory);
    const bool *reached = find_reached(sampling->arena, sampling->run);
    for (uint32_t i = 0; i < count; i++)
        bytes += reached[i] ? memory_at(memory, i)->bytes : 0;
    if (bytes > SAVED_MOST)
        return false;
    sampling->saved = NEW_ARRAY(sampling->arena, uint8_t *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const MemoryBlock *block = memory_at(memory, i);
        if (!reached[i] || !block->bytes)
            continue;
        sampling->saved[i] = arena_alloc_aligned(sampling->arena, block->bytes, 64);
        memcpy(sampling->saved[i], memory_host(memory, block->address), block->bytes);
    }
    return true;
}

static void restore(const Sampling *sampling, const Memory *memory) {
    for (uint32_t i = 0; i < memory_count(memory); i++) {
        const MemoryBlock *block = memory_at(memory, i);
        if (sampling->saved[i])
            memcpy(memory_host(memory, block->address), sampling->saved[i], block->bytes);
    }
}

/* ---- which blocks ---- */

/* Because of what kind of launch it is. */
static bool is_exempt(const Run *run) {
    const Launch *launch = run->launch;
    return !launch->counting || launch->choice != BLOCKS_ALL || run->relaid || run->stored ||
           launch->cooperative || run->cluster_size > 1 || launch->observer || launch->sanitizer;
}

Sampling *sampling_new(Arena *arena, const Run *run, SampleVerdict *sampled, const char **why) {
    uint32_t strata = run->launch->sample;
    *why = NULL;
    if (is_exempt(run))
        *why = "the launch is one of those that are not sampled";
    else if (run->count / 4 < strata)
        *why = "they are few";
    if (*why)
        return NULL;
    if (!sampled->known)
        sampled->because = find_objection(arena, run->program);
    sampled->known = true;
    *why = sampled->because;
    if (*why)
        return NULL;
    Sampling *sampling = NEW(arena, Sampling);
    sampling->run = run;
    sampling->arena = arena;
    sampling->stratum = run->count / strata;
    if (!save(sampling)) {
        *why = "there is too much memory to keep a copy";
        return NULL;
    }
    sampling->count = run->worker_count;
    sampling->samplers = NEW_ARRAY(arena, Sampler, run->worker_count);
    for (uint32_t w = 0; w < run->worker_count; w++) {
        Sampler *sampler = &sampling->samplers[w];
        sampler->arena = arena_new();
        sampler->blocks = NEW_ARRAY(sampler->arena, BlockCount, run->program->block_count + 1);
        sampler->counters = NEW_ARRAY(sampler->arena, Counters, run->program->site_count + 1);
    }
    return sampling;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* The blocks at the edges, and one of each stratum, at a place that a hash chooses: blocks of a period
 * that fits the strata are not left out. */
bool sampling_takes(const Sampling *sampling, uint64_t k) {
    const uint32_t *grid = sampling->run->launch->grid;
    for (uint64_t i = 0, rest = k; i < 3; rest /= grid[i++]) {
        uint64_t at = rest % grid[i];
        if (grid[i] > 1 && (at == 0 || at == grid[i] - 1))
            return true;
    }
    return k % sampling->stratum == mix(1, k / sampling->stratum) % sampling->stratum;
}

/* ---- a worker's blocks ---- */

void sample_begin(Worker *worker, const Cta *cta, bool alone) {
    Sampler *sampler = &worker->run->sampling->samplers[worker->number];
    const Program *program = worker->program;
    sampler->mixed |= !alone;
    sampler->now = cta;
    compiled_count_up(worker); /* what compiled code has not written down yet is of blocks before */
    worker->counting = cta->counting != COUNT_NOTHING;
    memcpy(sampler->blocks, worker->block_counts, program->block_count * sizeof(BlockCount));
    if (worker->counting)
        for (uint32_t s = 0; s < program->site_count; s++)
            sampler->counters[s] = worker->account.sites[s].sum;
}

static Kind *kind_find(Sampler *sampler, uint64_t hash, uint32_t sites) {
    for (uint32_t i = 0; i < sampler->kinds.count; i++)
        if (sampler->kinds.at[i].hash == hash)
            return &sampler->kinds.at[i];
    if (sampler->kinds.count == KINDS_MOST)
        return NULL;
    Kind *kind = vec_add(sampler->arena, &sampler->kinds);
    *kind = (Kind){.hash = hash,
                   .sum = NEW_ARRAY(sampler->arena, Counters, sites + 1),
                   .low = NEW_ARRAY(sampler->arena, Counters, sites + 1),
                   .high = NEW_ARRAY(sampler->arena, Counters, sites + 1)};
    return kind;
}

/* One more block's counters, or those of many. */
static void widen(Kind *kind, uint32_t site, const Counters *low, const Counters *high) {
    uint64_t *least = kind->low[site].at, *most = kind->high[site].at;
    for (uint32_t i = 0; i < COUNTER_COUNT; i++) {
        if (!kind->counted || low->at[i] < least[i])
            least[i] = low->at[i];
        if (!kind->counted || high->at[i] > most[i])
            most[i] = high->at[i];
    }
}

static Counters difference(const Counters *after, const Counters *before) {
    Counters counters;
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        counters.at[i] = after->at[i] - before->at[i];
    return counters;
}

void sample_end(Worker *worker, const Cta *cta) {
    Sampler *sampler = &worker->run->sampling->samplers[worker->number];
    const Program *program = worker->program;
    sampler->mixed |= sampler->now != cta;
    compiled_count_up(worker);
    uint64_t hash = 1;
    for (uint32_t b = 0; b < program->block_count; b++) {
        hash = mix(hash, worker->block_counts[b].warps - sampler->blocks[b].warps);
        hash = mix(hash, worker->block_counts[b].lanes - sampler->blocks[b].lanes);
    }
    Kind *kind = kind_find(sampler, hash, program->site_count);
    sampler->many |= !kind;
    if (!kind)
        return;
    kind->blocks++;
    if (cta->counting == COUNT_NOTHING)
        return;
    for (uint32_t s = 0; s < program->site_count; s++) {
        Counters own = difference(&worker->account.sites[s].sum, &sampler->counters[s]);
        counters_add(&kind->sum[s], &own);
        widen(kind, s, &own, &own);
    }
    kind->counted++;
}

/* ---- the conclusion ---- */

static bool join(Sampler *all, const Sampler *part, uint32_t sites) {
    for (uint32_t i = 0; i < part->kinds.count; i++) {
        const Kind *from = &part->kinds.at[i];
        Kind *to = kind_find(all, from->hash, sites);
        if (!to)
            return false;
        to->blocks += from->blocks;
        for (uint32_t s = 0; from->counted && s < sites; s++) {
            counters_add(&to->sum[s], &from->sum[s]);
            widen(to, s, &from->low[s], &from->high[s]);
        }
        to->counted += from->counted;
    }
    return true;
}

static bool counters_alike(const Counters *low, const Counters *high) {
    bool alike = true;
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        alike &= high->at[i] - low->at[i] <= low->at[i] / SPREAD_PARTS;
    return alike;
}

static bool kind_known(const Kind *kind, uint32_t sites) {
    if (kind->counted == kind->blocks)
        return true;
    bool alike = kind->counted >= OF_KIND_LEAST;
    for (uint32_t s = 0; alike && s < sites; s++)
        alike = counters_alike(&kind->low[s], &kind->high[s]);
    return alike;
}

/* What all blocks of the kind have counted, rounded. */
static Counters scaled(const Counters *sum, const Kind *kind) {
    Counters all;
    long double factor = (long double)kind->blocks / (long double)kind->counted;
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        all.at[i] = (uint64_t)((long double)sum->at[i] * factor + 0.5L);
    return all;
}

static const char *find_reason(Sampling *sampling, Sampler *all, const LaunchResult *result) {
    const Run *run = sampling->run;
    uint32_t sites = run->program->site_count;
    if (result->status == LAUNCH_FAULT)
        return "the kernel faults";
    for (uint32_t w = 0; w < run->worker_count; w++)
        if (sampling->samplers[w].mixed)
            return "blocks wait for each other";
    for (uint32_t w = 0; w < run->worker_count; w++)
        if (sampling->samplers[w].many || !join(all, &sampling->samplers[w], sites))
            return "blocks are of many kinds";
    for (uint32_t i = 0; i < all->kinds.count; i++)
        if (!kind_known(&all->kinds.at[i], sites))
            return "blocks that were analysed differ, or are too few of a kind";
    return NULL;
}

bool sampling_conclude(Sampling *sampling, const Run *run, LaunchResult *result) {
    uint32_t sites = run->program->site_count;
    Sampler all = {.arena = arena_new()};
    const char *why = find_reason(sampling, &all, result);
    for (uint32_t w = 0; !why && w < run->worker_count; w++)
        if (run->workers[w].run == run)
            memset(run->workers[w].account.sites, 0, sites * sizeof(SiteCounters));
    for (uint32_t i = 0; !why && i < all.kinds.count; i++) {
        const Kind *kind = &all.kinds.at[i];
        for (uint32_t s = 0; s < sites; s++) {
            Counters counters = scaled(&kind->sum[s], kind);
            counters_add(&run->workers[0].account.sites[s].sum, &counters);
        }
        result->analysed += kind->counted;
    }
    result->kinds = all.kinds.count;
    result->all_because = why;
    if (why)
        restore(sampling, run->launch->memory);
    arena_free(all.arena);
    for (uint32_t w = 0; w < sampling->count; w++)
        arena_free(sampling->samplers[w].arena);
    return !why;
}

/* Which blocks are written down, and what of them. */
#include "exec/run/timed.h"
#include "exec/run/caches.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS_TRACED = 2, /* of resident blocks on one SM */
    BLOCKS_LEAST = 32,
    POLL_EVENTS = 32,           /* of a loop that polls */
    EVENTS_OF_LAUNCH = 2000000, /* that are kept */
    WINDOWS = 8,                /* of a warp, at most */
    SIZES_MOST = 1 << 22        /* blocks of a grid whose sizes are kept */
};

struct Timed {
    Arena *arena;
    pthread_mutex_t lock;
    TimedCode code;
    /* [program->code_count]: number in code.insns; NO_INDEX: it is none of its own */
    uint32_t *insn_of;
    uint64_t *chosen;    /* [count]: linear numbers, ascending */
    TimedBlock **blocks; /* [count]: those that ran */
    uint32_t *sizes; /* [grid]: each block's warp instructions; NULL: of a grid that is too large */
    uint32_t count, warps, blocks_per_sm;
    uint64_t grid;
    uint32_t events_of_window;
    double clock_mhz;
    const char *because; /* why there is no estimate; NULL: there is */
};

/* ---- the kernel's instructions ---- */

typedef struct Registers {
    Arena *arena;
    uint32_t *group; /* [registers]: instruction that names it, plus 1; SEVERAL */
    uint32_t base, number;
    TimedInsn *insn;
    VEC(uint32_t) reads, writes;
} Registers;

static const uint32_t SEVERAL = UINT32_MAX;

static void see_group(void *context, uint32_t reg, bool defined) {
    (void)defined;
    Registers *registers = context;
    uint32_t *group = &registers->group[registers->base + reg];
    *group = *group == 0 || *group == registers->number ? registers->number : SEVERAL;
}

static bool listed(const uint32_t *list, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == number)
            return true;
    return false;
}

/* Registers that this instruction alone names are its own affair. */
static void see_register(void *context, uint32_t reg, bool defined) {
    Registers *registers = context;
    uint32_t number = registers->base + reg;
    if (registers->group[number] != SEVERAL)
        return;
    if (defined) {
        if (!listed(registers->writes.at, registers->writes.count, number))
            *vec_add(registers->arena, &registers->writes) = number;
    } else if (!listed(registers->writes.at, registers->writes.count, number) &&
               !listed(registers->reads.at, registers->reads.count, number)) {
        *vec_add(registers->arena, &registers->reads) = number;
    }
}

typedef VEC(uint32_t) Numbers;

static void end_insn(Registers *registers, Numbers *all) {
    TimedInsn *insn = registers->insn;
    if (!insn)
        return;
    insn->first_register = all->count;
    insn->reads = registers->reads.count;
    insn->writes = registers->writes.count;
    for (uint32_t i = 0; i < insn->reads; i++)
        *vec_add(registers->arena, all) = registers->reads.at[i];
    for (uint32_t i = 0; i < insn->writes; i++)
        *vec_add(registers->arena, all) = registers->writes.at[i];
    registers->reads.count = registers->writes.count = 0;
}

/* What machine code was given beside its instructions (banks of constants that are filled) takes no time. */
static bool begins(const Program *program, const Insn *insn) {
    return !program->function->machine || insn->machine_begins;
}

static void number_insns(Timed *timed, const Program *program, Registers *registers) {
    uint32_t count = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        TimedInsn *insns = (TimedInsn *)timed->code.insns;
        Numbers all = {0};
        uint32_t at = 0, routine = 0;
        Str before = {"", 0};
        registers->base = 0;
        registers->insn = NULL;
        for (uint32_t i = 0; i < program->code_count; i++) {
            const Insn *insn = program->code[i].insn;
            if (routine + 1 < program->routine_count &&
                program->routines[routine + 1].first_code == i)
                registers->base += program->routines[routine++].function->regs.count;
            if (begins(program, insn)) {
                if (pass == 1) {
                    end_insn(registers, &all);
                    Str text = insn->machine ? insn->text : str_of(insn_text(timed->arena, insn));
                    insns[at] = timed_insn(text, before, insn->machine != 0);
                    before = text;
                    registers->insn = &insns[at];
                }
                timed->insn_of[i] = at++;
            } else {
                timed->insn_of[i] = NO_INDEX;
            }
            registers->number = at;
            if (pass == 1 && insn->site != NO_SITE && registers->insn)
                registers->insn->site = program->code[i].site;
            insn_registers(insn, pass ? see_register : see_group, registers);
        }
        if (pass == 1)
            end_insn(registers, &all);
        count = at;
        if (pass == 0)
            timed->code.insns = NEW_ARRAY(timed->arena, TimedInsn, count + 1);
        timed->code.registers = all.at;
    }
    timed->code.count = count;
}

/* Registers of functions lie one behind the other. */
static uint32_t register_count(const Program *program) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->routine_count; i++)
        count += program->routines[i].function->regs.count;
    return count;
}

static void read_code(Timed *timed, const Program *program) {
    Registers registers = {.arena = timed->arena};
    timed->code.register_count = register_count(program);
    timed->code.site_count = program->site_count;
    timed->code.machine = program->function->machine;
    registers.group = NEW_ARRAY(timed->arena, uint32_t, timed->code.register_count + 1);
    timed->insn_of = NEW_ARRAY(timed->arena, uint32_t, program->code_count + 1);
    number_insns(timed, program, &registers);
}

/* ---- the sampled blocks ---- */

/* One of each stretch of the grid, at a place that is drawn, so that edges of the grid have no more than their share. Of a grid that runs
 * all at once the longest block decides: often the first, where a grid is larger than its work. */
static void choose_blocks(Timed *timed, uint32_t sms) {
    uint64_t wanted = (uint64_t)ROUNDS_TRACED * timed->blocks_per_sm;
    wanted = wanted < BLOCKS_LEAST ? BLOCKS_LEAST : wanted;
    wanted = wanted < timed->grid ? wanted : timed->grid;
    timed->count = (uint32_t)wanted;
    timed->chosen = NEW_ARRAY(timed->arena, uint64_t, wanted + 1);
    timed->blocks = NEW_ARRAY(timed->arena, TimedBlock *, wanted + 1);
    uint64_t seed = timed->grid;
    for (uint64_t k = 0; k < wanted; k++) {
        uint64_t first = k * timed->grid / wanted, end = (k + 1) * timed->grid / wanted;
        timed->chosen[k] = first + random_next(&seed) % (end - first);
    }
    if (timed->grid <= (uint64_t)timed->blocks_per_sm * sms)
        timed->chosen[0] = 0;
    timed->events_of_window =
        (uint32_t)((EVENTS_OF_LAUNCH / (wanted * timed->warps) + 64) / WINDOWS);
}

Timed *timed_new(const Run *run) {
    const Launch *launch = run->launch;
    if (!launch->time || !launch->counting)
        return NULL;
    Arena *arena = arena_new();
    Timed *timed = NEW(arena, Timed);
    timed->arena = arena;
    pthread_mutex_init(&timed->lock, NULL);
    timed->because = order_refusal(run);
    if (timed->because)
        return timed;
    const BlockNeeds needs = block_needs(run);
    timed->grid = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    timed->warps = (needs.threads + WARP_LANES - 1) / WARP_LANES;
    timed->blocks_per_sm =
        gpu_blocks_per_sm(run->gpu, needs.threads, needs.shared, needs.registers);
    timed->blocks_per_sm = timed->blocks_per_sm ? timed->blocks_per_sm : 1;
    timed->clock_mhz = launch_clock_mhz(run);
    choose_blocks(timed, run->gpu->sms);
    if (timed->grid <= SIZES_MOST)
        timed->sizes = NEW_ARRAY(arena, uint32_t, timed->grid + 1);
    read_code(timed, run->program);
    return timed;
}

void timed_free(Timed *timed) {
    if (!timed)
        return;
    for (uint32_t i = 0; i < timed->count; i++)
        if (timed->blocks[i])
            arena_free(timed->blocks[i]->arena);
    pthread_mutex_destroy(&timed->lock);
    arena_free(timed->arena);
}

void timed_begin(Cta *cta) {
    const Timed *timed = cta->worker->run->timed;
    cta->timed = NULL;
    if (!timed || timed->because)
        return;
    uint64_t k = (cta->linear * timed->count + timed->count - 1) / timed->grid;
    for (uint64_t i = k ? k - 1 : 0; i <= k + 1 && i < timed->count; i++) {
        if (timed->chosen[i] != cta->linear)
            continue;
        Arena *arena = arena_new();
        cta->timed = NEW(arena, TimedBlock);
        cta->timed->arena = arena;
        cta->timed->block.warps = NEW_ARRAY(arena, TimeTrace, timed->warps + 1);
        return;
    }
}

/* Each block writes its own place. */
static void keep_size(const Timed *timed, const Cta *cta) {
    uint64_t size = 0;
    for (uint32_t w = 0; w < timed->warps; w++)
        size += cta->warps[w].executed;
    timed->sizes[cta->linear] = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

void timed_end(Cta *cta) {
    Timed *timed = cta->worker->run->timed;
    TimedBlock *block = cta->timed;
    cta->timed = NULL;
    if (timed && timed->sizes)
        keep_size(timed, cta);
    if (!block)
        return;
    for (uint32_t i = 0; i < timed->count; i++)
        if (timed->chosen[i] == cta->linear)
            timed->blocks[i] = block;
}

/* ---- instructions as they are executed ---- */

/* A warp that polls what another block is to store does so for as long as it takes here, where blocks run one after the
 * other: of such a loop one turn is kept. */
static void drop_poll(TimeTrace *trace, const TimedInsn *insn, uint32_t number) {
    if (insn->polls && trace->poll && trace->poll <= trace->events.count &&
        trace->events.count - trace->poll < POLL_EVENTS &&
        trace->events.at[trace->poll - 1].insn == number) {
        trace->executed -= trace->events.count - (trace->poll - 1);
        trace->events.count = trace->poll - 1;
    }
    if (insn->polls)
        trace->poll = trace->events.count + 1;
    else if (insn->site != NO_TIME_SITE)
        trace->poll = 0;
}

/* Every other window makes room, and from now on so many more are left out. */
static void thin_out(TimeTrace *trace, uint32_t window) {
    TimeEvent *events = trace->events.at;
    trace->windows.count = WINDOWS / 2;
    trace->events.count = WINDOWS / 2 * window;
    for (uint32_t i = 1; i < WINDOWS / 2; i++) {
        memcpy(events + (size_t)i * window, events + (size_t)2 * i * window,
               window * sizeof *events);
        trace->windows.at[i] = (TimeWindow){.at = trace->windows.at[2 * i].at, .first = i * window};
    }
    trace->apart *= 2;
}

/* The instruction of that number is the first of a window, or of those between two. */
static void next_window(Arena *arena, TimeTrace *trace, uint64_t number, uint32_t window) {
    const uint64_t turn = number / window;
    trace->until = (turn + 1) * window;
    trace->apart = trace->apart ? trace->apart : 1;
    if (turn % trace->apart == 0 && trace->windows.count == WINDOWS)
        thin_out(trace, window);
    trace->past = turn % trace->apart != 0;
    trace->poll = 0;
    if (!trace->past)
        *vec_add(arena, &trace->windows) = (TimeWindow){.at = number, .first = trace->events.count};
}

/* Whether it is one that takes time. */
static bool trace_begin(Warp *warp, const Code *code, uint32_t mask) {
    const Timed *timed = warp->worker->run->timed;
    TimedBlock *block = warp->cta->timed;
    TimeTrace *trace = &block->block.warps[warp->number];
    uint32_t insn = timed->insn_of[code - warp->worker->program->code];
    if (insn == NO_INDEX)
        return false;
    drop_poll(trace, &timed->code.insns[insn], insn);
    if (trace->executed++ >= trace->until)
        next_window(block->arena, trace, trace->executed - 1, timed->events_of_window);
    if (!trace->past)
        *vec_add(block->arena, &trace->events) =
            (TimeEvent){.insn = insn, .lanes = (uint8_t)__builtin_popcount(mask)};
    return true;
}

static uint16_t capped(uint64_t number) {
    return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

/* What the site's counters rose by is the last instruction's. */
static void trace_cost(Warp *warp, uint32_t mask, const Counters *before, const Counters *after) {
    TimeTrace *trace = &warp->cta->timed->block.warps[warp->number];
    if (!trace->events.count || trace->past)
        return;
    TimeEvent *event = &trace->events.at[trace->events.count - 1];
    event->lanes = (uint8_t)__builtin_popcount(mask); /* what prepares its address has no guard */
    uint64_t wavefronts = after->wavefronts - before->wavefronts +
                          (after->matrix_wavefronts - before->matrix_wavefronts) +
                          (after->remote_wavefronts - before->remote_wavefronts);
    uint64_t sectors =
        after->sectors - before->sectors + (after->copy_sectors - before->copy_sectors);
    event->wavefronts = capped(event->wavefronts + wavefronts);
    event->wavefronts_ideal =
        capped(event->wavefronts_ideal + (after->wavefronts_ideal - before->wavefronts_ideal));
    event->sectors = capped(event->sectors + sectors);
    event->sectors_ideal =
        capped(event->sectors_ideal + (after->sectors_ideal - before->sectors_ideal));
    event->lines = capped(event->lines + (after->tag_requests - before->tag_requests));
    event->passes = capped(event->passes + (after->constants - before->constants));
    const uint64_t bytes = after->bytes - before->bytes,
                   used = after->bytes_used - before->bytes_used;
    event->words = (uint8_t)(bytes ? (event->lanes * used + bytes - 1) / bytes : event->lanes);
}

void timed_access(Warp *warp, const Access *access) {
    TimedBlock *block = warp->cta->timed;
    if (!block || access->kind != ACCESS_LOAD ||
        (access->space != SPACE_GLOBAL && access->space != SPACE_LOCAL))
        return;
    TimeTrace *trace = &block->block.warps[warp->number];
    if (!trace->events.count || trace->past)
        return;
    TimeEvent *event = &trace->events.at[trace->events.count - 1];
    event->passes = capped(event->passes + (uint64_t)mem_load_passes(access));
}

/* Its access is made by no lane; what prepares the address has no guard. */
static void trace_idle(Warp *warp) {
    TimeTrace *trace = &warp->cta->timed->block.warps[warp->number];
    if (trace->events.count && !trace->past)
        trace->events.at[trace->events.count - 1].lanes = 0;
}

static Step step_of(Warp *warp, const Code *code, uint32_t mask) {
    if (!mask && code->site != NO_SITE)
        trace_idle(warp);
    if (!mask)
        return STEP_NEXT;
    if (code->site == NO_SITE)
        return (mask == FULL_MASK ? code->full : code->some)(warp, code, mask);
    const Counters *counters = &warp->worker->account.sites[code->site].sum;
    Counters before = *counters;
    Step step = (mask == FULL_MASK ? code->full : code->some)(warp, code, mask);
    trace_cost(warp, mask, &before, counters);
    return step;
}

Step timed_run(Warp *warp, const Code **at, const Code *end, const Code *last, uint32_t lanes) {
    const Code *code = *at;
    Step step = STEP_NEXT;
    for (; code < end && step == STEP_NEXT; code++) {
        uint32_t mask = lanes;
        if (code->guard != NO_OPERAND)
            mask &= *reg32(warp, code->guard) ^ code->guard_flip;
        bool counted = trace_begin(warp, code, mask);
        step = step_of(warp, code, mask);
        if (step == STEP_WAIT) { /* it is executed again */
            TimeTrace *trace = &warp->cta->timed->block.warps[warp->number];
            trace->executed -= counted;
            trace->events.count -= counted && !trace->past;
        }
    }
    bool through = step == STEP_NEXT || (step == STEP_YIELD && code == end);
    *at = step == STEP_NEXT ? end : code - 1;
    if (through && end < last)
        trace_begin(warp, end, lanes);
    return step;
}

/* ---- the estimate ---- */

static void add_waits(TimeRates *rates, const CacheWaits *waits, uint32_t sites) {
    for (uint32_t s = 0; s < sites && waits; s++) {
        if (!waits[s].waited)
            continue;
        rates[s].waits = (float)waits[s].waited / (float)waits[s].loads;
        rates[s].wait_clocks = (float)waits[s].clocks / (float)waits[s].waited;
    }
}

static TimeRates *rates_of(Arena *arena, const Timed *timed, const Caches *caches,
                           const LaunchRecord *record, uint32_t first_site) {
    TimeRates *rates = NEW_ARRAY(arena, TimeRates, timed->code.site_count + 1);
    uint64_t stored = 0;
    for (uint32_t s = 0; s < timed->code.site_count; s++)
        rates[s] = (TimeRates){.to_l2 = 1, .to_dram = record->l1_bytes ? 0 : 1};
    for (uint32_t i = 0; i < record->cache_counts.count; i++) {
        const CacheCount *count = &record->cache_counts.at[i];
        uint64_t asked = count->l1_loads + count->l1_others;
        asked = asked ? asked : count->l2_sectors;
        TimeRates *rate = &rates[count->site - first_site];
        rate->to_l2 = asked ? (float)count->l2_sectors / (float)asked : 1;
        rate->places = (float)count->dram_reads;
        rate->to_dram = asked ? (float)count->dram_reads / (float)asked : 0;
        stored += count->l1_others;
    }
    for (uint32_t i = 0; i < record->cache_counts.count && stored; i++) {
        const CacheCount *count = &record->cache_counts.at[i];
        if (count->l1_others)
            rates[count->site - first_site].to_dram += (float)record->dram_written / (float)stored;
    }
    add_waits(rates, caches_waits(caches), timed->code.site_count);
    return rates;
}

static bool worth_mending(const Counters *counters) {
    return counters->wavefronts > counters->wavefronts_ideal ||
           counters->sectors > counters->sectors_ideal;
}

/* Accesses of one kind at one place in the source are mended together. */
static bool same_place(const Site *a, const Site *b) {
    return a->location == b->location && a->space == b->space && a->op == b->op;
}

/* Sectors that are used whole have to come in any case; L1 catches much of what is asked for too often, and need not then. */
static TimeMend mend_of(const LaunchRecord *record, const Site *sites, uint32_t first_site,
                        uint32_t count, uint32_t site) {
    double ideal = 0, asked = 0;
    for (uint32_t s = 0; s < count; s++)
        if (same_place(&sites[s], &sites[site]))
            ideal += (double)record->counters[s].sectors_ideal;
    for (uint32_t i = 0; i < record->cache_counts.count; i++)
        if (same_place(&sites[record->cache_counts.at[i].site - first_site], &sites[site]))
            asked += (double)record->cache_counts.at[i].l2_sectors;
    double used = record->loaded_sectors
                      ? (double)record->loaded_bytes / 32 / (double)record->loaded_sectors
                      : 1;
    double left = asked > ideal ? ideal / asked : 1;
    return (TimeMend){.is = true,
                      .l2 = (float)left,
                      .dram = (float)(used > 0.9    ? 1
                                      : used > left ? used
                                                    : left)};
}

/* What is left if one place alone is mended, and if all are. held: TimeEstimate's. */
static void record_savings(const TimeLaunch *launch, const Profile *profile, double held,
                           Arena *arena, LaunchRecord *record, uint32_t first_site) {
    const uint32_t count = launch->code->site_count;
    const Site *sites = profile->sites.at + first_site;
    TimeMend *all = NEW_ARRAY(arena, TimeMend, count + 1),
             *one = NEW_ARRAY(arena, TimeMend, count + 1);
    uint32_t worth = 0;
    for (uint32_t s = 0; s < count; s++)
        if (worth_mending(&record->counters[s]) && ++worth)
            all[s] = mend_of(record, sites, first_site, count, s);
    if (!worth)
        return;
    record->mended_us = time_mended(launch, all) * held;
    for (uint32_t s = 0; s < count; s++) {
        bool first = all[s].is;
        for (uint32_t before = 0; before < s && first; before++)
            first = !all[before].is || !same_place(&sites[before], &sites[s]);
        if (!first)
            continue;
        for (uint32_t other = 0; other < count; other++)
            one[other] = same_place(&sites[other], &sites[s]) ? all[other] : (TimeMend){0};
        *vec_add(arena, &record->site_times) =
            (SiteTime){.site = first_site + s, .mended_us = time_mended(launch, one) * held};
    }
}

void timed_record(const Timed *timed, const Run *run, const Profile *profile, Arena *arena,
                  LaunchRecord *record, uint32_t first_site) {
    if (!timed)
        return;
    const char *because = timed->because ? timed->because : record->caches_because;
    Arena *scratch = arena_new();
    TimeBlock *blocks = NEW_ARRAY(scratch, TimeBlock, timed->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < timed->count; i++) {
        if (!timed->blocks[i])
            continue;
        blocks[count] = timed->blocks[i]->block;
        blocks[count++].number = timed->chosen[i];
    }
    if (!because && !count)
        because = "no block ran to its end";
    record->time_because = because;
    if (!because) {
        TimeLaunch launch = {.gpu = run->gpu,
                             .code = &timed->code,
                             .blocks = blocks,
                             .block_count = count,
                             .warps_per_block = timed->warps,
                             .blocks_per_sm = timed->blocks_per_sm,
                             .grid = timed->grid,
                             .sizes = timed->sizes,
                             .executed = record->warp_insts,
                             .dram_bytes =
                                 (double)(record->dram_read + record->dram_written) * SECTOR_BYTES,
                             .rates = rates_of(scratch, timed, run->caches, record, first_site),
                             .clock_mhz = timed->clock_mhz};
        TimeEstimate estimate = time_estimate(&launch);
        record->time_us = estimate.us;
        record->time_least_us = estimate.least_us;
        record->time_most_us = estimate.most_us;
        record->time_clock_mhz = timed->clock_mhz;
        record->time_limit = estimate.limit_name;
        record->time_busy = estimate.busy;
        record->time_calibrated = time_is_calibrated(run->gpu);
        record_savings(&launch, profile, estimate.held, arena, record, first_site);
    }
    arena_free(scratch);
}

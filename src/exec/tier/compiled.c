/* When compiled code takes over from the interpreter (compiled.h): what the interpreter sees of a kernel
 * before it is compiled, when that happens, and how a warp enters and leaves the code.
 *
 * Code of an earlier run is taken as soon as the launch is known to last (make.h). Else one worker, the
 * first, looks at the addresses of loads and stores while it interprets: until a block
 * has ended, or for some instructions. Then the kernel is compiled with what was seen; where that
 * turns out to be too little or wrong (an access that had not been executed yet, lanes that lie
 * otherwise now), the code stops, the interpreter looks, and after many more instructions the kernel is
 * compiled again. With ENGINE_AUTO that happens only where it pays, and on a thread of its own. Until then, and where there is no
 * compiler, a plan is run (plan.h), which the first worker makes of the same looks in no time. */
#include "exec/tier/compiled.h"
#include "exec/access/load_store.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/ops.h"
#include "exec/run/worker.h"
#include "exec/tier/live.h"
#include "exec/tier/make.h"
#include "exec/tier/plan.h"
#include "exec/tier/same.h"
#include "exec/tier/tier.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Warp instructions of the first worker … */
    ASKS = 1000,       /* … until it may ask for code of an earlier run */
    LOOKS = 100000,    /* …, or a block, until it compiles */
    FACTOR = 32,       /* until it may do so again */
    WHOLE_MOST = 600,  /* instructions of a kernel that is compiled whole; else what was executed */
    BLOCK_MOST = 2000, /* of a basic block that is compiled: LLVM takes longer than in proportion */
    TOTAL_MOST = 10000, /* of all that are */
    MISSES_MOST =
        256 /* times that an access lies elsewhere than the last one before it is given up */
};

struct Tier {
    Arena *arena;
    const Program *program;
    Engine engine;
    Maker maker;
    AccessShape *shapes;
    bool *believed; /* [code]: its shape is of an earlier run, and was not seen in this one */
    uint32_t *misses;
    uint8_t *kinds;
    const char **lanes;
    const uint32_t *live; /* CompileTask.live … */
    const bool *same;     /* … and same … */
    bool lives;           /* … were asked for */
    uint32_t level;       /* of the processor: what the interpreter uses */
    bool asked;           /* for code of an earlier run */
    uint64_t ask_next;    /* clock of the first worker when that is to be thought about */
    /* Warp instructions of the first worker. Its clock when … */
    uint64_t began;          /* … the launch began, */
    uint64_t next;           /* … compiling is to be thought about, */
    uint64_t at;             /* … it was compiled in this launch, or the launch began */
    uint64_t interpreted_at; /* Worker.interpreted then */
    uint64_t before;         /* that it executed in earlier launches */
    uint64_t due;            /* `next`, counted through all launches */
    bool observes;           /* Worker.observes of the first worker */
    bool stale;              /* something was seen that the code does not know */
    /* The first tier: plan.h. */
    bool plans;                   /* there is to be one */
    _Atomic(CompiledCode *) plan; /* for all workers */
    Arena *plan_arena;
    const bool *planned; /* [basic blocks] */
    uint32_t plans_made;
    double plan_seconds; /* … in so much processor time */
    uint64_t plan_next;  /* clock of the first worker when it is made anew, if need be */
    bool plan_stale;
    uint64_t wake; /* the earlier of next and plan_next */
};

/* ---- making ---- */

static bool is_access(const Code *code) {
    return code->guard == NO_OPERAND && (code->full == ops_access(SPACE_SHARED, false) ||
                                         code->full == ops_access(SPACE_SHARED, true) ||
                                         code->full == ops_access(SPACE_GLOBAL, false) ||
                                         code->full == ops_access(SPACE_GLOBAL, true));
}

static bool is_word(const Code *code) {
    return op_has(code->insn->op, TRAIT_PREDICATES) ||
           (code->insn->op == OP_mov && code->mods.type == TYPE_PRED && code->a != NO_OPERAND);
}

static CodeKind kind_of(const Code *code, const char *lane) {
    if (is_access(code))
        return KIND_ACCESS;
    if (lane)
        return KIND_LANE;
    if (is_word(code))
        return KIND_WORD;
    if (shuffle_is(code))
        return KIND_SHUFFLE;
    return memory_kind(code);
}

Tier *tier_new(const Program *program, const Launch *launch) {
    Arena *arena = arena_new(); /* its own: a thread of its own may use it */
    Tier *tier = NEW(arena, Tier);
    tier->arena = arena;
    tier->program = program;
    tier->engine = launch->engine;
    maker_begin(&tier->maker, arena, launch->engine.plugin);
    tier->plans = launch->engine.kind != ENGINE_JIT;
    tier->plan_arena = arena_new();
    tier->plan_stale = true;
    tier->due = launch->engine.after ? launch->engine.after : LOOKS;
    tier->observes = true;
    tier->stale = true;
    tier->level = ops_level_count() - 1;
    tier->shapes = NEW_ARRAY(arena, AccessShape, program->code_count + 1);
    tier->believed = NEW_ARRAY(arena, bool, program->code_count + 1);
    tier->misses = NEW_ARRAY(arena, uint32_t, program->code_count + 1);
    tier->kinds = NEW_ARRAY(arena, uint8_t, program->code_count + 1);
    tier->lanes = NEW_ARRAY(arena, const char *, program->code_count + 1);
    for (uint32_t i = 0; i < program->code_count; i++) {
        const Code *code = &program->code[i];
        tier->lanes[i] = ops_lane(code, &tier->level);
        tier->kinds[i] = (uint8_t)kind_of(code, tier->lanes[i]);
    }
    return tier;
}

void tier_free(Tier *tier) {
    if (!tier)
        return;
    maker_end(&tier->maker);
    arena_free(tier->plan_arena);
    arena_free(tier->arena);
}

double tier_seconds(const Tier *tier) {
    return tier ? maker_seconds(&tier->maker) : 0;
}

void tier_use_begins(const Tier *tier, EngineUse *use) {
    *use = (EngineUse){.compile_seconds = tier_seconds(tier)};
    if (!tier)
        return;
    use->compiled = tier->maker.compiled;
    use->recalled = tier->maker.recalled;
    use->plans = tier->plans_made;
    use->plan_seconds = tier->plan_seconds;
}

void tier_use_ends(const Tier *tier, const Run *run, EngineUse *use) {
    if (!tier)
        return;
    use->compile_seconds = tier_seconds(tier) - use->compile_seconds;
    use->compiled = tier->maker.compiled - use->compiled;
    use->recalled = tier->maker.recalled - use->recalled;
    use->plans = tier->plans_made - use->plans;
    use->plan_seconds = tier->plan_seconds - use->plan_seconds;
    for (uint32_t w = 0; w < run->worker_count; w++) {
        const Worker *worker = &run->workers[w];
        if (worker->run != run)
            continue;
        use->interpreted += worker->interpreted;
        use->by_plan += worker->by_plan;
        for (uint32_t i = 0; i < STOP_KINDS; i++)
            use->stops[i] += worker->stops[i];
    }
}

bool tier_observes(const Tier *tier) {
    return tier->observes;
}

static void set_wake(Tier *tier) {
    tier->wake = tier->plans && tier->plan_next < tier->next ? tier->plan_next : tier->next;
    if (!tier->asked && tier->ask_next < tier->wake)
        tier->wake = tier->ask_next;
}

void tier_begin(Tier *tier, const Run *run) {
    if (!tier)
        return;
    tier->began = tier->at = run->workers[0].clock;
    tier->interpreted_at = 0;
    tier->ask_next = tier->began + ASKS;
    tier->next = tier->began + (tier->due > tier->before ? tier->due - tier->before : 0);
    tier->plan_next = tier->plan && !tier->engine.after ? tier->began + LOOKS : tier->next;
    set_wake(tier);
}

void tier_block_ended(const Worker *worker) {
    Tier *tier = worker->tier;
    if (!tier || worker->number != 0 || tier->engine.after || !tier->observes)
        return;
    if (tier->plans ? !tier->plan : !tier->maker.task.program)
        tier->next = tier->plan_next = worker->clock;
    set_wake(tier);
}

/* ---- compiling ---- */

/* Blocks that paths with some of the lanes have executed. */
static const bool *find_parted(const Tier *tier, Arena *arena, const Worker *worker,
                               const bool *wanted) {
    const Program *program = tier->program;
    bool *parted = NEW_ARRAY(arena, bool, program->block_count + 1);
    for (uint32_t b = 0; b < program->block_count; b++) {
        const BlockCount *count = &worker->block_counts[b];
        bool before = tier->maker.task.parted && tier->maker.task.parted[b];
        parted[b] = wanted[b] && (before || count->lanes != count->warps * WARP_LANES);
    }
    return parted;
}

static const bool *find_wanted(const Tier *tier, Arena *arena, const Worker *worker) {
    const Program *program = tier->program;
    bool *wanted = NEW_ARRAY(arena, bool, program->block_count + 1);
    bool whole = program->code_count <= WHOLE_MOST;
    uint32_t total = 0;
    for (uint32_t b = 0; b < program->block_count; b++) {
        uint32_t insns = program->blocks[b].count;
        bool before = tier->maker.task.wanted && tier->maker.task.wanted[b]; /* in another launch */
        bool executed = whole || before || worker->block_counts[b].warps > 0;
        wanted[b] = executed && insns <= BLOCK_MOST && total + insns <= TOTAL_MOST;
        total += wanted[b] ? insns : 0;
    }
    return wanted;
}

/* There are blocks that the code does not have. */
static bool has_grown(const Tier *tier, const bool *wanted, const bool *parted) {
    size_t bytes = tier->program->block_count * sizeof *wanted;
    return tier->maker.code && (memcmp(wanted, tier->maker.task.wanted, bytes) != 0 ||
                                memcmp(parted, tier->maker.task.parted, bytes) != 0);
}

static void think_at(Tier *tier, uint64_t clock) {
    tier->next = clock;
    tier->due = tier->before + clock - tier->began;
}

/* It pays, as far as can be known, or nobody asks. */
static bool is_wanted(const Tier *tier, const Worker *worker) {
    if (tier->engine.kind == ENGINE_JIT || tier->engine.after)
        return tier->engine.kind != ENGINE_PLAN;
    uint64_t executed = worker->clock - tier->at;
    double interpreted = (double)(worker->interpreted - tier->interpreted_at);
    double share = tier->maker.code && executed ? interpreted / (double)executed : 1;
    double left = worth_left(worker->run, worker->clock - tier->began, tier->before);
    return worth_compiling(worker, tier->kinds, tier->shapes, left, share);
}

static CompileTask task_of(Tier *tier) {
    if (!tier->lives)
        tier->live = live_find(tier->arena, tier->program, tier->kinds);
    if (!tier->lives)
        tier->same = same_find(tier->arena, tier->program, tier->kinds);
    tier->lives = true;
    return (CompileTask){.program = tier->program,
                         .shapes = tier->shapes,
                         .kinds = tier->kinds,
                         .lanes = tier->lanes,
                         .live = tier->live,
                         .same = tier->same,
                         .level = ops_level_name(tier->level),
                         .shuffle = shuffle_lanes,
                         .addend = memory_addend};
}

/* From here on another code is used. */
static void begin_anew(Tier *tier, const Worker *worker) {
    tier->stale = false;
    tier->at = worker->clock;
    tier->interpreted_at = worker->interpreted;
}

static void begin_compiling(Tier *tier, const Worker *worker, const bool *wanted,
                            const bool *parted) {
    AccessShape *shapes = NEW_ARRAY(tier->arena, AccessShape, tier->program->code_count + 1);
    memcpy(shapes, tier->shapes, tier->program->code_count * sizeof *shapes);
    CompileTask task = task_of(tier);
    task.wanted = wanted;
    task.parted = parted;
    task.shapes = shapes;
    begin_anew(tier, worker);
    maker_start(&tier->maker, &task, worker->launch->block,
                tier->engine.aside && tier->engine.kind == ENGINE_AUTO);
}

/* Code of an earlier run is taken, if there is some. It is asked for once. */
static bool recall(Tier *tier, const Worker *worker) {
    CompileTask task = task_of(tier);
    tier->asked = true;
    if (tier->maker.code || !maker_recall(&tier->maker, &task, worker->launch->block))
        return false;
    if (tier->engine.kind == ENGINE_AUTO &&
        !worth_using(worker, tier->kinds, tier->maker.task.shapes)) {
        tier->maker.code = NULL;
        tier->maker.recalled--;
        return false;
    }
    for (uint32_t i = 0; i < tier->program->code_count; i++) {
        tier->believed[i] = tier->shapes[i].state == SHAPE_UNSEEN;
        if (tier->believed[i])
            tier->shapes[i] = tier->maker.task.shapes[i];
    }
    begin_anew(tier, worker);
    think_at(tier, worker->clock + LOOKS);
    return true;
}

/* Whether the launch lasts so long that a look at the disk is nothing beside it. */
static bool may_recall(const Tier *tier, const Worker *worker) {
    enum { LEAST = 10000 }; /* warp instructions, interpreted in 0.1 ms and more */
    if (tier->asked || tier->engine.after || tier->engine.kind == ENGINE_PLAN)
        return false;
    return tier->engine.kind == ENGINE_JIT ||
           worth_left(worker->run, worker->clock - tier->began, tier->before) > LEAST;
}

/* The first worker has come to tier->ask_next. Code that is there is taken as soon as it is of use: of what a launch that is
 * over in milliseconds executes until it compiles, much is left. */
static void ask(Tier *tier, const Worker *worker) {
    tier->ask_next = worker->clock + (worker->clock - tier->began) + 1;
    if (!maker_is_busy(&tier->maker) && may_recall(tier, worker))
        recall(tier, worker);
}

/* There are accesses that were executed while nobody looked. */
static bool has_missed(const Tier *tier, const Worker *worker) {
    for (uint32_t i = 0; i < tier->program->code_count; i++) {
        uint32_t block = tier->program->block_of[i];
        if (tier->kinds[i] == KIND_ACCESS && tier->shapes[i].state == SHAPE_UNSEEN &&
            worker->block_counts[block].lanes >= WARP_LANES)
            return true;
    }
    return false;
}

/* Code would stop at accesses that have not been seen yet: those that the next blocks execute will be soon. */
static bool may_see_more(const Tier *tier, const Worker *worker) {
    bool more = false;
    for (uint32_t i = 0; i < tier->program->code_count; i++)
        more |= tier->kinds[i] == KIND_ACCESS && tier->shapes[i].state == SHAPE_UNSEEN;
    return more && tier->engine.kind == ENGINE_AUTO && !tier->engine.after && !tier->maker.code &&
           tier->before + worker->clock - tier->began < LOOKS;
}

/* The first worker has come to tier->next. */
static void consider(Tier *tier, Worker *worker) {
    uint64_t clock = worker->clock, executed = clock - tier->began;
    if (maker_is_busy(&tier->maker) || (may_recall(tier, worker) && recall(tier, worker)))
        return;
    if (may_see_more(tier, worker)) {
        think_at(tier, clock + executed + 1);
        return;
    }
    bool useful = !tier->maker.failed && is_wanted(tier, worker);
    if (!useful ||
        !worker->observes) { /* looking costs: only when it is of use, before compiling */
        worker->observes = tier->observes = useful || tier->maker.code || tier->plan ||
                                            (!worker->observes && has_missed(tier, worker));
        think_at(tier, clock + LOOKS + (useful ? 0 : executed / 4));
        return;
    }
    const bool *wanted = find_wanted(tier, tier->arena, worker);
    const bool *parted = find_parted(tier, tier->arena, worker, wanted);
    useful = tier->stale || has_grown(tier, wanted, parted);
    think_at(tier, clock + (tier->before + executed + 1) * (useful ? FACTOR - 1 : 1));
    if (useful)
        begin_compiling(tier, worker, wanted, parted);
}

/* A plan of what was seen, where it knows more than the one that is there. It costs as much as interpreting
 * some thousands of instructions. */
static void plan_anew(Tier *tier, const Worker *worker) {
    uint64_t executed = tier->before + worker->clock - tier->began;
    uint64_t least = tier->engine.after ? 1 : LOOKS;
    tier->plan_next = worker->clock + (executed > least ? executed : least);
    if (tier->maker.code)
        return;
    double began = clock_thread();
    const bool *wanted = find_wanted(tier, tier->plan_arena, worker);
    size_t count = tier->program->code_count, bytes = tier->program->block_count * sizeof *wanted;
    if (!tier->plan_stale && memcmp(wanted, tier->planned, bytes) == 0)
        return;
    AccessShape *shapes = NEW_ARRAY(tier->plan_arena, AccessShape, count + 1);
    memcpy(shapes, tier->shapes, count * sizeof *shapes);
    CompileTask *task = NEW(tier->plan_arena, CompileTask);
    *task = task_of(tier);
    task->wanted = wanted;
    task->shapes = shapes;
    tier->planned = wanted;
    tier->plan_stale = false;
    tier->plan = plan_make(tier->plan_arena, task);
    tier->plans_made++;
    tier->plan_seconds += clock_thread() - began;
}

/* The first worker has come to tier->wake. */
static __attribute__((noinline)) void look(Tier *tier, Worker *worker) {
    if (!tier->asked && worker->clock >= tier->ask_next)
        ask(tier, worker);
    if (tier->plans && worker->clock >= tier->plan_next)
        plan_anew(tier, worker);
    if (worker->clock >= tier->next)
        consider(tier, worker);
    set_wake(tier);
}

void tier_end(Tier *tier, const Run *run) {
    if (!tier)
        return;
    maker_rest(&tier->maker);
    tier->before += run->workers[0].clock - tier->began;
}

void tier_after(Tier *tier, const Run *run) {
    const Worker *worker = &run->workers[0];
    uint64_t executed = 0;
    if (!tier || tier->engine.kind != ENGINE_AUTO || tier->engine.after || !tier->engine.behind ||
        tier->maker.failed || tier->maker.behind || maker_is_busy(&tier->maker))
        return;
    /* Code that is there, and has stopped for what it was not made for, is made anew. */
    if (tier->maker.code && !tier->stale)
        return;
    for (uint32_t w = 0; w < run->worker_count; w++)
        executed +=
            run->workers[w].run == run ? run->workers[w].interpreted + run->workers[w].by_plan : 0;
    if (!worth_keeping(worker, tier->kinds, tier->shapes, (double)executed) ||
        !cache_usable(tier->arena))
        return;
    CompileTask task = task_of(tier);
    task.wanted = find_wanted(tier, tier->arena, worker);
    task.parted = find_parted(tier, tier->arena, worker, task.wanted);
    maker_behind(&tier->maker, &task, worker->launch->block);
}

/* ---- looking ---- */

void tier_observe(Worker *worker, const Warp *warp, const Code *code) {
    Tier *tier = worker->tier;
    uint32_t number = (uint32_t)(code - tier->program->code);
    AccessShape *shape = &tier->shapes[number];
    if (tier->kinds[number] != KIND_ACCESS || shape->state == SHAPE_VARIES)
        return;
    AccessShape seen = {.state = SHAPE_FIXED};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        seen.place[l] = code->a_class == 1
                            ? (int32_t)(reg32(warp, code->a)[l] - reg32(warp, code->a)[0])
                            : (int64_t)(reg64(warp, code->a)[l] - reg64(warp, code->a)[0]);
    bool same = memcmp(shape->place, seen.place, sizeof seen.place) == 0;
    bool first = shape->state == SHAPE_UNSEEN || tier->believed[number];
    tier->believed[number] = false;
    if (same && shape->state == SHAPE_FIXED)
        return;
    if (first)
        *shape = seen;
    else
        shape->state = SHAPE_VARIES;
    tier->stale = tier->plan_stale = true;
}

/* The code stopped before an access that does not lie as expected: the interpreter sees whether its
 * lanes do; where they lie right, it is the piece of memory that changes. */
static void missed(Worker *worker, uint32_t at) {
    Tier *tier = worker->tier;
    if (worker->number != 0 || tier->kinds[at] != KIND_ACCESS || ++tier->misses[at] < MISSES_MOST)
        return;
    const CompiledCode *compiled = worker->counted;
    for (uint32_t i = 0; i < compiled->check_count; i++) {
        uint32_t access = compiled->checks[i].access;
        const AccessShape *expected = &compiled->shapes[access], *shape = &tier->shapes[access];
        if (compiled->checks[i].at ==
                at && /* else the code is of another run, and will be made anew */
            memcmp(expected->place, shape->place, sizeof shape->place) == 0)
            tier->shapes[access].state = SHAPE_VARIES;
    }
    tier->misses[at] = 0;
    tier->stale = tier->plan_stale = true;
}

/* ---- running ---- */

static bool find_entry(const Program *program, const Version *version, const Path *path,
                       uint64_t *entry) {
    uint32_t block = program->block_of[path->pc];
    *entry = path->inside ? 1 + (uint64_t)program->block_count + path->pc : 1 + (uint64_t)block;
    return path->inside ? version->resumes[path->pc] : version->starts[block];
}

static Stop stop_of(const Program *program, uint32_t reason, uint32_t at) {
    return reason == LEFT_ENTERS                       ? STOP_TURN
           : reason >= LEFT_STEP                       ? STOP_WAIT
           : program->code[at].control != CONTROL_NONE ? STOP_PARTED
                                                       : STOP_ACCESS;
}

bool compiled_run(Warp *warp, Path *path, uint64_t stop_at, Step *step) {
    Worker *worker = warp->worker;
    Tier *tier = worker->tier;
    if (worker->number == 0 && worker->clock >= tier->wake)
        look(tier, worker);
    const CompiledCode *compiled = tier->maker.code;
    if (!compiled && !(compiled = tier->plan))
        return false;
    const Program *program = worker->program;
    const Version *version = path->mask == FULL_MASK ? &compiled->all : &compiled->some;
    /* A block has at most as many instructions as the program: near where it looks a warp is interpreted. */
    uint64_t limit = warp->look_at, slack = program->code_count;
    uint64_t entry;
    if (!find_entry(program, version, path, &entry) || warp->executed + 2 * slack > limit)
        return false;
    if (worker->counted != compiled)
        compiled_count_for(worker, compiled);
    Frame *frame = worker->frame;
    frame->stop = stop_at < limit - slack ? stop_at : limit - slack;
    frame->quiet = warp->quiet_to < limit - slack ? warp->quiet_to : limit - slack;
    if (warp->path_count > 1) /* after each block it is seen which path has its turn */
        frame->stop = frame->quiet = 0;
    frame->lanes = path->mask == FULL_MASK ? WARP_LANES : (uint64_t)__builtin_popcount(path->mask);
    frame->shared = (uint64_t)(uintptr_t)warp->cta->shared;
    frame->shared_bytes = warp->cta->shared_end - frame->shared_first;
    frame->recorded = warp->counting == COUNT_AND_RECORD || warp->cta->trace;
    worker->last = warp;
    uint64_t before = warp->executed;
    uint64_t left = version->run(warp, warp->registers, frame, entry, path->mask);
    worker->by_plan += compiled->plan ? warp->executed - before : 0;
    uint32_t at = (uint32_t)left, reason = (uint32_t)(left >> 32);
    path->pc = at;
    path->order = program->order[program->block_of[at]];
    path->inside = reason != LEFT_ENTERS;
    worker->stops[stop_of(program, reason, at)]++;
    if (reason >= LEFT_STEP) {
        *step = (Step)(reason - LEFT_STEP);
        return true;
    }
    if (reason == LEFT_BEFORE)
        missed(worker, at);
    *step = STEP_NEXT;
    return reason == LEFT_ENTERS &&
           (warp->path_count > 1 || warp_is_over(warp, program->block_of[at]));
}

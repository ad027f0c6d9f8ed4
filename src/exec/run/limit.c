/* When a launch is taken to be endless: each of its workers has executed `idle_limit` warp instructions, of
 * which a read that waits for others counts as POLL, while no warp of the launch has stored, changed memory
 * by an atomic operation, or ended. One alone says nothing: who has what it waits for may be compiling, or the system
 * gives its processor to others. Stores that have a guard do not count: that they were executed does not
 * say that any lane stored. Whatever happens, no warp may execute more than ALL times as many instructions.
 *
 * A warp looks now and then, at numbers of its own instructions, so that what is found does not depend on
 * time, and the loop of instructions has only one comparison, which it had before. */
#include "exec/calls/calls.h"
#include "exec/run/converge.h"
#include "exec/run/worker.h"

#include <stdatomic.h>
#include <string.h>

enum { POLL = 4, LOOKS = 16, ALL = 16 };
#define PERIOD_MOST (UINT64_C(1) << 22)
#define IDLE_DEFAULT (UINT64_C(1) << 32)
/* Of a kernel that may wait: when it looks, and after how much it is said to wait. */
#define WAITS_PERIOD (UINT64_C(1) << 16)
#define WAITS (UINT64_C(1) << 20)

void limit_set(Run *run, const Launch *launch) {
    uint64_t given = launch->limit;
    run->idle_limit = given ? given : IDLE_DEFAULT;
    run->limit = run->idle_limit < UINT64_MAX / ALL ? ALL * run->idle_limit : UINT64_MAX;
    uint64_t period = run->idle_limit / LOOKS + 1;
    const uint64_t most = launch->waits ? WAITS_PERIOD : PERIOD_MOST;
    run->period = period < most ? period : most;
}

static bool stores(const Code *code) {
    OpAccess access = op_access(code->insn->op);
    return code->guard == NO_OPERAND && code->space != SPACE_LOCAL &&
           (access == OP_ACCESS_STORE || access == OP_ACCESS_STMATRIX ||
            access == OP_ACCESS_CP_ASYNC || access == OP_ACCESS_COPY ||
            op_has(code->insn->op, TRAIT_WRITES));
}

bool *limit_stores(Arena *arena, const Program *program) {
    bool *found = NEW_ARRAY(arena, bool, program->block_count + 1);
    for (uint32_t i = 0; i < program->code_count; i++)
        found[program->block_of[i]] |= stores(&program->code[i]);
    return found;
}

/* ---- looking ---- */

uint64_t limit_deeds(const Worker *worker) {
    uint64_t deeds = worker->activity.deeds;
    for (uint32_t b = 0; b < worker->program->block_count; b++)
        deeds += worker->program->stores[b] ? worker->block_counts[b].warps : 0;
    return deeds;
}

/* There was progress: counting begins anew. */
static void begin(Worker *worker) {
    size_t bytes = worker->program->block_count * sizeof *worker->counts_then;
    if (!worker->counts_then)
        worker->counts_then = arena_alloc(worker->arena, bytes + 1);
    memcpy(worker->counts_then, worker->block_counts, bytes);
    worker->idle = 0;
    worker->waited = 0;
    worker->activity.polls = 0;
}

static void tell_waits(Run *run) {
    const Launch *launch = run->launch;
    if (launch->waits && !atomic_exchange(&run->waits, true))
        launch->waits(launch->waits_context);
}

/* Every other worker has executed as much as would be too much, and seen no progress either. */
static bool all_wait(const Worker *worker, uint64_t progress) {
    const Run *run = worker->run;
    for (uint32_t w = 0; w < run->worker_count; w++) {
        const Worker *other = &run->workers[w];
        if (other != worker && other->runs &&
            (other->progress_seen != progress || other->waited <= run->idle_limit))
            return false;
    }
    return true;
}

static bool is_too_long(const Warp *warp) {
    const uint64_t excused = warp->worker->excused;
    return warp->executed > excused && warp->executed - excused > warp->worker->run->limit;
}

bool limit_look(Warp *warp) {
    Worker *worker = warp->worker;
    Run *run = worker->run;
    uint64_t deeds = limit_deeds(worker);
    if (deeds != worker->deeds_seen)
        run->progress++;
    worker->deeds_seen = deeds;
    uint64_t progress = run->progress + run_done(run);
    const uint64_t since = warp->executed - warp->looked_at;
    worker->idle += since;
    if (progress != worker->progress_seen)
        begin(worker);
    worker->progress_seen = progress;
    warp->looked_at = warp->executed;
    warp->look_at = warp->executed + run->period;
    const uint64_t idle = worker->idle + POLL * worker->activity.polls;
    if (idle > WAITS)
        tell_waits(run);
    if (run->waits && *run->launch->others)
        begin(worker);
    worker->waited = idle;
    if (idle > run->idle_limit) {
        if (all_wait(worker, progress))
            return false;
        worker->excused += since;
    }
    return !is_too_long(warp);
}

/* ---- the loop ---- */

/* Since the last progress. */
static bool was_executed(const Worker *worker, uint32_t block) {
    uint64_t then = worker->counts_then ? worker->counts_then[block].warps : 0;
    return worker->block_counts[block].warps > then;
}

/* Of executed basic blocks those that `block` leads to, or (backwards) that lead to it, without itself
 * where it is in no loop. */
static bool *reachable(Arena *arena, const Worker *worker, uint32_t block, bool backwards) {
    const Program *program = worker->program;
    bool *found = NEW_ARRAY(arena, bool, program->block_count + 1);
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t b = 0; b < program->block_count; b++) {
            const Block *from = &program->blocks[b];
            for (uint32_t i = 0; was_executed(worker, b) && i < 2 + from->target_count; i++) {
                uint32_t to = i < 2 ? from->successor[i] : from->targets[i - 2];
                if (to == NO_INDEX || !was_executed(worker, to))
                    continue;
                uint32_t near = backwards ? to : b, far = backwards ? b : to;
                if (found[far] || (near != block && !found[near]))
                    continue;
                found[far] = grows = true;
            }
        }
    }
    return found;
}

/* The basic blocks of the loop around one, [basic blocks]; NULL: it is in none. */
static const bool *loop_around(Arena *arena, const Worker *worker, uint32_t block) {
    bool *after = reachable(arena, worker, block, false);
    const bool *before = reachable(arena, worker, block, true);
    for (uint32_t b = 0; b < worker->program->block_count; b++)
        after[b] &= before[b];
    return after[block] ? after : NULL;
}

/* That the path is in, or the function that called it …; *block: the loop's first. */
static const bool *loop_of(Arena *arena, const Warp *warp, const Path *path, uint32_t *block) {
    const Program *program = warp->worker->program;
    const Activation *at = path->activation;
    *block = program->block_of[path->pc];
    const bool *loop = loop_around(arena, warp->worker, *block);
    for (; !loop && at; at = at->parent) {
        *block = program->block_of[at->call - program->code];
        loop = loop_around(arena, warp->worker, *block);
    }
    for (uint32_t b = *block; loop && b-- > 0;)
        *block = loop[b] ? b : *block;
    return loop;
}

/* ---- its lines ---- */

typedef struct SourcePlace {
    const char *file;
    uint32_t line;
} SourcePlace;

/* Where it was inlined at last; without line information in the PTX. */
static SourcePlace place_of(const Module *module, const Insn *insn) {
    SourcePlace place = {module->name, insn->line};
    uint32_t location = insn->location;
    while (location != NO_LOCATION) {
        const SourceLocation *at = &module->locations.at[location];
        const char *file = module_file(module, at->file);
        if (at->line)
            place = (SourcePlace){file ? file : "?", at->line};
        location = at->inlined_at;
    }
    return place;
}

/* " in lines 20 to 24 of scan.cu": those in the file of its first instruction. */
static const char *loop_words(Arena *arena, const Program *program, const bool *loop,
                              uint32_t first) {
    const Module *module = program->function->module;
    SourcePlace from = place_of(module, program->code[program->blocks[first].first].insn);
    uint32_t last = from.line;
    for (uint32_t i = 0; i < program->code_count; i++) {
        SourcePlace place = place_of(module, program->code[i].insn);
        if (!loop[program->block_of[i]] || strcmp(place.file, from.file) != 0)
            continue;
        from.line = place.line < from.line ? place.line : from.line;
        last = place.line > last ? place.line : last;
    }
    const char *slash = strrchr(from.file, '/'), *name = slash ? slash + 1 : from.file;
    return from.line == last
               ? arena_printf(arena, " in line %u of %s", last, name)
               : arena_printf(arena, " in lines %u to %u of %s", from.line, last, name);
}

/* ---- the fault ---- */

/* The block's first warp that can run is told, so that all engines tell the same. */
static Warp *first_running(Cta *cta, Path **path) {
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[i];
        for (uint32_t p = 0; !warp->done && p < warp->path_count; p++) {
            *path = &warp->paths[p];
            if (path_runs(*path))
                return warp;
        }
    }
    return NULL;
}

void limit_fault(Warp *warp) {
    const Run *run = warp->worker->run;
    const Program *program = warp->worker->program;
    bool idle = !is_too_long(warp);
    Arena *arena = arena_new();
    Path *path = warp->current;
    if (!idle)
        warp->worker->counts_then = NULL; /* whatever was executed may be in the loop */
    uint32_t first;
    Warp *told = first_running(warp->cta, &path);
    warp = told ? told : warp;
    warp->current = path;
    const bool *loop = loop_of(arena, warp, path, &first);
    const Code *code = &program->code[loop ? program->blocks[first].first : path->pc];
    const char *where = loop ? loop_words(arena, program, loop, first) : "";
    uint32_t lane = (uint32_t)__builtin_ctz(path->mask);
    unsigned long long limit = idle ? run->idle_limit : run->limit;
    if (idle)
        warp_fault(
            warp, code, FAULT_TIME_LIMIT, lane, 0,
            "an endless loop%s? In %llu instructions no warp of the launch stored, changed "
            "memory by an atomic operation or ended; if it computes for long, --limit N allows N",
            where, limit);
    else
        warp_fault(
            warp, code, FAULT_TIME_LIMIT, lane, 0,
            "an endless loop%s? A warp executed more than %llu instructions; if it computes for "
            "long, --limit N allows %d times N",
            where, limit, ALL);
    arena_free(arena);
}

bool path_count_block(Warp *warp, Path *path) {
    Worker *worker = warp->worker;
    const uint32_t number = worker->program->block_of[path->pc];
    path->inside = true;
    uint32_t insns = worker->program->blocks[number].count;
    BlockCount *count = &worker->block_counts[number];
    count->warps++;
    count->lanes += (uint32_t)__builtin_popcount(path->mask);
    worker->clock += insns;
    /* Compiled code has entered others since. */
    warp->lasting &= warp->entered == warp->executed ? worker->program->keeps[number] : 0;
    warp->executed += insns;
    warp->entered = warp->executed;
    return warp->executed <= warp->look_at || limit_look(warp);
}

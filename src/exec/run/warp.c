/* Runs one warp: the interpreter's loop. A path (the lanes that run together) executes a basic block
 * instruction by instruction, each for all its lanes at once; what happens at the end of the block is
 * decided here, in diverge.c and in converge.c. Blocks are counted when they are entered, so that the instructions
 * executed at each source line cost nothing in the loop. */
#include "exec/calls/calls.h"
#include "exec/classes/classes.h"
#include "exec/run/converge.h"
#include "exec/run/schedule.h"
#include "exec/run/timed.h"
#include "exec/run/unset.h"
#include "exec/run/watch.h"
#include "exec/tier/tier.h"

typedef enum PathEnd { PATH_STOPPED, PATH_SLICE_OVER, PATH_YIELDED, PATH_FAULT } PathEnd;

/* The lanes of the path for which the instruction's guard holds. */
static inline uint32_t guarded(const Warp *warp, const Code *code, uint32_t mask) {
    if (code->guard == NO_OPERAND)
        return mask;
    return mask & (*reg32(warp, code->guard) ^ code->guard_flip);
}

/* Executes code up to `end`; *at is where it stopped. observed: the JIT is to see it. */
static inline __attribute__((always_inline)) Step execute_full(Warp *warp, const Code **at,
                                                               const Code *end, bool observed) {
    for (const Code *code = *at; code < end; code += code->stride) {
        if (observed)
            tier_observe(warp->worker, warp, code);
        Step step = STEP_NEXT;
        if (__builtin_expect(code->guard == NO_OPERAND, 1)) {
            step = code->full(warp, code, FULL_MASK);
        } else {
            uint32_t mask = *reg32(warp, code->guard) ^ code->guard_flip;
            if (mask == FULL_MASK)
                step = code->full(warp, code, mask);
            else if (mask)
                step = code->some(warp, code, mask);
        }
        if (__builtin_expect(step != STEP_NEXT, 0)) {
            *at = code;
            return step;
        }
    }
    *at = end;
    return STEP_NEXT;
}

static Step run_full(Warp *warp, const Code **at, const Code *end) {
    return execute_full(warp, at, end, false);
}

static Step run_observed(Warp *warp, const Code **at, const Code *end) {
    return execute_full(warp, at, end, true);
}

static Step run_some(Warp *warp, const Code **at, const Code *end, uint32_t lanes) {
    for (const Code *code = *at; code < end; code += code->stride) {
        uint32_t mask = guarded(warp, code, lanes);
        Step step = mask ? code->some(warp, code, mask) : STEP_NEXT;
        if (__builtin_expect(step != STEP_NEXT, 0)) {
            *at = code;
            return step;
        }
    }
    *at = end;
    return STEP_NEXT;
}

/* The same of a block that may stand for others (classes.h). */
static Step run_followed(Warp *warp, const Code **at, const Code *end, const Code *last,
                         uint32_t lanes) {
    Step step = STEP_NEXT;
    const Code *code = *at;
    follow_enter(warp, code);
    for (; code < end && step == STEP_NEXT; code++) {
        uint32_t mask = guarded(warp, code, lanes);
        if (!follow_step(warp, code, lanes, mask))
            step = STEP_FAULT;
        else if (mask)
            step = (mask == FULL_MASK ? code->full : code->some)(warp, code, mask);
    }
    bool through = step == STEP_NEXT || (step == STEP_YIELD && code == end);
    *at = step == STEP_NEXT ? end : code - 1;
    if (through && end < last && !follow_step(warp, end, lanes, guarded(warp, end, lanes)))
        return STEP_FAULT;
    return step;
}

/* The same of a warp whose registers hold what nobody has written. */
static Step run_valued(Warp *warp, const Code **at, const Code *end, const Code *last,
                       uint32_t lanes) {
    Step step = STEP_NEXT;
    const Code *code = *at;
    for (; code < end && step == STEP_NEXT; code++)
        step = unset_execute(warp, code, lanes, guarded(warp, code, lanes));
    const bool through = step == STEP_NEXT || (step == STEP_YIELD && code == end);
    *at = step == STEP_NEXT ? end : code - 1;
    if (through && end < last)
        unset_decide(warp, end, lanes);
    return step;
}

/* The same of a warp that may be stopped behind any access. */
static Step run_drawn(Warp *warp, const Code **at, const Code *end, uint32_t lanes) {
    DrawnOrder *schedule = warp->worker->run->schedule;
    for (const Code *code = *at; code < end; code++) {
        uint32_t mask = guarded(warp, code, lanes);
        Step step = mask == 0           ? STEP_NEXT
                    : mask == FULL_MASK ? code->full(warp, code, mask)
                                        : code->some(warp, code, mask);
        if (step == STEP_NEXT && mask && schedule_stops(schedule, code))
            step = STEP_YIELD;
        if (step != STEP_NEXT) {
            *at = code;
            return step;
        }
    }
    *at = end;
    return STEP_NEXT;
}

/* Blocks of which more is to be known than what they do. */
static Step run_looked_at(Warp *warp, const Code **at, const Code *end, const Code *last,
                          uint32_t lanes) {
    if (warp->worker->follower)
        return run_followed(warp, at, end, last, lanes);
    if (warp->cta->timed)
        return timed_run(warp, at, end, last, lanes);
    Step step = unset_any(warp)               ? run_valued(warp, at, end, last, lanes)
                : warp->worker->run->schedule ? run_drawn(warp, at, end, lanes)
                : lanes == FULL_MASK          ? run_full(warp, at, end)
                                              : run_some(warp, at, end, lanes);
    if (!watch_stopped(warp))
        return step;
    warp->worker->fault.kind = FAULT_DEFECT;
    return STEP_FAULT;
}

/* brx.idx: lanes diverge by where their index leads. */
static Step take_switch(Warp *warp, Path *path, const Code *code, uint32_t lanes, uint32_t next) {
    const Switch *choice = code->more;
    const uint32_t *index = reg32(warp, code->a);
    if (lanes != path->mask)
        path_branch(warp, path, path->mask & ~lanes, next);
    for (;;) {
        uint32_t first = (uint32_t)__builtin_ctz(path->mask), same = 0;
        if (index[first] >= choice->count)
            return warp_fault(warp, code, FAULT_BAD_CALL, first, 0,
                              "brx.idx with index %u; its list has %u targets", index[first],
                              choice->count);
        uint32_t target = choice->blocks[index[first]];
        for_lanes(lane, path->mask) {
            if (index[lane] < choice->count && choice->blocks[index[lane]] == target)
                same |= 1u << lane;
        }
        if (same == path->mask) {
            if (target == NO_INDEX)
                path_leave(warp, path);
            else
                path_enter(warp, path, target);
            return STEP_NEXT;
        }
        if (warp->worker->program->function->machine && target != NO_INDEX)
            diverge_switch(warp, path, same, target);
        else
            path_branch(warp, path, same, target);
    }
}

/* The instruction that ends basic block `number` sends lanes elsewhere than to the next one: a call,
 * a return, brx.idx. */
static Step transfer(Warp *warp, Path *path, const Code *code, uint32_t lanes, uint32_t next) {
    if (code->control == CONTROL_SWITCH)
        return take_switch(warp, path, code, lanes, next);
    if (lanes != path->mask)
        path_branch(warp, path, path->mask & ~lanes, next);
    if (code->control == CONTROL_CALL)
        return call_enter(warp, path, code);
    path_leave(warp, path); /* CONTROL_RETURN */
    return STEP_NEXT;
}

/* What the end of basic block `number` does to the path. STEP_WAIT: the path has ended. */
static Step leave_block(Warp *warp, Path *path, uint32_t number) {
    const Program *program = warp->worker->program;
    const Block *block = &program->blocks[number];
    const Code *last = &program->code[block->first + block->count - 1];
    uint32_t next = block->successor[0];
    if (last->control != CONTROL_NONE) {
        uint32_t lanes = guarded(warp, last, path->mask);
        if (last->control > CONTROL_EXIT && lanes) {
            Step step = transfer(warp, path, last, lanes, next);
            return step == STEP_NEXT && !path->mask ? STEP_WAIT : step;
        }
        if (last->control == CONTROL_EXIT) {
            if (lanes)
                path_exit(warp, path, lanes);
            if (path->mask == 0)
                return STEP_WAIT;
        } else if (last->control == CONTROL_BRANCH) {
            if (lanes == path->mask && last->guard != NO_OPERAND) {
                next = block->successor[1];
            } else if (lanes && lanes != path->mask) {
                diverge(warp, path, number, lanes);
                return STEP_NEXT;
            }
        }
    }
    if (next == NO_INDEX)
        return path_leave(warp, path) ? STEP_NEXT : STEP_WAIT;
    path_enter(warp, path, next);
    return STEP_NEXT;
}

/* Behind the last instruction of the block that is no control. */
static const Code *block_end(const Program *program, const Block *block) {
    const Code *end = &program->code[block->first + block->count];
    return end[-1].control == CONTROL_NONE ? end : end - 1;
}

/* Interprets a basic block from path->pc; *at is where it stopped. */
static Step interpret(Warp *warp, Path *path, const Block *block, const Code **at) {
    Worker *worker = warp->worker;
    const Code *code = &worker->program->code[path->pc + path->passed];
    path->passed = false;
    const Code *end = block_end(worker->program, block);
    *at = code;
    if (code == end && !worker->looks) /* where it goes on is all that is left */
        return STEP_NEXT;
    worker->interpreted += (uint64_t)(end - code);
    Step step = worker->looks
                    ? run_looked_at(warp, &code, end,
                                    &worker->program->code[block->first + block->count], path->mask)
                : path->mask != FULL_MASK ? run_some(warp, &code, end, path->mask)
                : worker->observes        ? run_observed(warp, &code, end)
                                          : run_full(warp, &code, end);
    *at = code;
    return step;
}

static PathEnd path_run(Warp *warp, Path *path) {
    const Program *program = warp->worker->program;
    for (;;) {
        Step step = STEP_NEXT;
        bool compiled =
            warp->worker->tier && !path->passed && compiled_run(warp, path, warp->stop_at, &step);
        if (compiled && step == STEP_NEXT)
            return PATH_SLICE_OVER;
        if (compiled && step == STEP_WAIT) {
            if (path->state == PATH_RUNS)
                continue;
            return PATH_STOPPED;
        }
        uint32_t number = program->block_of[path->pc];
        const Block *block = &program->blocks[number];
        if (!path->inside) {
            if (!path_count_block(warp, path)) {
                limit_fault(warp);
                return PATH_FAULT;
            }
        }
        const Code *code = &program->code[path->pc];
        if (!compiled)
            step = interpret(warp, path, block, &code);
        path->pc = (uint32_t)(code - program->code);
        if (step == STEP_FAULT)
            return PATH_FAULT;
        if (step == STEP_WAIT) {
            if (path->state == PATH_RUNS)
                continue;
            return PATH_STOPPED;
        }
        if (step == STEP_YIELD && ++code < block_end(program, block)) {
            path->pc++;
            return PATH_YIELDED;
        }
        Step left = leave_block(warp, path, number);
        if (__builtin_expect(left != STEP_NEXT, 0))
            return left == STEP_FAULT ? PATH_FAULT : PATH_STOPPED;
        if (step == STEP_YIELD)
            return PATH_YIELDED;
        if (warp->path_count > 1 || warp_is_over(warp, program->block_of[path->pc]))
            return PATH_SLICE_OVER;
    }
}

/* The path whose turn it is: the one at the first block; but where lanes have spun for long, another
 * one, which may be what they wait for. */
static Path *path_turn(Warp *warp) {
    if (warp->path_count == 1 && path_runs(&warp->paths[0]))
        return &warp->paths[0];
    if (warp->path_count == 1 && !warp->worker->program->function->machine)
        return NULL;
    if (warp->spins < warp->patience)
        return path_choose(warp);
    DrawnOrder *schedule = warp->worker->run->schedule;
    if (schedule && warp->spins < PATIENCE_DRAWN)
        return schedule_path(schedule, warp);
    warp->spins = 0;
    if (warp->patience > PATIENCE_LEAST && !schedule)
        warp->patience /= 2;
    path_let_go(warp);
    return path_next(warp);
}

WarpEnd warp_run(Warp *warp, uint64_t budget, uint64_t quiet) {
    warp->stop_at = warp->executed + budget;
    warp->quiet_to = warp->executed + quiet;
    do {
        Path *path = path_turn(warp);
        if (!path)
            return warp->live == 0 ? WARP_DONE : WARP_BLOCKED;
        warp->current = path;
        if (path->yielded | path->latest | path->queued)
            path->yielded = path->latest = path->queued = false;
        switch (path_run(warp, path)) {
        case PATH_FAULT:
            return WARP_FAULT;
        case PATH_YIELDED:
            return WARP_YIELDED;
        case PATH_STOPPED:
        case PATH_SLICE_OVER:
            break;
        }
    } while (warp->executed < warp->stop_at);
    return WARP_SLICE;
}

/* Divergence and reconvergence of the lanes of one warp.
 *
 * The lanes that run together are a Path. At a branch that only some of its lanes take, a path parts
 * in two. Of a warp's paths the one at the first basic block (in the order of ir/order.c) runs, and
 * paths that stand at the start of the same block become one: so lanes reconverge as early as they
 * can. Compared with what was measured on an H100 in docs/memory-model.md.
 *
 * Lanes in a function that was called stand where the call stands, and within it in the order of the
 * function's own blocks: places compare like words, letter by letter, along the chain of calls. Only
 * paths of the same activation (lanes that called together) become one.
 *
 * In machine code they meet where it says, at machine.sync (BSYNC), and nowhere else; but lanes that have to wait for
 * their turn. Of a branch's two sides the one with fewer lanes goes on (of equal ones, that which does not jump), so
 * that few wait at any time; when it waits or has ended, those that parted last are next. Who waited last until now
 * joins those before them in the queue, if these stand at the same place. At YIELD others go first: those that can run, else
 * who came last to BSYNC, without waiting for the others; and while lanes have yielded and nobody else can run, who comes to
 * BSYNC passes, once for each YIELD. Then those are next that yielded first. Whom BREAK lets go goes at once. So it was seen
 * on an H200, where lanes wrote down when they came where, and with whom (docs/machine-code.md).
 *
 * A lane that spins for what a lane further on would do next would hold that one up for ever: after
 * many spinning operations the others get a turn (warp.c). */
#include "exec/calls/calls.h"
#include "exec/run/watch.h"

#include <assert.h>

static Path *path_new(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (warp->paths[i].mask == 0)
            return &warp->paths[i];
    }
    assert(warp->path_count < WARP_LANES);
    return &warp->paths[warp->path_count++];
}

void path_free(Warp *warp, Path *path) {
    *path = (Path){0};
    while (warp->path_count > 1 && warp->paths[warp->path_count - 1].mask == 0)
        warp->path_count--;
}

void path_enter(Warp *warp, Path *path, uint32_t to) {
    const Program *program = warp->worker->program;
    path->pc = program->blocks[to].first;
    path->order = program->order[to];
    path->inside = false;
}

Path *path_split(Warp *warp, Path *path, uint32_t lanes) {
    Path *other = path_new(warp);
    *other = *path;
    other->mask = lanes;
    path->mask &= ~lanes;
    return other;
}

/* Whether a stands before b; see the head of the file. Where both stand at one call, through which
 * lanes reach different functions, the one that has called already does. */
static bool stands_before(const Path *a, const Path *b) {
    const Activation *in_a = a->activation, *in_b = b->activation;
    if (in_a == in_b)
        return a->order < b->order;
    uint32_t depth_a = in_a ? in_a->depth : 0, depth_b = in_b ? in_b->depth : 0;
    uint32_t order_a = a->order, order_b = b->order;
    bool a_is_deeper = depth_a > depth_b;
    for (; depth_a > depth_b; depth_a--, in_a = in_a->parent)
        order_a = in_a->order;
    for (; depth_b > depth_a; depth_b--, in_b = in_b->parent)
        order_b = in_b->order;
    for (; in_a != in_b; in_a = in_a->parent, in_b = in_b->parent) {
        order_a = in_a->order;
        order_b = in_b->order;
    }
    return order_a != order_b ? order_a < order_b : a_is_deeper;
}

bool path_stands_before(const Path *a, const Path *b) {
    return stands_before(a, b);
}

static bool goes_before(const Path *a, const Path *b) {
    return a->yielded != b->yielded ? b->yielded : stands_before(a, b);
}

/* Those that yielded at the same place, while nobody else could run, go on together. */
static void join_yielded(Warp *warp, Path *path) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !other->mask || !other->yielded || other->pc != path->pc ||
            other->activation != path->activation || other->state != PATH_RUNS)
            continue;
        path->mask |= other->mask;
        path_free(warp, other);
    }
}

/* Who parted last, of those that did not yield; else who yielded first. */
static Path *first_in_queue(Warp *warp) {
    Path *first = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (!path->mask || path->state != PATH_RUNS)
            continue;
        if (!first || (path->yielded != first->yielded ? first->yielded
                       : path->yielded                 ? path->since < first->since
                                                       : path->turn > first->turn))
            first = path;
    }
    return first;
}

/* Whether the path waits at BSYNC. */
static bool syncs(const Warp *warp, const Path *path) {
    return path->mask && path->state == PATH_WAITS_WARP &&
           warp->worker->program->code[path->pc].insn->op == OP_machine_sync;
}

static uint32_t *barrier_at(Warp *warp, const Path *path) {
    return reg32(warp, warp->worker->program->code[path->pc].a);
}

/* The path passes BSYNC with those of its barrier that wait there, too; those that it waited for do not wait for its lanes in
 * their turn. */
static void pass_sync(Warp *warp, Path *path) {
    uint32_t *barrier = barrier_at(warp, path);
    const uint32_t members = barrier[__builtin_ctz(path->mask)];
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !syncs(warp, other) || other->pc != path->pc ||
            other->activation != path->activation || (other->mask & ~members))
            continue;
        path->mask |= other->mask;
        other->mask = 0; /* freed by path_choose's next turn */
        other->state = PATH_RUNS;
    }
    for_lanes(lane, members & ~path->mask) barrier[lane] &= ~path->mask;
    path->state = PATH_RUNS;
    path->released = true;
    paths_look_again(warp, false);
}

/* Who came last to BSYNC, and waits there; NULL: nobody does. */
static Path *last_to_sync(Warp *warp) {
    Path *last = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (syncs(warp, path) && (!last || path->since > last->since))
            last = path;
    }
    return last;
}

/* Lanes at BSYNC and lanes at WARPSYNC that wait for each other: __syncwarp() with a mask that names lanes which went
 * another way. A GPU does not hang there, so those at BSYNC go on. */
static bool break_cycles(Warp *warp) {
    bool any = false;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        for (uint32_t k = 0; syncs(warp, path) && k < warp->path_count; k++) {
            const Path *other = &warp->paths[k];
            if (!other->mask || other->state != PATH_WAITS_WARP || syncs(warp, other) ||
                !(path->wait & other->mask) || !(other->wait & path->mask))
                continue;
            pass_sync(warp, path);
            any = true;
        }
    }
    return any;
}

/* All lanes are at BSYNC, and none of them can go on: barriers that lanes passed which others yielded to. The last to come
 * passes. */
static bool pass_alone(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (warp->paths[i].mask && !syncs(warp, &warp->paths[i]))
            return false;
    }
    Path *last = last_to_sync(warp);
    if (last)
        pass_sync(warp, last);
    return last != NULL;
}

static Path *choose_machine(Warp *warp) {
    Path *first = first_in_queue(warp);
    if (!first && warp->live && (break_cycles(warp) || pass_alone(warp)))
        first = first_in_queue(warp);
    if (first && first->yielded)
        join_yielded(warp, first);
    return first;
}

/* Of the paths that wait for their turn the one that parted last, before `path` and `waits` did; latest: it is marked
 * so. NULL: none. */
static Path *last_in_queue(Warp *warp, const Path *path, const Path *waits, bool latest) {
    Path *last = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other != path && other != waits && other->mask && other->state == PATH_RUNS &&
            !other->inside && other->latest == latest && (!last || other->turn > last->turn))
            last = other;
    }
    return last;
}

/* `waits` has parted from `path`: it is the latest to wait now. Who was before becomes one with those before it in the
 * queue, at the same place. */
static void queue_up(Warp *warp, const Path *path, Path *waits) {
    Path *latest = last_in_queue(warp, path, waits, true);
    Path *before = last_in_queue(warp, path, waits, false);
    waits->latest = true;
    if (!latest)
        return;
    latest->latest = false;
    if (before && before->pc == latest->pc && before->activation == latest->activation) {
        before->mask |= latest->mask;
        path_free(warp, latest);
    }
}

void diverge_machine(Warp *warp, Path *path, const Block *block, uint32_t taken) {
    const uint32_t others = path->mask & ~taken;
    const bool goes_on = __builtin_popcount(taken) < __builtin_popcount(others);
    Path *waits = path_split(warp, path, goes_on ? others : taken);
    waits->turn = ++warp->turns;
    path->turn = ++warp->turns;
    path_enter(warp, waits, block->successor[!goes_on]);
    path_enter(warp, path, block->successor[goes_on]);
    queue_up(warp, path, waits);
}

Path *path_choose(Warp *warp) {
    if (warp->worker->program->function->machine)
        return choose_machine(warp);
    Path *first = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (!path->mask || path->state != PATH_RUNS)
            continue;
        if (!first || goes_before(path, first)) {
            first = path;
        } else if (path->order == first->order && path->activation == first->activation) {
            if (!path->inside && !first->inside) {
                first->mask |= path->mask;
                path_free(warp, path);
                if (first->mask == warp->live)
                    warp->patience = PATIENCE_MOST;
            } else if (path->inside) {
                first = path; /* in the middle of the block: it goes on until its end */
            }
        }
    }
    return first;
}

Path *path_next(Warp *warp) {
    uint32_t count = warp->path_count;
    uint32_t start = warp->current ? (uint32_t)(warp->current - warp->paths) : 0;
    for (uint32_t i = 1; i <= count; i++) {
        Path *path = &warp->paths[(start + i) % count];
        if (path->mask && path->state == PATH_RUNS)
            return path;
    }
    return NULL;
}

bool path_others_come(const Warp *warp, const Path *path) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const Path *other = &warp->paths[i];
        bool same = other->pc == path->pc && other->activation == path->activation;
        if (other == path || !other->mask || same)
            continue;
        if (other->state == PATH_WAITS_BARRIER || stands_before(path, other))
            return false;
    }
    return true;
}

/* Takes over the lanes of other paths that were let go at the same instruction. */
static void join_released(Warp *warp, Path *path) {
    for (uint32_t i = 0; path->mask && path->released && i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !other->mask || !other->released || other->pc != path->pc ||
            other->activation != path->activation)
            continue;
        path->mask |= other->mask;
        path_free(warp, other);
    }
}

void path_join_released(Warp *warp) {
    if (warp->current) /* the caller goes on with it */
        join_released(warp, warp->current);
    for (uint32_t i = 0; i < warp->path_count; i++)
        join_released(warp, &warp->paths[i]);
}

/* Whether another path can run that has not yielded. */
static bool others_run(const Warp *warp, const Path *path) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const Path *other = &warp->paths[i];
        if (other != path && other->mask && other->state == PATH_RUNS && !other->yielded)
            return true;
    }
    return false;
}

static bool others_yielded(const Warp *warp, const Path *path) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const Path *other = &warp->paths[i];
        if (other != path && other->mask && other->state == PATH_RUNS && other->yielded)
            return true;
    }
    return false;
}

bool path_yield(Warp *warp, Path *path) {
    Path *waits = last_to_sync(warp);
    const bool others = others_run(warp, path);
    if (!others && !waits && !others_yielded(warp, path))
        return false;
    path->yielded = true;
    path->since = ++warp->turns;
    warp->may_pass = true;
    if (!others && waits)
        pass_sync(warp, waits);
    return true;
}

/* A GPU lets lanes pass BSYNC that wait there for lanes which do nothing but spin (YIELD). Those do not wait for them in
 * their turn. */
void path_let_go(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (syncs(warp, &warp->paths[i]))
            pass_sync(warp, &warp->paths[i]);
}

/* ---- instructions that lanes execute together ---- */

/* Lanes in another function's activation may use the same convergence barrier for something else: their masks tell. */
static bool waits_for(const Warp *warp, const Path *path, const Code *code, uint32_t members) {
    if (!path->mask || path->state != PATH_WAITS_WARP)
        return false;
    if (code->insn->op != OP_machine_sync)
        return (path->wait & warp->live) == members;
    const Code *at = &warp->worker->program->code[path->pc];
    return at->insn->op == OP_machine_sync && at->a == code->a && (path->mask & ~members) == 0;
}

/* Every live lane of `members` is at such an instruction for these members, or need not come. */
static bool all_wait(const Warp *warp, const Path *path, const Code *code, uint32_t members) {
    uint32_t here = path->mask;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (waits_for(warp, &warp->paths[i], code, members))
            here |= warp->paths[i].mask;
    }
    return (members & ~here) == 0;
}

/* Nobody is missing any more for whom a path at BSYNC waits. */
static bool all_came(const Warp *warp, const Path *path) {
    const Code *code = &warp->worker->program->code[path->pc];
    const uint32_t members = reg32(warp, code->a)[__builtin_ctz(path->mask)] & warp->live;
    return all_wait(warp, path, code, members);
}

void paths_look_again(Warp *warp, bool first) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (!path->mask || path->state != PATH_WAITS_WARP ||
            (syncs(warp, path) && !all_came(warp, path)))
            continue;
        path->state = PATH_RUNS;
        if (first)
            path->turn = ++warp->turns;
    }
}

/* Whether lanes that wait at `other` execute the instruction at `path` with those there. */
static bool meets(const Warp *warp, const Path *path, const Path *other) {
    const Code *code = warp->worker->program->code;
    return other->activation == path->activation &&
           (other->pc == path->pc || (code[path->pc].insn->op == OP_machine_collective &&
                                      code[other->pc].insn->op == OP_machine_collective));
}

/* Takes over the lanes of paths that wait at the same instruction. Those that came there through
 * another call are guests: the instruction is executed for them, then they go on by themselves. Those
 * that wait at another one for the same members are let go: each passes its own. */
static void gather(Warp *warp, Path *path, const Code *code, uint32_t members) {
    for (uint32_t i = 0; i < WARP_LANES && i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !waits_for(warp, other, code, members))
            continue;
        if (meets(warp, path, other)) {
            path->mask |= other->mask;
            other->mask = 0; /* freed by path_choose's next turn */
        } else if (other->pc == path->pc) {
            warp->guests |= code->guard == NO_OPERAND
                                ? other->mask
                                : other->mask & (*reg32(warp, code->guard) ^ code->guard_flip);
            other->passed = true;
        } else {
            other->released = true;
        }
        other->state = PATH_RUNS;
    }
    path->released = true;
    warp->spins = 0;
}

/* BSYNC and the like of machine code bring lanes together, and order nothing. Lanes that come to a barrier of the warp
 * with other member masks wait for others, and are told of apart. */
static void tell_together(const Warp *warp, const Code *code, uint32_t lanes, uint32_t members) {
    if (!watched(warp) || code->insn->op == OP_machine_sync)
        return;
    if (!op_has(code->insn->op, TRAIT_BARRIER)) {
        watch_event(warp, code, EVENT_WARP_SYNC, lanes, 0, members);
        return;
    }
    while (lanes) {
        members = reg32(warp, code->a)[__builtin_ctz(lanes)];
        const uint32_t now = lanes & members ? lanes & members : lanes & (0u - lanes);
        watch_event(warp, code, EVENT_WARP_SYNC, now, 0, members);
        lanes &= ~now;
    }
}

bool path_together(Warp *warp, Path *path, const Code *code, uint32_t *mask, uint32_t members) {
    const uint32_t named = members;
    members &= warp->live;
    if (path->released || (members & ~*mask) == 0) {
        path->released = false;
        *mask |= warp->guests;
        warp->guests = 0;
        tell_together(warp, code, *mask, named);
        return true;
    }
    path->pc = (uint32_t)(code - warp->worker->program->code);
    if (all_wait(warp, path, code, members)) {
        gather(warp, path, code, members); /* executed again, now for all of them */
        return false;
    }
    path->state = PATH_WAITS_WARP;
    path->wait = members;
    path->since = ++warp->turns;
    if (warp->may_pass && syncs(warp, path) && !others_run(warp, path) &&
        others_yielded(warp, path)) {
        warp->may_pass = false;
        pass_sync(warp, path); /* executed again */
    }
    return false;
}

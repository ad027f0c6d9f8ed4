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
 * In machine code they meet where it says: converge.c.
 *
 * A lane that spins for what a lane further on would do next would hold that one up for ever: after
 * many spinning operations the others get a turn (warp.c). */
#include "exec/calls/calls.h"
#include "exec/run/watch.h"

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

Path *path_choose(Warp *warp) {
    if (warp->worker->program->function->machine)
        return converge_choose(warp);
    Path *first = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (!path_runs(path))
            continue;
        if (!first || stands_before(path, first)) {
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
        if (path_runs(path))
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

/* ---- instructions that lanes execute together ---- */

static bool waits_for(const Warp *warp, const Path *path, uint32_t members) {
    return path->mask && path->state == PATH_WAITS_WARP && (path->wait & warp->live) == members;
}

/* Every live lane of `members` is at such an instruction for these members, or need not come. */
static bool all_wait(const Warp *warp, const Path *path, uint32_t members) {
    uint32_t here = path->mask;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (waits_for(warp, &warp->paths[i], members))
            here |= warp->paths[i].mask;
    }
    return (members & ~here) == 0;
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
        if (other == path || !waits_for(warp, other, members))
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

/* Lanes that come to a barrier of the warp with other member masks wait for others, and are told of apart. */
static void tell_together(const Warp *warp, const Code *code, uint32_t lanes, uint32_t members) {
    if (!watched(warp))
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
    if (all_wait(warp, path, members)) {
        gather(warp, path, code, members); /* executed again, now for all of them */
        return false;
    }
    path->state = PATH_WAITS_WARP;
    path->wait = members;
    return false;
}

/* Where lanes of machine code part and meet again.
 *
 * They meet at a convergence barrier and nowhere else; but lanes that have to wait for their turn. A barrier is one mask for
 * the warp: BSSY adds lanes to it, BREAK takes lanes out, and at BSYNC those that are in it wait until all of them have
 * come, at this BSYNC or another one of the barrier; then it is empty. Lanes that are not in it pass.
 *
 * Of a branch's two sides the one with fewer lanes goes on (of equal ones, that which does not jump), so that few wait at
 * any time. At a return or a switch the sides are those that go where the first lane goes, and the others, which stay and
 * execute it again; of equal ones the former go on. When those that go on wait or have ended, those that parted last are
 * next: the latest by itself. The others are in the queue, where lanes are known by their place alone: with the one that
 * leaves it go all that stand at the same place, those that wait at BSYNC there among them, in whichever call they are. They
 * execute BSYNC together; lanes that are not in the barrier pass with those that are. Whom BREAK lets go goes at once, if
 * they are fewer than those who broke. Whom BSYNC lets go at another place is in the queue, and executes its own BSYNC again.
 *
 * At YIELD others go first: those that can run and have not yielded, in the order above. Where there are none, and so too where lanes
 * wait, one is picked of those that have yielded or wait at BSYNC, round robin by lanes: the one that has the first lane behind
 * the lane that was picked last, and with it all that stand there. It passes BSYNC without the others, and empties the
 * barrier; lanes that it held elsewhere stay. Who has left since the last pick, while others could run, is no candidate yet,
 * but where there is nobody else: then the first to have left is next, or round robin, if the last to run came
 * from the queue. The first to come to BSYNC while lanes have yielded and nobody else can run passes it at once; not again,
 * before those that it passed without have had their turn.
 *
 * So it was seen on an H200 and an H100, where lanes wrote down when they came where, and with whom (docs/machine-code.md). What
 * YIELD does is not known in all cases: picks among groups at several places are counted (Run.guesses), and their launch is not said to be exact. */
#include "exec/run/converge.h"
#include "exec/calls/calls.h"
#include "exec/run/worker.h"

/* ---- who can run ---- */

/* Of those that can run and did not yield, but `but`, the one that parted last. NULL: none. */
static Path *last_to_part(Warp *warp, const Path *but) {
    Path *last = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (path != but && path_runs(path) && !path->yielded && (!last || path->turn > last->turn))
            last = path;
    }
    return last;
}

/* Whether lanes have yielded that can run, but those of `but`; overtaken: and were overtaken at BSYNC since. */
static bool have_yielded(const Warp *warp, const Path *but, bool overtaken) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const Path *path = &warp->paths[i];
        if (path != but && path_runs(path) && path->yielded && path->overtaken >= overtaken)
            return true;
    }
    return false;
}

/* ---- convergence barriers ---- */

static const Code *code_at(const Warp *warp, const Path *path) {
    return &warp->worker->program->code[path->pc];
}

/* Whether the path waits at BSYNC. */
static bool syncs(const Warp *warp, const Path *path) {
    return path->mask && path->state == PATH_WAITS_WARP &&
           code_at(warp, path)->insn->op == OP_machine_sync;
}

uint32_t *barrier_of(Warp *warp, const Code *code) {
    return &warp->barriers[*reg32(warp, code->a) % CONVERGENCE_BARRIERS];
}

static uint32_t *barrier_at(Warp *warp, const Path *path) {
    return barrier_of(warp, code_at(warp, path));
}

/* Who came first to BSYNC, and waits there. NULL: nobody does. */
static Path *first_to_sync(Warp *warp) {
    Path *first = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (syncs(warp, path) && (!first || path->since < first->since))
            first = path;
    }
    return first;
}

/* Whether all lanes that are in the barrier have come, those of the path among them. */
static bool all_came(Warp *warp, const Path *path) {
    const uint32_t *barrier = barrier_at(warp, path), members = *barrier & warp->live;
    uint32_t here = path->mask;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const Path *other = &warp->paths[i];
        if (syncs(warp, other) && barrier_at(warp, other) == barrier)
            here |= other->mask;
    }
    return members & path->mask && (members & ~here) == 0;
}

/* The path passes BSYNC with those in its barrier that wait there. All have come: those that wait at another one go on, too; else
 * they stay. */
static void pass(Warp *warp, Path *path, bool all) {
    uint32_t *barrier = barrier_at(warp, path);
    const uint32_t members = *barrier | path->mask;
    *barrier = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !syncs(warp, other) || barrier_at(warp, other) != barrier ||
            !(other->mask & members))
            continue;
        if (other->pc == path->pc && other->activation == path->activation) {
            path->mask |= other->mask;
            other->mask = 0; /* its place is free: loops go on over the others */
        } else if (all) {
            other->state = PATH_RUNS;
            other->queued = true; /* it executes BSYNC again, of a barrier that has it no longer */
            other->turn = ++warp->turns;
        }
    }
    path->state = PATH_RUNS;
    path->released = true;
    path->turn = ++warp->turns;
    warp->spins = 0;
    path_join_released(warp);
}

/* Nobody who waits is missed any more: they go on, WARPSYNC's by executing it again. The smallest of those that pass BSYNC;
 * NULL: none. */
static Path *wake(Warp *warp) {
    Path *smallest = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (!path->mask || path->state != PATH_WAITS_WARP)
            continue;
        if (!syncs(warp, path)) {
            path->state = PATH_RUNS;
        } else if (all_came(warp, path)) {
            pass(warp, path, true);
            if (!smallest || __builtin_popcount(path->mask) < __builtin_popcount(smallest->mask))
                smallest = path;
        }
    }
    return smallest;
}

void paths_look_again(Warp *warp) {
    if (wake(warp) && warp->current && warp->current->mask)
        warp->current->turn = ++warp->turns;
}

void path_break(Warp *warp, Path *path, const Code *code, uint32_t lanes) {
    *barrier_of(warp, code) &= ~lanes;
    Path *smallest = wake(warp);
    if (!smallest)
        return;
    const bool fewer = __builtin_popcount(smallest->mask) < __builtin_popcount(path->mask);
    (fewer ? smallest : path)->turn = ++warp->turns;
}

/* Whether the path, which has come to BSYNC before others, goes on without them: lanes have yielded, none of which were passed by
 * so since, and nobody else can run. */
static bool overtakes(Warp *warp, const Path *path) {
    if (last_to_part(warp, path) || !have_yielded(warp, path, false) ||
        have_yielded(warp, path, true))
        return false;
    for (uint32_t i = 0; i < warp->path_count; i++)
        warp->paths[i].overtaken = warp->paths[i].yielded;
    return true;
}

bool path_sync(Warp *warp, Path *path, const Code *code) {
    uint32_t *barrier = barrier_of(warp, code);
    const uint32_t members = *barrier & path->mask;
    if (path->released || !members) {
        path->released = false;
        return true;
    }
    if (path->mask == warp->live) {
        *barrier = 0;
        return true;
    }
    path->pc = (uint32_t)(code - warp->worker->program->code);
    if (all_came(warp, path)) {
        pass(warp, path, true);
        return false;
    }
    Path *waits = path;
    if (members != path->mask) {
        waits = path_split(warp, path, members);
        waits->left = 0;
    } else if (overtakes(warp, path)) {
        pass(warp, path, false);
        return false;
    }
    waits->state = PATH_WAITS_WARP;
    waits->wait = 0;
    waits->leaves = true;
    waits->since = ++warp->turns;
    return false;
}

bool path_yield(Warp *warp, Path *path) {
    bool others = false;
    for (uint32_t i = 0; i < warp->path_count; i++)
        others |=
            &warp->paths[i] != path && (path_runs(&warp->paths[i]) || syncs(warp, &warp->paths[i]));
    if (!others)
        return false;
    path->yielded = path->leaves = true;
    path->overtaken = false;
    warp->yields = true;
    return true;
}

/* A GPU lets lanes pass BSYNC that wait there for lanes which do nothing but spin. */
void path_let_go(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (syncs(warp, &warp->paths[i]))
            pass(warp, &warp->paths[i], true);
}

/* ---- whose turn it is ---- */

/* Lanes at BSYNC and lanes at WARPSYNC that wait for each other: __syncwarp() with a mask that names lanes which went
 * another way. A GPU does not hang there, so those at BSYNC go on. */
static bool break_cycles(Warp *warp) {
    bool any = false;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        for (uint32_t k = 0; syncs(warp, path) && k < warp->path_count; k++) {
            const Path *other = &warp->paths[k];
            if (!other->mask || other->state != PATH_WAITS_WARP || syncs(warp, other) ||
                !(*barrier_at(warp, path) & other->mask) || !(other->wait & path->mask))
                continue;
            pass(warp, path, true);
            any = true;
        }
    }
    return any;
}

/* All lanes are at BSYNC, and none of them can go on: the first to come passes. */
static bool pass_alone(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (warp->paths[i].mask && !syncs(warp, &warp->paths[i]))
            return false;
    }
    Path *first = first_to_sync(warp);
    if (first)
        pass(warp, first, true);
    return first != NULL;
}

/* The path takes along those that stand where it does, and have entered the block there (inside) or have not. */
static void take_along(Warp *warp, Path *path, bool inside) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || other->pc != path->pc || other->activation != path->activation ||
            other->inside != inside ||
            !(syncs(warp, other) || (path_runs(other) && other->queued && !other->yielded)))
            continue;
        if (inside != path->inside) /* one of them was counted as it came */
            path_count_block(warp, inside ? path : other);
        path->mask |= other->mask;
        other->mask = 0; /* its place is free: loops go on over the others */
    }
}

/* The path leaves the queue, where lanes are known by their place alone. */
static void leave_queue(Warp *warp, Path *path) {
    if (!path->queued)
        return;
    take_along(warp, path, path->inside);
    take_along(warp, path, !path->inside);
}

/* How many lanes behind the one that was picked last the path's next one is. */
static uint32_t distance(const Warp *warp, const Path *path) {
    const uint32_t by = (warp->picked + 1) % WARP_LANES;
    return (uint32_t)__builtin_ctz(path->mask >> by | path->mask << (WARP_LANES - by) % WARP_LANES);
}

/* Which of two that have yielded or wait at BSYNC is picked. */
static bool is_before(const Warp *warp, const Path *a, const Path *b) {
    if (a->leaves != b->leaves)
        return b->leaves;
    if (!a->left != !b->left)
        return !a->left;
    if (a->left && !warp->from_queue)
        return a->left < b->left;
    return distance(warp, a) < distance(warp, b);
}

/* Those that have yielded, or wait, where the path has, go on with it. */
static void join_picked(Warp *warp, Path *path) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || other->pc != path->pc || other->activation != path->activation ||
            !(syncs(warp, path) ? syncs(warp, other) : path_runs(other) && other->yielded))
            continue;
        path->mask |= other->mask;
        other->mask = 0; /* its place is free: loops go on over the others */
    }
}

/* Whether the path may be picked. */
static bool is_candidate(const Warp *warp, const Path *path) {
    return path->mask && (path->yielded || syncs(warp, path));
}

/* One of those that have yielded or wait at BSYNC. NULL: there are none. */
static Path *pick(Warp *warp) {
    Path *next = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (is_candidate(warp, path) && (!next || is_before(warp, path, next)))
            next = path;
    }
    if (!next)
        return NULL;
    warp->picked = (warp->picked + 1 + distance(warp, next)) % WARP_LANES;
    bool several = false;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        several |= is_candidate(warp, path) && !path->leaves && path->pc != next->pc;
        path->leaves = false;
        path->left = 0;
    }
    if (several)
        warp->worker->run->guesses++;
    join_picked(warp, next);
    if (!syncs(warp, next))
        return next;
    pass(warp, next, false);
    return last_to_part(warp, NULL);
}

/* `next` goes on without a pick, in the place of who leaves. */
static void replace(Warp *warp, Path *next) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (!path->mask || !path->leaves)
            continue;
        path->leaves = false;
        path->left = ++warp->turns;
        warp->from_queue = next->queued;
    }
    leave_queue(warp, next);
}

Path *converge_choose(Warp *warp) {
    Path *next = last_to_part(warp, NULL);
    if (next) {
        replace(warp, next);
        return next;
    }
    if (warp->yields)
        next = pick(warp);
    if (!next && warp->live && (break_cycles(warp) || pass_alone(warp)))
        next = last_to_part(warp, NULL);
    return next;
}

/* `waits` has parted from `path`: it is the latest to wait now, and who was until now is in the queue. */
static void queue_up(Warp *warp, const Path *path, Path *waits) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        other->queued |= other->latest && other != path && other != waits;
        other->latest = other == waits;
    }
}

void diverge_machine(Warp *warp, Path *path, const Block *block, uint32_t taken) {
    const uint32_t others = path->mask & ~taken;
    const bool goes_on = __builtin_popcount(taken) < __builtin_popcount(others);
    Path *waits = path_split(warp, path, goes_on ? others : taken);
    waits->left = 0;
    waits->turn = ++warp->turns;
    path->turn = ++warp->turns;
    path_enter(warp, waits, block->successor[!goes_on]);
    path_enter(warp, path, block->successor[goes_on]);
    queue_up(warp, path, waits);
}

void diverge_switch(Warp *warp, Path *path, uint32_t lanes, uint32_t target) {
    const uint32_t others = path->mask & ~lanes;
    const bool go_on = __builtin_popcount(lanes) <= __builtin_popcount(others);
    Path *waits = path_split(warp, path, go_on ? others : lanes);
    waits->left = 0;
    waits->turn = ++warp->turns;
    path->turn = ++warp->turns;
    if (!go_on)
        path_enter(warp, waits, target);
    queue_up(warp, path, waits);
}

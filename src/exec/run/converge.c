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
 * At YIELD others go first: those that can run; else who has waited longest, at BSYNC, which it then passes without the
 * others, or since a YIELD of its own. While lanes have yielded and nobody else can run, the first to come to BSYNC passes
 * it, and empties the barrier; for the next one the lanes that yielded are no longer absent: of them and of those at BSYNC
 * goes on who has waited longest.
 *
 * So it was seen on an H200, where lanes wrote down when they came where, and with whom (docs/machine-code.md). */
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

/* Of those that yielded (overtaken: and were overtaken at BSYNC since), but `but`, the first. NULL: none. */
static Path *first_to_yield(Warp *warp, const Path *but, bool overtaken) {
    Path *first = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (path != but && path_runs(path) && path->yielded && path->overtaken >= overtaken &&
            (!first || path->since < first->since))
            first = path;
    }
    return first;
}

/* Those that yielded at the same place go on together. */
static void join_yielded(Warp *warp, Path *path) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !path_runs(other) || !other->yielded || other->pc != path->pc ||
            other->activation != path->activation)
            continue;
        path->mask |= other->mask;
        path_free(warp, other);
    }
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

/* The path passes BSYNC with those in its barrier that wait there, or at another one, too. */
static void pass(Warp *warp, Path *path) {
    uint32_t *barrier = barrier_at(warp, path);
    const uint32_t members = *barrier | path->mask;
    *barrier = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !syncs(warp, other) || barrier_at(warp, other) != barrier ||
            !(other->mask & members))
            continue;
        other->state = PATH_RUNS;
        if (other->pc == path->pc && other->activation == path->activation) {
            path->mask |= other->mask;
            other->mask = 0; /* its place is free: loops go on over the others */
        } else {
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
            pass(warp, path);
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

/* Whether the path, which has come to BSYNC before others, goes on without them: lanes have yielded, and nobody else can run. */
static bool overtakes(Warp *warp, Path *path) {
    if (last_to_part(warp, path) || !first_to_yield(warp, path, false))
        return false;
    const Path *absent = first_to_yield(warp, path, true);
    if (!absent) {
        for (uint32_t i = 0; i < warp->path_count; i++)
            warp->paths[i].overtaken = warp->paths[i].yielded;
        return true;
    }
    Path *waits = first_to_sync(warp);
    if (!waits || waits->since > absent->since)
        return false;
    if (barrier_at(warp, waits) == barrier_at(warp, path))
        return true;
    pass(warp, waits);
    return false;
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
        pass(warp, path);
        return false;
    }
    Path *waits = path;
    if (members != path->mask)
        waits = path_split(warp, path, members);
    else if (overtakes(warp, path)) {
        pass(warp, path);
        return false;
    }
    waits->state = PATH_WAITS_WARP;
    waits->wait = 0;
    waits->since = ++warp->turns;
    return false;
}

bool path_yield(Warp *warp, Path *path) {
    const Path *next = last_to_part(warp, path), *yielded = first_to_yield(warp, path, false);
    Path *waits = next ? NULL : first_to_sync(warp);
    if (!next && !yielded && !waits)
        return false;
    path->yielded = true;
    path->overtaken = false;
    path->since = ++warp->turns;
    if (waits && (!yielded || waits->since < yielded->since))
        pass(warp, waits);
    return true;
}

/* A GPU lets lanes pass BSYNC that wait there for lanes which do nothing but spin. */
void path_let_go(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (syncs(warp, &warp->paths[i]))
            pass(warp, &warp->paths[i]);
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
            pass(warp, path);
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
        pass(warp, first);
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

Path *converge_choose(Warp *warp) {
    Path *next = last_to_part(warp, NULL);
    if (next) {
        leave_queue(warp, next);
        return next;
    }
    next = first_to_yield(warp, NULL, false);
    if (next)
        join_yielded(warp, next);
    else if (warp->live && (break_cycles(warp) || pass_alone(warp)))
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
    waits->turn = ++warp->turns;
    path->turn = ++warp->turns;
    if (!go_on)
        path_enter(warp, waits, target);
    queue_up(warp, path, waits);
}

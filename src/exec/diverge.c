/* Divergence and reconvergence of the lanes of one warp.
 *
 * The lanes that run together are a Path. At a branch that only some of its lanes take, a path parts
 * in two. Of a warp's paths the one at the first basic block (in the order of ir/order.c) runs, and
 * paths that stand at the start of the same block become one: so lanes meet again as early as they
 * can. Compared with what was measured on an H100 in docs/memory-model.md.
 *
 * A lane that spins for what a lane further on would do next would hold that one up for ever: after
 * many spinning operations the others get a turn (warp.c). */
#include "exec/warp.h"

#include <assert.h>

static Path *path_new(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (warp->paths[i].mask == 0)
            return &warp->paths[i];
    }
    assert(warp->path_count < WARP_LANES);
    return &warp->paths[warp->path_count++];
}

static void path_free(Warp *warp, Path *path) {
    *path = (Path){0};
    while (warp->path_count > 1 && warp->paths[warp->path_count - 1].mask == 0)
        warp->path_count--;
}

void path_enter(Warp *warp, Path *path, uint32_t to) {
    const Program *program = warp->worker->program;
    path->pc = program->function->blocks.at[to].first;
    path->order = program->order[to];
    path->inside = false;
}

void path_exit(Warp *warp, Path *path, uint32_t mask) {
    warp->live &= ~mask;
    warp->cta->live_threads -= (uint32_t)__builtin_popcount(mask);
    path->mask &= ~mask;
    if (path->mask == 0)
        path_free(warp, path);
    for (uint32_t i = 0; i < warp->path_count; i++) { /* who waits for these lanes looks again */
        if (warp->paths[i].state == PATH_WAITS_WARP)
            warp->paths[i].state = PATH_RUNS;
    }
    cta_check_barriers(warp->cta);
}

void diverge(Warp *warp, Path *path, uint32_t from, uint32_t taken) {
    const Block *block = &warp->worker->program->function->blocks.at[from];
    if (block->successor[1] == NO_INDEX) { /* a branch behind the last instruction */
        path_exit(warp, path, taken);
        path_enter(warp, path, block->successor[0]);
        return;
    }
    Path *other = path_new(warp);
    *other = (Path){.mask = taken};
    path->mask &= ~taken;
    path_enter(warp, other, block->successor[1]);
    path_enter(warp, path, block->successor[0]);
}

Path *path_choose(Warp *warp) {
    Path *first = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        Path *path = &warp->paths[i];
        if (!path->mask || path->state != PATH_RUNS)
            continue;
        if (!first || path->order < first->order) {
            first = path;
        } else if (path->order == first->order) {
            if (!path->inside && !first->inside) {
                first->mask |= path->mask;
                path_free(warp, path);
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
        if (other != path && other->mask && other->state == PATH_RUNS &&
            other->order <= path->order)
            return true;
    }
    return false;
}

/* ---- instructions that lanes execute together ---- */

static bool waits_for(const Warp *warp, const Path *path, uint32_t members) {
    return path->mask && path->state == PATH_WAITS_WARP && (path->wait & warp->live) == members;
}

/* Every live lane of `members` is at such an instruction for these members. */
static bool all_wait(const Warp *warp, const Path *path, uint32_t members) {
    uint32_t here = path->mask;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (waits_for(warp, &warp->paths[i], members))
            here |= warp->paths[i].mask;
    }
    return (members & ~here) == 0;
}

/* Takes over the lanes of paths that wait at the same instruction; those that wait at another one
 * for the same members are let go: each passes its own. */
static void gather(Warp *warp, Path *path, uint32_t members) {
    for (uint32_t i = 0; i < WARP_LANES && i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !waits_for(warp, other, members))
            continue;
        if (other->pc == path->pc) {
            path->mask |= other->mask;
            other->mask = 0; /* freed by path_choose's next turn */
        } else {
            other->released = true;
        }
        other->state = PATH_RUNS;
    }
    path->released = true;
    warp->spins = 0;
}

bool path_together(Warp *warp, Path *path, uint32_t mask, uint32_t members) {
    members &= warp->live;
    if (path->released || (members & ~mask) == 0) {
        path->released = false;
        return true;
    }
    if (all_wait(warp, path, members)) {
        gather(warp, path, members); /* executed again, now for all of them */
        return false;
    }
    path->state = PATH_WAITS_WARP;
    path->wait = members;
    return false;
}

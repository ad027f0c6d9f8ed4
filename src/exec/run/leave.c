/* Lanes that leave the others of their path: for another basic block, out of a function, out of the
 * kernel. */
#include "exec/calls/calls.h"
#include "exec/run/cta.h"
#include "exec/run/watch.h"

void path_branch(Warp *warp, Path *path, uint32_t lanes, uint32_t to) {
    Path *other = path_split(warp, path, lanes);
    other->turn = ++warp->turns;
    path->turn = ++warp->turns;
    if (to == NO_INDEX)
        path_leave(warp, other);
    else
        path_enter(warp, other, to);
}

bool path_leave(Warp *warp, Path *path) {
    if (path->activation && call_return(warp, path))
        return true;
    path_exit(warp, path, path->mask);
    return false;
}

void path_exit(Warp *warp, Path *path, uint32_t mask) {
    if (path->activation)
        call_forget(warp, path->activation, mask);
    if (watched(warp) && mask)
        watch_event(warp, NULL, EVENT_EXIT, mask, 0, 0);
    warp->live &= ~mask;
    warp->activity->deeds += warp->live == 0;
    warp->cta->live_threads -= (uint32_t)__builtin_popcount(mask);
    path->mask &= ~mask;
    if (path->mask == 0)
        path_free(warp, path);
    if (warp->live) /* others are left, who may wait for those that have gone */
        paths_look_again(warp);
    if (warp->cta->awaited || warp->cta->cluster->arrived)
        cta_depart(warp);
}

void diverge(Warp *warp, Path *path, uint32_t from, uint32_t taken) {
    const Block *block = &warp->worker->program->blocks[from];
    if (warp->worker->program->function->machine) {
        diverge_machine(warp, path, block, taken);
        return;
    }
    path_branch(warp, path, taken, block->successor[1]);
    path_enter(warp, path, block->successor[0]);
}

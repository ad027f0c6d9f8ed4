/* Lanes that arrive at the barriers of their block, or never will. */
#include "exec/classes/classes.h"
#include "exec/run/caches.h"
#include "exec/run/cta.h"
#include "exec/run/observe.h"
#include "exec/run/watch.h"

static inline void let_go(Path *path, uint32_t number, uint32_t yes, uint32_t threads) {
    if (!path->mask || path->state != PATH_WAITS_BARRIER || path->wait != number)
        return;
    path->state = PATH_RUNS;
    path->released = true;
    path->result = yes;
    path->wait = threads;
}

static void release(Cta *cta, uint32_t number) {
    observe_release(cta, number);
    if (cta->watched)
        watch_release(cta, number);
    const uint32_t yes = cta->barriers[number].yes, threads = cta->barriers[number].threads;
    const bool parted = cta->parted >> number & 1;
    cta->barriers[number] = (Barrier){0};
    cta->awaited &= ~(1u << number);
    if (parted)
        cta->parted &= ~(1u << number);
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        Warp *warp = &cta->warps[i];
        warp->spins = 0;
        if (parted)
            warp->arrived[number] = 0;
        let_go(&warp->paths[0], number, yes, threads);
        if (warp->path_count == 1)
            continue;
        for (uint32_t p = 1; p < warp->path_count; p++)
            let_go(&warp->paths[p], number, yes, threads);
        path_join_released(warp);
    }
    if (cta->worker->follower)
        follow_release(cta);
}

static void count_warp(Warp *warp, uint32_t number) {
    if (warp->arrived[number] == 0 || (warp->live & ~warp->arrived[number]) != 0)
        return;
    warp->arrived[number] = 0;
    warp->cta->barriers[number].warps++;
}

static void check_barrier(Cta *cta, uint32_t number) {
    const Barrier *barrier = &cta->barriers[number];
    if (barrier->threads && (barrier->expected ? barrier->warps >= barrier->expected
                                               : barrier->threads >= cta->live_threads))
        release(cta, number);
}

void cta_arrive(Warp *warp, uint32_t barrier, uint32_t lanes) {
    Cta *cta = warp->cta;
    observe_arrive(warp, barrier, lanes);
    if (cta->trace)
        caches_wait(warp);
    cta->barriers[barrier].threads += (uint32_t)__builtin_popcount(lanes);
    cta->awaited |= 1u << barrier;
    if (lanes == warp->live && !(cta->parted >> barrier & 1)) {
        cta->barriers[barrier].warps++;
    } else {
        cta->parted |= 1u << barrier;
        warp->arrived[barrier] |= lanes;
        count_warp(warp, barrier);
    }
    check_barrier(cta, barrier);
}

void cta_depart(Warp *warp) {
    if (warp->cta->cluster->arrived)
        cluster_check(warp->cta->cluster);
    for_lanes(barrier, warp->cta->awaited) {
        count_warp(warp, barrier);
        check_barrier(warp->cta, barrier);
    }
}

bool cta_release_partial(Cta *cta) {
    for (uint32_t i = 0; i < BARRIERS; i++) {
        uint32_t warps = cta->barriers[i].warps;
        for (uint32_t w = 0; w < cta->warp_count; w++)
            warps += cta->warps[w].arrived[i] != 0;
        if (cta->barriers[i].expected && warps >= cta->barriers[i].expected) {
            release(cta, i);
            return true;
        }
    }
    return false;
}

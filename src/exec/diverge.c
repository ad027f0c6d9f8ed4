/* Divergence and reconvergence of the lanes of one warp.
 *
 * Lanes that part at a branch meet again at its immediate post-dominator, as ptxas places its convergence barriers for
 * compute capability 7.0 and later. The lanes that run together are a Path; the lanes that parted at one branch are a
 * Region, which knows who is expected at the meeting point and who has arrived. Regions nest. A path that reaches the
 * meeting point of its region gives its lanes to the region and ends; the last one to arrive goes on with all of them.
 *
 * Paths of a warp take turns (warp.c), so lanes that wait for each other through memory make progress. A lane that
 * spins for what a lane at the meeting point would do next would wait for ever: diverge_release lets those go. */
#include "exec/warp.h"

#include <assert.h>
#include <string.h>

static uint32_t region_new(Warp *warp, Region region) {
    for (uint32_t i = 0; i < warp->region_count; i++) {
        if (!warp->regions[i].open) {
            warp->regions[i] = region;
            return i;
        }
    }
    if (warp->region_count == warp->region_capacity) {
        uint32_t larger = warp->region_capacity ? 2 * warp->region_capacity : 16;
        Region *moved = NEW_ARRAY(warp->worker->arena, Region, larger);
        if (warp->region_count)
            memcpy(moved, warp->regions, warp->region_count * sizeof *moved);
        warp->regions = moved;
        warp->region_capacity = larger;
    }
    warp->regions[warp->region_count] = region;
    return warp->region_count++;
}

static Path *path_new(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++) {
        if (warp->paths[i].mask == 0)
            return &warp->paths[i];
    }
    assert(warp->path_count < WARP_LANES);
    return &warp->paths[warp->path_count++];
}

static void path_free(Path *path) {
    path->mask = 0;
    path->state = PATH_RUNS;
    path->released = false;
}

/* All expected lanes of the region have arrived: they go on together from its block, outside of it. The path that
 * carries them is `path` if it is not NULL, else a new one. */
static Path *region_close(Warp *warp, uint32_t number, Path *path) {
    Region *region = &warp->regions[number];
    if (!path)
        path = path_new(warp);
    uint32_t first = warp->worker->program->function->blocks.at[region->block].first;
    *path = (Path){.pc = first, .mask = region->arrived, .region = region->parent};
    region->open = false;
    return path;
}

bool path_enter(Warp *warp, Path *path, uint32_t to) {
    path->pc = warp->worker->program->function->blocks.at[to].first;
    path->inside = false;
    while (path->region != NO_INDEX && warp->regions[path->region].block == to) {
        Region *region = &warp->regions[path->region];
        region->arrived |= path->mask;
        warp->spins = 0;
        if (region->arrived != region->expected) {
            path_free(path);
            return false;
        }
        region_close(warp, path->region, path);
    }
    return true;
}

/* Lanes leave the regions from `number` outwards as far as `until`, for good. Regions that were only
 * waiting for them close. */
static void regions_leave(Warp *warp, uint32_t number, uint32_t until, uint32_t lanes) {
    for (uint32_t i = number; i != until; i = warp->regions[i].parent)
        warp->regions[i].expected &= ~lanes;
    for (uint32_t i = number, parent; i != until; i = parent) {
        Region *region = &warp->regions[i];
        parent = region->parent;
        if (!region->open)
            continue;
        if (region->expected == 0) {
            region->open = false;
        } else if (region->arrived == region->expected) {
            uint32_t block = region->block;
            path_enter(warp, region_close(warp, i, NULL), block);
        }
    }
}

bool path_exit(Warp *warp, Path *path, uint32_t mask) {
    uint32_t region = path->region;
    warp->live &= ~mask;
    warp->cta->live_threads -= (uint32_t)__builtin_popcount(mask);
    path->mask &= ~mask;
    bool left = path->mask != 0;
    if (!left)
        path_free(path);
    regions_leave(warp, region, NO_INDEX, mask);
    cta_check_barriers(warp->cta);
    return left;
}

/* The region in which lanes that part here and now meet at block `meet`. */
static uint32_t region_for(Warp *warp, const Path *path, uint32_t meet) {
    if (meet == NO_INDEX)
        return path->region;
    if (path->region != NO_INDEX && warp->regions[path->region].block == meet)
        return path->region; /* as in a loop that lanes leave one by one */
    return region_new(
        warp,
        (Region){.block = meet, .expected = path->mask, .parent = path->region, .open = true});
}

void diverge(Warp *warp, Path *path, uint32_t from, uint32_t taken) {
    const Block *block = &warp->worker->program->function->blocks.at[from];
    uint32_t stays = path->mask & ~taken;
    uint32_t region = region_for(warp, path, block->ipdom);
    Path *other = path_new(warp);
    *other = (Path){.mask = taken, .region = region};
    path->mask = stays;
    path->region = region;
    path_enter(warp, other, block->successor[1]);
    path_enter(warp, path, block->successor[0]);
}

/* ---- instructions that lanes execute together ---- */

/* Every live lane of `members` waits at such an instruction for these members (the current path is one of them). */
static bool all_wait(const Warp *warp, const Path *path, uint32_t members) {
    uint32_t here = path->mask;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const Path *other = &warp->paths[i];
        if (other->mask && other->state == PATH_WAITS_WARP && (other->wait & warp->live) == members)
            here |= other->mask;
    }
    return (members & ~here) == 0;
}

/* The innermost region that both lie in. */
static uint32_t region_common(const Warp *warp, uint32_t a, uint32_t b) {
    for (; a != NO_INDEX; a = warp->regions[a].parent) {
        for (uint32_t i = b; i != NO_INDEX; i = warp->regions[i].parent) {
            if (i == a)
                return a;
        }
    }
    return NO_INDEX;
}

/* The lanes of `other` join `path`, which stands at the same instruction. */
static void path_join(Warp *warp, Path *path, Path *other) {
    uint32_t common = region_common(warp, path->region, other->region);
    uint32_t lanes = other->mask, ours = path->mask;
    uint32_t inner = other->region, own = path->region;
    path->mask |= lanes;
    path->region = common;
    path_free(other);
    regions_leave(warp, inner, common, lanes);
    regions_leave(warp, own, common, ours);
}

/* Takes over the lanes of paths that wait at the same instruction; those that wait at another one
 * for the same members are let go: each passes its own. */
static void gather(Warp *warp, Path *path, uint32_t members) {
    for (uint32_t i = 0; i < WARP_LANES && i < warp->path_count; i++) {
        Path *other = &warp->paths[i];
        if (other == path || !other->mask || other->state != PATH_WAITS_WARP ||
            (other->wait & warp->live) != members)
            continue;
        if (other->pc == path->pc) {
            path_join(warp, path, other);
        } else {
            other->state = PATH_RUNS;
            other->released = true;
        }
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

bool diverge_release(Warp *warp) {
    bool released = false;
    for (uint32_t i = 0; i < warp->region_count; i++) {
        Region *region = &warp->regions[i];
        if (!region->open || !region->arrived)
            continue;
        uint32_t lanes = region->arrived;
        region->expected &= ~lanes;
        region->arrived = 0;
        Path *path = path_new(warp);
        *path = (Path){.mask = lanes, .region = region->parent};
        path_enter(warp, path, region->block);
        if (region->expected == 0)
            region->open = false;
        released = true;
    }
    return released;
}

/* The paths of a warp: made, parted, and joined. Who goes on is decided elsewhere: diverge.c, converge.c. */
#include "exec/calls/calls.h"
#include "exec/run/worker.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

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

/* What was just written field by field is copied so, too: read as one vector, it would have to be waited for. */
Path *path_split(Warp *warp, Path *path, uint32_t lanes) {
    const size_t rest = offsetof(Path, wait);
    Path *other = path_new(warp);
    other->pc = path->pc;
    other->mask = lanes;
    other->order = path->order;
    other->inside = path->inside;
    other->turn = path->turn;
    memcpy((char *)other + rest, (const char *)path + rest, sizeof *path - rest);
    path->mask &= ~lanes;
    return other;
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

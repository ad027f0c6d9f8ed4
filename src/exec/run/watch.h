/* watch.h: tells the launch's Sanitizer, if it has one, what its warps do. Nothing here is called in a launch
 * without: who calls has looked at watched(). Private to exec. */
#pragma once

#include "exec/run/worker.h"

static inline bool watched(const Warp *warp) {
    return __builtin_expect(warp->cta->watched != NULL, 0);
}

/* The kernel is to be watched: its arrays are found, once. */
void watch_prepare(Arena *arena, Program *program);
/* The launch's Sanitizer has found what it is to stop at. */
static inline bool watch_stopped(const Warp *warp) {
    return watched(warp) && sanitize_stopped(warp->worker->launch->sanitizer);
}
/* The launch begins, and has ended; NULL: without a Sanitizer. */
void watch_launch(const Run *run);
void watch_ended(const Run *run);
void watch_begin(Cta *cta, uint64_t cluster); /* a block; the number of its cluster */
void watch_end(Cta *cta);
/* After it was checked, before bytes move. */
void watch_access(Warp *warp, const Code *code, const Touch *touch, Space space, uint32_t mask,
                  uint32_t width, bool writes);
/* Plain loads and stores that all lanes of a warp make at once, addresses as in the pattern, or some at any
 * addresses; all lie inside of memory that is there. host + address: where the bytes are. */
void watch_run(Warp *warp, const Code *code, const Pattern *pattern, uint64_t offset,
               uintptr_t host, bool writes);
void watch_plain(Warp *warp, const Code *code, const uint64_t address[WARP_LANES], uintptr_t host,
                 uint32_t mask, bool writes);
void watch_range(const Warp *warp, const Code *code, uint32_t lane, Space space, uint64_t address,
                 const uint8_t *place, uint64_t bytes, bool writes);
/* The heap of malloc. */
void watch_allocated(const Warp *warp, const Code *code, uint32_t lane, uint64_t address,
                     uint64_t bytes);
void watch_released(const Warp *warp, const Code *code, uint32_t lane, uint64_t address);
/* What the runtime has written for a lane, at a generic address. */
void watch_written(const Warp *warp, uint32_t lane, uint64_t address, uint64_t bytes);
/* code: NULL where no instruction does it. */
void watch_event(const Warp *warp, const Code *code, EventKind kind, uint32_t lanes,
                 uint32_t number, uint32_t count);
/* An mbarrier's, at that place in the host's memory. */
void watch_mbarrier(const Warp *warp, const Code *code, EventKind kind, uint32_t lane,
                    const uint8_t *place, uint32_t count);
void watch_release(const Cta *cta, uint32_t barrier);
void watch_cluster_release(const Cta *cta);
/* Code.full and Code.some of fences. */
Step exec_memory_fence(Warp *warp, const Code *code, uint32_t mask);

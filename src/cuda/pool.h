/* pool: what memory pools hold. */
#pragma once

#include "cuda/core.h"
#include "cuda/handle.h"

/* ---- pool.c ---- */

/* What came from a pool, and what the pool holds for it in whole pieces of POOL_STEP, as a GPU's does: pieces
 * that nobody uses go back when the program waits for a stream, down to the threshold. */
struct Pool {
    uint32_t tag;
    Device *device;
    uint32_t shared; /* other devices that may access its memory, a bit for each */
    CUmemPoolProps properties;
    bool imported; /* from another process: what is in it comes as pointers */
    uint64_t name; /* of pools that processes share, in all of them */
    uint64_t threshold, used, used_most, reserved, reserved_most;
    int reuse[3];
    CUmemoryPool next; /* of all */
};
static inline void pool_init(CUmemoryPool pool, Device *device) {
    *pool = (struct Pool){
        .tag = TAG_POOL,
        .device = device,
        .properties = {.allocType = ALLOCATION_PINNED, .location = {.type = LOCATION_DEVICE}},
        .reuse = {1, 1, 1}};
}
/* pool_account.c */
uint64_t pool_stepped(uint64_t bytes);
void pool_take(CUmemoryPool pool, uint64_t bytes);
void pool_shrink(CUmemoryPool pool, uint64_t keep); /* to what is used, and to `keep` at least */
void pool_give(CUmemoryPool pool, uint64_t bytes);  /* back */
void graph_memory_take(uint64_t bytes); /* a graph's node has allocated so much, or freed it */
void graph_memory_give(uint64_t bytes);
void pools_settle(void); /* the program has waited for its work */

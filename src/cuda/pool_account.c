/* The account of a pool: what came from it, and what it holds in whole pieces. */
#include "cuda/pool.h"
#include "cuda/state.h"

#define POOL_STEP (UINT64_C(32) << 20) /* measured on an H200 */

uint64_t pool_stepped(uint64_t bytes) {
    return (bytes + POOL_STEP - 1) / POOL_STEP * POOL_STEP;
}

void pool_take(CUmemoryPool pool, uint64_t bytes) {
    core_lock();
    pool->used += bytes;
    if (pool->used > pool->reserved)
        pool->reserved = pool_stepped(pool->used);
    if (pool->used > pool->used_most)
        pool->used_most = pool->used;
    if (pool->reserved > pool->reserved_most)
        pool->reserved_most = pool->reserved;
    core_unlock();
}

void pool_give(CUmemoryPool pool, uint64_t bytes) {
    pool->used -= bytes;
}

void pool_shrink(CUmemoryPool pool, uint64_t keep) {
    uint64_t least = pool_stepped(pool->used > keep ? pool->used : keep);
    pool->reserved = pool->reserved < least ? pool->reserved : least;
}

void pools_settle(void) {
    core_lock();
    for (CUmemoryPool pool = core_get()->pools; pool; pool = pool->next)
        pool_shrink(pool, pool->threshold);
    core_unlock();
}

/* ---- memory of graphs ---- */

void graph_memory_take(uint64_t bytes) {
    CUmemoryPool pool = &core_get()->graph_pool;
    pool_take(pool, bytes);
    pool->used_most = pool->reserved > pool->used_most ? pool->reserved : pool->used_most;
}

void graph_memory_give(uint64_t bytes) {
    pool_give(&core_get()->graph_pool, bytes);
}

/* Stream-ordered allocation and its pools. Streams execute at once, so an allocation is there when the
 * call returns; a pool keeps account of what came from it. */
#include "cuda/objects.h"

#include <stdlib.h>
#include <string.h>

enum {
    POOL_REUSE_FIRST = 1,
    POOL_REUSE_LAST = 3,
    POOL_THRESHOLD,
    POOL_RESERVED_NOW,
    POOL_RESERVED_MOST,
    POOL_USED_NOW,
    POOL_USED_MOST
};

static CUmemoryPool pool_of(CUmemoryPool pool) {
    return pool ? pool : core_get()->current_pool;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
    if (!stream_of(stream) || (pool && pool->tag != TAG_POOL))
        return CUDA_ERROR_INVALID_HANDLE;
    pool = pool_of(pool);
    CUresult result = allocate(KIND_DEVICE, bytes, 0, pool, address);
    if (result)
        return result;
    core_lock();
    pool->used += bytes;
    pool->high = pool->used > pool->high ? pool->used : pool->high;
    core_unlock();
    /* Where the stream captures, the memory is the graph's from now on, at this address. */
    Work work = {.kind = &work_allocate, .write = {.address = *address}};
    return work_enqueue(stream, &work);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
    return cuMemAllocFromPoolAsync(address, bytes, NULL, stream);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    Work work = {.kind = &work_free, .write = {.address = address}};
    return work_enqueue(stream, &work);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    if (!pool || !core_has_device(device))
        return pool ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *pool = &core_get()->pool;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
    if (!pool || !core_has_device(device))
        return CUDA_ERROR_INVALID_VALUE;
    *pool = core_get()->current_pool;
    return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    if (!IS(pool, TAG_POOL) || !core_has_device(device))
        return CUDA_ERROR_INVALID_VALUE;
    core_get()->current_pool = pool;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
    if (!pool || !properties)
        return CUDA_ERROR_INVALID_VALUE;
    CUmemoryPool made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->tag = TAG_POOL;
    *pool = made;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    Core *core = core_get();
    if (!IS(pool, TAG_POOL) || pool == &core->pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (core->current_pool == pool)
        core->current_pool = &core->pool;
    pool->tag = TAG_NONE; /* allocations from it may still name it */
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
    if (!IS(pool, TAG_POOL) || !value)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case POOL_THRESHOLD:
        *(uint64_t *)value = pool->threshold;
        return CUDA_SUCCESS;
    case POOL_RESERVED_NOW:
    case POOL_USED_NOW:
        *(uint64_t *)value = pool->used;
        return CUDA_SUCCESS;
    case POOL_RESERVED_MOST:
    case POOL_USED_MOST:
        *(uint64_t *)value = pool->high;
        return CUDA_SUCCESS;
    default:
        if (attribute < POOL_REUSE_FIRST || attribute > POOL_REUSE_LAST)
            return CUDA_ERROR_INVALID_VALUE;
        *(int *)value = pool->reuse[attribute - POOL_REUSE_FIRST];
        return CUDA_SUCCESS;
    }
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
    if (!IS(pool, TAG_POOL) || !value)
        return CUDA_ERROR_INVALID_VALUE;
    if (attribute >= POOL_REUSE_FIRST && attribute <= POOL_REUSE_LAST)
        pool->reuse[attribute - POOL_REUSE_FIRST] = *(int *)value;
    else if (attribute == POOL_THRESHOLD)
        pool->threshold = *(uint64_t *)value;
    else if (attribute == POOL_RESERVED_MOST || attribute == POOL_USED_MOST)
        pool->high = pool->used; /* programs may only set it to 0 */
    else
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    (void)keep; /* released memory is given back at once */
    return IS(pool, TAG_POOL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const void *access, size_t count) {
    (void)access;
    (void)count;
    return IS(pool, TAG_POOL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool pool, CUmemLocation *location) {
    enum { READ_WRITE = 3 };
    if (!flags || !location || !IS(pool, TAG_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = READ_WRITE;
    return CUDA_SUCCESS;
}

/* Stream-ordered allocation and its pools. Streams execute at once, so an allocation is there when the
 * call returns; a pool keeps account of what came from it. */
#include "cuda/pool.h"
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/work.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    POOL_REUSE_FIRST = 1,
    POOL_REUSE_LAST = 3,
    POOL_THRESHOLD,
    POOL_RESERVED_NOW,
    POOL_RESERVED_MOST,
    POOL_USED_NOW,
    POOL_USED_MOST
};

/* ---- allocating ---- */

/* pool NULL: the current one of the stream's device. */
static CUresult take(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
    const struct Stream *on = stream_of(stream);
    if (!on)
        return handle_error(stream);
    if (!pool)
        pool = on->context->device->current_pool;
    uint64_t most = pool_stepped(pool->properties.maxSize);
    if (pool->imported || !address)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes == 0) {
        *address = 0;
        return CUDA_SUCCESS;
    }
    if (most && (bytes > most || pool->used > most - bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = allocate(KIND_DEVICE, bytes, 0, pool, address);
    if (result)
        return result;
    pool_take(pool, bytes);
    /* Where the stream captures, the memory is the graph's from now on, at this address. */
    Work work = {.kind = &work_allocate, .memory = {.address = *address}};
    return work_enqueue(stream, &work);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
    return IS(pool, TAG_POOL) ? take(address, bytes, pool, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
    return take(address, bytes, NULL, stream);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
    if (!address)
        return core_sticky();
    if (core_get()->asides.count || core_get()->precedence.on)
        asides_settle(device_current());
    return shared_of_pool(address) ? shared_close(address) : release(address, KIND_DEVICE);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    if (!address || shared_of_pool(address))
        return cuMemFree_v2(address);
    Work work = {.kind = &work_free, .memory = {.address = address}};
    return work_enqueue(stream, &work);
}

/* ---- pools of a device ---- */

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    Device *of = device_of(device);
    if (!pool || !of)
        return pool ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *pool = &of->pool;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
    const Device *of = device_of(device);
    if (!pool || !of)
        return CUDA_ERROR_INVALID_VALUE;
    *pool = of->current_pool;
    return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    Device *of = device_of(device);
    if (!IS(pool, TAG_POOL) || pool->imported || !of)
        return CUDA_ERROR_INVALID_VALUE;
    of->current_pool = pool;
    return CUDA_SUCCESS;
}

/* CUDA 13's calls: a device is one of the locations that memory may have. */
static bool is_of_device(const CUmemLocation *location, int type) {
    return location && location->type == LOCATION_DEVICE && type == ALLOCATION_PINNED;
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, const CUmemLocation *location, int type) {
    return is_of_device(location, type) ? cuDeviceGetDefaultMemPool(pool, location->id)
                                        : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, const CUmemLocation *location, int type) {
    return is_of_device(location, type) ? cuDeviceGetMemPool(pool, location->id)
                                        : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemSetMemPool(const CUmemLocation *location, int type, CUmemoryPool pool) {
    return is_of_device(location, type) ? cuDeviceSetMemPool(location->id, pool)
                                        : CUDA_ERROR_INVALID_VALUE;
}

/* ---- pools of the program ---- */

/* name: in the process that it comes from; 0: it is this one's. */
static CUresult pool_new(const CUmemPoolProps *properties, uint64_t name, CUmemoryPool *pool) {
    bool on_device = properties->location.type == LOCATION_DEVICE;
    Device *device = on_device ? device_of(properties->location.id) : device_current();
    Core *core = core_get();
    CUmemoryPool made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pool_init(made, device ? device : device_current());
    made->properties = *properties;
    made->imported = name != 0;
    core_lock();
    made->name = name ? name : (uint64_t)getpid() << 32 | ++core->pools_made;
    made->next = core->pools;
    core->pools = made;
    core_unlock();
    *pool = made;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
    if (!pool || !properties || properties->allocType != ALLOCATION_PINNED ||
        properties->location.type < LOCATION_DEVICE ||
        properties->location.type > LOCATION_HOST_NUMA_CURRENT)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->location.type == LOCATION_DEVICE && !device_of(properties->location.id))
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->handleTypes & ~HANDLE_POSIX_FD)
        return CUDA_ERROR_NOT_SUPPORTED;
    return pool_new(properties, 0, pool);
}

/* What was allocated from it stays until it is freed, and still names it: so does the list. */
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    if (!IS(pool, TAG_POOL) || pool == &pool->device->pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (pool->device->current_pool == pool)
        pool->device->current_pool = &pool->device->pool;
    pool->tag = TAG_NONE;
    return CUDA_SUCCESS;
}

/* A pool is handed to another process as a file that holds this: what is in the pool goes pointer by pointer
 * (share.c). */
typedef struct PoolFile {
    uint64_t magic, name;
    int32_t device;
} PoolFile;

#define POOL_MAGIC UINT64_C(0x706f6f6c7477766c)

CUresult cuMemPoolExportToShareableHandle(void *shared, CUmemoryPool pool, int type,
                                          uint64_t flags) {
    if (!shared || !IS(pool, TAG_POOL) || flags || type != HANDLE_POSIX_FD ||
        !(pool->properties.handleTypes & type))
        return CUDA_ERROR_INVALID_VALUE;
    const PoolFile content = {POOL_MAGIC, pool->name, pool->properties.location.id};
    int file = memfd_create("memory pool", MFD_CLOEXEC);
    *(int *)shared = file;
    return file >= 0 && pwrite(file, &content, sizeof content, 0) == sizeof content
               ? CUDA_SUCCESS
               : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *shared, int type,
                                            uint64_t flags) {
    PoolFile content;
    struct stat status;
    if (!pool || flags || type != HANDLE_POSIX_FD || fstat((int)(intptr_t)shared, &status) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (pread((int)(intptr_t)shared, &content, sizeof content, 0) != sizeof content ||
        content.magic != POOL_MAGIC)
        return CUDA_ERROR_UNKNOWN; /* no pool is in it: so an H200 says */
    const CUmemPoolProps properties = {.allocType = ALLOCATION_PINNED,
                                       .location = {.type = LOCATION_DEVICE, .id = content.device}};
    return pool_new(&properties, content.name, pool);
}

/* ---- memory of graphs: it is held from a launch on, until it is trimmed ---- */

enum { GRAPH_USED_NOW, GRAPH_USED_MOST, GRAPH_RESERVED_NOW, GRAPH_RESERVED_MOST };

/* What is held counts as used, as on an H200. */
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, void *value) {
    const struct Pool *pool = &core_get()->graph_pool;
    const uint64_t values[] = {pool->reserved, pool->used_most, pool->reserved,
                               pool->reserved_most};
    if (!device_of(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!value || attribute < GRAPH_USED_NOW || attribute > GRAPH_RESERVED_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    *(uint64_t *)value = values[attribute];
    return CUDA_SUCCESS;
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, void *value) {
    CUmemoryPool pool = &core_get()->graph_pool;
    if (!device_of(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!value || *(uint64_t *)value ||
        (attribute != GRAPH_USED_MOST && attribute != GRAPH_RESERVED_MOST))
        return CUDA_ERROR_INVALID_VALUE;
    *(attribute == GRAPH_USED_MOST ? &pool->used_most : &pool->reserved_most) = pool->reserved;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
    if (!device_of(device))
        return CUDA_ERROR_INVALID_DEVICE;
    core_lock();
    pool_shrink(&core_get()->graph_pool, 0);
    core_unlock();
    return CUDA_SUCCESS;
}

/* ---- attributes ---- */

/* Where an attribute of 64 bits is kept; NULL: there is none of that number. */
static uint64_t *attribute_of(CUmemoryPool pool, int attribute) {
    switch (attribute) {
    case POOL_THRESHOLD:
        return &pool->threshold;
    case POOL_RESERVED_NOW:
        return &pool->reserved;
    case POOL_RESERVED_MOST:
        return &pool->reserved_most;
    case POOL_USED_NOW:
        return &pool->used;
    case POOL_USED_MOST:
        return &pool->used_most;
    default:
        return NULL;
    }
}

static bool is_reuse(int attribute) {
    return attribute >= POOL_REUSE_FIRST && attribute <= POOL_REUSE_LAST;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
    if (!IS(pool, TAG_POOL) || !value || (!is_reuse(attribute) && !attribute_of(pool, attribute)))
        return CUDA_ERROR_INVALID_VALUE;
    if (is_reuse(attribute))
        *(int *)value = pool->reuse[attribute - POOL_REUSE_FIRST];
    else
        *(uint64_t *)value = *attribute_of(pool, attribute);
    return CUDA_SUCCESS;
}

/* What is used and reserved now cannot be set, and what was most only be forgotten. */
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
    if (!IS(pool, TAG_POOL) || !value)
        return CUDA_ERROR_INVALID_VALUE;
    if (is_reuse(attribute)) {
        pool->reuse[attribute - POOL_REUSE_FIRST] = *(int *)value;
        return CUDA_SUCCESS;
    }
    uint64_t number = *(uint64_t *)value;
    if (attribute == POOL_THRESHOLD)
        pool->threshold = number;
    else if (attribute == POOL_RESERVED_MOST && number == 0)
        pool->reserved_most = pool->reserved;
    else if (attribute == POOL_USED_MOST && number == 0)
        pool->used_most = pool->used;
    else
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    if (!IS(pool, TAG_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    pool_shrink(pool, keep);
    core_unlock();
    return CUDA_SUCCESS;
}

/* ---- access: its own device has all, which cannot be taken away; others may get it ---- */

static CUresult access_check(const struct Pool *pool, const CUmemAccessDesc *access) {
    if (access->location.type != LOCATION_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    const Device *device = device_of(access->location.id);
    if (!device || (access->flags == ACCESS_NONE && device == pool->device))
        return CUDA_ERROR_INVALID_DEVICE;
    return access->flags == ACCESS_NONE || access->flags == ACCESS_READ_WRITE
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count) {
    if (!IS(pool, TAG_POOL) || (count && !access))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        CUresult wrong = access_check(pool, &access[i]);
        if (wrong)
            return wrong;
        uint32_t bit = device_bit(device_of(access[i].location.id));
        pool->shared = access[i].flags == ACCESS_NONE ? pool->shared & ~bit : pool->shared | bit;
    }
    allocations_share(pool);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool pool, CUmemLocation *location) {
    bool is_device = location && location->type == LOCATION_DEVICE;
    const Device *device = is_device ? device_of(location->id) : NULL;
    if (!flags || !location || !IS(pool, TAG_POOL) || (is_device && !device))
        return CUDA_ERROR_INVALID_VALUE;
    bool may = device && (device == pool->device || (pool->shared & device_bit(device)));
    *flags = may ? ACCESS_READ_WRITE : ACCESS_NONE;
    return CUDA_SUCCESS;
}

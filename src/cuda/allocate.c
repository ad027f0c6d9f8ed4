/* Memory that a program asks for. All of it lies in exec's Memory, where host and device see it at one
 * address; device memory counts towards what the GPU has. */
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/owner.h"
#include "cuda/pool.h"
#include "cuda/precedence.h"
#include "cuda/record.h"
#include "cuda/state.h"
#include "cuda/unmade.h"
#include "cuda/work.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { PITCH_ALIGN = 512 };

static int by_address(const void *a, const void *b) {
    uint64_t x = ((const AllocationRecord *)a)->address, y = ((const AllocationRecord *)b)->address;
    return (x > y) - (x < y);
}

/* Records outlive what they describe, since launches may still name it: they are used again. */
static AllocationRecord *record_new(Core *core, MemoryKind kind, uint64_t bytes) {
    AllocationRecord *made = core->spare_allocated;
    if (made)
        core->spare_allocated = made->next;
    else
        made = NEW(core->arena, AllocationRecord);
    *made = (AllocationRecord){.bytes = bytes, .kind = kind, .number = ++core->numbers};
    snprintf(made->name, sizeof made->name, "%s memory %llu", memory_kind_name(kind),
             (unsigned long long)++core->allocations[kind]);
    return made;
}

static void record_drop(Core *core, AllocationRecord *record) {
    record->next = core->spare_allocated;
    core->spare_allocated = record;
}

static bool record_keep(Core *core, AllocationRecord *record) {
    return tsearch(record, &core->allocated, by_address) != NULL;
}

static AllocationRecord *record_at(Core *core, uint64_t address) {
    AllocationRecord key = {.address = address};
    void *found = tfind(&key, &core->allocated, by_address);
    return found ? *(AllocationRecord **)found : NULL;
}

static bool on_device(MemoryKind kind) {
    return kind == KIND_DEVICE || kind == KIND_MANAGED;
}

CUresult allocate(MemoryKind kind, size_t bytes, unsigned flags, CUmemoryPool pool,
                  CUdeviceptr *address) {
    Core *core = core_get();
    if (core_sticky())
        return core_sticky();
    if (!address || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUcontext context = pool ? &pool->device->primary : core_context();
    Device *device = context->device;
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    core_lock();
    uint64_t limit = core->settings.gpu->memory_bytes;
    if (!on_device(kind) || bytes <= limit - device->used) {
        AllocationRecord *record = record_new(core, kind, bytes);
        record->address = memory_allocate(core->memory, bytes, record->name, 0);
        record->flags = flags;
        record->pool = pool;
        record->context = context;
        if (kind != KIND_VARIABLE && defects_wanted(DEFECT_leak))
            record->by = owner_callers();
        if (record->address && record_keep(core, record)) {
            device->used += on_device(kind) ? bytes : 0;
            if (kind == KIND_DEVICE)
                memory_confine(core->memory, record->address,
                               device_bit(device) | (pool ? pool->shared : 0));
            if (core->sanitizer && kind == KIND_DEVICE)
                sanitize_allocated(core->sanitizer, record->address, bytes, false);
            *address = record->address;
            result = CUDA_SUCCESS;
        } else {
            record_drop(core, record);
        }
    }
    core_unlock();
    if (!result)
        precedence_forget(*address, bytes);
    if (!result && (kind == KIND_MANAGED || kind == KIND_HOST))
        host_guard_made(*address, bytes);
    return result;
}

/* Which code released what began at an address: the latest, since addresses are used again. */
typedef struct ReleasedRecord {
    uint64_t address; /* first: the key */
    const void *code;
} ReleasedRecord;

static void note_release(Core *core, uint64_t address) {
    ReleasedRecord key = {.address = address};
    void *found = tfind(&key, &core->released, by_address);
    ReleasedRecord *record = found ? *(ReleasedRecord **)found : NEW(core->arena, ReleasedRecord);
    *record = (ReleasedRecord){address, owner_caller()};
    if (!found)
        tsearch(record, &core->released, by_address);
}

const char *allocation_released(Arena *arena, uint64_t address) {
    Core *core = core_get();
    ReleasedRecord key = {.address = address};
    core_lock();
    void *found = tfind(&key, &core->released, by_address);
    const void *code = found ? (*(ReleasedRecord **)found)->code : NULL;
    core_unlock();
    return code ? owner_place(arena, code).text : NULL;
}

static void forget(Core *core, AllocationRecord *record) {
    if (on_device(record->kind))
        record->context->device->used -= record->bytes;
    if (record->pool && record->kind == KIND_DEVICE)
        pool_give(record->pool, record->bytes);
    if (core->settings.results && record->kind != KIND_REGISTERED)
        results_memory(core, record->address, record->bytes);
    note_release(core, record->address);
    if (record->kind == KIND_MANAGED)
        hints_forget(record->address, record->bytes);
    if (core->sanitizer)
        sanitize_released(core->sanitizer, record->address);
    unmade_forget(record->address, record->bytes);
    memory_release(core->memory, record->address);
    tdelete(record, &core->allocated, by_address);
    record_drop(core, record);
}

/* Twice, or what is no such memory. */
static void note_bad_free(CUdeviceptr address, MemoryKind kind) {
    const Core *core = core_get();
    uint64_t bytes, offset;
    if (!defects_wanted(DEFECT_bad_free))
        return;
    Arena *arena = arena_new();
    const MemoryBlock *block = memory_find(core->memory, address, NULL);
    const char *freed = block ? NULL : memory_freed(core->memory, address, &bytes, &offset);
    const char *what =
        block   ? arena_printf(arena, "free of byte %llu of %s as %s memory",
                               (unsigned long long)(address - block->address), block->name,
                               memory_kind_name(kind))
        : freed ? arena_printf(arena, "free of %s memory that was freed before: %s (%llu bytes)",
                               memory_kind_name(kind), freed, (unsigned long long)bytes)
                : arena_printf(arena, "free of 0x%llx, where no %s memory was allocated",
                               (unsigned long long)address, memory_kind_name(kind));
    defect_note(DEFECT_bad_free, what);
    arena_free(arena);
}

CUresult release(CUdeviceptr address, MemoryKind kind) {
    Core *core = core_get();
    CUresult result = core_sticky();
    core_lock();
    AllocationRecord *record = record_at(core, address);
    bool fits =
        record && (record->kind == kind || (kind == KIND_DEVICE && record->kind == KIND_MANAGED));
    if (fits && record->graphs) {
        fits = !record->freed;
        record->freed = true;
        graph_memory_give(fits ? record->bytes : 0);
    } else if (fits) {
        forget(core, record);
    }
    core_unlock();
    if (!fits)
        note_bad_free(address, kind);
    return !fits ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult allocation_adopt(MemoryKind kind, void *host, size_t bytes, unsigned flags,
                          CUmemoryPool pool) {
    Core *core = core_get();
    CUcontext context = core_context();
    core_lock();
    AllocationRecord *record = record_new(core, kind, bytes);
    record->address = (uint64_t)(uintptr_t)host;
    record->flags = flags;
    record->pool = pool;
    record->context = context;
    bool done = memory_adopt(core->memory, host, bytes, record->name) && record_keep(core, record);
    if (!done)
        record_drop(core, record);
    core_unlock();
    return done ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void allocation_forget(CUdeviceptr address) {
    Core *core = core_get();
    core_lock();
    AllocationRecord *record = record_at(core, address);
    if (record)
        forget(core, record);
    core_unlock();
}

void allocation_keep(CUdeviceptr address, bool keep) {
    Core *core = core_get();
    core_lock();
    AllocationRecord *record = record_at(core, address);
    if (record && keep) {
        record->freed |= record->graphs == 0; /* until a graph runs that allocates it */
        record->graphs++;
    } else if (record && record->graphs && --record->graphs == 0 && record->freed)
        forget(core, record);
    core_unlock();
}

static CUresult free_run(const Work *work) {
    return release(work->memory.address, KIND_DEVICE);
}

/* The memory is there since this was enqueued. Where a graph has allocated it, it must have been freed since. */
static CUresult allocate_run(const Work *work) {
    CUresult result = CUDA_SUCCESS;
    core_lock();
    AllocationRecord *record = record_at(core_get(), work->memory.address);
    if (record && record->graphs && !record->freed) {
        result = CUDA_ERROR_INVALID_VALUE; /* of an earlier launch */
    } else if (record && record->graphs) {
        record->freed = false;
        graph_memory_take(record->bytes);
    }
    core_unlock();
    return result;
}

const WorkKind work_free = {NODE_MEM_FREE, free_run, NULL};
const WorkKind work_allocate = {NODE_MEM_ALLOC, allocate_run, NULL};

void allocation_synchronize(CUdeviceptr address, bool synchronous) {
    Core *core = core_get();
    core_lock();
    AllocationRecord *record = record_at(core, address);
    if (record)
        record->synchronous = synchronous;
    core_unlock();
}

bool allocated_find(CUdeviceptr address, AllocationRecord *found) {
    Core *core = core_get();
    core_lock();
    const MemoryBlock *block = memory_find(core->memory, address, NULL);
    const AllocationRecord *record = block ? record_at(core, block->address) : NULL;
    if (record) {
        *found = *record;
    } else if (block) { /* a module's variable: a managed one is every device's */
        uint32_t device = block->devices ? (uint32_t)__builtin_ctz(block->devices) : 0;
        *found = (AllocationRecord){.address = block->address,
                                    .bytes = block->bytes,
                                    .kind = block->devices ? KIND_VARIABLE : KIND_MANAGED,
                                    .context = &core->devices[device].primary};
    }
    core_unlock();
    return block != NULL;
}

typedef struct PoolWalk {
    CUmemoryPool pool;
    uint32_t devices;
} PoolWalk;

static void confine(const void *node, VISIT visit, void *context) {
    const AllocationRecord *record = *(AllocationRecord *const *)node;
    const PoolWalk *walk = context;
    if ((visit == postorder || visit == leaf) && record->pool == walk->pool)
        memory_confine(core_memory(), record->address, walk->devices);
}

void allocations_share(CUmemoryPool pool) {
    Core *core = core_get();
    PoolWalk walk = {pool, device_bit(pool->device) | pool->shared};
    core_lock();
    twalk_r(core->allocated, confine, &walk);
    core_unlock();
}

/* The records of a context; the tree is not to be changed while it is walked. */
typedef struct RecordWalk {
    CUcontext context;
    AllocationRecord *list; /* by next */
} RecordWalk;

static void add_leaving(const void *node, VISIT visit, void *context) {
    AllocationRecord *record = *(AllocationRecord *const *)node;
    RecordWalk *leaving = context;
    if ((visit != postorder && visit != leaf) || record->context != leaving->context)
        return;
    record->next = leaving->list;
    leaving->list = record;
}

void allocations_release(CUcontext context) {
    Core *core = core_get();
    RecordWalk leaving = {.context = context};
    core_lock();
    twalk_r(core->allocated, add_leaving, &leaving);
    while (leaving.list) {
        AllocationRecord *record = leaving.list;
        leaving.list = record->next;
        forget(core, record);
    }
    core_unlock();
}

/* ---- device memory ---- */

CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
    Core *core = core_get();
    core_lock();
    if (total)
        *total = core->settings.gpu->memory_bytes;
    if (available)
        *available = core->settings.gpu->memory_bytes - device_current()->used;
    core_unlock();
    return core_sticky();
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    return allocate(KIND_DEVICE, bytes, 0, NULL, address);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                            unsigned element) {
    size_t row = (width + PITCH_ALIGN - 1) & ~(size_t)(PITCH_ALIGN - 1), bytes;
    if (!pitch || row < width || (element != 4 && element != 8 && element != 16) ||
        __builtin_mul_overflow(row, height, &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = row;
    return allocate(KIND_DEVICE, bytes, 0, NULL, address);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
    enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };
    if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST)
        return CUDA_ERROR_INVALID_VALUE;
    return allocate(KIND_MANAGED, bytes, flags, NULL, address);
}

/* ---- the host's memory ---- */

static CUdeviceptr address_of(const void *host) {
    return (CUdeviceptr)(uintptr_t)host;
}

CUresult cuMemHostAlloc(void **host, size_t bytes, unsigned flags) {
    enum { HOST_FLAGS = 7 }; /* portable, mapped, write-combined */
    CUdeviceptr address = 0;
    if (!host || flags > HOST_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    *host = NULL;
    if (bytes == 0)
        return CUDA_SUCCESS;
    CUresult result = allocate(KIND_HOST, bytes, flags, NULL, &address);
    if (result == CUDA_SUCCESS)
        *host = memory_host(core_memory(), address);
    return result;
}

/* It is mapped, as an H200 says when it is asked for the flags. */
CUresult cuMemAllocHost_v2(void **host, size_t bytes) {
    enum { DEVICE_MAP = 2 };
    return cuMemHostAlloc(host, bytes, DEVICE_MAP);
}

CUresult cuMemFreeHost(void *host) {
    asides_settle(NULL);
    return host ? release(address_of(host), KIND_HOST) : core_sticky();
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned flags) {
    AllocationRecord found;
    if (!address || flags || !allocated_find(address_of(host), &found) || found.kind == KIND_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    *address = address_of(host);
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned *flags, void *host) {
    AllocationRecord found;
    if (!flags || !allocated_find(address_of(host), &found) || on_device(found.kind))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = found.flags;
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags) {
    enum { REGISTER_FLAGS = 15 }; /* portable, mapped, of an I/O device, read-only */
    AllocationRecord found;
    if (!host || bytes == 0 || bytes > UINT64_MAX - address_of(host) || flags > REGISTER_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    if (allocated_find(address_of(host), &found) && found.kind == KIND_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = allocation_adopt(KIND_REGISTERED, host, bytes, flags, NULL);
    return result ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED : result;
}

CUresult cuMemHostUnregister(void *host) {
    AllocationRecord found;
    asides_settle(NULL);
    if (!host || (allocated_find(address_of(host), &found) &&
                  (found.kind != KIND_REGISTERED || found.address != address_of(host))))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = release(address_of(host), KIND_REGISTERED);
    return result == CUDA_ERROR_INVALID_VALUE ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : result;
}

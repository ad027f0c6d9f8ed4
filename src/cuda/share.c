/* Memory that processes share: handles of allocations and events, which one process gives to another by any way
 * it likes. A handle names the file that the allocation's pages are in (exec's memory_share) by the process
 * that has it open, so it can be opened for as long as that process lives, as on a GPU. */
#include "cuda/allocation.h"
#include "cuda/handle.h"
#include "cuda/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMORY_MAGIC UINT64_C(0x6d656d6f7277766c)
#define EVENT_MAGIC UINT64_C(0x6576656e7477766c)

/* What is in a CUipcMemHandle, a CUmemPoolPtrExportData, or a CUipcEventHandle. */
typedef struct SharedHandle {
    uint64_t magic;
    int32_t process, file;
    uint64_t inode; /* so that a file descriptor that was used again is not taken for it */
    uint64_t offset, bytes;
    uint64_t pool; /* the name of the one that it was allocated from; 0: none */
} SharedHandle;
_Static_assert(sizeof(SharedHandle) <= sizeof(CUipcMemHandle), "a handle has 64 bytes");

struct SharedMapping {
    SharedHandle handle;
    uint64_t address; /* 0: this one is free */
    void *pages;
    uint64_t page_bytes;
    uint32_t opened; /* so often */
    SharedMapping *next;
};

static void handle_read(SharedHandle *handle, const unsigned char *from) {
    memcpy(handle, from, sizeof *handle);
}

static void handle_write(const SharedHandle *handle, unsigned char *to, size_t room) {
    memset(to, 0, room);
    memcpy(to, handle, sizeof *handle);
}

/* ---- giving ---- */

static CUresult handle_make(CUdeviceptr address, SharedHandle *handle) {
    AllocationRecord found;
    Core *core = core_get();
    struct stat status;
    if (!allocated_find(address, &found) || found.kind != KIND_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    *handle =
        (SharedHandle){.magic = MEMORY_MAGIC, .process = (int32_t)getpid(), .bytes = found.bytes};
    turn_take(core);     /* no kernel writes to it meanwhile */
    if (core->sanitizer) /* other processes may write it */
        sanitize_written(core->sanitizer, found.address, found.bytes);
    handle->file = memory_share(core->memory, found.address, &handle->offset);
    turn_give(core);
    if (handle->file < 0 || fstat(handle->file, &status) != 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    handle->inode = status.st_ino;
    return CUDA_SUCCESS;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
    SharedHandle made;
    AllocationRecord found;
    if (!handle || !allocated_find(address, &found) || found.pool)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = handle_make(address, &made);
    if (!result)
        handle_write(&made, handle->reserved, sizeof handle->reserved);
    return result;
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr address) {
    SharedHandle made;
    AllocationRecord found;
    if (!data || !allocated_find(address, &found) || !found.pool ||
        !(found.pool->properties.handleTypes & HANDLE_POSIX_FD))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = handle_make(found.address, &made);
    made.pool = found.pool->name;
    if (!result)
        handle_write(&made, data->reserved, sizeof data->reserved);
    return result;
}

/* ---- taking ---- */

/* The file of a handle, in the process that has it; -1: it is not there any more. */
static int file_open(const SharedHandle *handle) {
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)handle->process, (int)handle->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || (fstat(file, &status) == 0 && status.st_ino == handle->inode))
        return file;
    close(file);
    return -1;
}

static SharedMapping *mapping_new(Core *core) {
    SharedMapping *mapping = core->shared;
    while (mapping && mapping->address)
        mapping = mapping->next;
    if (mapping)
        return mapping;
    mapping = NEW(core->arena, SharedMapping);
    mapping->next = core->shared;
    core->shared = mapping;
    return mapping;
}

/* Under the lock. */
static CUresult mapping_open(Core *core, const SharedHandle *handle, CUmemoryPool pool,
                             CUdeviceptr *address) {
    int file = file_open(handle);
    if (file < 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t bytes = handle->offset + handle->bytes;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (pages == MAP_FAILED)
        return CUDA_ERROR_MAP_FAILED;
    SharedMapping *mapping = mapping_new(core);
    void *first = (char *)pages + handle->offset;
    CUresult result = allocation_adopt(KIND_SHARED, first, handle->bytes, 0, pool);
    if (result) {
        munmap(pages, bytes);
        return result;
    }
    SharedMapping *next = mapping->next;
    *mapping = (SharedMapping){.handle = *handle,
                               .address = (uint64_t)(uintptr_t)first,
                               .pages = pages,
                               .page_bytes = bytes,
                               .opened = 1,
                               .next = next};
    *address = mapping->address;
    return CUDA_SUCCESS;
}

static CUresult handle_open(const SharedHandle *handle, CUmemoryPool pool, CUdeviceptr *address) {
    Core *core = core_get();
    if (handle->magic != MEMORY_MAGIC)
        return CUDA_ERROR_INVALID_VALUE;
    if (handle->process == getpid())
        return CUDA_ERROR_INVALID_CONTEXT;
    core_lock();
    SharedMapping *known = core->shared;
    while (known && (!known->address || memcmp(&known->handle, handle, sizeof *handle) != 0))
        known = known->next;
    CUresult result = CUDA_SUCCESS;
    if (known) {
        known->opened++;
        *address = known->address;
    } else {
        result = mapping_open(core, handle, pool, address);
    }
    core_unlock();
    return result;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags) {
    enum { LAZY_ENABLE_PEER_ACCESS = 1 };
    SharedHandle given;
    handle_read(&given, handle.reserved);
    bool own = given.magic == MEMORY_MAGIC && given.process == getpid();
    if (!address || (flags != LAZY_ENABLE_PEER_ACCESS && !own)) /* which it is told first */
        return CUDA_ERROR_INVALID_VALUE;
    return handle_open(&given, NULL, address);
}

CUresult cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool pool,
                                CUmemPoolPtrExportData *data) {
    SharedHandle given;
    if (!address || !data || !IS(pool, TAG_POOL) || !pool->imported)
        return CUDA_ERROR_INVALID_VALUE;
    handle_read(&given, data->reserved);
    return given.pool == pool->name ? handle_open(&given, pool, address) : CUDA_ERROR_INVALID_VALUE;
}

bool shared_of_pool(CUdeviceptr address) {
    AllocationRecord found;
    return allocated_find(address, &found) && found.kind == KIND_SHARED && found.pool;
}

CUresult shared_close(CUdeviceptr address) {
    Core *core = core_get();
    turn_take(core);
    core_lock();
    SharedMapping *mapping = core->shared;
    while (mapping && mapping->address != address)
        mapping = mapping->next;
    if (address && mapping && --mapping->opened == 0) {
        allocation_forget(address);
        munmap(mapping->pages, mapping->page_bytes);
        mapping->address = 0;
    }
    core_unlock();
    turn_give(core);
    return address && mapping ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
    return shared_close(address);
}

/* ---- events: what was enqueued before a record is done when that returns, in every process ---- */

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
    if (!event || !handle)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(event, TAG_EVENT) || !(event->flags & EVENT_INTERPROCESS))
        return CUDA_ERROR_INVALID_HANDLE;
    const SharedHandle made = {.magic = EVENT_MAGIC, .process = (int32_t)getpid()};
    handle_write(&made, handle->reserved, sizeof handle->reserved);
    return CUDA_SUCCESS;
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
    SharedHandle given;
    handle_read(&given, handle.reserved);
    if (!event || given.magic != EVENT_MAGIC)
        return CUDA_ERROR_INVALID_VALUE;
    if (given.process == getpid())
        return CUDA_ERROR_INVALID_CONTEXT;
    return cuEventCreate(event, EVENT_INTERPROCESS | EVENT_DISABLE_TIMING);
}

/* Memory in parts: a program reserves addresses, makes physical memory, maps one to the other and says who may
 * access it. Physical memory is a file without a name, so that it can be mapped at several places and handed to
 * other processes. Kernels see what is mapped and has access; neighbours that are accessed alike are one
 * allocation for them, since programs let an array grow from one into the next. */
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define GRANULARITY (UINT64_C(1) << 21) /* of an H200, minimum and recommended */

typedef struct PhysicalMemory {
    uint32_t tag;
    int file;
    uint64_t bytes;
    CUmemAllocationProp properties;
    uint32_t references; /* handles and mappings */
    bool imported;
} PhysicalMemory;

struct Reservation {
    uint64_t address, bytes;
    Reservation *next;
};

struct Mapping {
    uint64_t address, bytes;
    PhysicalMemory *memory;
    int access;    /* ACCESS_… */
    Mapping *next; /* by address */
};

static bool is_whole(uint64_t number) {
    return number % GRANULARITY == 0;
}

/* Whether [address, address + bytes) lies in [first, first + size). */
static bool lies_in(uint64_t address, uint64_t bytes, uint64_t first, uint64_t size) {
    return address >= first && bytes <= size && address - first <= size - bytes;
}

/* Kernels do not run while what they see changes. */
static Core *begin(void) {
    Core *core = core_get();
    turn_take(core);
    core_lock();
    return core;
}

static CUresult end(CUresult result) {
    core_unlock();
    turn_give(core_get());
    return result;
}

/* ---- physical memory ---- */

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       int option) {
    if (!granularity || !properties || properties->type != ALLOCATION_PINNED || option < 0 ||
        option > 1)
        return CUDA_ERROR_INVALID_VALUE;
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

static PhysicalMemory *physical_of(CUmemGenericAllocationHandle handle) {
    PhysicalMemory *memory = (PhysicalMemory *)(uintptr_t)handle;
    return IS(memory, TAG_PHYSICAL) ? memory : NULL;
}

static CUresult physical_new(int file, uint64_t bytes, const CUmemAllocationProp *properties,
                             CUmemGenericAllocationHandle *handle) {
    Core *core = core_get();
    core_lock();
    PhysicalMemory *memory = NEW(core->arena, PhysicalMemory);
    *memory = (PhysicalMemory){.tag = TAG_PHYSICAL,
                               .file = file,
                               .bytes = bytes,
                               .properties = *properties,
                               .references = 1};
    core_unlock();
    *handle = (uint64_t)(uintptr_t)memory;
    return CUDA_SUCCESS;
}

/* From whose memory it is taken; the host's, as if it were the first device's. NULL: there is no such device. */
static Device *device_at(const CUmemLocation *location) {
    return device_of(location->type == LOCATION_DEVICE ? location->id : 0);
}

static void physical_drop(PhysicalMemory *memory) {
    if (--memory->references)
        return;
    device_at(&memory->properties.location)->used -= memory->imported ? 0 : memory->bytes;
    close(memory->file);
    memory->tag = TAG_NONE;
}

static bool take_bytes(Device *device, uint64_t bytes) {
    core_lock();
    bool fits = bytes <= core_settings()->gpu->memory_bytes - device->used;
    device->used += fits ? bytes : 0;
    core_unlock();
    return fits;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *properties, uint64_t flags) {
    if (!handle || !properties || flags || bytes == 0 || !is_whole(bytes) ||
        properties->type != ALLOCATION_PINNED || properties->location.type < LOCATION_DEVICE ||
        properties->location.type > LOCATION_HOST_NUMA_CURRENT)
        return CUDA_ERROR_INVALID_VALUE;
    Device *device = device_at(&properties->location);
    if (!device)
        return CUDA_ERROR_INVALID_DEVICE;
    if (properties->requestedHandleTypes & ~HANDLE_POSIX_FD)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!take_bytes(device, bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    int file = memfd_create("device memory", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        return physical_new(file, bytes, properties, handle);
    if (file >= 0)
        close(file);
    core_lock();
    device->used -= bytes;
    core_unlock();
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    PhysicalMemory *memory = physical_of(handle);
    if (!memory)
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    physical_drop(memory);
    core_unlock();
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle) {
    const PhysicalMemory *memory = physical_of(handle);
    if (!properties || !memory)
        return CUDA_ERROR_INVALID_VALUE;
    *properties = memory->properties;
    return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void *shared, CUmemGenericAllocationHandle handle, int type,
                                      uint64_t flags) {
    const PhysicalMemory *memory = physical_of(handle);
    if (!shared || !memory || flags || !(memory->properties.requestedHandleTypes & type))
        return CUDA_ERROR_INVALID_VALUE;
    int file = fcntl(memory->file, F_DUPFD_CLOEXEC, 0);
    *(int *)shared = file;
    return file < 0 ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shared,
                                        int type) {
    struct stat status;
    if (!handle || type != HANDLE_POSIX_FD)
        return CUDA_ERROR_INVALID_VALUE;
    if (fstat((int)(intptr_t)shared, &status) != 0 || status.st_size <= 0)
        return CUDA_ERROR_UNKNOWN;
    int file = fcntl((int)(intptr_t)shared, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    const CUmemAllocationProp properties = {.type = ALLOCATION_PINNED,
                                            .requestedHandleTypes = HANDLE_POSIX_FD,
                                            .location = {.type = LOCATION_DEVICE}};
    CUresult result = physical_new(file, (uint64_t)status.st_size, &properties, handle);
    physical_of(*handle)->imported = true;
    return result;
}

/* ---- addresses ---- */

/* Whole pieces of the granularity from a piece that is larger by one. */
static uint64_t reserve(uint64_t bytes, uint64_t alignment, uint64_t wanted) {
    uint64_t room = bytes + alignment;
    void *mapped = mmap((void *)(uintptr_t)wanted, room, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return 0;
    uint64_t at = (uint64_t)(uintptr_t)mapped, first = (at + alignment - 1) & ~(alignment - 1);
    if (first > at)
        munmap(mapped, first - at);
    munmap((void *)(uintptr_t)(first + bytes), at + room - first - bytes);
    return first;
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment,
                             CUdeviceptr wanted, uint64_t flags) {
    if (!address || bytes == 0 || !is_whole(bytes) || flags || (alignment & (alignment - 1)))
        return CUDA_ERROR_INVALID_VALUE;
    Core *core = core_get();
    uint64_t at = reserve(bytes, alignment > GRANULARITY ? alignment : GRANULARITY, wanted);
    if (!at)
        return CUDA_ERROR_OUT_OF_MEMORY;
    core_lock();
    Reservation *made = NEW(core->arena, Reservation);
    *made = (Reservation){at, bytes, core->reservations};
    core->reservations = made;
    core_unlock();
    *address = at;
    return CUDA_SUCCESS;
}

/* The mapping that begins at an address, or the first one behind it. */
static Mapping **mapping_from(Core *core, uint64_t address) {
    Mapping **at = &core->mappings;
    while (*at && (*at)->address < address)
        at = &(*at)->next;
    return at;
}

/* The one that holds an address; NULL: none. */
static const Mapping *mapping_at(const Core *core, uint64_t address) {
    const Mapping *one = core->mappings;
    while (one && address - one->address >= one->bytes)
        one = one->next;
    return one;
}

static bool mapping_range(uint64_t address, uint64_t *first, uint64_t *bytes) {
    core_lock();
    const Mapping *one = mapping_at(core_get(), address);
    if (one) {
        *first = one->address;
        *bytes = one->bytes;
    }
    core_unlock();
    return one != NULL;
}

static bool is_mapped(Core *core, uint64_t address, uint64_t bytes) {
    for (const Mapping *one = core->mappings; one; one = one->next)
        if (one->address < address + bytes && address < one->address + one->bytes)
            return true;
    return false;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
    Core *core = begin();
    Reservation **at = &core->reservations;
    while (*at && ((*at)->address != address || (*at)->bytes != bytes))
        at = &(*at)->next;
    if (!*at || is_mapped(core, address, bytes))
        return end(CUDA_ERROR_INVALID_VALUE);
    munmap((void *)(uintptr_t)address, bytes);
    *at = (*at)->next;
    return end(CUDA_SUCCESS);
}

/* ---- mappings ---- */

static const Reservation *reserved(const Core *core, uint64_t address, uint64_t bytes) {
    const Reservation *one = core->reservations;
    while (one && !lies_in(address, bytes, one->address, one->bytes))
        one = one->next;
    return one;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, uint64_t flags) {
    PhysicalMemory *memory = physical_of(handle);
    if (!memory || flags || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_whole(address) || !is_whole(bytes) || offset || bytes > memory->bytes)
        return CUDA_ERROR_NOT_SUPPORTED;
    Core *core = begin();
    if (!reserved(core, address, bytes) || is_mapped(core, address, bytes))
        return end(CUDA_ERROR_INVALID_VALUE);
    if (mmap((void *)(uintptr_t)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file,
             0) == MAP_FAILED)
        return end(CUDA_ERROR_OUT_OF_MEMORY);
    Mapping **at = mapping_from(core, address), *made = NEW(core->arena, Mapping);
    *made = (Mapping){address, bytes, memory, ACCESS_NONE, *at};
    *at = made;
    memory->references++;
    return end(CUDA_SUCCESS);
}

/* Whether mappings cover [address, address + bytes), each as a whole. */
static bool are_whole(const Mapping *first, uint64_t address, uint64_t bytes) {
    uint64_t end_at = address + bytes;
    for (; first && first->address == address && address < end_at; first = first->next)
        address += first->bytes;
    return bytes && address == end_at;
}

/* The last of the neighbours that are accessed as the first one. */
static const Mapping *last_alike(const Mapping *first) {
    while (first->next && first->next->address == first->address + first->bytes &&
           first->next->access == first->access)
        first = first->next;
    return first;
}

/* What kernels see of [address, address + bytes) and of the neighbours that lie against it is forgotten. */
static void hide(Core *core, uint64_t address, uint64_t bytes) {
    const Mapping *last;
    for (const Mapping *first = core->mappings; first; first = last->next) {
        last = last_alike(first);
        if (first->access && first->address <= address + bytes &&
            last->address + last->bytes >= address)
            allocation_forget(first->address);
    }
}

/* The same range is seen again, as it is now. */
static CUresult show(Core *core, uint64_t address, uint64_t bytes) {
    const Mapping *last;
    for (const Mapping *first = core->mappings; first; first = last->next) {
        last = last_alike(first);
        void *at = (void *)(uintptr_t)first->address;
        if (!first->access || first->address > address + bytes ||
            last->address + last->bytes < address)
            continue;
        CUresult result = allocation_adopt(KIND_MAPPED, at,
                                           last->address + last->bytes - first->address, 0, NULL);
        if (result)
            return result;
        if (first->access == ACCESS_READ)
            memory_protect(core->memory, first->address);
    }
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *wanted,
                        size_t count) {
    if (!wanted || !count)
        return CUDA_ERROR_INVALID_VALUE;
    int access = wanted[0].flags;
    for (size_t i = 0; i < count; i++) {
        if (!device_at(&wanted[i].location))
            return CUDA_ERROR_INVALID_DEVICE;
        if (wanted[i].flags != ACCESS_NONE && wanted[i].flags != ACCESS_READ &&
            wanted[i].flags != ACCESS_READ_WRITE)
            return CUDA_ERROR_INVALID_VALUE;
        access |= wanted[i].flags;
    }
    Core *core = begin();
    Mapping *first = *mapping_from(core, address);
    if (!are_whole(first, address, bytes))
        return end(CUDA_ERROR_INVALID_VALUE);
    hide(core, address, bytes);
    for (Mapping *one = first; one && one->address < address + bytes; one = one->next)
        one->access = access;
    mprotect((void *)(uintptr_t)address, bytes, access ? PROT_READ | PROT_WRITE : PROT_NONE);
    return end(show(core, address, bytes));
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr address) {
    if (!flags || !location)
        return CUDA_ERROR_INVALID_VALUE;
    const Device *device = device_of(location->id);
    if (location->type == LOCATION_DEVICE && !device)
        return CUDA_ERROR_INVALID_DEVICE;
    core_lock();
    const Mapping *one = mapping_at(core_get(), address);
    if (one)
        *flags = (unsigned long long)one->access;
    core_unlock();
    return one ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Whether a mapping begins before the range, or ends behind it. */
static bool cuts(const Core *core, uint64_t address, uint64_t bytes) {
    for (const Mapping *one = core->mappings; one; one = one->next)
        if (one->address < address + bytes && address < one->address + one->bytes &&
            !lies_in(one->address, one->bytes, address, bytes))
            return true;
    return false;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
    asides_settle(NULL);
    Core *core = begin();
    Mapping **at = mapping_from(core, address);
    if (!reserved(core, address, bytes) || cuts(core, address, bytes))
        return end(CUDA_ERROR_INVALID_VALUE);
    hide(core, address, bytes);
    while (*at && (*at)->address < address + bytes) {
        physical_drop((*at)->memory);
        *at = (*at)->next;
    }
    mmap((void *)(uintptr_t)address, bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return end(show(core, address, bytes));
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    const Mapping *one = mapping_at(core_get(), (uint64_t)(uintptr_t)address);
    if (one) {
        one->memory->references++;
        *handle = (uint64_t)(uintptr_t)one->memory;
    }
    core_unlock();
    return one ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Of a mapping, though neighbours are one allocation for kernels; or of any other memory. */
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
    AllocationRecord found;
    if (!mapping_range(address, &found.address, &found.bytes) && !allocated_find(address, &found))
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = found.address;
    if (bytes)
        *bytes = found.bytes;
    return CUDA_SUCCESS;
}

/* What a program asks about an address. */
#include "cuda/allocation.h"
#include "cuda/context.h"
#include "cuda/device.h"

#include <string.h>

enum {
    POINTER_CONTEXT = 1,
    POINTER_MEMORY_TYPE,
    POINTER_DEVICE_POINTER,
    POINTER_HOST_POINTER,
    POINTER_SYNC_MEMOPS = 6,
    POINTER_BUFFER_ID,
    POINTER_IS_MANAGED,
    POINTER_DEVICE_ORDINAL,
    POINTER_IPC_CAPABLE,
    POINTER_RANGE_START,
    POINTER_RANGE_SIZE,
    POINTER_MAPPED,
    POINTER_HANDLE_TYPES,
    POINTER_RDMA_CAPABLE,
    POINTER_ACCESS_FLAGS,
    POINTER_POOL,
    POINTER_MAPPING_SIZE,
    POINTER_MAPPING_BASE,
    POINTER_MEMORY_BLOCK,
    POINTER_LAST = POINTER_MEMORY_BLOCK
};

/* Managed and device memory are of the device, pinned and registered memory of the host; all have
 * one address for both. */
static bool of_host(MemoryKind kind) {
    return kind == KIND_HOST || kind == KIND_REGISTERED;
}

static bool put_attribute(const AllocationRecord *found, CUdeviceptr address, int attribute,
                          void *value) {
    void *host = memory_host(core_memory(), address);
    switch (attribute) {
    case POINTER_CONTEXT:
        *(CUcontext *)value = found->context;
        return true;
    case POINTER_MEMORY_TYPE:
        *(unsigned *)value = of_host(found->kind) ? MEMORYTYPE_HOST : MEMORYTYPE_DEVICE;
        return true;
    case POINTER_DEVICE_POINTER:
        *(CUdeviceptr *)value = address;
        return true;
    case POINTER_HOST_POINTER:
        if (!of_host(found->kind) && found->kind != KIND_MANAGED)
            return false;
        *(void **)value = host;
        return true;
    case POINTER_SYNC_MEMOPS:
        *(int *)value = found->synchronous;
        return true;
    case POINTER_IPC_CAPABLE:
    case POINTER_HANDLE_TYPES:
    case POINTER_RDMA_CAPABLE:
        *(int *)value = 0;
        return true;
    case POINTER_BUFFER_ID:
        *(unsigned long long *)value = found->number;
        return true;
    case POINTER_IS_MANAGED:
        *(unsigned *)value = found->kind == KIND_MANAGED;
        return true;
    case POINTER_DEVICE_ORDINAL:
        *(int *)value = found->context->device->ordinal;
        return true;
    case POINTER_RANGE_START:
        *(CUdeviceptr *)value = found->address;
        return true;
    case POINTER_RANGE_SIZE:
        *(size_t *)value = found->bytes;
        return true;
    case POINTER_MAPPED:
        *(int *)value = 1;
        return true;
    case POINTER_ACCESS_FLAGS:
        *(unsigned *)value = ACCESS_READ_WRITE;
        return true;
    case POINTER_POOL:
        *(CUmemoryPool *)value = found->pool;
        return true;
    default:
        return false;
    }
}

CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address) {
    AllocationRecord found;
    if (!value || !allocated_find(address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    return put_attribute(&found, address, attribute, value) ? CUDA_SUCCESS
                                                            : CUDA_ERROR_INVALID_VALUE;
}

/* An address that is not known gives zeroes, not an error: "attribute by attribute, NULL or 0 where
 * it does not apply". */
CUresult cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                                CUdeviceptr address) {
    AllocationRecord found;
    if (!count || !attributes || !values)
        return CUDA_ERROR_INVALID_VALUE;
    bool known = allocated_find(address, &found);
    for (unsigned i = 0; i < count; i++)
        if (!values[i] || attributes[i] < POINTER_CONTEXT || attributes[i] > POINTER_LAST)
            return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (known && put_attribute(&found, address, attributes[i], values[i]))
            continue;
        switch (attributes[i]) {
        case POINTER_CONTEXT:
        case POINTER_DEVICE_POINTER:
        case POINTER_HOST_POINTER:
        case POINTER_BUFFER_ID:
        case POINTER_POOL:
            memset(values[i], 0, sizeof(uint64_t));
            break;
        case POINTER_RANGE_START:
        case POINTER_RANGE_SIZE: /* stay as they are (measured on an H200) */
            break;
        case POINTER_DEVICE_ORDINAL:
            *(int *)values[i] = -2; /* CU_DEVICE_INVALID */
            break;
        default:
            memset(values[i], 0, sizeof(uint32_t));
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, int attribute, CUdeviceptr address) {
    AllocationRecord found;
    if (!value || attribute != POINTER_SYNC_MEMOPS || !allocated_find(address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    allocation_synchronize(found.address, *(const unsigned *)value != 0);
    return CUDA_SUCCESS;
}

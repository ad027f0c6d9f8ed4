/* Allocation: device, pinned, mapped, managed, pools. */
#include "cuda/runtime/calls.h"

static CUdeviceptr device_address(const void *pointer) {
    return (CUdeviceptr)(uintptr_t)pointer;
}

cudaError cudaMalloc(void **address, size_t bytes) {
    if (!address)
        return rt_result(cudaErrorInvalidValue);
    if (bytes == 0) { /* success and no memory, where the driver would complain */
        *address = NULL;
        return rt_ready();
    }
    RT_FORWARD(cuMemAlloc_v2((CUdeviceptr *)address, bytes));
}

cudaError cudaFree(void *address) {
    if (!address)
        return rt_ready();
    RT_FORWARD(cuMemFree_v2(device_address(address)));
}

cudaError cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
    if (address && pitch && (width == 0 || height == 0)) {
        *address = NULL;
        return rt_ready();
    }
    RT_FORWARD(cuMemAllocPitch_v2((CUdeviceptr *)address, pitch, width, height, 4));
}

cudaError cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
    void *address = NULL;
    size_t pitch = 0;
    if (!pointer)
        return rt_result(cudaErrorInvalidValue);
    cudaError error = cudaMallocPitch(&address, &pitch, extent.width, extent.height * extent.depth);
    if (!error)
        *pointer = (cudaPitchedPtr){address, pitch, extent.width, extent.height};
    return error;
}

cudaError cudaMallocManaged(void **address, size_t bytes, unsigned flags) {
    if (address && bytes == 0) {
        *address = NULL;
        return rt_ready();
    }
    RT_FORWARD(cuMemAllocManaged((CUdeviceptr *)address, bytes, flags));
}

cudaError cudaMallocHost(void **host, size_t bytes) {
    return cudaHostAlloc(host, bytes, 0);
}

cudaError cudaHostAlloc(void **host, size_t bytes, unsigned flags) {
    RT_FORWARD(cuMemHostAlloc(host, bytes, flags));
}

cudaError cudaFreeHost(void *host) {
    if (!host)
        return rt_ready();
    RT_FORWARD(cuMemFreeHost(host));
}

cudaError cudaHostRegister(void *host, size_t bytes, unsigned flags) {
    RT_FORWARD(cuMemHostRegister_v2(host, bytes, flags));
}

cudaError cudaHostUnregister(void *host) {
    RT_FORWARD(cuMemHostUnregister(host));
}

cudaError cudaHostGetDevicePointer(void **address, void *host, unsigned flags) {
    RT_FORWARD(cuMemHostGetDevicePointer_v2((CUdeviceptr *)address, host, flags));
}

cudaError cudaHostGetFlags(unsigned *flags, void *host) {
    RT_FORWARD(cuMemHostGetFlags(flags, host));
}

cudaError cudaMemGetInfo(size_t *available, size_t *total) {
    RT_FORWARD(cuMemGetInfo_v2(available, total));
}

/* Describes an array's elements; returned by value, so it must be right even without arrays. */
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int format) {
    return (cudaChannelFormatDesc){x, y, z, w, format};
}

/* ---- pools ---- */

cudaError cudaMallocAsync(void **address, size_t bytes, CUstream stream) {
    if (bytes == 0 && address) {
        *address = NULL;
        return rt_ready();
    }
    RT_FORWARD(cuMemAllocAsync((CUdeviceptr *)address, bytes, stream));
}

cudaError cudaMallocFromPoolAsync(void **address, size_t bytes, CUmemoryPool pool,
                                  CUstream stream) {
    RT_FORWARD(cuMemAllocFromPoolAsync((CUdeviceptr *)address, bytes, pool, stream));
}

cudaError cudaFreeAsync(void *address, CUstream stream) {
    if (!address)
        return rt_ready();
    RT_FORWARD(cuMemFreeAsync(device_address(address), stream));
}

cudaError cudaDeviceGetDefaultMemPool(CUmemoryPool *pool, int device) {
    RT_FORWARD(cuDeviceGetDefaultMemPool(pool, device));
}

cudaError cudaDeviceGetMemPool(CUmemoryPool *pool, int device) {
    RT_FORWARD(cuDeviceGetMemPool(pool, device));
}

cudaError cudaDeviceSetMemPool(int device, CUmemoryPool pool) {
    RT_FORWARD(cuDeviceSetMemPool(device, pool));
}

cudaError cudaMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
    RT_FORWARD(cuMemPoolCreate(pool, properties));
}

cudaError cudaMemPoolDestroy(CUmemoryPool pool) {
    RT_FORWARD(cuMemPoolDestroy(pool));
}

cudaError cudaMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
    RT_FORWARD(cuMemPoolGetAttribute(pool, attribute, value));
}

cudaError cudaMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
    RT_FORWARD(cuMemPoolSetAttribute(pool, attribute, value));
}

cudaError cudaMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    RT_FORWARD(cuMemPoolTrimTo(pool, keep));
}

cudaError cudaMemPoolSetAccess(CUmemoryPool pool, const void *access, size_t count) {
    RT_FORWARD(cuMemPoolSetAccess(pool, access, count));
}

cudaError cudaMemPoolGetAccess(int *flags, CUmemoryPool pool, CUmemLocation *location) {
    RT_FORWARD(cuMemPoolGetAccess(flags, pool, location));
}

/* ---- what is known of an address ---- */

cudaError cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
    enum { MEMORY_TYPE = 2, DEVICE_POINTER = 3, HOST_POINTER = 4, IS_MANAGED = 8, ORDINAL = 9 };
    int kinds[] = {MEMORY_TYPE, DEVICE_POINTER, HOST_POINTER, IS_MANAGED, ORDINAL};
    unsigned type = 0;
    int managed = 0, device = -2; /* cudaInvalidDeviceId */
    CUdeviceptr on_device = 0;
    void *on_host = NULL;
    void *values[] = {&type, &on_device, &on_host, &managed, &device};
    cudaError error = attributes ? rt_ready() : rt_result(cudaErrorInvalidValue);
    if (error)
        return error;
    error = (cudaError)cuPointerGetAttributes(5, kinds, values, device_address(pointer));
    if (error)
        return rt_result(error);
    *attributes = (cudaPointerAttributes){.type = managed ? 3 : (int)type,
                                          .device = device,
                                          .devicePointer = (void *)(uintptr_t)on_device,
                                          .hostPointer = on_host};
    if (type == 0) /* plain host memory: its own address, as CUDA 11 and later have it */
        attributes->hostPointer = (void *)(uintptr_t)pointer;
    return cudaSuccess;
}

cudaError cudaMemPrefetchAsync_12(const void *pointer, size_t bytes, int device, CUstream stream) {
    RT_FORWARD(cuMemPrefetchAsync(device_address(pointer), bytes, device, stream));
}

cudaError cudaMemPrefetchAsync_13(const void *pointer, size_t bytes, CUmemLocation location,
                                  unsigned flags, CUstream stream) {
    RT_FORWARD(cuMemPrefetchAsync_v2(device_address(pointer), bytes, location, flags, stream));
}

/* The names of 13's calls from 12.2 on. */
cudaError cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, CUmemLocation location,
                                  unsigned flags, CUstream stream) {
    return cudaMemPrefetchAsync_13(pointer, bytes, location, flags, stream);
}

cudaError cudaMemPrefetchAsync_v2_ptsz(const void *pointer, size_t bytes, CUmemLocation location,
                                       unsigned flags, CUstream stream) {
    return cudaMemPrefetchAsync_13(pointer, bytes, location, flags, stream);
}

cudaError cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, CUmemLocation location) {
    return cudaMemAdvise_13(pointer, bytes, advice, location);
}

cudaError cudaMemAdvise_12(const void *pointer, size_t bytes, int advice, int device) {
    RT_FORWARD(cuMemAdvise(device_address(pointer), bytes, advice, device));
}

cudaError cudaMemAdvise_13(const void *pointer, size_t bytes, int advice, CUmemLocation location) {
    RT_FORWARD(cuMemAdvise_v2(device_address(pointer), bytes, advice, location));
}

cudaError cudaMemRangeGetAttribute(void *value, size_t size, int attribute, const void *pointer,
                                   size_t bytes) {
    RT_FORWARD(cuMemRangeGetAttribute(value, size, attribute, device_address(pointer), bytes));
}

cudaError cudaMemRangeGetAttributes(void **values, size_t *sizes, int *attributes, size_t count,
                                    const void *pointer, size_t bytes) {
    RT_FORWARD(
        cuMemRangeGetAttributes(values, sizes, attributes, count, device_address(pointer), bytes));
}

cudaError cudaStreamAttachMemAsync(CUstream stream, void *pointer, size_t bytes, unsigned flags) {
    RT_FORWARD(cuStreamAttachMemAsync(stream, device_address(pointer), bytes, flags));
}

VERSIONED(cudaMemAdvise)
VERSIONED(cudaMemPrefetchAsync)

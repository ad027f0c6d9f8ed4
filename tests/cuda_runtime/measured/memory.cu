// Memory: pointers, pools, managed and host memory, arrays, copies in three dimensions, virtual memory. One fact a line.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static void pointer(const char *what, const void *at) {
    cudaPointerAttributes a;
    memset(&a, 0x55, sizeof a);
    int error = cudaPointerGetAttributes(&a, at);
    printf("%s: %d, type %d, device %d, on the device %s, on the host %s\n", what, error, a.type,
           a.device,
           a.devicePointer == at ? "same"
           : a.devicePointer     ? "other"
                                 : "none",
           a.hostPointer == at ? "same"
           : a.hostPointer     ? "other"
                               : "none");
    CUmemorytype type = (CUmemorytype)77;
    unsigned managed = 77, mapped = 77;
    CUdeviceptr start = 77;
    size_t bytes = 77;
    int e1 = cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)at);
    int e2 = cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, (CUdeviceptr)at);
    int e3 = cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, (CUdeviceptr)at);
    int e4 = cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, (CUdeviceptr)at);
    int e5 = cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, (CUdeviceptr)at);
    printf("  attributes: %d %u, %d %u, %d %u, start %d %lld, bytes %d %zu\n", e1, type, e2,
           managed, e3, mapped, e4, e4 ? -1 : (long long)((CUdeviceptr)at - start), e5,
           e5 ? 0 : bytes);
}
static void pool(const char *what, cudaMemPool_t p) {
    unsigned long long values[8] = {};
    int errors[8];
    for (int i = 1; i <= 8; i++) {
        union {
            int flag;
            unsigned long long bytes;
        } value = {};
        errors[i - 1] = cudaMemPoolGetAttribute(p, (cudaMemPoolAttr)i, &value);
        values[i - 1] = i <= 3 ? (unsigned)value.flag : value.bytes;
    }
    printf("%s:", what);
    for (int i = 0; i < 8; i++)
        printf(" %d=%llu(%d)", i + 1, values[i], errors[i]);
    printf("\n");
}

int main() {
    char *d = NULL, *m = NULL, *h = NULL, *w = NULL, *r = (char *)aligned_alloc(4096, 8192),
         *pitched;
    int device;
    cudaMalloc(&d, 1000), cudaMallocManaged(&m, 1000), cudaMallocHost(&h, 1000);
    cudaHostAlloc(&w, 1000,
                  cudaHostAllocMapped | cudaHostAllocWriteCombined | cudaHostAllocPortable);
    pointer("device", d), pointer("device + 10", d + 10), pointer("managed", m),
        pointer("pinned", h);
    pointer("pinned + 999", h + 999), pointer("mapped", w), pointer("stack", &device),
        pointer("null", NULL);
    pointer("unregistered", r);
    unsigned flags = 0;
    printf("register: %d\n", cudaHostRegister(r, 8192, cudaHostRegisterMapped));
    pointer("registered", r + 100);
    printf("flags: %d", cudaHostGetFlags(&flags, r));
    printf(", %u\n", flags);
    printf("flags of mapped: %d", cudaHostGetFlags(&flags, w));
    printf(", %u\n", flags);
    printf("flags of device: %d\n", cudaHostGetFlags(&flags, d));
    printf("register again: %d\n", cudaHostRegister(r, 8192, 0));
    printf("register a part: %d\n", cudaHostRegister(r + 4096, 4096, 0));
    printf("unregister inside: %d\n", cudaHostUnregister(r + 10));
    printf("unregister: %d\n", cudaHostUnregister(r));
    printf("unregister again: %d\n", cudaHostUnregister(r));
    printf("unregister pinned: %d\n", cudaHostUnregister(h));
    void *there = NULL;
    printf("device pointer of pinned: %d", cudaHostGetDevicePointer(&there, h, 0));
    printf(", same %d\n", there == h);
    printf("device pointer of device memory: %d\n", cudaHostGetDevicePointer(&there, d, 0));
    cudaGetLastError();
    // pools
    cudaMemPool_t own, now;
    cudaDeviceGetDefaultMemPool(&own, 0), cudaDeviceGetMemPool(&now, 0);
    printf("the default pool is current: %d\n", own == now);
    pool("default pool", own);
    char *a, *b;
    cudaMallocAsync(&a, 1000, 0), cudaStreamSynchronize(0);
    pool("after 1000 bytes", own);
    pointer("from a pool", a);
    cudaFreeAsync(a, 0), cudaStreamSynchronize(0);
    pool("after freeing them", own);
    cudaMallocAsync(&b, 1000, 0), cudaStreamSynchronize(0);
    printf("freed: %d", cudaFree(b));
    printf(", again: %d\n", cudaFree(b));
    cudaGetLastError();
    unsigned long long keep = 1ull << 30;
    printf("threshold: %d\n", cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &keep));
    cudaMallocAsync(&a, 1 << 20, 0), cudaFreeAsync(a, 0), cudaStreamSynchronize(0);
    pool("kept", own);
    printf("trim: %d\n", cudaMemPoolTrimTo(own, 0));
    pool("trimmed", own);
    unsigned long long zero = 0, five = 5;
    printf("reset the high mark: %d\n",
           cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &zero));
    printf("set the high mark: %d\n",
           cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &five));
    printf("set what is used: %d\n",
           cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &five));
    pool("reset", own);
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned, props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t mine;
    printf("a pool: %d\n", cudaMemPoolCreate(&mine, &props));
    pool("a pool", mine);
    printf("from it: %d\n", cudaMallocFromPoolAsync((void **)&a, 100, mine, 0));
    cudaMemAccessFlags access = (cudaMemAccessFlags)9;
    cudaMemLocation place = {cudaMemLocationTypeDevice, {0}};
    printf("access: %d", cudaMemPoolGetAccess(&access, mine, &place));
    printf(", %d\n", access);
    printf("destroy it while used: %d\n", cudaMemPoolDestroy(mine));
    printf("free: %d\n", cudaFreeAsync(a, 0));
    printf("destroy the default one: %d\n", cudaMemPoolDestroy(own));
    cudaGetLastError();
    // managed
#if CUDART_VERSION >= 13000
    int answer = -77;
    cudaMemLocation on = {cudaMemLocationTypeDevice, {0}}, cpu = {cudaMemLocationTypeHost, {0}};
    cudaMemRangeGetAttribute(&answer, 4, cudaMemRangeAttributeReadMostly, m, 1000),
        printf("read mostly: %d\n", answer);
    cudaMemRangeGetAttribute(&answer, 4, cudaMemRangeAttributePreferredLocation, m, 1000),
        printf("preferred: %d\n", answer);
    cudaMemRangeGetAttribute(&answer, 4, cudaMemRangeAttributeLastPrefetchLocation, m, 1000),
        printf("prefetched: %d\n", answer);
    printf("advise: %d", cudaMemAdvise(m, 1000, cudaMemAdviseSetReadMostly, on));
    printf(" %d", cudaMemAdvise(m, 1000, cudaMemAdviseSetPreferredLocation, on));
    printf(" %d\n", cudaMemAdvise(m, 1000, cudaMemAdviseSetAccessedBy, on));
    cudaMemRangeGetAttribute(&answer, 4, cudaMemRangeAttributeReadMostly, m, 1000),
        printf("read mostly: %d\n", answer);
    cudaMemRangeGetAttribute(&answer, 4, cudaMemRangeAttributePreferredLocation, m, 1000),
        printf("preferred: %d\n", answer);
    int list[3] = {-77, -77, -77};
    printf("accessed by: %d",
           cudaMemRangeGetAttribute(list, 12, cudaMemRangeAttributeAccessedBy, m, 1000));
    printf(", %d %d %d\n", list[0], list[1], list[2]);
    printf("prefetch: %d\n", cudaMemPrefetchAsync(m, 1000, cpu, 0, 0));
    cudaDeviceSynchronize();
    cudaMemRangeGetAttribute(&answer, 4, cudaMemRangeAttributeLastPrefetchLocation, m, 1000),
        printf("prefetched: %d\n", answer);
    printf("advise of device memory: %d\n", cudaMemAdvise(d, 1000, cudaMemAdviseSetReadMostly, on));
    printf("prefetch of device memory: %d\n", cudaMemPrefetchAsync(d, 1000, on, 0, 0));
    printf("prefetch of pinned memory: %d\n", cudaMemPrefetchAsync(h, 1000, on, 0, 0));
    cudaGetLastError();
#endif
    // rows and arrays
    size_t pitch = 0;
    for (size_t width : {1, 100, 512, 513, 4000}) {
        printf("pitch of %zu", width);
        printf(": %d", cudaMallocPitch(&pitched, &pitch, width, 4));
        printf(", %zu\n", pitch);
        cudaFree(pitched);
    }
    cudaPitchedPtr volume;
    printf("3-D: %d", cudaMalloc3D(&volume, make_cudaExtent(100, 6, 5)));
    printf(", pitch %zu, %zu x %zu\n", volume.pitch, volume.xsize, volume.ysize);
    unsigned char from[600], to[600];
    for (int i = 0; i < 600; i++)
        from[i] = (unsigned char)(i * 7), to[i] = 0;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(from, 20, 20, 6), copy.dstPtr = volume,
    copy.extent = make_cudaExtent(20, 6, 5);
    copy.kind = cudaMemcpyHostToDevice;
    printf("in: %d\n", cudaMemcpy3D(&copy));
    cudaMemcpy3DParms back = {};
    back.srcPtr = volume, back.dstPtr = make_cudaPitchedPtr(to, 10, 10, 4),
    back.extent = make_cudaExtent(10, 4, 3);
    back.srcPos = make_cudaPos(3, 2, 1), back.kind = cudaMemcpyDeviceToHost;
    printf("out: %d", cudaMemcpy3D(&back));
    unsigned sum = 0;
    for (int i = 0; i < 120; i++)
        sum = sum * 31 + to[i];
    printf(", %u\n", sum);
    back.extent.width = 200;
    printf("out too wide: %d\n", cudaMemcpy3D(&back));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>(), asked;
    cudaArray_t array;
    cudaExtent extent;
    unsigned kind;
    printf("array: %d\n",
           cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 6, 5), cudaArraySurfaceLoadStore));
    printf("asked: %d", cudaArrayGetInfo(&asked, &extent, &kind, array));
    printf(", %d %d %d %d %d, %zu %zu %zu, flags %u\n", asked.x, asked.y, asked.z, asked.w, asked.f,
           extent.width, extent.height, extent.depth, kind);
    cudaArrayMemoryRequirements needs = {};
    printf("layered: %d\n",
           cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 0, 5), cudaArrayLayered));
    cudaArrayGetInfo(&asked, &extent, &kind, array);
    printf("asked: %zu %zu %zu, flags %u\n", extent.width, extent.height, extent.depth, kind);
    printf("cube of no square: %d\n",
           cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 7, 6), cudaArrayCubemap));
    printf("memset 2-D: %d", cudaMemset2D(volume.ptr, volume.pitch, 5, 10, 3));
    printf(", of more than a pitch %d\n", cudaMemset2D(volume.ptr, 8, 5, 10, 3));
    printf("copy 2-D: %d",
           cudaMemcpy2D(to, 10, volume.ptr, volume.pitch, 10, 3, cudaMemcpyDeviceToHost));
    printf(", wider than a pitch %d\n",
           cudaMemcpy2D(to, 5, volume.ptr, volume.pitch, 10, 3, cudaMemcpyDeviceToHost));
    printf("it has %d %d\n", to[0], to[29]);
    (void)needs;
    cudaGetLastError();
    // virtual memory
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED, prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    size_t least = 0, good = 0;
    CUdeviceptr range = 0;
    CUmemGenericAllocationHandle handle, again;
    cuMemGetAllocationGranularity(&least, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    cuMemGetAllocationGranularity(&good, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    printf("granularity: %zu %zu\n", least, good);
    printf("create of odd size: %d\n", cuMemCreate(&handle, 1000, &prop, 0));
    printf("create: %d\n", cuMemCreate(&handle, good, &prop, 0));
    printf("reserve of odd size: %d\n", cuMemAddressReserve(&range, 1000, 0, 0, 0));
    printf("reserve: %d\n", cuMemAddressReserve(&range, 2 * good, 0, 0, 0));
    printf("map: %d\n", cuMemMap(range, good, 0, handle, 0));
    printf("map over it: %d\n", cuMemMap(range, good, 0, handle, 0));
    printf("write before access: %d\n", cuMemsetD8(range, 1, 16));
    CUmemAccessDesc desc = {{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    printf("access: %d\n", cuMemSetAccess(range, good, &desc, 1));
    printf("access to what is not mapped: %d\n", cuMemSetAccess(range, 2 * good, &desc, 1));
    printf("write: %d\n", cuMemsetD8(range, 7, good));
    unsigned long long rights = 0;
    printf("asked: %d", cuMemGetAccess(&rights, &desc.location, range));
    printf(", %llu\n", rights);
    printf("map it twice: %d", cuMemMap(range + good, good, 0, handle, 0));
    printf(" %d\n", cuMemSetAccess(range + good, good, &desc, 1));
    unsigned char byte = 0;
    cuMemcpyDtoH(&byte, range + good + 5, 1);
    printf("the same bytes: %d\n", byte);
    printf("handle of an address: %d", cuMemRetainAllocationHandle(&again, (void *)range));
    printf(", same %d\n", again == handle);
    printf("free while mapped: %d\n", cuMemAddressFree(range, 2 * good));
    printf("release: %d", cuMemRelease(handle));
    printf(" %d\n", cuMemRelease(again));
    printf("unmap a half of a mapping: %d\n", cuMemUnmap(range, good / 2));
    printf("unmap: %d", cuMemUnmap(range, good));
    printf(" %d\n", cuMemUnmap(range + good, good));
    printf("unmap again: %d\n", cuMemUnmap(range, good));
    printf("free: %d\n", cuMemAddressFree(range, 2 * good));
    printf("free again: %d\n", cuMemAddressFree(range, 2 * good));
    return 0;
}

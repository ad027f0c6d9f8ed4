// Memory in all ways that a program may get and describe it: host, managed, pools of both kinds, hints and their answers, memory and
// events of another process.
#include "say.h"

static void host() {
    void *h, *m, *w;
    CUdeviceptr d, managed;
    unsigned flags = 9;
    size_t freed = 0, total = 0, now = 0;
    R(cuMemAllocHost(&h, 1000)), R(cuMemAllocHost(&m, 0)),
        R(cuMemHostAlloc(&w, 1000, CU_MEMHOSTALLOC_DEVICEMAP));
    R(cuMemHostGetFlags(&flags, h)), printf("  %u\n", flags);
    R(cuMemHostGetFlags(&flags, w)), printf("  %u\n", flags);
    R(cuMemHostGetDevicePointer(&d, w, 0)), printf("  same %d\n", (void *)d == w);
    R(cuMemHostGetDevicePointer(&d, w, 1));
    R(cuMemFreeHost(h)), R(cuMemFreeHost(w)), R(cuMemFreeHost(NULL));
    char *own = (char *)aligned_alloc(4096, 8192);
    R(cuMemHostRegister(own, 8192, CU_MEMHOSTREGISTER_DEVICEMAP)),
        R(cuMemHostGetFlags(&flags, own)), printf("  %u\n", flags);
    R(cuMemHostRegister(own + 100, 10, 0)), R(cuMemHostRegister(own, 8192, 0x100)),
        R(cuMemHostUnregister(own + 4096));
    R(cuMemHostUnregister(own)), R(cuMemHostUnregister(own));
    R(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL)), R(cuMemAllocManaged(&d, 4096, 7)),
        R(cuMemAllocManaged(&d, 0, 1));
    R(cuMemGetInfo(&freed, &total));
    R(cuMemAlloc(&d, 64 << 20)), R(cuMemGetInfo(&now, &total)),
        printf("  less by %zu\n", (freed - now) >> 20);
    R(cuMemFree(d)), R(cuMemFree(managed)), R(cuMemFree(managed));
    size_t pitch = 0;
    R(cuMemAllocPitch(&d, &pitch, 100, 10, 4)), printf("  %zu\n", pitch);
    R(cuMemAllocPitch(&d, &pitch, 100, 10, 3)), R(cuMemAllocPitch(&d, &pitch, 0, 10, 4));
}

static void attributes() {
    CUdeviceptr d, start = 0;
    void *managed;
    unsigned type = 9, sync = 9;
    int ordinal = 9, is = 9;
    unsigned long long id = 0, other = 0;
    size_t bytes = 0;
    cuMemAlloc(&d, 1000), cudaMallocManaged(&managed, 1 << 16);
    CUpointer_attribute which[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CU_POINTER_ATTRIBUTE_IS_MANAGED,  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE,  CU_POINTER_ATTRIBUTE_BUFFER_ID};
    void *to[] = {&type, &ordinal, &is, &start, &bytes, &id};
    R(cuPointerGetAttributes(6, which, to, d + 10));
    printf("  type %u, device %d, managed %d, start same %d, %zu bytes, id %d\n", type, ordinal, is,
           start == d, bytes, id != 0);
    R(cuPointerGetAttributes(6, which, to, (CUdeviceptr)&type));
    printf("  type %u, device %d, managed %d, start same %d, %zu bytes, id %d\n", type, ordinal, is,
           start == d, bytes, id != 0);
    R(cuPointerGetAttributes(0, which, to, d));
    unsigned on = 1;
    R(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d));
    R(cuPointerGetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d)), printf("  %u\n", sync);
    R(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d));
    R(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)&on));
    R(cuMemGetAddressRange(&start, &bytes, d + 999)),
        R(cuMemGetAddressRange(&start, &bytes, d + 1000));
    // managed memory: hints, and what is known of them
    CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, cpu = {CU_MEM_LOCATION_TYPE_HOST, 0};
    CUdeviceptr m = (CUdeviceptr)managed;
    int value = 99, list[2] = {99, 99};
    R(cuMemAdvise(m, 1 << 16, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    R(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 1 << 16)),
        printf("  %d\n", value);
    R(cuMemAdvise(m, 1 << 16, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device));
    R(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 1 << 16)),
        printf("  %d\n", value);
    R(cuMemAdvise(m, 1 << 16, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, cpu));
    R(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, m, 1 << 16)),
        printf("  %d\n", value);
    R(cuMemAdvise(m, 1 << 16, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
    R(cuMemRangeGetAttribute(list, 8, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 1 << 16)),
        printf("  %d %d\n", list[0], list[1]);
    R(cuMemPrefetchAsync(m, 1 << 16, device, 0, 0)), R(cuCtxSynchronize());
    R(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, m, 1 << 16)),
        printf("  %d\n", value);
    CUmem_range_attribute asked[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                     CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
    int mostly = 9, preferred = 9;
    void *answers[] = {&mostly, &preferred};
    size_t sizes[] = {4, 4};
    R(cuMemRangeGetAttributes(answers, sizes, asked, 2, m, 1 << 16)),
        printf("  %d %d\n", mostly, preferred);
    cudaMemRangeAttribute same[] = {cudaMemRangeAttributeReadMostly,
                                    cudaMemRangeAttributePreferredLocation};
    R(cudaMemRangeGetAttributes(answers, sizes, same, 2, managed, 1 << 16)),
        printf("  %d %d\n", mostly, preferred);
    R(cuMemRangeGetAttribute(&value, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 1 << 16));
    R(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, d, 100));
    R(cuMemRangeGetAttribute(&value, 4, (CUmem_range_attribute)99, m, 1 << 16));
    R(cuMemPrefetchAsync(d, 1000, device, 0, 0)), R(cuMemPrefetchAsync(m, 1 << 20, device, 0, 0));
    device.id = 9, R(cuMemPrefetchAsync(m, 1 << 16, device, 0, 0)), device.id = 0;
    R(cuMemPrefetchAsync(m, 1 << 16, device, 1, 0));
    CUstream s;
    cuStreamCreate(&s, 0);
    CUdeviceptr at[] = {m};
    size_t lengths[] = {1 << 16}, first[] = {0};
    R(cuMemPrefetchBatchAsync(at, lengths, 1, &device, first, 1, 0, s)),
        R(cuMemPrefetchBatchAsync(at, lengths, 0, &device, first, 1, 0, s));
    R(cuMemPrefetchBatchAsync(at, lengths, 1, &device, first, 1, 1, s)),
        R(cuMemPrefetchBatchAsync(at, lengths, 1, NULL, first, 1, 0, s));
    R(cuMemDiscardBatchAsync(at, lengths, 1, 0, s)),
        R(cuMemDiscardBatchAsync(at, lengths, 1, 5, s));
    R(cuMemDiscardAndPrefetchBatchAsync(at, lengths, 1, &device, first, 1, 0, s)),
        R(cuStreamSynchronize(s));
    void *there[] = {managed};
    cudaMemLocation place = {cudaMemLocationTypeDevice, {0}};
    R(cudaMemPrefetchBatchAsync(there, lengths, 1, &place, first, 1, 0, s)),
        R(cudaMemDiscardBatchAsync(there, lengths, 1, 0, s));
    R(cudaMemDiscardAndPrefetchBatchAsync(there, lengths, 1, &place, first, 1, 0, s)),
        R(cudaStreamSynchronize(s));
}

static void pools() {
    CUmemoryPool pool, now;
    cudaMemPool_t own, found;
    CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    cudaMemLocation place = {cudaMemLocationTypeDevice, {0}};
    CUmemPoolProps props = {};
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, props.location = device;
    R(cuMemPoolCreate(&pool, &props)), R(cuDeviceSetMemPool(0, pool)),
        R(cuDeviceGetMemPool(&now, 0)), printf("  same %d\n", now == pool);
    R(cudaDeviceSetMemPool(0, NULL)), R(cuDeviceGetDefaultMemPool(&now, 0)),
        R(cuDeviceSetMemPool(0, now));
    R(cuMemGetMemPool(&now, &device, CU_MEM_ALLOCATION_TYPE_PINNED)),
        R(cuMemGetDefaultMemPool(&now, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
    R(cuMemSetMemPool(&device, CU_MEM_ALLOCATION_TYPE_PINNED, pool)),
        R(cuMemGetMemPool(&now, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
    printf("  same %d\n", now == pool);
    R(cudaMemGetDefaultMemPool(&own, &place, cudaMemAllocationTypePinned)),
        R(cudaMemSetMemPool(&place, cudaMemAllocationTypePinned, own));
    R(cudaMemGetMemPool(&found, &place, cudaMemAllocationTypePinned)),
        printf("  same %d\n", own == found);
    R(cudaMemGetMemPool(&found, &place, (cudaMemAllocationType)9)),
        R(cudaMemGetMemPool(NULL, &place, cudaMemAllocationTypePinned));
    place.id = 9, R(cudaMemGetMemPool(&found, &place, cudaMemAllocationTypePinned));
    CUdeviceptr d;
    R(cuMemAllocFromPoolAsync(&d, 1000, pool, 0)), R(cuMemFreeAsync(d, 0)), R(cuMemFreeAsync(d, 0));
    unsigned long long value = 0;
    R(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value)),
        printf("  %llu\n", value);
    R(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value)),
        R(cuMemPoolTrimTo(pool, 0)), R(cuMemPoolDestroy(pool));
    R(cuMemPoolDestroy(pool));
    // one that another process may import
    cudaMemPoolProps shared = {};
    shared.allocType = cudaMemAllocationTypePinned,
    shared.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    shared.location = {cudaMemLocationTypeDevice, {0}};
    cudaMemPool_t mine, theirs;
    cudaMemPoolPtrExportData data;
    int file = -1;
    void *at = NULL, *there = NULL;
    R(cudaMemPoolCreate(&mine, &shared));
    R(cudaMemPoolExportToShareableHandle(&file, mine, cudaMemHandleTypePosixFileDescriptor, 0)),
        printf("  file %d\n", file >= 0);
    R(cudaMemPoolExportToShareableHandle(&file, own, cudaMemHandleTypePosixFileDescriptor, 0));
    R(cudaMemPoolExportToShareableHandle(&file, mine, cudaMemHandleTypePosixFileDescriptor, 1));
    R(cudaMallocFromPoolAsync(&at, 1000, mine, 0)), R(cudaStreamSynchronize(0)),
        R(cudaMemPoolExportPointer(&data, at));
    R(cudaMemPoolImportFromShareableHandle(&theirs, (void *)(size_t)file,
                                           cudaMemHandleTypePosixFileDescriptor, 0));
    R(cudaMemPoolImportPointer(&there, theirs, &data)), printf("  some %d\n", there != NULL);
    R(cudaMallocFromPoolAsync(&there, 1000, theirs, 0));
}

struct Gift {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};
static void processes() {
    int there[2], back[2];
    Gift gift;
    if (pipe(there) || pipe(back))
        return;
    fflush(stdout);
    void *d, *part;
    cudaEvent_t event, plain;
    char text[32] = "given";
    R(cudaMalloc(&d, 4096)), R(cudaMemcpy(d, text, 32, cudaMemcpyHostToDevice));
    R(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming)),
        R(cudaEventCreate(&plain));
    R(cudaIpcGetMemHandle(&gift.memory, d)), R(cudaIpcGetEventHandle(&gift.event, event)),
        R(cudaIpcGetEventHandle(&gift.event, plain));
    R(cudaIpcGetEventHandle(&gift.event, event));
    R(cudaIpcOpenMemHandle(&part, gift.memory, cudaIpcMemLazyEnablePeerAccess)),
        R(cudaIpcOpenMemHandle(&part, gift.memory, 9));
    R(cudaIpcOpenEventHandle(&plain, gift.event)), R(cudaIpcCloseMemHandle(d));
    char self[256] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) { // anew: CUDA does not outlive a fork
        dup2(there[0], 0), dup2(back[1], 3);
        execl(self, self, "taker", (char *)NULL);
        _exit(1);
    }
    int status;
    char answer[32] = "";
    if (write(there[1], &gift, sizeof gift) < 0)
        return;
    waitpid(child, &status, 0);
    R(cudaMemcpy(answer, d, 32, cudaMemcpyDeviceToHost)), printf("  %s\n", answer);
    R(cudaEventQuery(event)), R(cudaFree(d));
}
static int taker() {
    Gift gift;
    void *at;
    cudaEvent_t event, again;
    char text[32] = "";
    if (read(0, &gift, sizeof gift) < 0)
        return 1;
    cudaFree(0);
    R(cudaIpcOpenMemHandle(&at, gift.memory, cudaIpcMemLazyEnablePeerAccess));
    R(cudaMemcpy(text, at, 32, cudaMemcpyDeviceToHost)), printf("  %s\n", text);
    R(cudaMemcpy(at, "taken", 6, cudaMemcpyHostToDevice));
    R(cudaIpcOpenEventHandle(&event, gift.event)), R(cudaEventQuery(event)),
        R(cudaEventRecord(event, 0)), R(cudaEventSynchronize(event));
    float ms;
    R(cudaEventElapsedTime(&ms, event, event)), R(cudaEventDestroy(event)), R(cudaFree(at)),
        R(cudaIpcCloseMemHandle(at));
    R(cudaIpcCloseMemHandle(at));
    (void)again;
    fflush(stdout);
    return 0;
}

int main(int count, char **) {
    if (count > 1)
        return taker();
    return in_parts({host, attributes, pools, processes});
}

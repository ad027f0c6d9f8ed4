/* Several devices: what each has of its own, and whose memory kernels may access. With an argument, a kernel of the
 * first device stores to the second's memory without access to it. */
#include "check.h"
#include "cuda/nvml.h"

static CUcontext primary[2];
static CUdeviceptr on[2];
static CUlibrary library;

static void use(int device) {
    OK(cuCtxSetCurrent(primary[device]));
}

static unsigned word_at(CUdeviceptr address) {
    unsigned value = 12345;
    OK(cuMemcpyDtoH_v2(&value, address, sizeof value));
    return value;
}

/* Stores `value` on the current device. */
static void fill(CUdeviceptr at, unsigned value) {
    CUkernel found;
    void *params[] = {&at, &value};
    OK(cuLibraryGetKernel(&found, library, "fill"));
    OK(cuLaunchKernel((CUfunction)found, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
}

static void make(void) {
    OK(cuInit(0));
    OK(cuLibraryLoadData(&library, kernels, NULL, NULL, 0, NULL, NULL, 0));
    for (int i = 0; i < 2; i++) {
        OK(cuDevicePrimaryCtxRetain(&primary[i], i));
        use(i);
        OK(cuMemAlloc_v2(&on[i], 4096));
    }
}

static void memories(void) {
    size_t left[2], total;
    int ordinal = -1;
    for (int i = 0; i < 2; i++) {
        use(i);
        CHECK(cuPointerGetAttribute(&ordinal, 9, on[i]) == CUDA_SUCCESS && ordinal == i);
        CUdeviceptr more;
        if (i == 1)
            OK(cuMemAlloc_v2(&more, 1 << 20));
        OK(cuMemGetInfo_v2(&left[i], &total));
    }
    CHECK(left[0] == left[1] + (1 << 20));
    use(0);
    fill(on[0], 7);
    OK(cuMemcpyPeer(on[1], primary[1], on[0], primary[0], 4));
    CHECK(word_at(on[1]) == 7);
    CHECK(cuMemsetD8_v2(on[1], 0, 4) == CUDA_ERROR_INVALID_VALUE);
}

static void variables(void) {
    CUdeviceptr counter[2], all;
    size_t bytes;
    for (int i = 0; i < 2; i++) {
        use(i);
        OK(cuLibraryGetGlobal(&counter[i], &bytes, library, "counter"));
    }
    CHECK(counter[0] != counter[1]);
    OK(cuMemsetD32_v2(counter[1], 50, 1));
    CHECK(word_at(counter[0]) == 7 && word_at(counter[1]) == 50);
    OK(cuDevicePrimaryCtxReset_v2(1));
    OK(cuLibraryGetGlobal(&counter[1], &bytes, library, "counter"));
    CHECK(word_at(counter[1]) == 7);
    OK(cuMemAlloc_v2(&on[1], 4096));
    use(0);
    OK(cuMemAllocManaged(&all, 128, 1));
    fill(all, 1);
    use(1);
    fill(all, 2);
    CHECK(word_at(all) == 2);
}

static void peers(void) {
    int can = -1;
    OK(cuDeviceCanAccessPeer(&can, 0, 1));
    CHECK(can == 1);
    OK(cuDeviceCanAccessPeer(&can, 1, 1));
    CHECK(can == 0);
    use(0);
    CHECK(cuCtxDisablePeerAccess(primary[1]) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    CHECK(cuCtxEnablePeerAccess(primary[0], 0) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    OK(cuCtxEnablePeerAccess(primary[1], 0));
    CHECK(cuCtxEnablePeerAccess(primary[1], 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    fill(on[1], 9);
    CHECK(word_at(on[1]) == 9);
    OK(cuCtxDisablePeerAccess(primary[1]));
}

static void streams(void) {
    CUstream stream;
    CUevent event;
    use(1);
    OK(cuStreamCreate(&stream, 0));
    use(0);
    OK(cuEventCreate(&event, 0));
    CHECK(cuEventRecord(event, stream) == CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventRecord(event, NULL));
    OK(cuStreamWaitEvent(stream, event, 0));
}

static void management(void) {
    unsigned count = 0, major;
    nvmlDevice second, same;
    nvmlMemory memory;
    char uuid[96];
    int minor;
    CHECK(nvmlDeviceGetCount_v2(&count) == NVML_ERROR_UNINITIALIZED);
    CHECK(nvmlInit_v2() == NVML_SUCCESS);
    CHECK(nvmlDeviceGetCount_v2(&count) == NVML_SUCCESS && count == 2);
    CHECK(nvmlDeviceGetHandleByIndex_v2(1, &second) == NVML_SUCCESS);
    CHECK(nvmlDeviceGetHandleByIndex_v2(2, &same) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetUUID(second, uuid, sizeof uuid) == NVML_SUCCESS);
    CHECK(nvmlDeviceGetHandleByUUID(uuid, &same) == NVML_SUCCESS && same == second);
    CHECK(nvmlDeviceGetMemoryInfo(second, &memory) == NVML_SUCCESS && memory.used == 4096);
    CHECK(nvmlDeviceGetCudaComputeCapability(second, (int *)&major, &minor) == NVML_SUCCESS);
    CHECK(major == 9);
    CHECK(nvmlDeviceGetPowerUsage(second, &count) == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlShutdown() == NVML_SUCCESS && nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
}

int main(int argc, char **argv) {
    int count = 0;
    if (argc > 2) { /* what CUDA_VISIBLE_DEVICES leaves */
        CUresult result = cuInit(0);
        char id[16] = "";
        cuDeviceGetCount(&count);
        cuDeviceGetPCIBusId(id, sizeof id, 0);
        printf("%s: %d, %d devices %s\n", argv[1], result, count, id);
        return 0;
    }
    make();
    if (argc > 1) {
        use(0);
        fill(on[1], 9);
        CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
        return 0;
    }
    OK(cuDeviceGetCount(&count));
    CHECK(count == 2);
    memories();
    variables();
    peers();
    streams();
    management();
    puts("devices: fine");
    return 0;
}

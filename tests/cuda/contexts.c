/* The device and contexts. */
#include "check.h"

static int attribute(int which) {
    int value;
    OK(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

static void device(const char *compute) {
    char name[64], expected[64], bus[16];
    int count, major, minor, version;
    size_t bytes;
    CUdevice found;
    OK(cuInit(0));
    OK(cuDriverGetVersion(&version));
    CHECK(version >= 12000);
    OK(cuDeviceGetCount(&count));
    CHECK(count == 1);
    CHECK(cuDeviceGet(&found, 1) == CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGetName(name, sizeof name, 0));
    OK(cuDeviceComputeCapability(&major, &minor, 0));
    snprintf(expected, sizeof expected, "%d.%d", major, minor);
    CHECK(strcmp(expected, compute) == 0);
    CHECK(attribute(75) == major && attribute(76) == minor && attribute(10) == 32);
    CHECK(attribute(1) == 1024 && attribute(16) > 0 && attribute(39) >= 1024);
    CHECK(attribute(8) == 48 << 10 && attribute(97) >= 48 << 10);
    OK(cuDeviceTotalMem_v2(&bytes, 0));
    CHECK(bytes > 1u << 30);
    OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
    OK(cuDeviceGetByPCIBusId(&found, bus));
    CHECK(found == 0);
}

static void stacks(void) {
    CUcontext a, b, primary, now;
    CUdevice found;
    unsigned flags;
    int active;
    OK(cuCtxGetCurrent(&now));
    CHECK(!now);
    CHECK(cuCtxGetDevice(&found) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxCreate_v2(&a, 0, 0));
    OK(cuCtxCreate_v4(&b, NULL, 4, 0));
    OK(cuCtxGetCurrent(&now));
    CHECK(now == b);
    OK(cuCtxGetFlags(&flags));
    CHECK(flags == 4);
    OK(cuCtxPopCurrent_v2(&now));
    CHECK(now == b);
    OK(cuCtxGetCurrent(&now));
    CHECK(now == a);
    OK(cuCtxSetCurrent(b));
    OK(cuCtxDestroy_v2(b));
    CHECK(cuCtxPushCurrent_v2(b) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(!active);
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(active);
    OK(cuCtxPushCurrent_v2(primary));
    OK(cuCtxGetCurrent(&now));
    CHECK(now == primary);
    OK(cuDevicePrimaryCtxRelease_v2(0));
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == CUDA_ERROR_INVALID_CONTEXT);
}

static void limits(void) {
    size_t value;
    int banks, least, greatest;
    OK(cuCtxSetLimit(2, 64 << 20));
    OK(cuCtxGetLimit(&value, 2));
    CHECK(value == 64 << 20);
    CHECK(cuCtxSetLimit(99, 1) == CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    OK(cuCtxSetSharedMemConfig(2)); /* banks of 8 bytes, which only Kepler had */
    OK(cuCtxGetSharedMemConfig(&banks));
    CHECK(banks == 1);
    CHECK(greatest <= least);
    OK(cuCtxSynchronize());
}

/* A reset takes memory and modules of the primary context, and no others; so does destroying one. */
static void resets(void) {
    CUcontext own, primary;
    CUmodule kept, gone;
    CUdeviceptr a, b, base;
    CUfunction old;
    size_t before, available, total;
    OK(cuMemGetInfo_v2(&before, &total));
    OK(cuCtxCreate_v2(&own, 0, 0));
    OK(cuModuleLoadData(&kept, kernels));
    OK(cuMemAlloc_v2(&a, 4096));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxPushCurrent_v2(primary));
    OK(cuModuleLoadData(&gone, kernels));
    OK(cuModuleGetFunction(&old, gone, "empty"));
    OK(cuMemAlloc_v2(&b, 4096));
    OK(cuCtxSetLimit(0, 4096));
    OK(cuDevicePrimaryCtxReset_v2(0));
    CHECK(cuMemGetAddressRange_v2(&base, NULL, b) == CUDA_ERROR_NOT_FOUND);
    CHECK(cuModuleGetFunction(&old, gone, "empty") == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuLaunchKernel(old, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) ==
          CUDA_ERROR_CONTEXT_IS_DESTROYED);
    OK(cuCtxGetLimit(&total, 0));
    CHECK(total == 1024);
    OK(cuCtxPopCurrent_v2(&primary));
    OK(cuMemGetAddressRange_v2(&base, NULL, a));
    CHECK(base == a);
    kernel(kept, "empty");
    OK(cuMemGetInfo_v2(&available, &total));
    CHECK(available == before - 4096);
    OK(cuCtxDestroy_v2(own));
    OK(cuMemGetInfo_v2(&available, &total));
    CHECK(available == before);
    CHECK(cuModuleUnload(kept) == CUDA_ERROR_INVALID_HANDLE);
}

/* argv[1]: the compute capability to expect. */
int main(int argc, char **argv) {
    device(argc > 1 ? argv[1] : "9.0");
    stacks();
    limits();
    resets();
    puts("contexts: fine");
    return 0;
}

/* Memory pools: what they count, and what may be set. */
#include "check.h"

#define MIB ((size_t)1 << 20)

static void show(CUmemoryPool pool) {
    for (int attribute = 4; attribute <= 8; attribute++) {
        uint64_t value = 0;
        OK(cuMemPoolGetAttribute(pool, attribute, &value));
        printf("%llu%c", (unsigned long long)value, attribute == 8 ? '\n' : ' ');
    }
}

static void wrong_calls(CUmemoryPool pool) {
    CUmemoryPool made;
    CUmemPoolProps properties = {.allocType = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 0}};
    CUmemAccessDesc access = {{LOCATION_DEVICE, 0}, ACCESS_READ};
    CUmemLocation host = {LOCATION_HOST, 0}, far = {LOCATION_DEVICE, 77};
    CUdeviceptr at;
    uint64_t value = 5;
    int flags;
    SAY(cuMemPoolCreate(NULL, &properties));
    SAY(cuMemPoolCreate(&made, NULL));
    properties.allocType = 0;
    SAY(cuMemPoolCreate(&made, &properties));
    properties =
        (CUmemPoolProps){.allocType = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 77}};
    SAY(cuMemPoolCreate(&made, &properties));
    SAY(cuMemPoolGetAttribute(pool, 0, &value));
    SAY(cuMemPoolGetAttribute(pool, 99, &value));
    SAY(cuMemPoolGetAttribute(pool, 4, NULL));
    SAY(cuMemPoolSetAttribute(pool, 5, &value));
    SAY(cuMemPoolSetAttribute(pool, 6, &value));
    SAY(cuMemPoolSetAttribute(pool, 7, &value));
    SAY(cuMemPoolSetAttribute(pool, 8, &value));
    SAY(cuMemPoolSetAccess(pool, &access, 1));
    access.flags = ACCESS_NONE;
    SAY(cuMemPoolSetAccess(pool, &access, 1));
    access.flags = ACCESS_READ_WRITE;
    SAY(cuMemPoolSetAccess(pool, &access, 1));
    access.location.id = 77;
    SAY(cuMemPoolSetAccess(pool, &access, 1));
    SAY(cuMemPoolGetAccess(&flags, pool, &far));
    SAY(cuMemPoolGetAccess(&flags, pool, &host));
    SAY(cuMemPoolDestroy(pool));
    SAY(cuMemPoolDestroy(NULL));
    SAY(cuMemPoolTrimTo(NULL, 0));
    SAY(cuMemAllocFromPoolAsync(&at, 0, pool, NULL));
    SAY(cuMemAllocAsync(&at, MIB << 20, NULL));
    SAY(cuMemAllocAsync(NULL, 16, NULL));
    SAY(cuMemFreeAsync(0, NULL));
    SAY(cuMemFreeAsync(4096, NULL));
    SAY(cuMemPoolExportToShareableHandle(&flags, pool, HANDLE_POSIX_FD, 0));
}

int main(void) {
    CUmodule module = start();
    CUmemoryPool pool, own, now;
    CUmemLocation here = {LOCATION_DEVICE, 0};
    CUmemPoolProps properties = {.allocType = ALLOCATION_PINNED,
                                 .handleTypes = HANDLE_POSIX_FD,
                                 .location = {LOCATION_DEVICE, 0}};
    CUdeviceptr a, b, c;
    CUstream stream;
    uint64_t value;
    int flag = -1;
    OK(cuStreamCreate(&stream, 1));
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    wrong_calls(pool);
    for (int attribute = 1; attribute <= 3; attribute++) {
        OK(cuMemPoolGetAttribute(pool, attribute, &flag));
        printf("reuse %d\n", flag);
    }
    show(pool);
    SAY(cuMemAllocAsync(&a, 200, stream));
    show(pool);
    SAY(cuMemAllocAsync(&b, 3 * MIB, stream));
    SAY(cuMemAllocAsync(&c, 40 * MIB, stream));
    show(pool);
    launch_fill(module, a, 1, 1, stream);
    SAY(cuMemFreeAsync(b, stream));
    show(pool);
    SAY(cuStreamSynchronize(stream));
    show(pool);
    SAY(cuMemFreeAsync(c, stream));
    SAY(cuStreamSynchronize(stream));
    show(pool);
    SAY(cuMemFreeAsync(a, stream));
    show(pool);
    SAY(cuStreamSynchronize(stream));
    show(pool);
    value = 0;
    SAY(cuMemPoolSetAttribute(pool, 6, &value));
    SAY(cuMemPoolSetAttribute(pool, 8, &value));
    show(pool);

    value = 64 * MIB;
    SAY(cuMemPoolSetAttribute(pool, 4, &value));
    SAY(cuMemAllocAsync(&a, 80 * MIB, stream));
    SAY(cuMemFreeAsync(a, stream));
    SAY(cuStreamSynchronize(stream));
    show(pool);
    SAY(cuMemPoolTrimTo(pool, 10 * MIB));
    show(pool);
    SAY(cuMemPoolTrimTo(pool, 0));
    show(pool);

    SAY(cuMemPoolCreate(&own, &properties));
    SAY(cuDeviceSetMemPool(0, own));
    SAY(cuDeviceGetMemPool(&now, 0));
    printf("own: %d\n", now == own);
    SAY(cuMemGetMemPool(&now, &here, ALLOCATION_PINNED));
    printf("own: %d\n", now == own);
    SAY(cuMemGetDefaultMemPool(&now, &here, ALLOCATION_PINNED));
    printf("default: %d\n", now == pool);
    SAY(cuMemAllocAsync(&a, MIB, stream));
    show(own);
    SAY(cuPointerGetAttribute(&now, 17, a));
    printf("own: %d\n", now == own);
    SAY(cuMemPoolGetAccess(&flag, own, &here));
    printf("flags %d\n", flag);
    SAY(cuMemFreeAsync(a, stream));
    SAY(cuMemPoolDestroy(own));
    SAY(cuDeviceGetMemPool(&now, 0));
    printf("default: %d\n", now == pool);
    properties.handleTypes = 0;
    properties.maxSize = 4 * MIB;
    SAY(cuMemPoolCreate(&own, &properties));
    SAY(cuMemAllocFromPoolAsync(&a, 8 * MIB, own, stream));
    SAY(cuMemAllocFromPoolAsync(&a, 2 * MIB, own, stream));
    SAY(cuMemFreeAsync(a, stream));
    SAY(cuMemPoolDestroy(own));
    SAY(cuStreamSynchronize(stream));
    return 0;
}

/* Memory in parts: addresses, physical memory, mappings, access. */
#include "check.h"

#include <unistd.h>

#define PART ((size_t)2 << 20)

static CUmemAllocationProp on_device = {.type = ALLOCATION_PINNED,
                                        .requestedHandleTypes = HANDLE_POSIX_FD,
                                        .location = {LOCATION_DEVICE, 0}};
static CUmemAccessDesc all = {{LOCATION_DEVICE, 0}, ACCESS_READ_WRITE};
static CUmemAccessDesc none = {{LOCATION_DEVICE, 0}, ACCESS_NONE};

static void show(CUdeviceptr at) {
    unsigned host[2] = {0};
    CUresult result = cuMemcpyDtoH_v2(host, at, sizeof host);
    printf("%d: %u %u\n", (int)result, host[0], host[1]);
}

static void calls_that_are_wrong(void) {
    CUmemGenericAllocationHandle handle;
    CUdeviceptr at;
    CUmemAllocationProp other = on_device;
    SAY(cuMemCreate(&handle, PART + 4096, &on_device, 0));
    SAY(cuMemCreate(&handle, 0, &on_device, 0));
    SAY(cuMemCreate(NULL, PART, &on_device, 0));
    SAY(cuMemCreate(&handle, PART, NULL, 0));
    SAY(cuMemCreate(&handle, PART, &on_device, 1));
    other.type = 0;
    SAY(cuMemCreate(&handle, PART, &other, 0));
    other = on_device;
    other.location.id = 77;
    SAY(cuMemCreate(&handle, PART, &other, 0));
    SAY(cuMemCreate(&handle, PART << 24, &on_device, 0));
    SAY(cuMemAddressReserve(&at, PART + 4096, 0, 0, 0));
    SAY(cuMemAddressReserve(&at, 0, 0, 0, 0));
    SAY(cuMemAddressReserve(&at, PART, 3, 0, 0));
    SAY(cuMemAddressReserve(NULL, PART, 0, 0, 0));
    SAY(cuMemAddressReserve(&at, PART, 0, 0, 1));
    SAY(cuMemRelease(0));
}

int main(void) {
    CUmodule module = start();
    size_t least, best, range;
    CUmemGenericAllocationHandle first, second, again, taken;
    CUmemAllocationProp properties;
    CUdeviceptr at, alias, base;
    unsigned long long flags = 99;
    unsigned type = 0;
    int file;
    SAY(cuMemGetAllocationGranularity(&least, &on_device, 0));
    SAY(cuMemGetAllocationGranularity(&best, &on_device, 1));
    SAY(cuMemGetAllocationGranularity(&best, &on_device, 2));
    printf("%zu %zu\n", least, best);
    calls_that_are_wrong();

    SAY(cuMemAddressReserve(&at, 4 * PART, 0, 0, 0));
    SAY(cuMemAddressReserve(&alias, PART, 4 * PART, 0, 0));
    printf("aligned: %d %d\n", at % PART == 0, alias % (4 * PART) == 0);
    SAY(cuMemCreate(&first, PART, &on_device, 0));
    SAY(cuMemCreate(&second, 2 * PART, &on_device, 0));
    SAY(cuMemMap(at, PART, 0, first, 0));
    SAY(cuMemMap(at, PART, 0, first, 0));
    SAY(cuMemMap(at + PART, 2 * PART, PART, second, 0));
    SAY(cuMemMap(at + PART, 3 * PART, 0, second, 0));
    SAY(cuMemMap(at + PART + 4096, PART, 0, second, 0));
    SAY(cuMemMap(at + PART, 2 * PART, 0, second, 0));
    SAY(cuMemGetAccess(&flags, &all.location, at));
    printf("flags %llu\n", flags);
    SAY(cuMemSetAccess(at, PART, &all, 1));
    SAY(cuMemSetAccess(at + PART, PART, &all, 1));
    SAY(cuMemSetAccess(at, 4 * PART, &all, 1));
    SAY(cuMemSetAccess(at + PART, 2 * PART, &all, 1));
    SAY(cuMemGetAccess(&flags, &all.location, at + PART));
    printf("flags %llu\n", flags);

    launch_fill(module, at + PART - 128, 5, 2, NULL); /* across the seam */
    SAY(cuCtxSynchronize());
    show(at + PART - 8);
    show(at + PART);
    SAY(cuMemsetD32_v2(at + PART - 128, 6, 64));
    show(at + PART - 4);
    SAY(cuPointerGetAttribute(&type, 2, at + PART + 64));
    printf("type %u\n", type);
    SAY(cuMemGetAddressRange_v2(&base, &range, at + PART + 64));
    printf("range from %lld, %zu bytes\n", (long long)(base - at), range);
    SAY(cuMemFree_v2(at));

    SAY(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + PART + 4)));
    printf("the same: %d\n", again == second);
    SAY(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + 3 * PART)));
    SAY(cuMemRelease(second));
    SAY(cuMemMap(alias, PART, 0, first, 0)); /* the same memory at another address */
    SAY(cuMemSetAccess(alias, PART, &all, 1));
    launch_fill(module, alias, 8, 1, NULL);
    show(at);
    SAY(cuMemGetAllocationPropertiesFromHandle(&properties, first));
    printf("%d %d %d %d\n", properties.type, properties.requestedHandleTypes,
           properties.location.type, properties.location.id);
    SAY(cuMemExportToShareableHandle(&file, first, HANDLE_POSIX_FD, 0));
    SAY(cuMemImportFromShareableHandle(&taken, (void *)(intptr_t)file, HANDLE_POSIX_FD));
    SAY(cuMemUnmap(alias, PART));
    SAY(cuMemMap(alias, PART, 0, taken, 0));
    SAY(cuMemSetAccess(alias, PART, &all, 1));
    show(alias);
    close(file);
    SAY(cuMemImportFromShareableHandle(&again, (void *)(intptr_t)file, HANDLE_POSIX_FD));

    SAY(cuMemAddressFree(at, 4 * PART));
    SAY(cuMemUnmap(at + PART, PART));
    SAY(cuMemUnmap(at, 3 * PART));
    SAY(cuMemUnmap(at, PART));
    SAY(cuMemSetAccess(at, PART, &all, 1));
    SAY(cuMemAddressFree(at, PART));
    SAY(cuMemAddressFree(at, 4 * PART));
    SAY(cuMemRelease(first));
    SAY(cuMemRelease(second));
    SAY(cuMemRelease(taken));
    SAY(cuMemSetAccess(alias, PART, &none, 1));
    show(alias);
    fflush(stdout);
    launch_fill(module, alias, 9, 1, NULL);
    SAY(cuCtxSynchronize());
    return 0;
}

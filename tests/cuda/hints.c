/* Hints of memory that both sides use, what is said of them, and memory of the host; none changes a value. */
#include "check.h"

enum { BYTES = 4 << 20, PAGE = 64 << 10 };

static void say_of(CUdeviceptr at, int attribute, const char *what) {
    int value = 99;
    SAY(cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE));
    printf("  %s: %d\n", what, value);
}

static void hints(CUdeviceptr at) {
    const CUmemLocation device = {LOCATION_DEVICE, 0}, host = {LOCATION_HOST, 0}, nowhere = {99, 0};
    int values[2] = {9, 9}, attributes[2] = {1, 2};
    void *places[2] = {&values[0], &values[1]};
    size_t sizes[2] = {4, 4};
    printf("-- advice\n");
    say_of(at, 1, "read mostly");
    say_of(at, 2, "preferred");
    SAY(cuMemAdvise_v2(at, PAGE, 1, device)); /* read mostly */
    SAY(cuMemAdvise_v2(at, PAGE, 3, device)); /* preferred */
    say_of(at, 1, "read mostly");
    say_of(at, 2, "preferred");
    SAY(cuMemRangeGetAttributes(places, sizes, attributes, 2, at, PAGE));
    printf("%d %d\n", values[0], values[1]);
    SAY(cuMemAdvise_v2(at, PAGE, 2, device));
    SAY(cuMemAdvise_v2(at, PAGE, 4, device));
    say_of(at, 1, "read mostly");
    say_of(at, 2, "preferred");
    SAY(cuMemAdvise_v2(at, PAGE, 3, host));
    say_of(at, 2, "preferred");
    SAY(cuMemAdvise_v2(at, PAGE, 5, device)); /* accessed by */
    SAY(cuMemAdvise_v2(at, PAGE, 6, device));
    SAY(cuMemAdvise_v2(at, PAGE, 99, device));
    SAY(cuMemAdvise_v2(at, PAGE, 3, nowhere));
    SAY(cuMemAdvise_v2(at, 0, 1, device));
    SAY(cuMemAdvise_v2(at, (size_t)1 << 40, 1, device));
    SAY(cuMemAdvise(at, PAGE, 1, 0));
    SAY(cuMemAdvise(at, PAGE, 3, -1));
    SAY(cuMemAdvise(at, PAGE, 3, 99));
    SAY(cuMemRangeGetAttribute(values, 3, 1, at, PAGE));
    SAY(cuMemRangeGetAttribute(values, 4, 99, at, PAGE));
    SAY(cuMemRangeGetAttribute(NULL, 4, 1, at, PAGE));
    SAY(cuMemRangeGetAttributes(places, sizes, attributes, 0, at, PAGE));
}

static void prefetches(CUdeviceptr at) {
    CUmemLocation device = {LOCATION_DEVICE, 0}, host = {LOCATION_HOST, 0}, nowhere = {99, 0};
    CUdeviceptr addresses[2] = {at, at + PAGE};
    size_t bytes[2] = {PAGE, PAGE}, first = 0;
    printf("-- prefetches\n");
    SAY(cuMemPrefetchAsync_v2(at, PAGE, device, 0, NULL));
    OK(cuCtxSynchronize());
    say_of(at, 4, "last prefetched to");
    SAY(cuMemPrefetchAsync_v2(at, PAGE, host, 0, NULL));
    OK(cuCtxSynchronize());
    say_of(at, 4, "last prefetched to");
    SAY(cuMemPrefetchAsync_v2(at, PAGE, nowhere, 0, NULL));
    SAY(cuMemPrefetchAsync_v2(at, PAGE, device, 9, NULL));
    SAY(cuMemPrefetchAsync_v2(at, 0, device, 0, NULL));
    SAY(cuMemPrefetchAsync(at, PAGE, 0, NULL));
    SAY(cuMemPrefetchAsync(at, PAGE, -1, NULL));
    SAY(cuMemPrefetchAsync(at, PAGE, 99, NULL));
    SAY(cuMemPrefetchBatchAsync(addresses, bytes, 2, &device, &first, 1, 0, NULL));
    SAY(cuMemPrefetchBatchAsync(addresses, bytes, 0, &device, &first, 1, 0, NULL));
    SAY(cuMemPrefetchBatchAsync(addresses, bytes, 2, &device, &first, 1, 9, NULL));
    SAY(cuMemDiscardBatchAsync(addresses, bytes, 2, 0, NULL));
    SAY(cuMemDiscardBatchAsync(addresses, bytes, 0, 0, NULL));
    SAY(cuMemDiscardBatchAsync(addresses, bytes, 2, 9, NULL));
    SAY(cuMemDiscardAndPrefetchBatchAsync(addresses, bytes, 2, &device, &first, 1, 0, NULL));
    OK(cuCtxSynchronize());
}

static void of_the_host(CUdeviceptr at) {
    CUstream stream;
    void *host;
    unsigned flags = 99;
    int type = 0, on = 1;
    CUdeviceptr device;
    static char mine[2 * PAGE];
    printf("-- memory of the host\n");
    OK(cuStreamCreate(&stream, 0));
    SAY(cuStreamAttachMemAsync(stream, at, 0, 4));
    SAY(cuStreamAttachMemAsync(stream, at, 0, 1));
    SAY(cuStreamAttachMemAsync(stream, at, 0, 99));
    SAY(cuMemAllocHost_v2(&host, PAGE));
    SAY(cuMemHostGetFlags(&flags, host));
    printf("flags %u\n", flags);
    SAY(cuMemHostGetDevicePointer_v2(&device, host, 0));
    printf("the same: %d\n", device == (CUdeviceptr)(uintptr_t)host);
    SAY(cuPointerGetAttribute(&type, 2, device));
    printf("type %d\n", type);
    SAY(cuPointerSetAttribute(&on, 6, at)); /* copies wait */
    SAY(cuPointerSetAttribute(&on, 2, at));
    SAY(cuMemFreeHost(host));
    SAY(cuMemFreeHost(host));
    SAY(cuMemHostRegister_v2(mine, sizeof mine, 0));
    SAY(cuMemHostRegister_v2(mine, sizeof mine, 0));
    SAY(cuMemHostUnregister(mine));
    SAY(cuMemHostUnregister(mine));
    SAY(cuMemHostRegister_v2(NULL, PAGE, 0));
    SAY(cuMemHostRegister_v2(mine, 0, 0));
    SAY(cuMemHostAlloc(&host, 0, 0));
    SAY(cuMemHostAlloc(&host, PAGE, 99));
    SAY(cuMemHostAlloc(NULL, PAGE, 0));
    OK(cuStreamDestroy_v2(stream));
}

int main(void) {
    CUdeviceptr at, plain;
    unsigned value = 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    start();
    OK(cuMemAllocManaged(&at, BYTES, 1));
    OK(cuMemsetD32_v2(at, 7, BYTES / 4));
    hints(at);
    prefetches(at);
    of_the_host(at);
    OK(cuMemAlloc_v2(&plain, BYTES));
    printf("-- memory of the device\n");
    SAY(cuMemAdvise(plain, PAGE, 1, 0));
    SAY(cuMemPrefetchAsync(plain, PAGE, 0, NULL));
    SAY(cuMemRangeGetAttribute(&value, 4, 1, plain, PAGE));
    SAY(cuMemAllocManaged(&at, 0, 1));
    SAY(cuMemAllocManaged(&at, BYTES, 99));
    return 0;
}

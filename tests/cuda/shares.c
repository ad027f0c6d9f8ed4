/* Memory and events that two processes share: handles, physical memory and pools as file descriptors. The second
 * process is this program again, which gets what it needs by a pipe. */
#include "check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 64 };

typedef struct Gift {
    CUipcMemHandle memory, again; /* two of the same allocation */
    CUipcEventHandle event;
    CUmemPoolPtrExportData pointer;
    int file, pool; /* descriptors */
} Gift;

static void show(const char *who, CUdeviceptr at) {
    unsigned host[N];
    OK(cuMemcpyDtoH_v2(host, at, sizeof host));
    printf("%s: %u %u\n", who, host[0], host[N - 1]);
}

static const size_t part = (size_t)2 << 20;
static CUmemAccessDesc all = {{LOCATION_DEVICE, 0}, ACCESS_READ_WRITE};

static void take_parts(CUmodule module, int file) {
    CUmemGenericAllocationHandle handle;
    CUdeviceptr at;
    SAY(cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)file, HANDLE_POSIX_FD));
    SAY(cuMemAddressReserve(&at, part, 0, 0, 0));
    SAY(cuMemMap(at, part, 0, handle, 0));
    SAY(cuMemSetAccess(at, part, &all, 1));
    show("child, parts", at);
    launch_fill(module, at, 22, 1, NULL);
    SAY(cuCtxSynchronize());
}

static void take_pool(CUmodule module, Gift *gift) {
    CUmemoryPool pool;
    CUdeviceptr at, none;
    SAY(cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)gift->pool, HANDLE_POSIX_FD,
                                           0));
    SAY(cuMemPoolImportPointer(&at, pool, &gift->pointer));
    show("child, pool", at);
    launch_fill(module, at, 33, 1, NULL);
    SAY(cuCtxSynchronize());
    SAY(cuMemAllocFromPoolAsync(&none, 64, pool, NULL));
    SAY(cuMemFreeAsync(at, NULL));
    SAY(cuStreamSynchronize(NULL));
    SAY(cuMemPoolDestroy(pool));
}

static int child(void) {
    CUmodule module = start();
    Gift gift;
    CUdeviceptr at, again;
    CUevent event;
    CHECK(read(0, &gift, sizeof gift) == sizeof gift);
    SAY(cuIpcOpenMemHandle_v2(&at, gift.memory, 0));
    SAY(cuIpcOpenMemHandle_v2(&at, gift.memory, 1));
    SAY(cuIpcOpenMemHandle_v2(&again, gift.again, 1));
    printf("the same: %d\n", at == again);
    SAY(cuIpcOpenEventHandle(&event, gift.event));
    SAY(cuStreamWaitEvent(NULL, event, 0));
    SAY(cuEventQuery(event));
    show("child", at);
    launch_fill(module, at, 11, 1, NULL);
    SAY(cuEventRecord(event, NULL));
    SAY(cuCtxSynchronize());
    SAY(cuMemFree_v2(at));
    SAY(cuIpcCloseMemHandle(at));
    show("child", at); /* the other one is still open */
    SAY(cuIpcCloseMemHandle(at));
    SAY(cuIpcCloseMemHandle(at));
    SAY(cuEventDestroy_v2(event));
    take_parts(module, gift.file);
    take_pool(module, &gift);
    fflush(stdout);
    return 0;
}

static int run_child(const Gift *gift) {
    int ends[2], status = -1;
    CHECK(pipe(ends) == 0 && write(ends[1], gift, sizeof *gift) == sizeof *gift);
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        dup2(ends[0], 0);
        execl("/proc/self/exe", "shares", "child", (char *)NULL);
        _exit(127);
    }
    CHECK(waitpid(process, &status, 0) == process);
    return status;
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1)
        return child();
    start();
    CUdeviceptr at, pinned, parts, pooled, other;
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp on_device = {.type = ALLOCATION_PINNED,
                                     .requestedHandleTypes = HANDLE_POSIX_FD,
                                     .location = {LOCATION_DEVICE, 0}};
    CUmemPoolProps properties = {.allocType = ALLOCATION_PINNED,
                                 .handleTypes = HANDLE_POSIX_FD,
                                 .location = {LOCATION_DEVICE, 0}};
    CUmemoryPool pool;
    CUevent event, local;
    void *host;
    Gift gift;
    memset(&gift, 0, sizeof gift);
    OK(cuMemAlloc_v2(&at, N * 4));
    OK(cuMemsetD32_v2(at, 1, N));
    OK(cuMemHostAlloc(&host, N * 4, 2));
    OK(cuMemHostGetDevicePointer_v2(&pinned, host, 0));
    SAY(cuEventCreate(&event, EVENT_INTERPROCESS));
    SAY(cuEventCreate(&event, EVENT_INTERPROCESS | EVENT_DISABLE_TIMING));
    SAY(cuEventCreate(&local, 0));
    SAY(cuIpcGetEventHandle(&gift.event, local));
    SAY(cuIpcGetEventHandle(&gift.event, event));
    SAY(cuIpcGetEventHandle(NULL, event));
    SAY(cuIpcGetMemHandle(&gift.memory, at));
    SAY(cuIpcGetMemHandle(&gift.again, at));
    SAY(cuIpcGetMemHandle(&gift.again, pinned));
    SAY(cuIpcGetMemHandle(&gift.again, 4096));
    SAY(cuIpcGetMemHandle(NULL, at));
    gift.again = gift.memory;
    SAY(cuIpcOpenMemHandle_v2(&other, gift.memory, 1));
    SAY(cuIpcOpenEventHandle(&local, gift.event));

    OK(cuMemCreate(&handle, part, &on_device, 0));
    OK(cuMemAddressReserve(&parts, part, 0, 0, 0));
    OK(cuMemMap(parts, part, 0, handle, 0));
    OK(cuMemSetAccess(parts, part, &all, 1));
    OK(cuMemsetD32_v2(parts, 2, N));
    SAY(cuMemExportToShareableHandle(&gift.file, handle, HANDLE_POSIX_FD, 0));
    OK(cuMemPoolCreate(&pool, &properties));
    OK(cuMemAllocFromPoolAsync(&pooled, N * 4, pool, NULL));
    OK(cuMemsetD32Async(pooled, 3, N, NULL));
    OK(cuStreamSynchronize(NULL));
    SAY(cuMemPoolExportToShareableHandle(&gift.pool, pool, HANDLE_POSIX_FD, 0));
    SAY(cuMemPoolExportPointer(&gift.pointer, pooled));
    SAY(cuMemPoolExportPointer(&gift.pointer, at));
    SAY(cuMemPoolExportPointer(&gift.pointer, pooled));
    SAY(cuIpcGetMemHandle(&gift.again, pooled));
    SAY(cuIpcGetMemHandle(&gift.again, parts));
    gift.again = gift.memory;
    fcntl(gift.file, F_SETFD, 0);
    fcntl(gift.pool, F_SETFD, 0);
    SAY(cuEventRecord(event, NULL));
    printf("child ended: %d\n", run_child(&gift));
    SAY(cuEventSynchronize(event));
    show("parent", at);
    show("parent, parts", parts);
    show("parent, pool", pooled);
    OK(cuMemFree_v2(at));
    OK(cuMemAlloc_v2(&at, N * 4)); /* shared no more */
    OK(cuMemsetD32_v2(at, 4, N));
    show("parent", at);
    return 0;
}

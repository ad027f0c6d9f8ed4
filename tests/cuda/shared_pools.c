/* Pools that two processes share, of which each has its own pointers. The second process is this program again,
 * which gets what it needs by a pipe. */
#include "check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 64, POOLS = 2 };

typedef struct Gift {
    CUmemPoolPtrExportData pointer[POOLS];
    int pool[POOLS]; /* descriptors */
} Gift;

static void show(const char *who, CUdeviceptr at) {
    unsigned host[N];
    OK(cuMemcpyDtoH_v2(host, at, sizeof host));
    printf("%s: %u %u\n", who, host[0], host[N - 1]);
}

static int child(void) {
    CUmodule module = start();
    CUmemoryPool pool[POOLS], none;
    CUdeviceptr at[POOLS], again;
    Gift gift;
    int pipe_ends[2];
    CHECK(read(0, &gift, sizeof gift) == sizeof gift);
    for (int i = 0; i < POOLS; i++)
        SAY(cuMemPoolImportFromShareableHandle(&pool[i], (void *)(intptr_t)gift.pool[i],
                                               HANDLE_POSIX_FD, 0));
    CHECK(pipe(pipe_ends) == 0);
    SAY(cuMemPoolImportFromShareableHandle(&none, (void *)(intptr_t)pipe_ends[0], HANDLE_POSIX_FD,
                                           0));
    SAY(cuMemPoolImportPointer(&at[0], pool[0], &gift.pointer[1]));
    SAY(cuMemPoolImportPointer(&at[1], pool[1], &gift.pointer[0]));
    for (int i = 0; i < POOLS; i++)
        SAY(cuMemPoolImportPointer(&at[i], pool[i], &gift.pointer[i]));
    SAY(cuMemPoolImportPointer(&again, pool[0], &gift.pointer[1]));
    printf("apart: %d\n", at[0] != at[1]);
    show("child, first", at[0]);
    show("child, second", at[1]);
    launch_fill(module, at[1], 22, 1, NULL);
    SAY(cuCtxSynchronize());
    for (int i = 0; i < POOLS; i++)
        SAY(cuMemFree_v2(at[i]));
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
        execl("/proc/self/exe", "shared_pools", "child", (char *)NULL);
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
    const CUmemPoolProps properties = {.allocType = ALLOCATION_PINNED,
                                       .handleTypes = HANDLE_POSIX_FD,
                                       .location = {LOCATION_DEVICE, 0}};
    CUmemoryPool pool[POOLS];
    CUdeviceptr at[POOLS];
    Gift gift;
    memset(&gift, 0, sizeof gift);
    for (int i = 0; i < POOLS; i++) {
        OK(cuMemPoolCreate(&pool[i], &properties));
        OK(cuMemAllocFromPoolAsync(&at[i], N * 4, pool[i], NULL));
        OK(cuMemsetD32Async(at[i], 1 + (unsigned)i, N, NULL));
        OK(cuStreamSynchronize(NULL));
        SAY(cuMemPoolExportToShareableHandle(&gift.pool[i], pool[i], HANDLE_POSIX_FD, 0));
        SAY(cuMemPoolExportPointer(&gift.pointer[i], at[i]));
        fcntl(gift.pool[i], F_SETFD, 0);
    }
    printf("child ended: %d\n", run_child(&gift));
    show("parent, first", at[0]);
    show("parent, second", at[1]);
    return 0;
}

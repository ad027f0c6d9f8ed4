/* Several host threads at once, each with its own context stack, stream and memory. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 6, ROUNDS = 200 };

static CUmodule module;
static CUcontext context;

static void *work(void *argument) {
    unsigned number = (unsigned)(uintptr_t)argument, host[64];
    CUstream stream;
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&stream, 1));
    for (unsigned round = 0; round < ROUNDS; round++) {
        CUdeviceptr a, b;
        OK(cuMemAlloc_v2(&a, 256 + 16 * round));
        OK(cuMemAllocAsync(&b, 256, stream));
        launch_fill(module, a, number * 1000 + round, 2, stream);
        OK(cuMemcpyDtoDAsync_v2(b, a, 256, stream));
        OK(cuMemcpyDtoHAsync_v2(host, b, 256, stream));
        OK(cuStreamSynchronize(stream));
        CHECK(all_are(host, 64, number * 1000 + round));
        OK(cuMemFree_v2(a));
        OK(cuMemFreeAsync(b, stream));
    }
    OK(cuStreamDestroy_v2(stream));
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    module = start();
    OK(cuCtxGetCurrent(&context));
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    puts("threads: fine");
    return 0;
}

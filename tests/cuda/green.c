/* Green contexts, the log, core dumps, notifications. */
#include "check.h"

static void share(const char *what, CUresult result, const CUdevResource *share) {
    printf("%s: %d, type %d, SMs %u, least %u, group %u\n", what, (int)result, share->type,
           share->sm.smCount, share->sm.minSmPartitionSize, share->sm.smCoscheduledAlignment);
}

static void split(const CUdevResource *all, unsigned flags, unsigned least) {
    CUdevResource parts[32], rest;
    unsigned count = 32, simulated = 0;
    memset(&rest, 0, sizeof rest);
    memset(parts, 0, sizeof parts);
    CUresult result = cuDevSmResourceSplitByCount(NULL, &simulated, all, NULL, flags, least);
    printf("least %u, flags %u: %d, %u groups\n", least, flags, (int)result, simulated);
    result = cuDevSmResourceSplitByCount(parts, &count, all, &rest, flags, least);
    share("first", result, &parts[0]);
    if (!result)
        share("rest", (CUresult)count, &rest);
}

static void logged(void *data, int level, char *message, size_t length) {
    (void)data, (void)level, (void)message, (void)length;
}

static void services(void) {
    CUlogsCallbackHandle handle = NULL;
    CUasyncCallbackHandle notified = NULL;
    unsigned iterator;
    char buffer[64];
    size_t size = sizeof buffer;
    SAY(cuLogsRegisterCallback(logged, NULL, &handle));
    SAY(cuLogsRegisterCallback(NULL, NULL, &handle));
    SAY(cuLogsCurrent(&iterator, 0));
    SAY(cuLogsDumpToMemory(&iterator, buffer, &size, 0));
    SAY(cuLogsDumpToMemory(&iterator, NULL, &size, 0));
    SAY(cuLogsUnregisterCallback(handle));
    for (int attribute = 0; attribute <= 8; attribute++) {
        size = sizeof buffer;
        printf("core dump attribute %d: %d\n", attribute,
               (int)cuCoredumpGetAttribute(attribute, buffer, &size));
    }
    SAY(cuDeviceRegisterAsyncNotification(0, (void *)(uintptr_t)logged, NULL, &notified));
    SAY(cuDeviceUnregisterAsyncNotification(0, notified));
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    CUmodule module = start();
    CUdevResource all, none, parts[2], got;
    CUdevResourceDesc descriptor;
    CUgreenCtx green, other;
    CUcontext context, current;
    CUstream stream;
    CUevent event;
    CUdeviceptr at;
    services();
    unsigned long long id = 0;
    unsigned host[32], count = 2;
    memset(&all, 0, sizeof all);
    memset(&none, 0, sizeof none);
    memset(&got, 0, sizeof got);
    share("device", cuDeviceGetDevResource(0, &all, 1), &all);
    SAY(cuDeviceGetDevResource(0, &none, 2));
    SAY(cuDeviceGetDevResource(77, &none, 1));
    SAY(cuDeviceGetDevResource(0, NULL, 1));
    /* parts of 8 are not asked for: how many there are depends on which SMs of a chip are switched off */
    split(&all, 0, 10);
    split(&all, 0, 50);
    split(&all, 0, 120);
    split(&all, 0, 10000);
    split(&all, 1, 2);
    split(&all, 1, 7);
    split(&all, 2, 16);
    SAY(cuDevSmResourceSplitByCount(parts, &count, &none, NULL, 0, 8));
    count = 2;
    SAY(cuDevSmResourceSplitByCount(parts, &count, &all, NULL, 0, 16));
    printf("%u groups\n", count);
    SAY(cuDevResourceGenerateDesc(&descriptor, parts, 1));
    SAY(cuDevResourceGenerateDesc(NULL, parts, 1));
    SAY(cuDevResourceGenerateDesc(&descriptor, &none, 1));
    SAY(cuDevResourceGenerateDesc(&descriptor, parts, 1));
    SAY(cuGreenCtxCreate(&green, descriptor, 0, 0));
    SAY(cuGreenCtxCreate(&green, descriptor, 0, 1));
    share("green", cuGreenCtxGetDevResource(green, &got, 1), &got);
    SAY(cuCtxFromGreenCtx(&context, green));
    share("its context", cuCtxGetDevResource(context, &got, 1), &got);
    SAY(cuGreenCtxStreamCreate(&stream, green, 0, 0));
    SAY(cuGreenCtxStreamCreate(&stream, green, 1, 0));
    SAY(cuStreamGetGreenCtx(stream, &other));
    printf("the same: %d\n", other == green);
    OK(cuMemAlloc_v2(&at, 128));
    SAY(cuCtxSetCurrent(context));
    SAY(cuCtxGetCurrent(&current));
    printf("the same: %d\n", current == context);
    SAY(cuGreenCtxGetId(green, &id));
    printf("id: %d\n", id > 0);
    CUmodule again;
    CUstream inside;
    OK(cuModuleLoadData(&again, kernels));
    SAY(cuStreamCreate(&inside, 1));
    SAY(cuStreamGetGreenCtx(inside, &other));
    printf("the same: %d\n", other == green);
    launch_fill(again, at, 4, 1, stream);
    SAY(cuStreamSynchronize(stream));
    SAY(cuEventCreate(&event, 2));
    SAY(cuGreenCtxRecordEvent(green, event));
    SAY(cuGreenCtxWaitEvent(green, event));
    SAY(cuEventSynchronize(event));
    OK(cuMemcpyDtoH_v2(host, at, sizeof host));
    printf("%u\n", host[31]);
    SAY(cuStreamDestroy_v2(stream));
    SAY(cuStreamDestroy_v2(inside));
    SAY(cuGreenCtxDestroy(green));
    (void)module;
    return 0;
}

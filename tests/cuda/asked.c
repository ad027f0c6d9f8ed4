/* What can be asked of contexts, devices, streams, functions and libraries, and set of them; and what is refused of it. What contexts
 * answer was compared with a GPU; the others answer as the manual says. */
#include "check.h"

#include <unistd.h>

static CUmodule module;

static void contexts(void) {
    CUcontext now, made, attached;
    unsigned version = 0, flags = 0;
    unsigned long long id = 0, other_id = 0;
    int config = 9, mode = 9;
    CUdevice device = 9;
    CUexecAffinityParam affinity = {9, 9};
    CUevent event;
    printf("-- contexts\n");
    OK(cuCtxGetCurrent(&now));
    SAY(cuCtxGetApiVersion(now, &version));
    printf("version %u\n", version);
    SAY(cuCtxGetApiVersion(NULL, &version));
    SAY(cuCtxGetId(now, &id));
    SAY(cuCtxGetId(NULL, &other_id));
    printf("the same: %d\n", id == other_id);
    SAY(cuCtxGetId(now, NULL));
    SAY(cuCtxGetCacheConfig(&config));
    printf("config %d\n", config);
    SAY(cuCtxSetCacheConfig(1));
    SAY(cuCtxGetCacheConfig(&config));
    printf("config %d\n", config);
    SAY(cuCtxSetCacheConfig(99));
    SAY(cuCtxGetSharedMemConfig(&config));
    SAY(cuCtxGetExecAffinity(&affinity, 0));
    SAY(cuCtxGetExecAffinity(&affinity, 9));
    SAY(cuCtxSetFlags(1));
    SAY(cuCtxGetFlags(&flags));
    printf("flags %u\n", flags & 7);
    SAY(cuCtxSetFlags(1 << 20));
    SAY(cuCtxAttach(&attached, 0));
    printf("the same: %d\n", attached == now);
    SAY(cuCtxAttach(&attached, 1));
    SAY(cuCtxDetach(attached));
    OK(cuEventCreate(&event, 0));
    SAY(cuCtxRecordEvent(now, event));
    SAY(cuCtxWaitEvent(now, event));
    SAY(cuCtxRecordEvent(now, NULL));
    SAY(cuCtxCreate_v3(&made, NULL, 0, 0, 0));
    SAY(cuCtxGetDevice(&device));
    printf("device %d\n", device);
    SAY(cuCtxDestroy_v2(made));
    SAY(cuCtxSetCurrent(now));
    SAY(cuModuleGetLoadingMode(&mode));
    printf("mode %d\n", mode);
}

static void devices(void) {
    CUuuid one = {{0}}, two = {{1}};
    int value = -9, mode = 0;
    unsigned flags = 9;
    size_t width = 0;
    printf("-- devices\n");
    SAY(cuDeviceGetUuid(&one, 0));
    SAY(cuDeviceGetUuid_v2(&two, 0));
    printf("the same: %d\n", memcmp(&one, &two, sizeof one) == 0);
    SAY(cuDeviceGetUuid_v2(&one, 99));
    SAY(cuDeviceGetExecAffinitySupport(&value, 0, 0));
    SAY(cuDeviceGetExecAffinitySupport(&value, 7, 0));
    SAY(cuDeviceGetP2PAttribute(&value, 1, 0, 0));
    SAY(cuDeviceGetP2PAttribute(&value, 1, 0, 99));
    SAY(cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_FLOAT, 4, 0));
    printf("width %zu\n", width);
    SAY(cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_UNSIGNED_INT8, 1, 0));
    printf("width %zu\n", width);
    SAY(cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_FLOAT, 3, 0));
    SAY(cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_FLOAT, 4, 99));
    SAY(cuDevicePrimaryCtxSetFlags_v2(0, 4));
    SAY(cuDevicePrimaryCtxGetState(0, &flags, &value));
    printf("flags %u active %d\n", flags, value);
    SAY(cuDevicePrimaryCtxSetFlags_v2(0, 1 << 20));
    SAY(cuDevicePrimaryCtxSetFlags_v2(99, 0));
    SAY(cuDeviceGetAttribute(&value, 1, 99));
    SAY(cuDeviceGetAttribute(&value, 99999, 0));
    SAY(cuDeviceGetAttribute(NULL, 1, 0));
    mode = 1;
    SAY(cuThreadExchangeStreamCaptureMode(&mode));
    printf("mode %d\n", mode);
    mode = 0;
    SAY(cuThreadExchangeStreamCaptureMode(&mode));
    printf("mode %d\n", mode);
}

static void streams(void) {
    CUstream stream, other;
    CUcontext context, now;
    CUgreenCtx green = NULL;
    CUdevice device = 9;
    unsigned long long id = 0, again = 0, other_id = 0;
    CUdeviceptr at;
    uint64_t value = 0;
    CUevent event;
    printf("-- streams\n");
    OK(cuCtxGetCurrent(&now));
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamCreate(&other, 1));
    SAY(cuStreamGetCtx(stream, &context));
    printf("the same: %d\n", context == now);
    SAY(cuStreamGetCtx_v2(stream, &context, &green));
    printf("the same: %d green %d\n", context == now, green != NULL);
    SAY(cuStreamGetDevice(stream, &device));
    printf("device %d\n", device);
    SAY(cuStreamGetId(stream, &id));
    SAY(cuStreamGetId(stream, &again));
    SAY(cuStreamGetId(other, &other_id));
    printf("the same: %d, another: %d\n", id == again, id != other_id);
    SAY(cuStreamGetId(stream, NULL));
    SAY(cuStreamCopyAttributes(other, stream));
    SAY(cuStreamCopyAttributes(other, other));
    OK(cuMemAlloc_v2(&at, 64));
    SAY(cuStreamWriteValue64_v2(stream, at, 5, 0));
    SAY(cuStreamWriteValue64_v2(stream, at + 4, 6, 0));
    SAY(cuStreamWaitValue64_v2(stream, at, 5, 1));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH_v2(&value, at, 8));
    printf("value %llu\n", (unsigned long long)value);
    OK(cuEventCreate(&event, 0));
    SAY(cuEventRecordWithFlags(event, stream, 0));
    SAY(cuEventRecordWithFlags(event, stream, 9));
    SAY(cuEventRecordWithFlags(NULL, stream, 0));
    SAY(cuStreamWaitEvent(stream, event, 0));
    SAY(cuStreamWaitEvent(stream, event, 99));
    SAY(cuStreamCreate(&other, 99));
    SAY(cuStreamCreate(NULL, 0));
    OK(cuStreamDestroy_v2(stream));
}

static void captures(void) {
    CUstream stream;
    CUgraph graph, into, captured;
    CUgraphNode first, empty;
    const CUgraphNode *nodes;
    const CUgraphEdgeData *edges;
    int status = 9;
    uint64_t id = 0;
    size_t count = 9;
    CUdeviceptr at;
    printf("-- captures\n");
    OK(cuMemAlloc_v2(&at, 1024));
    OK(cuStreamCreate(&stream, 1));
    OK(cuGraphCreate(&into, 0));
    OK(cuGraphAddEmptyNode(&first, into, NULL, 0));
    SAY(cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
    printf("status %d\n", status);
    SAY(cuStreamBeginCaptureToGraph(stream, into, &first, NULL, 1, 2));
    SAY(cuStreamBeginCaptureToGraph(stream, into, &first, NULL, 1, 2));
    SAY(cuStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &nodes, &edges, &count));
    printf("status %d the same %d nodes %zu\n", status, graph == into, count);
    launch_fill(module, at, 1, 1, stream);
    SAY(cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
    printf("status %d nodes %zu another %d\n", status, count, nodes[0] != first);
    OK(cuGraphAddEmptyNode(&empty, into, NULL, 0));
    SAY(cuStreamUpdateCaptureDependencies(stream, &empty, 1, 0));
    SAY(cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
    printf("nodes %zu\n", count);
    SAY(cuStreamUpdateCaptureDependencies(stream, &empty, 1, 1));
    SAY(cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
    printf("nodes %zu\n", count);
    SAY(cuStreamUpdateCaptureDependencies(stream, &empty, 1, 99));
    SAY(cuStreamEndCapture(stream, &captured));
    printf("the same %d\n", captured == into);
    OK(cuGraphGetNodes(into, NULL, &count));
    printf("nodes %zu\n", count);
    SAY(cuStreamEndCapture(stream, &captured));
    SAY(cuStreamUpdateCaptureDependencies(stream, &empty, 1, 0));
    SAY(cuStreamBeginCapture_v2(stream, 99));
    SAY(cuStreamBeginCapture_v2(NULL, 0));
    SAY(cuStreamBeginCapture_v2(stream, 0));
    SAY(cuStreamSynchronize(stream));
    SAY(cuStreamEndCapture(stream, &captured));
    SAY(cuStreamIsCapturing(stream, &status));
    printf("status %d\n", status);
    OK(cuStreamDestroy_v2(stream));
    OK(cuGraphDestroy(into));
}

static size_t shared_of(int block) {
    return (size_t)block * 16;
}

static void functions(void) {
    const CUfunction fill = kernel(module, "fill"), shared = kernel(module, "shared");
    CUfunction none;
    const char *name = NULL;
    int state = 9, value = 0, grid = 0, block = 0;
    size_t offset = 9, bytes = 9;
    CUmodule from;
    printf("-- functions\n");
    SAY(cuFuncLoad(fill));
    SAY(cuFuncIsLoaded(&state, fill));
    printf("state %d\n", state);
    SAY(cuFuncGetName(&name, fill));
    printf("%s\n", name);
    SAY(cuFuncGetModule(&from, fill));
    printf("the same: %d\n", from == module);
    SAY(cuFuncGetParamInfo(fill, 1, &offset, &bytes));
    printf("at %zu: %zu\n", offset, bytes);
    SAY(cuFuncGetParamInfo(fill, 2, &offset, &bytes));
    SAY(cuFuncSetCacheConfig(fill, 2));
    SAY(cuFuncSetCacheConfig(fill, 99));
    SAY(cuFuncSetSharedMemConfig(fill, 1));
    SAY(cuFuncGetAttribute(&value, FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, shared));
    printf("shared %d\n", value);
    SAY(cuFuncGetAttribute(&value, 99, shared));
    SAY(cuFuncSetAttribute(fill, FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    SAY(cuFuncSetAttribute(fill, FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
    SAY(cuFuncSetAttribute(fill, FUNC_ATTRIBUTE_NUM_REGS, 8));
    SAY(cuFuncSetAttribute(fill, 99, 8));
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, shared, 128, 0));
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&grid, shared, 128, 0, 0));
    printf("the same: %d\n", value == grid);
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&grid, shared, 128, 0, 99));
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&grid, shared, 0, 0));
    SAY(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, fill, shared_of, 0, 256, 0));
    printf("block %d\n", block);
    SAY(cuOccupancyMaxPotentialBlockSize(&grid, &block, fill, NULL, 0, 100));
    printf("block %d\n", block);
    SAY(cuModuleGetFunction(&none, module, "nothing"));
    SAY(cuModuleGetFunction(&none, module, NULL));
    SAY(cuModuleGetFunctionCount((unsigned *)&value, module));
    printf("functions %d\n", value);
}

static void libraries(void) {
    char path[] = "/tmp/warplens-asked-XXXXXX";
    const int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    CUlibrary library, from;
    CUkernel kernels_of[8], fill, none;
    CUmodule loaded;
    CUfunction function;
    CUdeviceptr at;
    const char *name = NULL;
    size_t offset = 9, bytes = 9;
    unsigned count = 0;
    int value = 0;
    char log[256] = "";
    int options[] = {5, 6}; /* a log of errors, and how long it is */
    void *values[] = {log, (void *)sizeof log};
    printf("-- libraries\n");
    CHECK(fputs(kernels, out) >= 0 && fclose(out) == 0);
    SAY(cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
    SAY(cuLibraryGetKernelCount(&count, library));
    printf("kernels %u\n", count);
    SAY(cuLibraryEnumerateKernels(kernels_of, 8, library));
    SAY(cuLibraryEnumerateKernels(kernels_of, 1, library));
    SAY(cuLibraryEnumerateKernels(NULL, 1, library));
    SAY(cuLibraryGetKernel(&fill, library, "fill"));
    SAY(cuLibraryGetKernel(&none, library, "nothing"));
    SAY(cuKernelGetName(&name, fill));
    printf("%s\n", name);
    SAY(cuKernelGetLibrary(&from, fill));
    printf("the same: %d\n", from == library);
    SAY(cuKernelGetParamInfo(fill, 0, &offset, &bytes));
    printf("at %zu: %zu\n", offset, bytes);
    SAY(cuKernelGetParamInfo(fill, 2, &offset, &bytes));
    SAY(cuKernelGetFunction(&function, fill));
    SAY(cuKernelGetAttribute(&value, FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fill, 0));
    printf("threads %d\n", value);
    SAY(cuKernelGetAttribute(&value, FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fill, 99));
    SAY(cuKernelSetAttribute(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, fill, 0));
    SAY(cuKernelSetAttribute(FUNC_ATTRIBUTE_NUM_REGS, 8, fill, 0));
    SAY(cuKernelSetCacheConfig(fill, 1, 0));
    SAY(cuKernelSetCacheConfig(fill, 99, 0));
    SAY(cuLibraryGetGlobal(&at, &bytes, library, "counter"));
    printf("bytes %zu\n", bytes);
    SAY(cuLibraryGetGlobal(&at, &bytes, library, "nothing"));
    SAY(cuLibraryGetManaged(&at, &bytes, library, "counter"));
    SAY(cuLibraryGetModule(&loaded, library));
    SAY(cuLibraryUnload(library));
    SAY(cuLibraryLoadFromFile(&library, "/nowhere/at/all", NULL, NULL, 0, NULL, NULL, 0));
    SAY(cuModuleLoad(&loaded, path));
    SAY(cuModuleUnload(loaded));
    SAY(cuModuleLoad(&loaded, "/nowhere/at/all"));
    SAY(cuModuleLoadDataEx(&loaded, kernels, 2, options, values));
    SAY(cuModuleUnload(loaded));
    SAY(cuModuleLoadDataEx(&loaded, ".version 8.0\n.target sm_80\nnonsense", 2, options, values));
    SAY(cuModuleLoadDataEx(NULL, kernels, 0, NULL, NULL));
    remove(path);
}

/* All of it; with a number, one of its parts. */
int main(int count, char **words) {
    static void (*const parts[])(void) = {contexts, devices,   streams,
                                          captures, functions, libraries};
    setvbuf(stdout, NULL, _IONBF, 0);
    module = start();
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++)
        if (count < 2 || atoi(words[1]) == i)
            parts[i]();
    return 0;
}

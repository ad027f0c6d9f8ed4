// Streams, events, functions, libraries, contexts, green contexts, launches with attributes. One fact a line.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__device__ int number = 3;
__constant__ float table[10];
__managed__ int shared_number = 4;
__global__ void add(int *to, int n) {
    atomicAdd(to, n);
}
__global__ void __cluster_dims__(2, 1, 1) clustered(int *to) {
    atomicAdd(to, 1);
}
struct Large {
    char bytes[100];
};
__global__ void takes(char a, double b, Large c, short d) {
}
static void callback(void *data) {
    ++*(int *)data;
}
static const char *ptx = ".version 7.0\n.target sm_80\n.address_size 64\n"
                         ".visible .global .align 4 .u32 g[5] = {1, 2, 3, 4, 5};\n"
                         ".visible .entry first(.param .u64 p, .param .u32 n) { .reg .u64 %a; .reg "
                         ".u32 %r; ld.param.u64 %a, [p]; "
                         "ld.param.u32 %r, [n]; st.global.u32 [%a], %r; ret; }\n"
                         ".visible .entry second() { ret; }\n";

static void streams() {
    cudaStream_t plain, apart, urgent, same;
    int least = -9, greatest = -9, priority = -9;
    unsigned flags = 99;
    printf("priorities: %d", cudaDeviceGetStreamPriorityRange(&least, &greatest));
    printf(", %d to %d\n", least, greatest);
    printf("create: %d", cudaStreamCreate(&plain));
    printf(" %d", cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    printf(" %d\n", cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, -100));
    cudaStream_t all[] = {plain, apart, urgent, 0, cudaStreamLegacy, cudaStreamPerThread};
    for (cudaStream_t each : all) {
        int device = -1;
        printf("flags %d", cudaStreamGetFlags(each, &flags));
        printf(" %u", flags);
        printf(", priority %d", cudaStreamGetPriority(each, &priority));
        printf(" %d", priority);
        printf(", device %d", cudaStreamGetDevice(each, &device));
        printf(" %d", device);
        printf(", query %d\n", cudaStreamQuery(each));
    }
    unsigned long long id[3] = {};
    cudaStreamGetId(plain, &id[0]), cudaStreamGetId(apart, &id[1]), cudaStreamGetId(plain, &id[2]);
    printf("ids differ %d, stay %d\n", id[0] != id[1], id[0] == id[2]);
    printf("bad flags: %d\n", cudaStreamCreateWithFlags(&same, 8));
    printf("none: %d\n", cudaStreamCreate(NULL));
    cudaLaunchAttributeValue value = {}, got = {};
    value.priority = -2;
    printf("set priority: %d\n",
           cudaStreamSetAttribute(plain, cudaLaunchAttributePriority, &value));
    printf("get priority: %d", cudaStreamGetAttribute(plain, cudaLaunchAttributePriority, &got));
    printf(", %d\n", got.priority);
    value = {}, value.syncPolicy = cudaSyncPolicyYield;
    printf("set policy: %d",
           cudaStreamSetAttribute(plain, cudaLaunchAttributeSynchronizationPolicy, &value));
    printf(", get %d",
           cudaStreamGetAttribute(plain, cudaLaunchAttributeSynchronizationPolicy, &got));
    printf(" %d\n", got.syncPolicy);
    printf("copy attributes: %d\n", cudaStreamCopyAttributes(apart, plain));
    cudaStreamGetAttribute(apart, cudaLaunchAttributeSynchronizationPolicy, &got);
    printf("copied: %d\n", got.syncPolicy);
    printf("a launch's attribute on a stream: %d\n",
           cudaStreamSetAttribute(plain, cudaLaunchAttributeCooperative, &value));
    int calls = 0;
    printf("host function: %d", cudaLaunchHostFunc(plain, callback, &calls));
    printf(" %d, calls ", cudaStreamSynchronize(plain));
    printf("%d\n", calls);
    printf("none: %d\n", cudaLaunchHostFunc(plain, NULL, &calls));
    printf("destroy: %d", cudaStreamDestroy(plain));
    printf(" %d", cudaStreamDestroy(apart));
    printf(" %d\n", cudaStreamDestroy(urgent));
    printf("destroy the default one: %d\n", cudaStreamDestroy(0));
    cudaGetLastError();
}
static void events() {
    cudaEvent_t a, b, blind;
    float ms = -1;
    printf("create: %d", cudaEventCreate(&a));
    printf(" %d", cudaEventCreate(&b));
    printf(" %d\n", cudaEventCreateWithFlags(&blind, cudaEventDisableTiming));
    printf("bad flags: %d", cudaEventCreateWithFlags(&b, 64));
    printf(" %d\n", cudaEventCreateWithFlags(&b, cudaEventInterprocess));
    cudaEventCreate(&b);
    printf("query before recording: %d", cudaEventQuery(a));
    printf(", synchronize %d\n", cudaEventSynchronize(a));
    printf("elapsed before recording: %d\n", cudaEventElapsedTime(&ms, a, b));
    cudaEventRecord(a, 0);
    printf("elapsed to none: %d\n", cudaEventElapsedTime(&ms, a, b));
    cudaEventRecord(b, 0), cudaEventRecord(blind, 0), cudaDeviceSynchronize();
    printf("elapsed: %d", cudaEventElapsedTime(&ms, a, b));
    printf(", not negative %d\n", ms >= 0);
    printf("elapsed of blind: %d\n", cudaEventElapsedTime(&ms, a, blind));
    printf("wait for it: %d", cudaStreamWaitEvent(0, blind, 0));
    printf(", bad flags %d\n", cudaStreamWaitEvent(0, blind, 2));
    printf("record with flags: %d", cudaEventRecordWithFlags(a, 0, cudaEventRecordExternal));
    printf(" %d\n", cudaEventRecordWithFlags(a, 0, 2));
    printf("destroy: %d", cudaEventDestroy(a));
    printf(", none %d\n", cudaEventDestroy(NULL));
    cudaGetLastError();
}
static void functions() {
    cudaFunction_t function, again;
    const char *name = "none";
    size_t offset = 99, bytes = 99;
    void *symbol = NULL;
    printf("function: %d", cudaGetFuncBySymbol(&function, (void *)add));
    printf(" %d", cudaGetFuncBySymbol(&again, (void *)add));
    printf(", same %d\n", function == again);
    printf("name: %d", cudaFuncGetName(&name, (void *)takes));
    printf(" %s\n", name);
    for (int i = 0; i < 5; i++) {
        offset = bytes = 99;
        printf("parameter %d", i);
        printf(": %d", cuFuncGetParamInfo((CUfunction)function, i, &offset, &bytes));
        printf(" %zu %zu", offset, bytes);
        cudaFunction_t f;
        cudaGetFuncBySymbol(&f, (void *)takes), offset = bytes = 99;
        printf(", %d", cuFuncGetParamInfo((CUfunction)f, i, &offset, &bytes));
        printf(" %zu %zu\n", offset, bytes);
    }
    bytes = 0, printf("symbols: %d", cudaGetSymbolSize(&bytes, number));
    printf(" %zu", bytes), bytes = 0, printf(", %d", cudaGetSymbolSize(&bytes, table));
    printf(" %zu", bytes), bytes = 0,
                           printf(", managed %d", cudaGetSymbolSize(&bytes, shared_number));
    printf(" %zu\n", bytes);
    printf("address of the managed one: %d", cudaGetSymbolAddress(&symbol, shared_number));
    printf(", its own %d\n", symbol == &shared_number);
    printf("addresses: %d", cudaGetSymbolAddress(&symbol, number));
    printf(" %d", cudaGetSymbolAddress(&symbol, table));
    printf(", no symbol %d\n", cudaGetSymbolAddress(&symbol, (const void *)&bytes));
    cudaGetLastError();
    printf("max dynamic: %d",
           cudaFuncSetAttribute((void *)add, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    printf(", too much %d",
           cudaFuncSetAttribute((void *)add, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
    printf(", negative %d\n",
           cudaFuncSetAttribute((void *)add, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    printf("carveout: %d",
           cudaFuncSetAttribute((void *)add, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    printf(", over 100 %d",
           cudaFuncSetAttribute((void *)add, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    printf(", below -1 %d\n",
           cudaFuncSetAttribute((void *)add, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    cudaFuncAttributes of = {};
    cudaFuncGetAttributes(&of, (void *)add);
    printf("asked: %d %d, shared %zu, threads %d\n", of.maxDynamicSharedSizeBytes,
           of.preferredShmemCarveout, of.sharedSizeBytes, of.maxThreadsPerBlock);
    cudaFuncGetAttributes(&of, (void *)clustered);
    printf("clusters: %d x %d x %d, required %d, others %d\n", of.requiredClusterWidth,
           of.requiredClusterHeight, of.requiredClusterDepth, of.clusterDimMustBeSet,
           of.nonPortableClusterSizeAllowed);
    cudaGetLastError();
}
static void launches() {
    int *d, value = -1;
    cudaMalloc(&d, 4), cudaMemset(d, 0, 4);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[2] = {};
    config.gridDim = dim3(4), config.blockDim = dim3(32), config.attrs = attribute,
    config.numAttrs = 1;
    attribute[0].id = cudaLaunchAttributeCooperative, attribute[0].val.cooperative = 1;
    printf("cooperative: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    attribute[0].id = cudaLaunchAttributeClusterDimension, attribute[0].val.clusterDim = {2, 1, 1};
    printf("clusters of 2: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    attribute[0].val.clusterDim = {3, 1, 1};
    printf("clusters of 3 in 4: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    attribute[0].val.clusterDim = {16, 1, 1}, config.gridDim = dim3(16);
    printf("clusters of 16: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    printf("allowed: %d",
           cudaFuncSetAttribute((void *)add, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    printf(", then %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    attribute[0].id = cudaLaunchAttributePriority, attribute[0].val.priority = -1;
    printf("priority: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization,
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    printf("programmatic: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    attribute[0].id = (cudaLaunchAttributeID)60;
    printf("unknown: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    cudaGetLastError();
    config.numAttrs = 0;
    printf("fixed clusters, 16 blocks: %d\n", cudaLaunchKernelEx(&config, clustered, d));
    config.gridDim = dim3(3);
    printf("fixed clusters, 3 blocks: %d\n", cudaLaunchKernelEx(&config, clustered, d));
    config.gridDim = dim3(1), config.blockDim = dim3(1025);
    printf("1025 threads: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    config.blockDim = dim3(1, 1, 65);
    printf("65 deep: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    config.blockDim = dim3(1), config.gridDim = dim3(1, 65536);
    printf("65536 rows: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    config.gridDim = dim3(0);
    printf("no blocks: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    config.gridDim = dim3(1), config.dynamicSmemBytes = 300000;
    printf("300000 bytes: %d\n", cudaLaunchKernelEx(&config, add, d, 1));
    cudaGetLastError();
    cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
    printf("added: %d", value);
    printf(", last error %d\n", cudaGetLastError());
}
static void libraries() {
    CUlibrary library;
    CUkernel kernel, list[4];
    CUfunction function;
    CUmodule module;
    CUdeviceptr at;
    size_t bytes = 0;
    unsigned count = 99;
    const char *name = "none";
    int value = 0;
    printf("load: %d\n", cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    printf("kernels: %d", cuLibraryGetKernelCount(&count, library));
    printf(" %u", count);
    printf(", listed %d\n", cuLibraryEnumerateKernels(list, 4, library));
    printf("kernel: %d", cuLibraryGetKernel(&kernel, library, "first"));
    printf(", none %d\n", cuLibraryGetKernel(&list[0], library, "third"));
    printf("name: %d", cuKernelGetName(&name, kernel));
    printf(" %s\n", name);
    printf("function: %d", cuKernelGetFunction(&function, kernel));
    printf(", module %d\n", cuLibraryGetModule(&module, library));
    printf("global: %d", cuLibraryGetGlobal(&at, &bytes, library, "g"));
    printf(" %zu", bytes);
    printf(", none %d", cuLibraryGetGlobal(&at, &bytes, library, "h"));
    printf(", managed %d\n", cuLibraryGetManaged(&at, &bytes, library, "g"));
    printf("attribute: %d",
           cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    printf(" %d", value);
    printf(", set %d\n",
           cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 50000, kernel, 0));
    for (size_t i = 0; i < 3; i++) {
        size_t offset = 99, size = 99;
        printf("parameter %zu", i);
        printf(": %d", cuKernelGetParamInfo(kernel, i, &offset, &size));
        printf(" %zu %zu\n", offset, size);
    }
    int *d, seven = 7;
    cudaMalloc(&d, 4);
    void *args[] = {&d, &seven};
    printf("launch a kernel: %d\n",
           cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, 0, args, 0));
    cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
    printf("it wrote %d\n", value);
    printf("unload: %d\n", cuLibraryUnload(library));
    printf("no image: %d", cuLibraryLoadData(&library, "nothing", NULL, NULL, 0, NULL, NULL, 0));
    printf(" %d\n", cuLibraryLoadFromFile(&library, "/nowhere", NULL, NULL, 0, NULL, NULL, 0));
    printf("module: %d", cuModuleLoadData(&module, ptx));
    printf(", functions %d", cuModuleGetFunctionCount(&count, module));
    printf(" %u\n", count);
    printf("loading mode: %d", cuModuleGetLoadingMode((CUmoduleLoadingMode *)&value));
    printf(" %d\n", value);
    printf("unload: %d\n", cuModuleUnload(module));
}
static void contexts() {
    CUcontext primary, own, popped, now;
    CUdevice device;
    unsigned flags = 99, version = 0;
    int active = 9;
    printf("current is primary: %d", cuCtxGetCurrent(&now));
    printf(" %d, same ", cuDevicePrimaryCtxRetain(&primary, 0));
    printf("%d\n", now == primary);
    printf("state: %d", cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf(" %u %d\n", flags, active);
#if CUDA_VERSION >= 13000
    printf("create: %d", cuCtxCreate(&own, NULL, CU_CTX_SCHED_SPIN, 0));
#else
    printf("create: %d", cuCtxCreate(&own, CU_CTX_SCHED_SPIN, 0));
#endif
    cuCtxGetCurrent(&now), printf(", current %d\n", now == own);
    printf("flags: %d", cuCtxGetFlags(&flags));
    printf(" %u", flags);
    printf(", version %d", cuCtxGetApiVersion(own, &version));
    printf(" %d\n", version > 3000);
    printf("device: %d", cuCtxGetDevice(&device));
    printf(" %d\n", device);
    unsigned long long first = 0, second = 0;
    printf("ids: %d", cuCtxGetId(own, &first));
    printf(" %d, differ ", cuCtxGetId(primary, &second));
    printf("%d\n", first != second);
    printf("pop: %d", cuCtxPopCurrent(&popped));
    printf(", own %d\n", popped == own);
    printf("push: %d", cuCtxPushCurrent(own));
    printf(", pop %d\n", cuCtxPopCurrent(&popped));
    printf("destroy: %d", cuCtxDestroy(own));
    printf(", again a push %d\n", cuCtxPushCurrent(NULL));
    printf("release: %d\n", cuDevicePrimaryCtxRelease(0));
    CUdevResource all = {}, split[2] = {}, rest = {};
    printf("multiprocessors: %d", cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    printf(" %u\n", all.sm.smCount);
    unsigned groups = 2;
    printf("split by 16: %d", cuDevSmResourceSplitByCount(split, &groups, &all, &rest, 0, 16));
    printf(" %u groups of %u, rest %u\n", groups, split[0].sm.smCount, rest.sm.smCount);
    groups = 1;
    printf("split by 9: %d", cuDevSmResourceSplitByCount(split, &groups, &all, &rest, 0, 9));
    printf(" %u groups of %u, rest %u\n", groups, split[0].sm.smCount, rest.sm.smCount);
    CUdevResourceDesc desc;
    CUgreenCtx green;
    CUcontext context;
    CUstream stream;
    printf("describe: %d\n", cuDevResourceGenerateDesc(&desc, split, 1));
    printf("green: %d\n", cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    printf("as a context: %d\n", cuCtxFromGreenCtx(&context, green));
    printf("its resource: %d", cuGreenCtxGetDevResource(green, &rest, CU_DEV_RESOURCE_TYPE_SM));
    printf(" %u\n", rest.sm.smCount);
    printf("its stream: %d", cuGreenCtxStreamCreate(&stream, green, 0, 0));
    printf(" %d\n", cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
    printf("destroy: %d\n", cuGreenCtxDestroy(green));
}
int main() {
    cudaFree(0);
    streams(), events(), functions(), launches(), libraries(), contexts();
    return 0;
}

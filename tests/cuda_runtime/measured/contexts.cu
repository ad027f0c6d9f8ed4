// Contexts, devices, events, streams, functions, modules, libraries, linking, occupancy, the log and the profiler: what they are
// asked and what they say.
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>

#include "say.h"

__device__ int number = 3;
__global__ void plain(int *to, int n) {
    *to = n;
}
__global__ void __launch_bounds__(128) bounded(double *to) {
    __shared__ double part[128];
    part[threadIdx.x] = *to;
    __syncthreads();
    to[threadIdx.x] = part[127 - threadIdx.x];
}
static const char *ptx = ".version 7.0\n.target sm_80\n.address_size 64\n"
                         ".visible .global .align 4 .u32 g[5] = {1, 2, 3, 4, 5};\n"
                         ".visible .entry first(.param .u64 p, .param .u32 n) { .reg .u64 %a; .reg "
                         ".u32 %r; ld.param.u64 %a, [p]; "
                         "ld.param.u32 %r, [n]; st.global.u32 [%a], %r; ret; }\n"
                         ".visible .entry second() { ret; }\n";
static const char *calls =
    ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func (.param .u32 r) give();\n"
    ".visible .entry ask(.param .u64 p) { .reg .u64 %a; .reg .u32 %r; .param .u32 v; ld.param.u64 "
    "%a, "
    "[p]; call (v), give; ld.param.u32 %r, [v]; st.global.u32 [%a], %r; ret; }\n";
static const char *gives = ".version 7.0\n.target sm_80\n.address_size 64\n"
                           ".visible .func (.param .u32 r) give() { st.param.u32 [r], 77; ret; }\n";

static void contexts() {
    CUcontext own, now, primary, same;
    unsigned flags = 99, version = 0;
    CUfunc_cache cache = (CUfunc_cache)9;
    CUsharedconfig banks = (CUsharedconfig)9;
    CUdevice device = -1;
    int least = 9, greatest = 9, active = -1, affinity = -1;
    size_t value = 0;
    unsigned long long id[3] = {};
    R(cuCtxGetCurrent(&primary));
    R(cuCtxGetFlags(&flags)), printf("  %u\n", flags);
    R(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC)), R(cuCtxGetFlags(&flags)), printf("  %u\n", flags);
    R(cuCtxSetFlags(1u << 20)), R(cuCtxSetFlags(3));
    R(cudaGetDeviceFlags(&flags)), printf("  %u\n", flags);
    R(cudaSetDeviceFlags(cudaDeviceScheduleYield)), R(cudaGetDeviceFlags(&flags)),
        printf("  %u\n", flags);
    R(cudaSetDeviceFlags(1u << 20));
    R(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN)),
        R(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("  %u %d\n", flags, active);
    R(cuDevicePrimaryCtxSetFlags(0, 1u << 20)), R(cuDevicePrimaryCtxSetFlags(9, 0));
    R(cuCtxGetCacheConfig(&cache)), printf("  %d\n", cache);
    R(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1)), R(cuCtxGetCacheConfig(&cache)),
        printf("  %d\n", cache);
    R(cuCtxSetCacheConfig((CUfunc_cache)9));
    R(cuCtxGetSharedMemConfig(&banks)), printf("  %d\n", banks);
    R(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)),
        R(cuCtxGetSharedMemConfig(&banks));
    printf("  %d\n", banks);
    R(cuCtxSetSharedMemConfig((CUsharedconfig)9));
    R(cuCtxGetStreamPriorityRange(&least, &greatest)), printf("  %d %d\n", least, greatest);
    R(cuCtxResetPersistingL2Cache());
    R(cuCtxGetDevice(&device)), printf("  %d\n", device);
    R(cuCtxGetApiVersion(primary, &version)), printf("  %u\n", version);
    R(cuCtxGetExecAffinity((CUexecAffinityParam *)&id, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    R(cuDeviceGetExecAffinitySupport(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0)),
        printf("  %d\n", affinity);
    for (int i = 0; i < 9; i++) {
        int error = cuCtxGetLimit(&value, (CUlimit)i);
        printf("  limit %d: %d, %zu\n", i, error, error ? 0 : value);
    }
    R(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 5000)), R(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE)),
        printf("  %zu\n", value);
    R(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20)),
        R(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 24));
    R(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE)), printf("  %zu\n", value);
    R(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1 << 30)), R(cuCtxSetLimit((CUlimit)50, 1));
    R(cuCtxCreate(&own, NULL, CU_CTX_MAP_HOST, 0)), R(cuCtxGetFlags(&flags)),
        printf("  %u\n", flags);
    R(cuCtxGetId(own, &id[0])), R(cuCtxGetId(primary, &id[1])),
        printf("  differ %d\n", id[0] != id[1]);
    R(cuCtxAttach(&same, 0)), printf("  same %d\n", same == own), R(cuCtxDetach(same));
    R(cuCtxAttach(&same, 1)), R(cuCtxPopCurrent(&now)), printf("  same %d\n", now == own);
    R(cuCtxGetCurrent(&now)), printf("  same %d\n", now == primary);
    R(cuCtxPushCurrent(own)), R(cuCtxSynchronize()), R(cuCtxDestroy(own)),
        R(cuCtxSetCurrent(primary));
    R(cuCtxSetCurrent(NULL)), R(cuCtxGetDevice(&device)), R(cuCtxSynchronize()),
        R(cuCtxSetCurrent(primary));
}

static void devices() {
    int count = -1, can = -1, major = 0, minor = 0, version = 0, value = -1, device = -1;
    char text[64], luid[8];
    CUuuid id, again;
    unsigned mask = 9;
    size_t bytes;
    R(cuDeviceGetCount(&count)), printf("  %d\n", count);
    R(cuDeviceComputeCapability(&major, &minor, 0)), printf("  %d.%d\n", major, minor);
    R(cuDeviceCanAccessPeer(&can, 0, 0)), printf("  %d\n", can);
    R(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    R(cuDeviceGetPCIBusId(text, 64, 0)), printf("  %zu letters\n", strlen(text));
    R(cuDeviceGetByPCIBusId(&device, text)), printf("  %d\n", device);
    R(cuDeviceGetPCIBusId(text, 5, 0)), R(cuDeviceGetByPCIBusId(&device, "9999:99:99.0"));
    R(cuDeviceGetUuid(&id, 0)), R(cuDeviceGetUuid(&again, 0)),
        printf("  same %d\n", memcmp(&id, &again, 16) == 0);
    R(cuDeviceGetLuid(luid, &mask, 0));
    R(cuDriverGetVersion(&version)), printf("  %d\n", version >= 13000);
    R(cudaDriverGetVersion(&value)), printf("  same %d\n", value == version);
    R(cudaRuntimeGetVersion(&value)), printf("  %d\n", value / 1000);
    R(cuDeviceTotalMem(&bytes, 0));
    R(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0)), printf("  %d\n", value);
    R(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0)), printf("  %d\n", value);
    cudaDeviceProp wanted = {};
    wanted.major = 9;
    R(cudaChooseDevice(&value, &wanted)), printf("  %d\n", value);
    int list[] = {0, 0, 5};
    R(cudaSetValidDevices(list, 1)), R(cudaSetValidDevices(list + 2, 1));
    R(cudaInitDevice(0, cudaDeviceScheduleAuto, 0)),
        R(cudaInitDevice(0, 0, cudaInitDeviceFlagsAreValid));
    R(cudaInitDevice(9, 0, 0)), R(cudaInitDevice(0, 1u << 20, cudaInitDeviceFlagsAreValid)),
        R(cudaInitDevice(0, 0, 4));
    R(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                         cudaFlushGPUDirectRDMAWritesToOwner));
    R(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                 CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
    cudaSharedMemConfig banks;
    cudaFuncCache cache;
    R(cudaDeviceGetCacheConfig(&cache)), printf("  %d\n", cache);
    R(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared)), R(cudaDeviceGetCacheConfig(&cache)),
        printf("  %d\n", cache);
    R(cudaDeviceGetSharedMemConfig(&banks)), printf("  %d\n", banks);
    R(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte)),
        R(cudaDeviceGetSharedMemConfig(&banks));
    printf("  %d\n", banks);
    R(cudaCtxResetPersistingL2Cache());
    R(cudaProfilerStart()), R(cudaProfilerStop()), R(cuProfilerStart()), R(cuProfilerStop()),
        R(cuProfilerStop());
    double one = 1;
    printf("%s %s %s\n", cudaGetErrorName(cudaErrorInvalidValue),
           cudaGetErrorString(cudaErrorMemoryAllocation), cudaGetErrorName((cudaError_t)12345));
    const char *name = NULL;
    R(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &name)), printf("  %s\n", name);
    R(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &name)), printf("  %s\n", name);
    R(cuGetErrorName((CUresult)12345, &name)), printf("  none %d\n", name == NULL);
    cudaMalloc((void **)&name, (size_t)-1 / 2);
    int peeked = cudaPeekAtLastError(), got = cudaGetLastError(), then = cudaPeekAtLastError();
    printf("peeked %d, got %d, then %d\n", peeked, got, then);
}

static void CUDART_CB called(void *data) {
    ++*(int *)data;
}
static void CUDART_CB back(cudaStream_t, cudaError_t status, void *data) {
    *(int *)data += 10 + status;
}
static void streams() {
    CUstream s, t;
    CUevent a, b, timed;
    unsigned flags = 9;
    int priority = 9, count = 0, ordinal = -1;
    unsigned long long id = 0, other = 0;
    CUdeviceptr d;
    CUcontext context;
    cuMemAlloc(&d, 256), cuMemsetD8(d, 0, 256);
    R(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, -2)), R(cuStreamCreate(&t, 0));
    R(cuStreamGetPriority(s, &priority)), printf("  %d\n", priority);
    R(cuStreamGetFlags(s, &flags)), printf("  %u\n", flags);
    R(cuStreamGetId(s, &id)), R(cuStreamGetId(t, &other)), printf("  differ %d\n", id != other);
    R(cuStreamGetDevice(s, &ordinal)), printf("  %d\n", ordinal);
    R(cuStreamGetCtx(s, &context)), R(cuStreamQuery(s));
    R(cuStreamWriteValue32(s, d, 5, 0)), R(cuStreamWriteValue64(s, d + 8, 1ull << 40, 0));
    R(cuStreamWaitValue32(s, d, 5, CU_STREAM_WAIT_VALUE_EQ)),
        R(cuStreamWaitValue32(s, d, 4, CU_STREAM_WAIT_VALUE_GEQ));
    R(cuStreamWaitValue64(s, d + 8, 1ull << 40, CU_STREAM_WAIT_VALUE_AND));
    R(cuStreamWriteValue32(s, d + 2, 5, 0));
    R(cuStreamWriteValue32(s, d, 5, 7)), R(cuStreamSynchronize(s));
    R(cuLaunchHostFunc(s, called, &count)),
        R(cuStreamAddCallback(s, (CUstreamCallback)back, &count, 0));
    R(cuStreamSynchronize(s)), printf("  %d\n", count);
    R(cudaStreamAddCallback(s, back, &count, 0)), R(cudaStreamAddCallback(s, back, &count, 1));
    R(cuStreamAddCallback(s, NULL, &count, 0)), R(cuLaunchHostFunc(s, NULL, &count));
    R(cuStreamSynchronize(s)), printf("  %d\n", count);
    void *managed;
    cudaMallocManaged(&managed, 4096);
    R(cuStreamAttachMemAsync(s, (CUdeviceptr)managed, 0, CU_MEM_ATTACH_SINGLE));
    R(cuStreamAttachMemAsync(s, d, 0, CU_MEM_ATTACH_GLOBAL));
    R(cuStreamAttachMemAsync(s, (CUdeviceptr)managed, 10, CU_MEM_ATTACH_GLOBAL));
    R(cuStreamAttachMemAsync(s, (CUdeviceptr)managed, 0, 9));
    R(cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachGlobal));
    CUstreamAttrValue value = {}, got = {};
    value.priority = -1;
    R(cuStreamSetAttribute(t, CU_STREAM_ATTRIBUTE_PRIORITY, &value)),
        R(cuStreamCopyAttributes(s, t));
    R(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, &got)), printf("  %d\n", got.priority);
    R(cuStreamGetPriority(s, &priority)), printf("  %d\n", priority);
    // events
    R(cuEventCreate(&a, CU_EVENT_DISABLE_TIMING)), R(cuEventCreate(&timed, 0)),
        R(cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC));
    R(cuEventRecordWithFlags(timed, s, 0)),
        R(cuEventRecordWithFlags(b, s, CU_EVENT_RECORD_EXTERNAL));
    R(cuEventRecordWithFlags(b, s, 8)), R(cuEventRecord(b, s)), R(cuEventSynchronize(b)),
        R(cuEventQuery(b));
    float ms = -1;
    R(cuEventElapsedTime(&ms, timed, b)), printf("  %d\n", ms >= 0);
    R(cuEventElapsedTime(&ms, a, b)), R(cuEventElapsedTime(&ms, timed, timed)),
        printf("  %g\n", ms);
    R(cuStreamWaitEvent(t, b, 0)), R(cuStreamWaitEvent(t, b, 1)), R(cuStreamWaitEvent(t, b, 4));
    CUcontext now;
    cuCtxGetCurrent(&now);
    R(cuCtxRecordEvent(now, a)), R(cuCtxWaitEvent(now, a));
    // captures
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = NULL, into;
    cudaGraphNode_t node;
    const cudaGraphNode_t *nodes;
    size_t n = 99;
    unsigned long long number = 0;
    R(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
    R(cudaLaunchHostFunc(t, called, &count));
    R(cudaStreamGetCaptureInfo(t, &status, &number, &graph, &nodes, NULL, &n));
    printf("  status %d, graph %d, %zu nodes\n", status, graph != NULL, n);
    R(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    R(cudaStreamUpdateCaptureDependencies(t, &node, NULL, 1, cudaStreamAddCaptureDependencies));
    R(cudaStreamGetCaptureInfo(t, &status, &number, &graph, &nodes, NULL, &n)),
        printf("  %zu\n", n);
    R(cudaStreamUpdateCaptureDependencies(t, &node, NULL, 1, cudaStreamSetCaptureDependencies));
    R(cudaStreamGetCaptureInfo(t, &status, &number, &graph, &nodes, NULL, &n)),
        printf("  %zu\n", n);
    R(cudaStreamUpdateCaptureDependencies(t, &node, NULL, 1, 7));
    R(cudaStreamQuery(t)), R(cudaStreamEndCapture(t, &graph));
    R(cudaGraphCreate(&into, 0));
    R(cudaStreamBeginCaptureToGraph(t, into, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    R(cudaLaunchHostFunc(t, called, &count)), R(cudaStreamEndCapture(t, &graph)),
        printf("  same %d\n", graph == into);
    R(cudaStreamGetCaptureInfo(t, &status, &number, &graph, &nodes, NULL, &n)),
        printf("  status %d\n", status);
    R(cuStreamBeginCaptureToGraph(t, into, NULL, NULL, 0, (CUstreamCaptureMode)1)),
        R(cuStreamEndCapture(t, &into));
    R(cuStreamBeginCaptureToGraph(t, NULL, NULL, NULL, 0, (CUstreamCaptureMode)1));
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    R(cudaThreadExchangeStreamCaptureMode(&mode)), printf("  %d\n", mode);
    CUstreamCaptureMode own = CU_STREAM_CAPTURE_MODE_GLOBAL;
    R(cuThreadExchangeStreamCaptureMode(&own)), printf("  %d\n", own);
    R(cuEventDestroy(a));
}

static void modules() {
    CUmodule module, second;
    CUfunction first, of;
    CUmodule whose;
    CUdeviceptr d, at;
    size_t bytes = 0;
    unsigned count = 9;
    const char *name = NULL;
    int value = -1, n = 21;
    CUfunctionLoadingState state;
    char log[512] = "", errors[512] = "";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_MAX_REGISTERS};
    void *values[] = {log, (void *)512, errors, (void *)512, (void *)32};
    cuMemAlloc(&d, 256);
    R(cuModuleLoadDataEx(&module, ptx, 5, options, values)),
        R(cuModuleLoadDataEx(&second, ptx, 0, NULL, NULL));
    R(cuModuleGetFunctionCount(&count, module)), printf("  %u\n", count);
    CUfunction list[4] = {};
    R(cuModuleEnumerateFunctions(list, 2, module)), R(cuModuleEnumerateFunctions(list, 0, module));
    R(cuModuleEnumerateFunctions(NULL, 2, module));
    R(cuModuleGetFunction(&first, module, "first")), R(cuFuncGetName(&name, first)),
        printf("  %s\n", name);
    R(cuFuncGetModule(&whose, first)), printf("  same %d\n", whose == module);
    R(cuFuncIsLoaded(&state, first)), R(cuFuncLoad(first)), R(cuFuncIsLoaded(&state, first)),
        printf("  %d\n", state);
    R(cuModuleGetGlobal(&at, &bytes, module, "g")), printf("  %zu\n", bytes);
    R(cuModuleGetGlobal(&at, NULL, module, "g")), R(cuModuleGetGlobal(NULL, &bytes, module, "g"));
    R(cuMemcpyDtoH(&value, at + 8, 4)), printf("  %d\n", value);
    void *args[] = {&d, &n};
    R(cuLaunchKernel(first, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL)), R(cuMemcpyDtoH(&value, d, 4)),
        printf("  %d\n", value);
    R(cuLaunchCooperativeKernel(first, 1, 1, 1, 1, 1, 1, 0, 0, args)), R(cuCtxSynchronize());
    R(cuFuncSetCacheConfig(first, CU_FUNC_CACHE_PREFER_SHARED)),
        R(cuFuncSetCacheConfig(first, (CUfunc_cache)9));
    R(cuFuncSetSharedMemConfig(first, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
    R(cuFuncSetSharedMemConfig(first, (CUsharedconfig)9));
    for (int i = 0; i < 16; i++) {
        value = -1;
        int error = cuFuncGetAttribute(&value, (CUfunction_attribute)i, first);
        if (i != CU_FUNC_ATTRIBUTE_NUM_REGS)
            printf("  attribute %d: %d, %d\n", i, error, value);
    }
    R(cuFuncSetAttribute(first, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200000));
    R(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, first)),
        printf("  %d\n", value);
    R(cuFuncSetAttribute(first, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000));
    R(cuFuncSetAttribute(first, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
    size_t offset = 9, size = 9;
    R(cuFuncGetParamInfo(first, 1, &offset, &size)), printf("  %zu %zu\n", offset, size);
    R(cudaFuncGetParamInfo((const void *)plain, 1, &offset, &size)),
        printf("  %zu %zu\n", offset, size);
    R(cudaFuncGetParamInfo((const void *)plain, 2, &offset, &size));
    R(cudaFuncSetSharedMemConfig((const void *)plain, cudaSharedMemBankSizeFourByte));
    R(cudaFuncSetCacheConfig((const void *)plain, cudaFuncCachePreferL1));
    R(cuModuleUnload(second)), R(cuModuleUnload(second));
    R(cuModuleLoad(&second, "/nowhere/file")), R(cuModuleLoadFatBinary(&second, ptx));
    R(cuModuleLoadDataEx(&second, ".version 7.0\n.target sm_80\n.address_size 64\nrubbish\n", 4,
                         options, values));
    printf("  said something %d\n", errors[0] != 0);
    // linking
    CUlinkState link;
    void *cubin;
    R(cuLinkCreate(0, NULL, NULL, &link));
    R(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)calls, strlen(calls) + 1, "calls", 0, NULL,
                    NULL));
    R(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)gives, strlen(gives) + 1, "gives", 0, NULL,
                    NULL));
    R(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nowhere/file", 0, NULL, NULL));
    R(cuLinkComplete(link, &cubin, &bytes)), printf("  some %d\n", bytes > 0);
    R(cuModuleLoadData(&second, cubin)), R(cuModuleGetFunction(&of, second, "ask"));
    R(cuLaunchKernel(of, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL)), R(cuMemcpyDtoH(&value, d, 4)),
        printf("  %d\n", value);
    R(cuLinkDestroy(link));
    R(cuLinkCreate(0, NULL, NULL, &link));
    R(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)calls, strlen(calls) + 1, NULL, 0, NULL, NULL));
    R(cuLinkAddData(link, (CUjitInputType)77, (void *)calls, strlen(calls) + 1, NULL, 0, NULL,
                    NULL));
    R(cuLinkComplete(link, &cubin, &bytes)), R(cuLinkDestroy(link));
}

static void libraries() {
    cudaLibrary_t library, none;
    cudaKernel_t kernel, list[4];
    void *at, *d;
    size_t bytes = 0;
    unsigned count = 9;
    cudaMalloc(&d, 256);
    R(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    R(cudaLibraryGetKernel(&kernel, library, "first")),
        R(cudaLibraryGetKernel(&kernel, library, "third"));
    R(cudaLibraryGetKernelCount(&count, library)), printf("  %u\n", count);
    R(cudaLibraryEnumerateKernels(list, 2, library)),
        R(cudaLibraryEnumerateKernels(list, 0, library));
    R(cudaLibraryGetGlobal(&at, &bytes, library, "g")), printf("  %zu\n", bytes);
    R(cudaLibraryGetGlobal(&at, &bytes, library, "h")),
        R(cudaLibraryGetManaged(&at, &bytes, library, "g"));
    int n = 31, value = 0;
    void *args[] = {&d, &n};
    cudaLibraryGetKernel(&kernel, library, "first");
    R(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), args, 0, 0));
    R(cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost)), printf("  %d\n", value);
    R(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000,
                                      0));
    R(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000,
                                      9));
    CUkernel driver;
    CUlibrary whose;
    const char *name;
    R(cudaGetKernel(&kernel, (const void *)plain));
    driver = (CUkernel)kernel;
    R(cuKernelGetName(&name, driver)), printf("  %s\n", name);
    R(cuKernelGetLibrary(&whose, driver)),
        R(cuKernelSetCacheConfig(driver, CU_FUNC_CACHE_PREFER_L1, 0));
    R(cuKernelSetCacheConfig(driver, (CUfunc_cache)9, 0)),
        R(cuKernelSetCacheConfig(driver, CU_FUNC_CACHE_PREFER_L1, 9));
    R(cudaLibraryUnload(library));
}

static void occupancy() {
    int blocks = -1, size = -1, least = -1, clusters = -1;
    size_t bytes = 0;
    CUmodule module;
    CUfunction first, limited;
    cuModuleLoadData(&module, ptx), cuModuleGetFunction(&first, module, "first");
    cudaFunction_t own;
    cudaGetFuncBySymbol(&own, (const void *)bounded);
    limited = (CUfunction)own;
    for (int threads : {1, 32, 100, 128, 256, 1024}) {
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, first, threads, 0);
        int wide = -1, flagged = -1, of_runtime = -1;
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&wide, first, threads, 40000);
        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&flagged, first, threads, 0,
                                                             CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE);
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&of_runtime, (const void *)plain,
                                                               threads, 0, 0);
        bytes = 0;
        int error = cuOccupancyAvailableDynamicSMemPerBlock(&bytes, first, 2, threads);
        printf("  %d threads: %d, %d, %d, %d, for two blocks %d, %zu\n", threads, blocks, wide,
               flagged, of_runtime, error, bytes);
    }
    R(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, limited, 256, 0)),
        printf("  %d\n", blocks);
    R(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, first, 2000, 0));
    R(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, first, 32, 0, 8));
    R(cuOccupancyMaxPotentialBlockSize(&least, &size, first, NULL, 0, 0)),
        printf("  %d %d\n", least, size);
    R(cuOccupancyMaxPotentialBlockSize(&least, &size, first, NULL, 50000, 0)),
        printf("  %d %d\n", least, size);
    R(cuOccupancyMaxPotentialBlockSize(&least, &size, first, NULL, 0, 200)),
        printf("  %d %d\n", least, size);
    R(cuOccupancyMaxPotentialBlockSize(&least, &size, limited, NULL, 0, 0)),
        printf("  %d %d\n", least, size);
    R(cuOccupancyMaxPotentialBlockSizeWithFlags(&least, &size, first, NULL, 0, 0, 1)),
        printf("  %d %d\n", least, size);
    CUlaunchConfig config = {};
    CUlaunchAttribute attribute = {};
    config.gridDimX = 64, config.gridDimY = config.gridDimZ = 1, config.blockDimX = 128,
    config.blockDimY = config.blockDimZ = 1;
    config.attrs = &attribute, config.numAttrs = 1;
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, attribute.value.clusterDim = {2, 1, 1};
    R(cuOccupancyMaxActiveClusters(&clusters, first, &config)), printf("  some %d\n", clusters > 0);
    R(cuOccupancyMaxPotentialClusterSize(&size, first, &config)), printf("  %d\n", size);
    attribute.value.clusterDim = {3, 1, 1};
    R(cuOccupancyMaxActiveClusters(&clusters, first, &config));
    attribute.value.clusterDim = {16, 1, 1};
    R(cuOccupancyMaxActiveClusters(&clusters, first, &config));
    cudaLaunchConfig_t same = {};
    same.gridDim = dim3(64), same.blockDim = dim3(128);
    R(cudaOccupancyMaxPotentialClusterSize(&size, (const void *)plain, &same)),
        printf("  %d\n", size);
    R(cudaOccupancyMaxActiveClusters(&clusters, (const void *)plain, &same));
    R(cudaOccupancyMaxPotentialClusterSize(NULL, (const void *)plain, &same));
}

static void CUDART_CB logged(void *, cudaLogLevel level, char *, size_t) {
}
static void noticed(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t) {
}
static void logs() {
    cudaLogsCallbackHandle handle;
    cudaLogIterator at;
    char text[256];
    size_t size = sizeof text;
    R(cudaLogsRegisterCallback(logged, NULL, &handle)),
        R(cudaLogsRegisterCallback(NULL, NULL, &handle));
    R(cudaLogsUnregisterCallback(handle)), R(cudaLogsCurrent(&at, 0)), R(cudaLogsCurrent(NULL, 0));
    R(cudaLogsDumpToMemory(&at, text, &size, 0)), R(cudaLogsDumpToMemory(&at, NULL, &size, 0));
    R(cudaLogsDumpToFile(&at, "/dev/null", 0)), R(cudaLogsDumpToFile(&at, NULL, 0));
    R(cuLogsDumpToFile(NULL, "/dev/null", 0)), R(cudaLogsCurrent(&at, 9));
    size_t value = 0;
    cudaFuncCache cache;
    (void)cache, (void)value;
    int flag = 0;
    size_t bytes = sizeof flag;
    R(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &flag, &bytes)),
        printf("  %d\n", flag);
    R(cuCoredumpGetAttributeGlobal(CU_COREDUMP_TRIGGER_HOST, &flag, &bytes)),
        printf("  %d\n", flag);
    R(cuCoredumpSetAttributeGlobal(CU_COREDUMP_TRIGGER_HOST, &flag, &bytes));
    R(cuCoredumpSetAttribute(CU_COREDUMP_TRIGGER_HOST, &flag, &bytes));
    cudaAsyncCallbackHandle_t notice;
    R(cudaDeviceRegisterAsyncNotification(0, noticed, NULL, &notice));
    R(cudaDeviceUnregisterAsyncNotification(0, notice));
    R(cudaDeviceRegisterAsyncNotification(9, noticed, NULL, &notice));
    R(cudaDeviceRegisterAsyncNotification(0, NULL, NULL, &notice));
    const void *table = NULL;
    R(cudaDeviceReset());
}

int main() {
    return in_parts({contexts, devices, streams, modules, libraries, occupancy, logs});
}

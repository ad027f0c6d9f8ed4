// Calls with wrong arguments, each in a process of its own with everything it may need: wrong_calls prints for each line of
// wrong_calls.txt (made into calls.inc, W(call) a line) the call and what it returns. Runs on a GPU as well.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

__device__ int symbol[16];
__global__ void kernel(int *p) {
    p[threadIdx.x] = symbol[0];
}

#define PTX(version, target, body)                                                                 \
    ".version " version "\n.target " target                                                        \
    "\n.address_size 64\n.visible .global .align 4 .u32 g;\n"                                      \
    ".visible .entry k(.param .u64 p) { " body " }\n"
static const char *ptx = PTX("7.0", "sm_80", "ret;");
static const char *ptxbad = PTX("7.0", "sm_80", "bogus;");
static const char *ptxnew = PTX("8.7", "sm_120", "ret;");

static void CUDART_CB callback(cudaStream_t, cudaError_t, void *) {
}
static void CUDART_CB hostfn(void *) {
}

#if CUDART_VERSION >= 13000
static cudaError_t cudaMemPrefetchAsync_(void *p, size_t bytes, int device) {
    return cudaMemPrefetchAsync(p, bytes, {cudaMemLocationTypeDevice, device}, 0, 0);
}
static CUresult cuMemAdvise_(void *p, size_t bytes) {
    return cuMemAdvise((CUdeviceptr)p, bytes, CU_MEM_ADVISE_SET_READ_MOSTLY,
                       {CU_MEM_LOCATION_TYPE_DEVICE, 0});
}
#else
static cudaError_t cudaMemPrefetchAsync_(void *p, size_t bytes, int device) {
    return cudaMemPrefetchAsync(p, bytes, device, 0);
}
static CUresult cuMemAdvise_(void *p, size_t bytes) {
    return cuMemAdvise((CUdeviceptr)p, bytes, CU_MEM_ADVISE_SET_READ_MOSTLY, 0);
}
#endif
static cudaError_t cudaGetDriverEntryPoint_(const char *name, void **function) {
    cudaDriverEntryPointQueryResult found;
    return cudaGetDriverEntryPointByVersion(name, function, 12000, cudaEnableDefault, &found);
}
static CUresult cuGetProcAddress_(const char *name, void **function, int version, int flags) {
    CUdriverProcAddressQueryResult found;
    return cuGetProcAddress(name, function, version, flags, &found);
}

static void crashed(int) {
    static const char text[] = "crash\n";
    _exit(write(1, text, sizeof text - 1) < 0);
}

enum { FIRST = __COUNTER__ + 1 };
#define W(...)                                                                                     \
    if (number == __COUNTER__ - FIRST) {                                                           \
        printf("%s: ", #__VA_ARGS__);                                                              \
        fflush(stdout);                                                                            \
        printf("%d\n", (int)(__VA_ARGS__));                                                        \
        return true;                                                                               \
    }

/* Call `number`; false: there are no more. The names are those of the calls' arguments. */
static bool call(int number) {
    static char h[4096];
    void *hreg = aligned_alloc(4096, 4096);
    void *q, *d, *d2, *dfree, *hfree, *hpin, *managed, *dasync;
    size_t n, n2;
    unsigned u;
    int v, v2;
    float f;
    unsigned long long ull = 0;
    char text[64];
    cudaFree(0);
    cuInit(0);
    cudaMalloc(&d, 4096);
    cudaMalloc(&d2, 4096);
    cudaMalloc(&dfree, 4096);
    cudaMallocHost(&hfree, 4096);
    cudaHostAlloc(&hpin, 4096, cudaHostAllocMapped);
    cudaMallocManaged(&managed, 4096);
    cudaStream_t s, s2;
    cudaStreamCreate(&s);
    cudaStreamCreate(&s2);
    cudaMallocAsync(&dasync, 4096, s);
    cudaStreamSynchronize(s);
    cudaEvent_t e, e2, er, er2, et;
    cudaEventCreate(&e);
    cudaEventCreate(&e2);
    cudaEventCreate(&er);
    cudaEventCreate(&er2);
    cudaEventCreateWithFlags(&et, cudaEventDisableTiming);
    cudaEventRecord(er, s);
    cudaEventRecord(er2, s);
    cudaStreamSynchronize(s);
    cudaPointerAttributes pa;
    cudaStreamCaptureStatus cap;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaFuncCache cc;
    cudaSharedMemConfig sc;
    cudaMemPool_t pool, pool2;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaFuncAttributes fa;
    const void *fn = (const void *)kernel, *sym = symbol;
    void *args[] = {&d};
    cudaLaunchConfig_t cfg = {};
    cfg.gridDim = dim3(1);
    cfg.blockDim = dim3(32);
    cudaLaunchConfig_t cfgbad = cfg;
    cfgbad.blockDim = dim3(0);
    cudaLaunchAttribute la[1];
    la[0].id = cudaLaunchAttributeClusterDimension;
    la[0].val.clusterDim.x = 3;
    la[0].val.clusterDim.y = 1;
    la[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t cfgcl = cfg;
    cfgcl.attrs = la;
    cfgcl.numAttrs = 1;
    cfgcl.gridDim = dim3(4);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>(), desc2,
                          descbad = {32, 0, 32, 0, cudaChannelFormatKindFloat};
    cudaArray_t arr, arr2;
    cudaMallocArray(&arr, &desc, 64, 16, 0);
    cudaMallocArray(&arr2, &desc, 64, 16, 0);
    cudaExtent ext;
    cudaResourceDesc rd = {}, rdbad = {}, rd2;
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    rdbad.resType = (cudaResourceType)9;
    cudaTextureDesc td = {}, tdbad = {};
    tdbad.addressMode[0] = (cudaTextureAddressMode)9;
    cudaResourceViewDesc rvd = {};
    cudaTextureObject_t tex, tex0;
    cudaCreateTextureObject(&tex, &rd, &td, 0);
    cudaCreateTextureObject(&tex0, &rd, &td, 0);
    cudaGraph_t graph, graph0;
    cudaGraphExec_t exec, exec2;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&graph0, 0);
    cudaGraphAddEmptyNode(&node, graph0, 0, 0);
    cudaGraphInstantiate(&exec, graph0, 0);
    cudaGraphInstantiate(&exec2, graph0, 0);
    cudaKernelNodeParams knp = {}, knpbad = {};
    knp.func = (void *)fn;
    knp.gridDim = dim3(1);
    knp.blockDim = dim3(32);
    knp.kernelParams = args;
    cudaHostNodeParams hnp = {hostfn, 0};
    cudaIpcMemHandle_t ipc;
    cudaIpcEventHandle_t ipce;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal, modebad = (cudaStreamCaptureMode)9;
    CUdevice dev, dev2;
    cuDeviceGet(&dev, 0);
    CUcontext ctx, ctx2;
    cuCtxGetCurrent(&ctx);
    CUdeviceptr dp, dpfree;
    cuMemAlloc(&dpfree, 4096);
    CUmodule mod, mod2;
    cuModuleLoadData(&mod, ptx);
    cuModuleLoadData(&mod2, ptx);
    CUfunction fun, fun2;
    cuModuleGetFunction(&fun, mod, "k");
    CUmoduleLoadingMode lm;
    CUlibrary lib, lib2;
    cuLibraryLoadData(&lib, ptx, 0, 0, 0, 0, 0, 0);
    cuLibraryLoadData(&lib2, ptx, 0, 0, 0, 0, 0, 0);
    CUkernel ker, ker2;
    cuLibraryGetKernel(&ker, lib, "k");
    void *kargs[] = {&d};
    size_t esize = 8;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &d, CU_LAUNCH_PARAM_BUFFER_SIZE, &esize,
                     CU_LAUNCH_PARAM_END};
    size_t ebad = 4;
    void *extrabad[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &d, CU_LAUNCH_PARAM_BUFFER_SIZE, &ebad,
                        CU_LAUNCH_PARAM_END};
    CUstream cs = s, cs2 = s2;
    CUevent ce = e, ce2 = e2, cer = er;
    CUarray ca2;
    CUDA_ARRAY_DESCRIPTOR cad = {64, 16, CU_AD_FORMAT_FLOAT, 1},
                          cadbad = {64, 16, CU_AD_FORMAT_FLOAT, 3};
    cuArrayCreate(&ca2, &cad);
    CUDA_RESOURCE_DESC crd = {}, crdbad = {};
    crd.resType = CU_RESOURCE_TYPE_ARRAY;
    crd.res.array.hArray = ca2;
    crdbad.resType = (CUresourcetype)9;
    CUDA_TEXTURE_DESC ctd = {};
    CUtexObject ctex;
    const char *str;
    CUlinkState ls;
    CUipcMemHandle cipc;
    CUipcEventHandle cipce;
    CUmipmappedArray mip;
    CUDA_ARRAY3D_DESCRIPTOR cad3 = {64, 16, 4, CU_AD_FORMAT_FLOAT, 1, 0},
                            cad3bad = {64, 16, 4, CU_AD_FORMAT_FLOAT, 3, 0};
    cuMipmappedArrayCreate(&mip, &cad3, 2);
    CUsurfObject surf;
    CUDA_MEMCPY2D c2 = {}, c2bad = {};
    c2.srcMemoryType = CU_MEMORYTYPE_HOST, c2.srcHost = h, c2.srcPitch = 64;
    c2.dstMemoryType = CU_MEMORYTYPE_DEVICE, c2.dstDevice = (CUdeviceptr)d, c2.dstPitch = 64;
    c2.WidthInBytes = 64, c2.Height = 4;
    c2bad = c2, c2bad.srcHost = NULL;
    CUDA_MEMCPY3D c3 = {}, c3bad = {};
    c3.srcMemoryType = CU_MEMORYTYPE_HOST, c3.srcHost = h, c3.srcPitch = 64, c3.srcHeight = 4;
    c3.dstMemoryType = CU_MEMORYTYPE_DEVICE, c3.dstDevice = (CUdeviceptr)d, c3.dstPitch = 64;
    c3.dstHeight = 4, c3.WidthInBytes = 64, c3.Height = 4, c3.Depth = 4;
    c3bad = c3, c3bad.dstDevice = 0;
    CUDA_MEMSET_NODE_PARAMS msp = {(CUdeviceptr)d, 0, 1, 4, 4, 1},
                            mspbad = {(CUdeviceptr)d, 0, 1, 3, 4, 1};
    CUDA_HOST_NODE_PARAMS chnp = {hostfn, 0}, chnpbad = {0, 0};
    CUgraphNode cnode, enode = node;
    cuGraphAddHostNode(&cnode, graph0, 0, 0, &chnp);
    CUuserObject uo;
    cuUserObjectCreate(&uo, h, hostfn, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    CUmemPoolProps mpp = {}, mppbad = {};
    mpp.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    mpp.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    mppbad = mpp, mppbad.location.id = 9;
    CUmemoryPool cpool, cpool2;
    cuMemPoolCreate(&cpool, &mpp);
    CUmemAllocationProp map = {}, mapbad = {};
    map.type = CU_MEM_ALLOCATION_TYPE_PINNED, map.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    mapbad = map, mapbad.location.id = 9;
    CUmemGenericAllocationHandle mh;
    cuMemCreate(&mh, 2 << 20, &map, 0);
    CUdeviceptr va, va2;
    cuMemAddressReserve(&va, 4 << 20, 0, 0, 0);
    CUmemAccessDesc mad = {{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUpointer_attribute pat[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *pto[] = {&v};
    CUdevResource res;
    CUdevResourceDesc resdesc;
    CUgreenCtx green;
    CUstreamBatchMemOpParams ops[1] = {};
    ops[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    ops[0].writeValue.address = (CUdeviceptr)d;
    CUlaunchConfig ccfg = {};
    ccfg.gridDimX = ccfg.gridDimY = ccfg.gridDimZ = 1;
    ccfg.blockDimX = 32, ccfg.blockDimY = ccfg.blockDimZ = 1;
    CUlaunchConfig ccfgbad = ccfg;
    ccfgbad.blockDimX = 2000;
    CUgraphExecUpdateResultInfo upd;
    CUtensorMap *tmap = (CUtensorMap *)aligned_alloc(64, 128);
    cudaMipmappedArray_t rmip;
    cudaSurfaceObject_t rsurf;
    cudaLibrary_t rlib;
    cudaKernel_t rker;
    cudaUserObject_t ruo;
    cudaMemPoolProps rpp = {};
    cudaGetLastError();
#include "calls.inc"
    return false;
}

// Arguments: the first call, and how far from one to the next: several may run at once.
int main(int count, char **arguments) {
    int first = count > 2 ? atoi(arguments[1]) : 0, step = count > 2 ? atoi(arguments[2]) : 1;
    for (int number = first;;
         number += step) { // CUDA does not outlive a fork: each child begins anew
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            for (int fatal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE})
                signal(fatal, crashed);
            bool more = call(number);
            fflush(stdout);
            exit(more ? 0 : 9); // and not _exit: counters of coverage are written then
        }
        int status;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 9)
            return 0;
    }
}

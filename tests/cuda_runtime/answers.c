/* What the manual says of calls of the runtime, as a C program makes them (no GPU was asked): copies and fills, arrays, streams, events, graphs, pools, devices, libraries,
 * what the runtime says of itself; and what is refused of it. */
#include "cuda/runtime/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(call) say(#call, (int)(call))
#define OK(call)                                                                                   \
    do {                                                                                           \
        const int status = (int)(call);                                                            \
        if (status) {                                                                              \
            printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status);                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { BYTES = 256 };

static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 7;\n"
    ".visible .entry fill(.param .u64 c, .param .u32 value)\n{\n"
    "    .reg .b32 %r<3>;\n    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [c];\n    ld.param.u32 %r1, [value];\n"
    "    mov.u32 %r2, %tid.x;\n    mul.wide.u32 %rd2, %r2, 4;\n    add.s64 %rd3, %rd1, %rd2;\n"
    "    st.global.u32 [%rd3], %r1;\n    ret;\n}\n";

static unsigned char *a, *b, host[BYTES], back[BYTES];
static unsigned called;

static void say(const char *call, int error) {
    printf("%s: %s\n", call, cudaGetErrorName((cudaError)error));
    cudaGetLastError();
}

static void count_call(void *by) {
    called += *(unsigned *)by;
}

static void count_stream(CUstream stream, CUresult status, void *by) {
    (void)stream;
    called += *(unsigned *)by + (unsigned)status;
}

/* The first bytes of b, which are cleared. */
static void show(size_t count) {
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(back, b, BYTES, COPY_DEVICE_TO_HOST));
    printf("  ");
    for (size_t i = 0; i < count; i++)
        printf(" %u", back[i]);
    printf("\n");
    OK(cudaMemset(b, 0, BYTES));
}

static void copies(void) {
    CUstream stream;
    cudaPitchedPtr from = {a, 8, 8, 2}, to = {b, 4, 4, 2}, made;
    cudaMemcpy3DParms box = {.srcPtr = from,
                             .dstPtr = to,
                             .dstPos = {1, 0, 0},
                             .extent = {2, 2, 2},
                             .kind = COPY_DEVICE_TO_DEVICE};
    cudaMemcpy3DPeerParms peer = {.srcPtr = from, .dstPtr = to, .extent = {2, 2, 2}};
    OK(cudaStreamCreate(&stream));
    SAY(cudaMemcpyAsync(b, a, 4, COPY_DEVICE_TO_DEVICE, stream));
    show(5);
    SAY(cudaMemcpyAsync(b, host + 4, 3, COPY_DEFAULT, stream));
    show(5);
    SAY(cudaMemcpy(b, a, 4, 9));
    SAY(cudaMemcpy(b, NULL, 4, COPY_DEFAULT));
    SAY(cudaMemcpy(NULL, NULL, 0, COPY_DEFAULT));
    SAY(cudaMemcpyPeer(b, 0, a, 0, 3));
    show(5);
    SAY(cudaMemcpyPeerAsync(b, 0, a + 1, 0, 3, stream));
    show(5);
    SAY(cudaMemcpyPeer(b, 0, a, 99, 3));
    SAY(cudaMemcpy2DAsync(b, 4, a, 8, 3, 2, COPY_DEVICE_TO_DEVICE, stream));
    show(8);
    SAY(cudaMemcpy2D(b, 2, a, 8, 3, 2, COPY_DEVICE_TO_DEVICE));
    SAY(cudaMemcpy3D(&box));
    show(18);
    SAY(cudaMemcpy3DAsync(&box, stream));
    show(18);
    SAY(cudaMemcpy3DPeer(&peer));
    show(18);
    SAY(cudaMemcpy3DPeerAsync(&peer, stream));
    show(18);
    box.kind = 9;
    SAY(cudaMemcpy3D(&box));
    SAY(cudaMemsetAsync(b, 5, 3, stream));
    show(5);
    SAY(cudaMemset2D(b, 4, 6, 2, 2));
    show(8);
    SAY(cudaMemset2DAsync(b, 4, 6, 3, 2, stream));
    show(8);
    SAY(cudaMemset3D(to, 7, (cudaExtent){2, 2, 2}));
    show(16);
    SAY(cudaMemset3DAsync(to, 7, (cudaExtent){1, 2, 2}, stream));
    show(16);
    SAY(cudaMemset(NULL, 1, 4));
    SAY(cudaMemset2D(b, 1, 6, 2, 2));
    SAY(cudaMalloc3D(&made, (cudaExtent){10, 2, 2}));
    printf("pitch holds it: %d, %zu x %zu\n", made.pitch >= 10, made.xsize, made.ysize);
    SAY(cudaFree(made.ptr));
    SAY(cudaFree(a + 1));
    OK(cudaStreamDestroy(stream));
}

static void arrays(void) {
    const cudaChannelFormatDesc bytes = {8, 0, 0, 0, 1}, odd = {8, 16, 0, 0, 1};
    cudaChannelFormatDesc got;
    cudaExtent extent;
    CUarray flat, other, deep, level;
    CUmipmappedArray mipmapped;
    unsigned flags = 9;
    printf("-- arrays\n");
    SAY(cudaMallocArray(&flat, &bytes, 8, 4, 0));
    SAY(cudaMallocArray(&other, &bytes, 8, 4, 0));
    SAY(cudaMalloc3DArray(&deep, &bytes, (cudaExtent){4, 4, 2}, 2));
    SAY(cudaMallocArray(&level, &odd, 8, 4, 0));
    SAY(cudaArrayGetInfo(&got, &extent, &flags, deep));
    printf("%d bits, %zu x %zu x %zu, flags %u\n", got.x, extent.width, extent.height, extent.depth,
           flags);
    SAY(cudaGetChannelDesc(&got, flat));
    printf("%d %d %d %d of kind %d\n", got.x, got.y, got.z, got.w, got.f);
    SAY(cudaMemcpy2DToArray(flat, 1, 1, a, 8, 4, 2, COPY_DEVICE_TO_DEVICE));
    SAY(cudaMemcpy2DFromArray(b, 4, flat, 1, 1, 4, 2, COPY_DEVICE_TO_DEVICE));
    show(8);
    SAY(cudaMemcpy2DToArrayAsync(flat, 0, 0, host, 8, 8, 4, COPY_HOST_TO_DEVICE, NULL));
    SAY(cudaMemcpy2DFromArrayAsync(b, 2, flat, 2, 1, 2, 2, COPY_DEFAULT, NULL));
    show(5);
    SAY(cudaMemcpy2DArrayToArray(other, 0, 0, flat, 4, 2, 4, 2, COPY_DEVICE_TO_DEVICE));
    SAY(cudaMemcpy2DFromArray(b, 4, other, 0, 0, 4, 2, COPY_DEVICE_TO_DEVICE));
    show(8);
    SAY(cudaMemcpyToArray(flat, 6, 0, host + 100, 4, COPY_HOST_TO_DEVICE));
    SAY(cudaMemcpyFromArray(b, flat, 6, 0, 4, COPY_DEVICE_TO_DEVICE));
    show(5);
    SAY(cudaMemcpyToArrayAsync(flat, 0, 3, host, 4, COPY_HOST_TO_DEVICE, NULL));
    SAY(cudaMemcpyFromArrayAsync(b, flat, 0, 3, 4, COPY_DEVICE_TO_DEVICE, NULL));
    show(5);
    SAY(cudaMemcpyArrayToArray(other, 0, 0, flat, 4, 0, 8, COPY_DEVICE_TO_DEVICE));
    SAY(cudaMemcpyFromArray(b, other, 0, 0, 8, COPY_DEVICE_TO_DEVICE));
    show(8);
    SAY(cudaMemcpy2DToArray(flat, 6, 1, a, 8, 4, 2, COPY_DEVICE_TO_DEVICE));
    SAY(cudaMemcpy2DFromArray(b, 4, flat, 0, 3, 4, 2, COPY_DEVICE_TO_DEVICE));
    SAY(cudaMemcpyFromArray(b, flat, 4, 3, 8, COPY_DEVICE_TO_DEVICE));
    SAY(cudaMallocMipmappedArray(&mipmapped, &bytes, (cudaExtent){8, 8, 0}, 3, 0));
    SAY(cudaGetMipmappedArrayLevel(&level, mipmapped, 1));
    SAY(cudaArrayGetInfo(&got, &extent, &flags, level));
    printf("%zu x %zu\n", extent.width, extent.height);
    SAY(cudaGetMipmappedArrayLevel(&level, mipmapped, 3));
    SAY(cudaFreeMipmappedArray(mipmapped));
    SAY(cudaFreeArray(flat));
    SAY(cudaFreeArray(other));
    SAY(cudaFreeArray(NULL));
}

static void streams(void) {
    CUstream stream, hasty;
    CUevent first, second;
    unsigned flags = 9, one = 1;
    unsigned long long id, other;
    int least = 9, greatest = 9, priority = 9, device = 9, status = 9;
    CUlaunchAttributeValue value = {.number = 0};
    float milliseconds = -1;
    printf("-- streams and events\n");
    SAY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    printf("%d to %d\n", least, greatest);
    SAY(cudaStreamCreateWithFlags(&stream, 1));
    SAY(cudaStreamCreateWithPriority(&hasty, 0, -1));
    SAY(cudaStreamCreateWithPriority(&hasty, 9, 0));
    SAY(cudaStreamGetFlags(stream, &flags));
    printf("flags %u\n", flags);
    SAY(cudaStreamGetPriority(hasty, &priority));
    printf("priority %d\n", priority);
    SAY(cudaStreamGetId(stream, &id));
    SAY(cudaStreamGetId(hasty, &other));
    printf("another: %d\n", id != other);
    SAY(cudaStreamGetDevice(stream, &device));
    printf("device %d\n", device);
    value.number = 2;
    SAY(cudaStreamSetAttribute(stream, 3, &value));
    SAY(cudaStreamGetAttribute(stream, 3, &value));
    printf("synchronization policy %d\n", value.number);
    SAY(cudaStreamGetAttribute(stream, 4, &value));
    SAY(cudaStreamCopyAttributes(hasty, stream));
    SAY(cudaLaunchHostFunc(stream, count_call, &one));
    SAY(cudaStreamAddCallback(stream, count_stream, &one, 0));
    SAY(cudaStreamAddCallback(stream, count_stream, &one, 1));
    SAY(cudaStreamSynchronize(stream));
    printf("called %u\n", called);
    SAY(cudaStreamQuery(stream));
    SAY(cudaStreamIsCapturing(stream, &status));
    printf("status %d\n", status);
    SAY(cudaEventCreateWithFlags(&first, 0));
    SAY(cudaEventCreateWithFlags(&second, 2));
    SAY(cudaEventCreateWithFlags(&second, 99));
    SAY(cudaEventQuery(first));
    SAY(cudaEventElapsedTime(&milliseconds, first, second));
    SAY(cudaEventRecord(first, stream));
    SAY(cudaEventRecordWithFlags(first, stream, 0));
    SAY(cudaEventRecordWithFlags(first, stream, 7));
    SAY(cudaStreamWaitEvent(stream, first, 0));
    SAY(cudaStreamWaitEvent(stream, first, 7));
    SAY(cudaEventSynchronize(first));
    SAY(cudaEventElapsedTime_v2(&milliseconds, first, first));
    printf("%.1f\n", (double)milliseconds);
    SAY(cudaEventElapsedTime(&milliseconds, first, second)); /* without a time */
    SAY(cudaEventDestroy(first));
    SAY(cudaEventDestroy(NULL));
    SAY(cudaStreamDestroy(stream));
    SAY(cudaStreamDestroy(NULL));
}

static CUkernel fill;

static void graphs(void) {
    CUgraph graph, child, clone;
    CUgraphNode nodes[8], found[8], nested;
    CUgraphEdgeData edges[8];
    CUgraphExec exec;
    CUevent event, got_event;
    CUgraphExecUpdateResultInfo info = {.result = 99};
    size_t count = 8;
    unsigned one = 1, value = 3, enabled = 9;
    int type = 99;
    void *arguments[] = {&b, &value};
    cudaKernelNodeParams params = {.func = fill,
                                   .gridDim = {1, 1, 1},
                                   .blockDim = {2, 1, 1},
                                   .kernelParams = arguments},
                         got;
    cudaMemsetParams set = {.dst = b + 16, .value = 9, .elementSize = 1, .width = 2, .height = 1},
                     got_set;
    CUDA_HOST_NODE_PARAMS call = {count_call, &one}, got_call;
    cudaMemcpy3DParms box = {.srcPtr = {a, 8, 8, 1},
                             .dstPtr = {b + 8, 8, 8, 1},
                             .extent = {3, 1, 1},
                             .kind = COPY_DEVICE_TO_DEVICE},
                      got_box;
    unsigned long long flags = 9;
    printf("-- graphs\n");
    OK(cudaEventCreate(&event));
    SAY(cudaGraphCreate(&graph, 0));
    SAY(cudaGraphCreate(&child, 0));
    SAY(cudaGraphCreate(&clone, 1));
    SAY(cudaGraphAddHostNode(&nested, child, NULL, 0, &call));
    SAY(cudaGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
    SAY(cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &params));
    SAY(cudaGraphAddMemsetNode(&nodes[2], graph, nodes, 2, &set));
    SAY(cudaGraphAddMemcpyNode(&nodes[3], graph, nodes, 3, &box));
    SAY(cudaGraphAddHostNode(&nodes[4], graph, nodes, 4, &call));
    SAY(cudaGraphAddEventRecordNode(&nodes[5], graph, nodes + 4, 1, event));
    SAY(cudaGraphAddEventWaitNode(&nodes[6], graph, nodes + 5, 1, event));
    SAY(cudaGraphAddChildGraphNode(&nodes[7], graph, nodes + 6, 1, child));
    for (int i = 0; i < 8; i++) {
        OK(cudaGraphNodeGetType(nodes[i], &type));
        printf(" %d", type);
    }
    printf("\n");
    SAY(cudaGraphKernelNodeGetParams(nodes[1], &got));
    printf("block %u, the same %d\n", got.blockDim.x, got.func == (void *)fill);
    SAY(cudaGraphMemsetNodeGetParams(nodes[2], &got_set));
    printf("value %u\n", got_set.value);
    SAY(cudaGraphMemcpyNodeGetParams(nodes[3], &got_box));
    printf("width %zu\n", got_box.extent.width);
    SAY(cudaGraphHostNodeGetParams(nodes[4], &got_call));
    printf("the same %d\n", got_call.userData == &one);
    SAY(cudaGraphEventRecordNodeGetEvent(nodes[5], &got_event));
    SAY(cudaGraphEventWaitNodeGetEvent(nodes[6], &got_event));
    printf("the same %d\n", got_event == event);
    SAY(cudaGraphChildGraphNodeGetGraph(nodes[7], &clone));
    SAY(cudaGraphEventWaitNodeGetEvent(nodes[1], &got_event));
    SAY(cudaGraphHostNodeGetParams(nodes[1], &got_call));
    SAY(cudaGraphMemsetNodeGetParams(nodes[1], &got_set));
    SAY(cudaGraphKernelNodeGetParams(nodes[0], &got));
    SAY(cudaGraphGetNodes(graph, found, &count));
    printf("%zu nodes\n", count);
    count = 8;
    SAY(cudaGraphGetRootNodes(graph, found, &count));
    printf("%zu roots, the same %d\n", count, found[0] == nodes[0]);
    count = 8;
    SAY(cudaGraphGetEdges_v2(graph, found, found, edges, &count));
    printf("%zu edges\n", count);
    SAY(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    SAY(cudaGraphExecGetFlags(exec, &flags));
    printf("flags %llu\n", flags);
    SAY(cudaGraphUpload(exec, NULL));
    called = 0;
    SAY(cudaGraphLaunch(exec, NULL));
    show(18);
    printf("called %u\n", called);
    value = 4, set.value = 8, box.extent.width = 2, one = 10;
    SAY(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &params));
    SAY(cudaGraphExecMemsetNodeSetParams(exec, nodes[2], &set));
    SAY(cudaGraphExecMemcpyNodeSetParams(exec, nodes[3], &box));
    SAY(cudaGraphExecHostNodeSetParams(exec, nodes[4], &call));
    SAY(cudaGraphExecEventRecordNodeSetEvent(exec, nodes[5], event));
    SAY(cudaGraphExecEventWaitNodeSetEvent(exec, nodes[6], event));
    SAY(cudaGraphExecChildGraphNodeSetParams(exec, nodes[7], child));
    SAY(cudaGraphExecHostNodeSetParams(exec, nodes[1], &call));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(exec, nodes[3], b + 9, a, 2, COPY_DEVICE_TO_DEVICE));
    SAY(cudaGraphNodeSetEnabled(exec, nodes[2], 0));
    SAY(cudaGraphNodeGetEnabled(exec, nodes[2], &enabled));
    printf("enabled %u\n", enabled);
    SAY(cudaGraphLaunch(exec, NULL));
    show(18);
    printf("called %u\n", called);
    SAY(cudaGraphKernelNodeSetParams(nodes[1], &params));
    SAY(cudaGraphMemsetNodeSetParams(nodes[2], &set));
    SAY(cudaGraphMemcpyNodeSetParams(nodes[3], &box));
    SAY(cudaGraphMemcpyNodeSetParams1D(nodes[3], b + 9, a, 2, COPY_DEVICE_TO_DEVICE));
    SAY(cudaGraphHostNodeSetParams(nodes[4], &call));
    SAY(cudaGraphEventRecordNodeSetEvent(nodes[5], event));
    SAY(cudaGraphEventWaitNodeSetEvent(nodes[6], event));
    SAY(cudaGraphHostNodeSetParams(nodes[1], &call));
    SAY(cudaGraphClone(&clone, graph));
    SAY(cudaGraphNodeFindInClone(&found[0], nodes[1], clone));
    SAY(cudaGraphExecUpdate(exec, clone, &info));
    printf("result %d\n", info.result);
    SAY(cudaGraphDestroyNode(nodes[7]));
    SAY(cudaGraphExecUpdate(exec, graph, &info));
    printf("result %d\n", info.result);
    SAY(cudaGraphExecDestroy(exec));
    SAY(cudaGraphDestroy(clone));
    SAY(cudaGraphDestroy(graph));
    SAY(cudaGraphDestroy(child));
}

static void pools(void) {
    CUmemLocation device = {LOCATION_DEVICE, 0};
    const CUmemPoolProps good = {.allocType = 1, .location = {LOCATION_DEVICE, 0}};
    CUmemPoolProps wrong = good;
    CUmemoryPool pool, ordinary, now;
    void *at;
    uint64_t value = 99;
    int flags = 99;
    CUstream stream;
    printf("-- pools\n");
    OK(cudaStreamCreate(&stream));
    SAY(cudaMemPoolCreate(&pool, &good));
    wrong.location.id = 99;
    SAY(cudaMemPoolCreate(&now, &wrong));
    wrong = good, wrong.allocType = 9;
    SAY(cudaMemPoolCreate(&now, &wrong));
    SAY(cudaDeviceGetDefaultMemPool(&ordinary, 0));
    SAY(cudaDeviceGetMemPool(&now, 0));
    printf("the same: %d\n", now == ordinary);
    SAY(cudaDeviceSetMemPool(0, pool));
    SAY(cudaDeviceGetMemPool(&now, 0));
    printf("the other: %d\n", now == pool);
    SAY(cudaMemGetDefaultMemPool(&now, &device, 1));
    printf("the same: %d\n", now == ordinary);
    SAY(cudaMemSetMemPool(&device, 1, ordinary));
    SAY(cudaMemGetMemPool(&now, &device, 1));
    printf("the same: %d\n", now == ordinary);
    SAY(cudaDeviceGetDefaultMemPool(&now, 99));
    SAY(cudaMallocFromPoolAsync(&at, 1000, pool, stream));
    SAY(cudaMemPoolGetAttribute(pool, 7, &value)); /* used now */
    value = 1 << 20;
    SAY(cudaMemPoolSetAttribute(pool, 4, &value)); /* kept at most */
    value = 0;
    SAY(cudaMemPoolGetAttribute(pool, 4, &value));
    printf("kept %llu\n", (unsigned long long)value);
    SAY(cudaMemPoolGetAttribute(pool, 99, &value));
    SAY(cudaMemPoolGetAccess(&flags, pool, &device));
    printf("access %d\n", flags);
    SAY(cudaFreeAsync(at, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaMemPoolTrimTo(pool, 0));
    SAY(cudaMemPoolDestroy(pool));
    SAY(cudaMallocAsync(&at, 0, stream));
    SAY(cudaDeviceGraphMemTrim(0));
    SAY(cudaDeviceGetGraphMemAttribute(0, 0, &value));
    printf("of graphs %llu\n", (unsigned long long)value);
    SAY(cudaDeviceGetGraphMemAttribute(0, 99, &value));
    OK(cudaStreamDestroy(stream));
}

static void devices(void) {
    int count = 9, device = 9, value = 9, config = 9;
    unsigned flags = 99;
    size_t bytes = 0, total = 0;
    char bus[32];
    void *pinned, *of_device;
    static char mine[4096];
    printf("-- devices\n");
    SAY(cudaGetDevice(&device));
    SAY(cudaSetDevice(99));
    SAY(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    SAY(cudaDeviceGetByPCIBusId(&device, bus));
    printf("device %d\n", device);
    SAY(cudaDeviceGetPCIBusId(bus, 3, 0));
    SAY(cudaDeviceGetByPCIBusId(&device, "nonsense"));
    SAY(cudaDeviceCanAccessPeer(&value, 0, 0));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(99, 0));
    SAY(cudaDeviceDisablePeerAccess(99));
    SAY(cudaDeviceGetP2PAttribute(&value, 1, 0, 0));
    SAY(cudaDeviceGetCacheConfig(&config));
    printf("config %d\n", config);
    SAY(cudaDeviceSetCacheConfig(1));
    SAY(cudaDeviceGetCacheConfig(&config));
    printf("config %d\n", config);
    SAY(cudaDeviceGetLimit(&bytes, 0));
    printf("stack %zu\n", bytes);
    SAY(cudaDeviceSetLimit(0, 2048));
    SAY(cudaDeviceGetLimit(&bytes, 0));
    printf("stack %zu\n", bytes);
    SAY(cudaDeviceGetLimit(&bytes, 99));
    SAY(cudaDeviceSetLimit(99, 1));
    SAY(cudaGetDeviceFlags(&flags));
    SAY(cudaDeviceGetAttribute(&value, 99999, 0));
    SAY(cudaDeviceGetAttribute(&value, 1, 99));
    printf("threads %d\n", (cudaDeviceGetAttribute(&value, 1, 0), value));
    SAY(cudaMemGetInfo(&bytes, &total));
    printf("less: %d\n", bytes < total);
    SAY(cudaHostAlloc(&pinned, 4096, 2));
    SAY(cudaHostGetFlags(&flags, pinned));
    printf("mapped: %d\n", (flags & 2) != 0);
    SAY(cudaHostGetDevicePointer(&of_device, pinned, 0));
    SAY(cudaFreeHost(pinned));
    SAY(cudaHostAlloc(&pinned, 4096, 99));
    SAY(cudaHostRegister(mine, sizeof mine, 0));
    SAY(cudaHostRegister(mine, sizeof mine, 0));
    SAY(cudaHostUnregister(mine));
    SAY(cudaHostUnregister(mine));
    SAY(cudaHostGetFlags(&flags, mine));
    SAY(cudaGetDeviceCount(&count));
    printf("some: %d\n", count > 0);
    SAY(cudaProfilerStart());
    SAY(cudaProfilerStop());
}

static void libraries(void) {
    CUlibrary library;
    CUkernel kernels[4], none;
    unsigned count = 9;
    void *at;
    size_t bytes = 0;
    printf("-- libraries\n");
    SAY(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    SAY(cudaLibraryGetKernel(&fill, library, "fill"));
    SAY(cudaLibraryGetKernel(&none, library, "nothing"));
    SAY(cudaLibraryGetKernelCount(&count, library));
    printf("kernels %u\n", count);
    SAY(cudaLibraryEnumerateKernels(kernels, 4, library));
    SAY(cudaLibraryGetGlobal(&at, &bytes, library, "counter"));
    printf("bytes %zu\n", bytes);
    SAY(cudaLibraryGetGlobal(&at, &bytes, library, "nothing"));
    SAY(cudaLibraryGetManaged(&at, &bytes, library, "counter"));
    SAY(cudaKernelSetAttributeForDevice(fill, 8, 65536, 0));
    SAY(cudaKernelSetAttributeForDevice(fill, 99, 1, 0));
    SAY(cudaLibraryLoadFromFile(&library, "/nowhere/at/all", NULL, NULL, 0, NULL, NULL, 0));
    SAY(cudaLibraryLoadData(&library, "nonsense", NULL, NULL, 0, NULL, NULL, 0));
}

/* All of it; with a number, one of its parts, behind the libraries, of which they have a kernel. */
int main(int count, char **words) {
    static void (*const parts[])(void) = {copies, arrays, streams, graphs, pools, devices};
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 0; i < BYTES; i++)
        host[i] = (unsigned char)(i + 1);
    OK(cudaMalloc((void **)&a, BYTES));
    OK(cudaMalloc((void **)&b, BYTES));
    OK(cudaMemcpy(a, host, BYTES, COPY_HOST_TO_DEVICE));
    OK(cudaMemset(b, 0, BYTES));
    libraries();
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++)
        if (count < 2 || atoi(words[1]) == i)
            parts[i]();
    return 0;
}

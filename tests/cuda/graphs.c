/* Graphs, built by hand and captured. */
#include "check.h"

enum { N = 64 };

static void set_flag(void *data) {
    ++*(int *)data;
}

static void by_hand(CUmodule module) {
    CUgraph graph, child;
    CUgraphNode set, fill, host, copy, nested, nodes[8];
    CUgraphExec exec;
    CUdeviceptr a, b;
    unsigned value = 5, back[N];
    int called = 0, type;
    size_t count = 8;
    OK(cuMemAlloc_v2(&a, N * 4));
    OK(cuMemAlloc_v2(&b, N * 4));
    OK(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS zero = {
        .dst = a, .value = 1, .elementSize = 4, .width = N, .height = 1};
    OK(cuGraphAddMemsetNode(&set, graph, NULL, 0, &zero, NULL));
    void *params[] = {&a, &value};
    CUDA_KERNEL_NODE_PARAMS launch = {.func = kernel(module, "fill"),
                                      .gridDim = {1, 1, 1},
                                      .blockDim = {32, 1, 1},
                                      .kernelParams = params};
    CUDA_MEMCPY3D move = {.srcMemoryType = MEMORYTYPE_DEVICE,
                          .srcDevice = a,
                          .dstMemoryType = MEMORYTYPE_DEVICE,
                          .dstDevice = b,
                          .WidthInBytes = N * 4,
                          .Height = 1,
                          .Depth = 1};
    OK(cuGraphAddMemcpyNode(&copy, graph, NULL, 0, &move, NULL)); /* before what it depends on */
    OK(cuGraphAddKernelNode_v2(&fill, graph, &set, 1, &launch));
    OK(cuGraphAddDependencies_v2(graph, &fill, &copy, NULL, 1));
    CUDA_HOST_NODE_PARAMS call = {set_flag, &called};
    OK(cuGraphAddHostNode(&host, graph, &copy, 1, &call));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphAddHostNode(&nested, child, NULL, 0, &call));
    OK(cuGraphAddChildGraphNode(&nested, graph, &host, 1, child));
    OK(cuGraphDestroy(child)); /* the node has a copy */
    value = 6;                 /* the node has a copy of the parameters, too */
    OK(cuGraphGetNodes(graph, nodes, &count));
    CHECK(count == 5 && nodes[0] == set);
    OK(cuGraphGetRootNodes(graph, NULL, &count));
    CHECK(count == 1);
    OK(cuGraphNodeGetType(fill, &type));
    CHECK(type == NODE_KERNEL);
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuMemcpyDtoH_v2(back, b, sizeof back));
    CHECK(called == 4 && all_are(back, 32, 5) && all_are(back + 32, 32, 1));
    OK(cuGraphExecKernelNodeSetParams_v2(exec, fill, &launch));
    zero.value = 2;
    OK(cuGraphExecMemsetNodeSetParams(exec, set, &zero, NULL));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuMemcpyDtoH_v2(back, b, sizeof back));
    CHECK(all_are(back, 32, 6) && all_are(back + 32, 32, 2));
    OK(cuGraphAddDependencies_v2(graph, &copy, &set, NULL, 1)); /* a cycle */
    CUgraphExec none;
    CHECK(cuGraphInstantiateWithFlags(&none, graph, 0) == CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* A call that a capture forbids spoils it: as measured on an H200. */
static void spoilt(void) {
    CUstream stream;
    CUgraph graph;
    int status;
    OK(cuStreamCreate(&stream, 1));
    OK(cuStreamBeginCapture_v2(stream, 0));
    CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    OK(cuStreamIsCapturing(stream, &status));
    CHECK(status == 2);
    CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK(graph == NULL);
    CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_ILLEGAL_STATE);
    OK(cuStreamDestroy_v2(stream));
}

static void captured(CUmodule module) {
    CUstream stream, side;
    CUevent fork, join;
    CUgraph graph, later;
    CUgraphExec exec;
    CUdeviceptr a, b;
    CUgraphExecUpdateResultInfo info;
    unsigned back[N];
    int status;
    size_t count;
    OK(cuMemAlloc_v2(&a, N * 4));
    OK(cuStreamCreate(&stream, 1));
    OK(cuStreamCreate(&side, 1));
    OK(cuEventCreate(&fork, 2));
    OK(cuEventCreate(&join, 2));
    OK(cuStreamBeginCapture_v2(stream, 0));
    OK(cuStreamIsCapturing(stream, &status));
    CHECK(status == 1);
    OK(cuMemsetD32Async(a, 3, N, stream));
    OK(cuEventRecord(fork, stream));
    OK(cuStreamWaitEvent(side, fork, 0));
    launch_fill(module, a, 4, 1, side);
    OK(cuMemAllocAsync(&b, 64, side));
    OK(cuMemFreeAsync(b, side));
    OK(cuEventRecord(join, side));
    OK(cuStreamWaitEvent(stream, join, 0));
    CHECK(cuStreamEndCapture(side, &graph) == CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuStreamIsCapturing(side, &status));
    CHECK(status == 0);
    OK(cuMemcpyDtoH_v2(back, a, sizeof back));
    CHECK(all_are(back, N, 0)); /* nothing ran */
    OK(cuGraphGetNodes(graph, NULL, &count));
    CHECK(count == 4);
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    OK(cuMemcpyDtoH_v2(back, a, sizeof back));
    CHECK(all_are(back, 32, 4) && all_are(back + 32, 32, 3));
    OK(cuStreamBeginCapture_v2(stream, 0));
    OK(cuMemsetD32Async(a, 9, N, stream));
    launch_fill(module, a, 8, 1, stream);
    OK(cuStreamEndCapture(stream, &later));
    CHECK(cuGraphExecUpdate_v2(exec, later, &info) == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE &&
          info.result == 2);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphInstantiateWithFlags(&exec, later, 0));
    OK(cuGraphExecUpdate_v2(exec, later, &info));
    OK(cuGraphLaunch(exec, stream));
    OK(cuMemcpyDtoH_v2(back, a, sizeof back));
    CHECK(all_are(back, 32, 8) && all_are(back + 32, 32, 9));
    CHECK(cuStreamBeginCapture_v2(NULL, 0) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

static unsigned first_of(CUdeviceptr memory) {
    unsigned value;
    OK(cuMemcpyDtoH_v2(&value, memory, sizeof value));
    return value;
}

static CUDA_MEMSET_NODE_PARAMS fill_with(CUdeviceptr memory, unsigned value) {
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = memory, .value = value, .elementSize = 4, .width = N, .height = 1};
}

/* set, then kernel, then a child with a set of its own; looked at, changed, taken apart. */
static void nodes(CUmodule module) {
    CUdeviceptr a;
    CUgraph graph, child, clone, found;
    CUgraphNode set, fill, inner, sub, from[4], to[4], twin;
    CUgraphExec exec;
    size_t count = 4;
    unsigned value = 6, enabled;
    int type;
    OK(cuMemAlloc_v2(&a, N * 4));
    void *params[] = {&a, &value}, *others[] = {&a, &enabled};
    CUDA_MEMSET_NODE_PARAMS first = fill_with(a, 1), second = fill_with(a, 2), seen = {0};
    CUDA_KERNEL_NODE_PARAMS run = {.func = kernel(module, "fill"),
                                   .gridDim = {2, 1, 1},
                                   .blockDim = {32, 1, 1},
                                   .kernelParams = params};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphAddMemsetNode(&inner, child, NULL, 0, &second, NULL));
    OK(cuGraphAddMemsetNode(&set, graph, NULL, 0, &first, NULL));
    OK(cuGraphAddKernelNode_v2(&fill, graph, &set, 1, &run));
    OK(cuGraphAddChildGraphNode(&sub, graph, &fill, 1, child));
    OK(cuGraphGetEdges(graph, from, to, &count));
    CHECK(count == 2 && from[0] == set && to[0] == fill && from[1] == fill && to[1] == sub &&
          !from[2] && !to[3]);
    OK(cuGraphNodeGetDependencies(fill, NULL, &count));
    CHECK(count == 1);
    OK(cuGraphNodeGetDependentNodes(fill, from, &count));
    CHECK(count == 1 && from[0] == sub);
    OK(cuGraphMemsetNodeGetParams(set, &seen));
    CHECK(seen.dst == a && seen.value == 1 && seen.width == N);
    CHECK(cuGraphMemsetNodeGetParams(fill, &seen) == CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphChildGraphNodeGetGraph(sub, &found));
    OK(cuGraphGetNodes(found, NULL, &count));
    CHECK(count == 1);
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    CHECK(first_of(a) == 2);
    /* without the child, then without the kernel, too */
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphNodeFindInClone(&twin, sub, clone));
    OK(cuGraphDestroyNode(twin));
    CHECK(cuGraphNodeGetType(twin, &type) == CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphGetNodes(clone, NULL, &count));
    CHECK(count == 2);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphInstantiateWithFlags(&exec, clone, 0));
    OK(cuGraphLaunch(exec, NULL));
    CHECK(first_of(a) == 6);
    OK(cuGraphNodeSetEnabled(exec, fill, 0));
    OK(cuGraphNodeGetEnabled(exec, fill, &enabled));
    OK(cuGraphLaunch(exec, NULL));
    CHECK(enabled == 0 && first_of(a) == 1);
    OK(cuGraphNodeSetEnabled(exec, fill, 1));
    /* new parameters, in the executable graph and in the graph */
    enabled = 77;
    run.kernelParams = others;
    OK(cuGraphExecKernelNodeSetParams_v2(exec, fill, &run));
    OK(cuGraphLaunch(exec, NULL));
    CHECK(first_of(a) == 77);
    CUgraphNodeParams any = {.type = NODE_MEMSET, .memset = fill_with(a, 5)};
    OK(cuGraphNodeSetParams(set, &any));
    OK(cuGraphRemoveDependencies(graph, &fill, &sub, 1));
    CHECK(cuGraphRemoveDependencies(graph, &fill, &sub, 1) == CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroyNode(fill));
    OK(cuGraphDestroyNode(sub));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    CHECK(first_of(a) == 5);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(clone));
    OK(cuGraphDestroy(child));
    OK(cuGraphDestroy(graph));
}

static void count_down(void *data) {
    --*(int *)data;
}

/* Held by the program, a graph, and what is made of the graph. */
static void user_objects(void) {
    CUuserObject object;
    CUgraph graph;
    CUgraphExec exec;
    int alive = 1;
    OK(cuUserObjectCreate(&object, &alive, count_down, 1, 1));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphRetainUserObject(graph, object, 1, 0));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuUserObjectRelease(object, 1));
    OK(cuGraphDestroy(graph));
    CHECK(alive == 1);
    OK(cuGraphExecDestroy(exec));
    CHECK(alive == 0);
}

/* A stream waits for a value that is there. */
static void values(void) {
    CUdeviceptr a;
    OK(cuMemAlloc_v2(&a, 8));
    OK(cuStreamWriteValue32_v2(NULL, a, 6, 0));
    OK(cuStreamWaitValue32_v2(NULL, a, 5, 0)); /* at least */
    OK(cuStreamWaitValue32_v2(NULL, a, 6, 1)); /* equal */
    OK(cuStreamWaitValue32_v2(NULL, a, 2, 2)); /* a common bit */
    OK(cuStreamWaitValue64_v2(NULL, a, 6, 1));
    CHECK(cuStreamWaitValue32_v2(NULL, a + 2, 6, 1) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree_v2(a));
}

/* A graph gives memory to its user, who frees it; the next launch gives it again. With the graph's end
 * and the user's free it is gone. */
static void allocations(void) {
    CUgraph graph, frees;
    CUgraphNode get, set, give;
    CUgraphExec exec, freeing;
    size_t before, total, now;
    unsigned value = 0;
    CUDA_MEM_ALLOC_NODE_PARAMS memory = {.poolProps = {.allocType = 1, .location = {.type = 1}},
                                         .bytesize = 1 << 20};
    OK(cuMemGetInfo_v2(&before, &total));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemAllocNode(&get, graph, NULL, 0, &memory));
    CUDA_MEMSET_NODE_PARAMS seven = {memory.dptr, 0, 7, 4, 1 << 18, 1, NULL};
    OK(cuGraphAddMemsetNode(&set, graph, &get, 1, &seven, NULL));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    OK(cuGraphCreate(&frees, 0));
    OK(cuGraphAddMemFreeNode(&give, frees, NULL, 0, memory.dptr));
    OK(cuGraphInstantiateWithFlags(&freeing, frees, 0));
    OK(cuGraphDestroy(frees));
    for (int round = 0; round < 3; round++) {
        OK(cuGraphLaunch(exec, NULL));
        OK(cuMemcpyDtoH_v2(&value, memory.dptr + 4096, sizeof value));
        CHECK(value == 7);
        OK(cuMemsetD32_v2(memory.dptr, 0, 1 << 18));
        OK(round == 0   ? cuMemFree_v2(memory.dptr)
           : round == 1 ? cuMemFreeAsync(memory.dptr, NULL)
                        : cuGraphLaunch(freeing, NULL));
        CHECK(cuMemFree_v2(memory.dptr) == CUDA_ERROR_INVALID_VALUE);
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphExecDestroy(freeing));
    OK(cuMemGetInfo_v2(&now, &total));
    CHECK(now == before);
}

int main(void) {
    CUmodule module = start();
    allocations();
    by_hand(module);
    captured(module);
    spoilt();
    nodes(module);
    user_objects();
    values();
    puts("graphs: fine");
    return 0;
}

// Graphs: what building, asking, changing, copying and launching them gives. One fact a line.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static int *d, host[8];
__global__ void add(int *to, int n) {
    atomicAdd(to, n);
}
static void callback(void *data) {
    ++*(int *)data;
}
static void show(const char *what, cudaError_t error) {
    int value = -1;
    cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
    printf("%s: %d, value %d\n", what, error, value);
}
static void count(const char *what, cudaGraph_t graph) {
    size_t nodes = 99, roots = 99, edges = 99;
    int a = cudaGraphGetNodes(graph, NULL, &nodes), b = cudaGraphGetRootNodes(graph, NULL, &roots);
#if CUDART_VERSION >= 13000
    int c = cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges);
#else
    int c = cudaGraphGetEdges(graph, NULL, NULL, &edges);
#endif
    printf("%s: %zu nodes (%d), %zu roots (%d), %zu edges (%d)\n", what, nodes, a, roots, b, edges,
           c);
}
static void type(const char *what, cudaGraphNode_t node) {
    cudaGraphNodeType type = cudaGraphNodeTypeCount;
    int error = cudaGraphNodeGetType(node, &type);
    printf("%s: type %d (%d)\n", what, type, error);
}
static cudaKernelNodeParams kernel_of(int *n) {
    static void *args[2];
    args[0] = &d, args[1] = n;
    cudaKernelNodeParams params = {};
    params.func = (void *)add, params.gridDim = params.blockDim = dim3(1),
    params.kernelParams = args;
    return params;
}

int main() {
    cudaGraph_t graph, clone, child;
    cudaGraphExec_t exec;
    cudaGraphNode_t kernel, set, copy, call, empty, inner, found, failed;
    int one = 1, ten = 10, calls = 0;
    cudaMalloc(&d, 4);
    printf("create: %d\n", cudaGraphCreate(&graph, 0));
    printf("create with flags 1: %d\n", cudaGraphCreate(&clone, 1));
    count("empty graph", graph);
    cudaMemsetParams memset = {};
    memset.dst = d, memset.elementSize = 4, memset.width = 1, memset.height = 1, memset.value = 100;
    printf("memset node: %d\n", cudaGraphAddMemsetNode(&set, graph, NULL, 0, &memset));
    cudaKernelNodeParams params = kernel_of(&one);
    printf("kernel node: %d\n", cudaGraphAddKernelNode(&kernel, graph, &set, 1, &params));
    printf("copy node: %d\n",
           cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, d, 4, cudaMemcpyDeviceToHost));
    cudaHostNodeParams hosted = {callback, &calls};
    printf("host node: %d\n", cudaGraphAddHostNode(&call, graph, &copy, 1, &hosted));
    printf("empty node: %d\n", cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
    type("memset", set), type("kernel", kernel), type("copy", copy), type("host", call),
        type("empty", empty);
    count("five nodes", graph);
#if CUDART_VERSION >= 13000
    cudaGraph_t odd;
    cudaGraphNode_t x, y;
    cudaGraphExec_t round;
    cudaGraphCreate(&odd, 0), cudaGraphAddEmptyNode(&x, odd, NULL, 0),
        cudaGraphAddEmptyNode(&y, odd, &x, 1);
    printf("an edge twice: %d\n", cudaGraphAddDependencies(odd, &x, &y, NULL, 1));
    count("two nodes", odd);
    printf("a circle: %d\n", cudaGraphAddDependencies(odd, &y, &x, NULL, 1));
    count("with a circle", odd);
    printf("instantiate a circle: %d\n", cudaGraphInstantiate(&round, odd, 0));
    printf("remove the edge: %d\n", cudaGraphRemoveDependencies(odd, &y, &x, NULL, 1));
    printf("remove it again: %d\n", cudaGraphRemoveDependencies(odd, &y, &x, NULL, 1));
    count("without it", odd);
    printf("an edge to itself: %d\n", cudaGraphAddDependencies(odd, &x, &x, NULL, 1));
    printf("of another graph: %d\n", cudaGraphAddDependencies(odd, &x, &set, NULL, 1));
    printf("an edge more: %d\n", cudaGraphAddDependencies(graph, &empty, &call, NULL, 1));
    size_t depends = 0;
    printf("dependencies: %d", cudaGraphNodeGetDependencies(call, NULL, NULL, &depends));
    printf(", %zu\n", depends);
    printf("dependents: %d", cudaGraphNodeGetDependentNodes(set, NULL, NULL, &depends));
    printf(", %zu\n", depends);
    cudaGraphNode_t listed[4] = {};
    depends = 4;
    printf("dependencies into four: %d",
           cudaGraphNodeGetDependencies(call, listed, NULL, &depends));
    printf(", %zu, third is none: %d\n", depends, listed[2] == NULL);
#endif
    printf("instantiate: %d\n", cudaGraphInstantiate(&exec, graph, 0));
    printf("launch: %d\n", cudaGraphLaunch(exec, 0));
    cudaDeviceSynchronize();
    printf("after it: host %d, calls %d\n", host[0], calls);
    show("launched", cudaGetLastError());
    // changes
    params = kernel_of(&ten);
    printf("set in the graph: %d\n", cudaGraphKernelNodeSetParams(kernel, &params));
    cudaGraphLaunch(exec, 0), cudaDeviceSynchronize();
    show("the executable has the old one", cudaSuccess);
    printf("set in the executable: %d\n", cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    cudaGraphLaunch(exec, 0), cudaDeviceSynchronize();
    show("and now the new one", cudaSuccess);
    memset.value = 200;
    printf("memset in the executable: %d\n", cudaGraphExecMemsetNodeSetParams(exec, set, &memset));
    cudaGraphLaunch(exec, 0), cudaDeviceSynchronize();
    show("with another value", cudaSuccess);
    memset.elementSize = 1, memset.width = 4;
    printf("memset of another shape: %d\n", cudaGraphExecMemsetNodeSetParams(exec, set, &memset));
    unsigned enabled = 9;
    printf("disable the kernel: %d\n", cudaGraphNodeSetEnabled(exec, kernel, 0));
    printf("asked: %d", cudaGraphNodeGetEnabled(exec, kernel, &enabled));
    printf(", %u\n", enabled);
    cudaGraphLaunch(exec, 0), cudaDeviceSynchronize();
    show("without the kernel", cudaSuccess);
    printf("disable the host node: %d\n", cudaGraphNodeSetEnabled(exec, call, 0));
    printf("enable the kernel: %d\n", cudaGraphNodeSetEnabled(exec, kernel, 1));
    // update
    cudaGraphExecUpdateResultInfo info = {};
    memset.elementSize = 4, memset.width = 1, memset.value = 300;
    cudaGraphMemsetNodeSetParams(set, &memset);
    printf("update: %d", cudaGraphExecUpdate(exec, graph, &info));
    printf(", result %d\n", info.result);
    cudaGraphLaunch(exec, 0), cudaDeviceSynchronize();
    show("updated", cudaSuccess);
    // copies
    printf("clone: %d\n", cudaGraphClone(&clone, graph));
    count("clone", clone);
    printf("a node in the clone: %d", cudaGraphNodeFindInClone(&found, kernel, clone));
    type("", found);
    printf("destroy a node of the clone: %d\n", cudaGraphDestroyNode(found));
    count("clone without it", clone);
    printf("find it again: %d\n", cudaGraphNodeFindInClone(&found, kernel, clone));
    printf("update with fewer nodes: %d", cudaGraphExecUpdate(exec, clone, &info));
    printf(", result %d\n", info.result);
    cudaGetLastError();
    // a child
    cudaGraphCreate(&child, 0);
    printf("child: %d\n", cudaGraphAddChildGraphNode(&inner, child, NULL, 0, graph));
    type("child", inner);
    count("parent of one", child);
    cudaGraph_t got = NULL;
    printf("the child's graph: %d", cudaGraphChildGraphNodeGetGraph(inner, &got));
    printf(", another %d\n", got != graph);
    count("child", got);
    // capture
    cudaStream_t stream, other;
    cudaEvent_t event;
    cudaStreamCreate(&stream), cudaStreamCreate(&other), cudaEventCreate(&event);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    printf("begin: %d\n", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    printf("is capturing: %d", cudaStreamIsCapturing(stream, &status));
    printf(", %d\n", status);
    printf("begin again: %d\n", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(d, 5);
    printf("kernel: %d\n", cudaGetLastError());
    printf("record: %d\n", cudaEventRecord(event, stream));
    printf("wait: %d\n", cudaStreamWaitEvent(other, event, 0));
    add<<<1, 1, 0, other>>>(d, 7);
    cudaMemsetAsync(d, 0, 4, other);
    cudaStreamIsCapturing(other, &status);
    printf("the other captures, too: %d\n", status);
    printf("query the event: %d\n", cudaEventQuery(event));
    printf("end unjoined: %d", cudaStreamEndCapture(stream, &got));
    printf(", no graph %d\n", got == NULL);
    printf("last error %d\n", cudaGetLastError());
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, stream>>>(d, 5);
    cudaEventRecord(event, stream), cudaStreamWaitEvent(other, event, 0);
    add<<<1, 1, 0, other>>>(d, 7);
    cudaEventRecord(event, other), cudaStreamWaitEvent(stream, event, 0);
    printf("end: %d\n", cudaStreamEndCapture(stream, &got));
    count("captured", got);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    printf("synchronize while capturing: %d\n", cudaStreamSynchronize(stream));
    printf("end invalidated: %d\n", cudaStreamEndCapture(stream, &got));
    printf("last error %d\n", cudaGetLastError());
    printf("end none: %d\n", cudaStreamEndCapture(stream, &got));
    // user objects
    cudaUserObject_t object;
    int freed = 0;
    printf("user object: %d\n",
           cudaUserObjectCreate(&object, &freed, callback, 2, cudaUserObjectNoDestructorSync));
    printf("retain: %d\n", cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    printf("release: %d", cudaUserObjectRelease(object, 1));
    printf(", freed %d\n", freed);
    printf("destroy the executable: %d\n", cudaGraphExecDestroy(exec));
    printf("destroy the graph: %d\n", cudaGraphDestroy(graph));
    printf("destroy the clone: %d\n", cudaGraphDestroy(clone));
    printf("destroy the parent: %d\n", cudaGraphDestroy(child));
    (void)failed;
    return 0;
}

/* Conditional nodes of graphs, edges of captures, attributes of nodes, streams and launches, batches. */
#include "check.h"

/* step: prints nothing, takes one from *counter and sets the condition to what is left */
static const char step_ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional (.param .b64 handle, .param .b32 value);\n"
    ".visible .entry step(.param .u64 counter, .param .u64 condition)\n{\n"
    ".reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n"
    "ld.param.u64 %rd1, [counter];\nld.param.u64 %rd2, [condition];\n"
    "ld.global.u32 %r1, [%rd1];\nsub.u32 %r1, %r1, 1;\nst.global.u32 [%rd1], %r1;\n"
    "{\n.param .b64 p0;\nst.param.b64 [p0], %rd2;\n.param .b32 p1;\nst.param.b32 [p1], %r1;\n"
    "call.uni cudaGraphSetConditional, (p0, p1);\n}\nret;\n}\n";

static CUfunction fill, step;
static CUdeviceptr at;

static void show(const char *what) {
    unsigned host[64];
    OK(cuMemcpyDtoH_v2(host, at, sizeof host));
    printf("%s: %u %u\n", what, host[0], host[32]);
}

static CUgraphNodeParams a_fill(void **params, unsigned blocks) {
    return (CUgraphNodeParams){.type = NODE_KERNEL,
                               .kernel = {.func = fill,
                                          .gridDim = {blocks, 1, 1},
                                          .blockDim = {32, 1, 1},
                                          .kernelParams = params}};
}

static void add_fill(CUgraph graph, unsigned value) {
    CUgraphNode node;
    void *params[] = {&at, &value};
    CUgraphNodeParams launch = a_fill(params, 1);
    OK(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &launch));
}

/* A graph of one node, which starts with `value`. */
static void run(int type, unsigned size, unsigned value) {
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node;
    CUgraphConditionalHandle handle;
    CUcontext context;
    int kind;
    OK(cuCtxGetCurrent(&context));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphConditionalHandleCreate(&handle, graph, context, value, 1));
    CUgraphNodeParams params = {
        .type = NODE_CONDITIONAL,
        .conditional = {.handle = handle, .type = type, .size = size, .ctx = context}};
    CUresult added = cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params);
    printf("type %d, size %u, value %u: %d\n", type, size, value, (int)added);
    if (added) {
        OK(cuGraphDestroy(graph));
        return;
    }
    OK(cuGraphNodeGetType(node, &kind));
    printf("node of type %d\n", kind);
    OK(cuMemsetD32_v2(at, 100, 64));
    for (unsigned i = 0; i < size && type != CONDITIONAL_WHILE; i++)
        add_fill(params.conditional.phGraph_out[i], i);
    if (type == CONDITIONAL_WHILE) {
        void *arguments[] = {&at, &handle};
        CUgraphNodeParams launch = {.type = NODE_KERNEL,
                                    .kernel = {.func = step,
                                               .gridDim = {1, 1, 1},
                                               .blockDim = {1, 1, 1},
                                               .kernelParams = arguments}};
        OK(cuGraphAddNode_v2(&node, params.conditional.phGraph_out[0], NULL, NULL, 0, &launch));
    }
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    show("after it");
    OK(cuMemsetD32_v2(at, 50, 64));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    show("again");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void conditions(void) {
    CUgraph graph;
    CUgraphNode node;
    CUgraphConditionalHandle handle;
    run(CONDITIONAL_IF, 1, 1);
    run(CONDITIONAL_IF, 1, 0);
    run(CONDITIONAL_IF, 2, 0);
    run(CONDITIONAL_SWITCH, 3, 2);
    run(CONDITIONAL_SWITCH, 3, 3);
    run(CONDITIONAL_WHILE, 1, 1);
    run(CONDITIONAL_WHILE, 1, 0);
    run(CONDITIONAL_WHILE, 2, 0);
    run(CONDITIONAL_IF, 3, 0);
    run(CONDITIONAL_IF, 0, 0);
    run(7, 1, 0);
    OK(cuGraphCreate(&graph, 0));
    SAY(cuGraphConditionalHandleCreate(&handle, graph, NULL, 0, 2));
    CUgraphNodeParams params = {.type = NODE_CONDITIONAL, .conditional = {.handle = 0, .size = 1}};
    SAY(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params));
    OK(cuCtxGetCurrent(&params.conditional.ctx));
    SAY(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params));
    OK(cuGraphDestroy(graph));
}

static void edges_with_data(void) {
    CUgraph graph;
    CUgraphNode nodes[3], from[3], to[3];
    CUgraphEdgeData data[3] = {{.from_port = 1, .type = 1}}, wrong = {.to_port = 1};
    size_t count = 3;
    unsigned value = 3;
    void *params[] = {&at, &value};
    CUgraphNodeParams launch = a_fill(params, 1), empty = {.type = NODE_EMPTY};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddNode_v2(&nodes[0], graph, NULL, NULL, 0, &launch));
    SAY(cuGraphAddNode_v2(&nodes[1], graph, nodes, &wrong, 1, &launch));
    SAY(cuGraphAddNode_v2(&nodes[1], graph, nodes, data, 1, &launch));
    SAY(cuGraphAddNode_v2(&nodes[2], graph, nodes, NULL, 2, &empty));
    SAY(cuGraphGetEdges_v2(graph, from, to, data, &count));
    printf("%zu edges: type %d from port %d\n", count, data[0].type, data[0].from_port);
    SAY(cuGraphGetEdges(graph, from, to, &count));
    SAY(cuGraphRemoveDependencies_v2(graph, &nodes[0], &nodes[2], NULL, 1));
    SAY(cuGraphRemoveDependencies_v2(graph, &nodes[0], &nodes[2], NULL, 1));
    OK(cuGraphDestroy(graph));
}

static void edges(CUgraph graph) {
    CUgraphNode nodes[8], from[8], to[8];
    size_t count = 8, edge_count = 8;
    OK(cuGraphGetNodes(graph, nodes, &count));
    OK(cuGraphGetEdges_v2(graph, from, to, NULL, &edge_count));
    printf("%zu nodes, %zu edges\n", count, edge_count);
    OK(cuGraphGetRootNodes(graph, NULL, &count));
    printf("%zu roots\n", count);
}

/* A diamond, and a node that the program adds itself. */
static void captures(void) {
    CUstream stream, side;
    CUevent fork, join;
    CUgraph graph, same;
    CUgraphNode own;
    const CUgraphNode *before;
    size_t count;
    int status;
    unsigned value = 3;
    void *params[] = {&at, &value};
    CUgraphNodeParams launch = a_fill(params, 1);
    OK(cuStreamCreate(&stream, 1));
    OK(cuStreamCreate(&side, 1));
    OK(cuEventCreate(&fork, 2));
    OK(cuEventCreate(&join, 2));
    OK(cuStreamBeginCapture_v2(stream, 0));
    OK(cuMemsetD32Async(at, 1, 64, stream));
    OK(cuEventRecord(fork, stream));
    OK(cuStreamWaitEvent(side, fork, 0));
    OK(cuMemsetD32Async(at, 2, 32, side));
    OK(cuMemsetD32Async(at + 128, 3, 32, stream));
    OK(cuEventRecord(join, side));
    OK(cuStreamWaitEvent(stream, join, 0));
    OK(cuStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, &before, &count));
    printf("depends on %zu\n", count);
    OK(cuGraphAddNode_v2(&own, graph, before, NULL, count, &launch));
    SAY(cuStreamUpdateCaptureDependencies_v2(stream, &own, NULL, 1, 2));
    SAY(cuStreamUpdateCaptureDependencies_v2(stream, &own, NULL, 1, 1));
    OK(cuStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, &before, &count));
    printf("depends on %zu, the own one: %d\n", count, before[0] == own);
    OK(cuMemsetD32Async(at, 4, 1, stream));
    SAY(cuStreamEndCapture(stream, &same));
    SAY(cuStreamUpdateCaptureDependencies_v2(stream, &own, NULL, 1, 1));
    edges(same);
    OK(cuStreamBeginCapture_v2(stream, 0)); /* a side that is not joined */
    OK(cuEventRecord(fork, stream));
    OK(cuStreamWaitEvent(side, fork, 0));
    OK(cuMemsetD32Async(at, 2, 32, side));
    SAY(cuStreamEndCapture(stream, &same));
    OK(cuStreamIsCapturing(side, &status));
    printf("still captured: %d\n", status);
}

static void attributes(void) {
    CUgraph graph;
    CUgraphNode node;
    CUstream stream;
    unsigned value = 3;
    void *params[] = {&at, &value};
    CUgraphNodeParams launch = a_fill(params, 1);
    CUlaunchAttribute attribute;
    CUlaunchConfig config = {
        .gridDim = {2, 1, 1}, .blockDim = {32, 1, 1}, .attrs = &attribute, .numAttrs = 1};
    CUlaunchAttributeValue got;
    OK(cuStreamCreate(&stream, 1));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &launch));
    for (int id = 0; id <= 17; id++) {
        memset(&attribute, 0, sizeof attribute);
        attribute.id = id;
        if (id == 4 || id == 11)
            attribute.value.clusterDim[0] = attribute.value.clusterDim[1] =
                attribute.value.clusterDim[2] = 1;
        int launched =
            id == 7 || id == 12 ? -1 : (int)cuLaunchKernelEx(&config, fill, params, NULL);
        int set = id == 7 || id == 12
                      ? -1
                      : (int)cuGraphKernelNodeSetAttribute(node, id, &attribute.value);
        memset(&got, 0, sizeof got);
        int node_get = (int)cuGraphKernelNodeGetAttribute(node, id, &got);
        int number = got.number;
        int stream_set = (int)cuStreamSetAttribute(stream, id, &attribute.value);
        memset(&got, 0, sizeof got);
        int stream_get = (int)cuStreamGetAttribute(stream, id, &got);
        printf("%d: launch %d; node %d %d, has %d; stream %d %d, has %d\n", id, launched, set,
               node_get, number, stream_set, stream_get, got.number);
    }
    OK(cuCtxSynchronize());
}

static void batches(void) {
    enum { WAIT_32 = 1, WRITE_32, FLUSH, WAIT_64, WRITE_64, BARRIER };
    CUstream stream;
    OK(cuStreamCreate(&stream, 1));
    CUstreamBatchMemOpParams two[] = {
        {.value = {.operation = WRITE_32, .address = at, .value = 7}},
        {.value = {.operation = WAIT_32, .address = at, .value = 7, .flags = 1}},
        {.value = {.operation = WRITE_64, .address = at + 128, .value = 8}}};
    CUdeviceptr to[2] = {at + 4, at + 8}, from[2] = {at, at + 128};
    size_t bytes[2] = {4, 4}, first[1] = {0};
    CUmemcpyAttributes kind = {.srcAccessOrder = 1};
    SAY(cuStreamBatchMemOp_v2(stream, 3, two, 0));
    OK(cuStreamSynchronize(stream));
    show("batch");
    SAY(cuStreamBatchMemOp_v2(stream, 3, two, 1));
    SAY(cuStreamBatchMemOp_v2(stream, 257, two, 0));
    two[1].operation = 99;
    SAY(cuStreamBatchMemOp_v2(stream, 3, two, 0));
    two[0].value.address = at + 1;
    SAY(cuStreamBatchMemOp_v2(stream, 1, two, 0));
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, stream));
    OK(cuStreamSynchronize(stream));
    unsigned host[3];
    OK(cuMemcpyDtoH_v2(host, at, sizeof host));
    printf("%u %u %u\n", host[0], host[1], host[2]);
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, NULL));
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 0, &kind, first, 1, stream));
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 0, stream));
    kind.srcAccessOrder = 0;
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, stream));
    kind.srcAccessOrder = 1;
    first[0] = 1;
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, stream));
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    CUmodule module = start();
    fill = kernel(module, "fill");
    OK(cuMemAlloc_v2(&at, 256));
    OK(cuMemsetD32_v2(at, 0, 64));
    captures();
    attributes();
    batches();
    edges_with_data();
    CUmodule steps;
    CUresult loaded = cuModuleLoadData(&steps, step_ptx);
    printf("the kernel that sets a condition: %d\n", (int)loaded);
    if (loaded)
        return 1;
    step = kernel(steps, "step");
    conditions();
    return 0;
}

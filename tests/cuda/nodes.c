/* Nodes of graphs: what each was made with, other parameters for it, before and after the graph is instantiated; edges; updates
 * from another graph; and what is refused of it. */
#include "check.h"

static CUmodule module;
static CUcontext context;
static CUdeviceptr memory;
static unsigned called;

static void count_call(void *by) {
    called += *(unsigned *)by;
}

static void show(const char *what, size_t count) {
    unsigned values[8];
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH_v2(values, memory, sizeof values));
    printf("%s:", what);
    for (size_t i = 0; i < count; i++)
        printf(" %u", values[i]);
    printf("; called %u\n", called);
}

static void run(CUgraphExec exec, const char *what) {
    OK(cuMemsetD32_v2(memory, 0, 64));
    SAY(cuGraphLaunch(exec, NULL));
    show(what, 4);
}

static void kernels_of_nodes(void) {
    CUgraph graph;
    CUgraphNode first, second, third;
    CUgraphExec exec;
    CUdeviceptr at = memory;
    unsigned value = 3, other = 4;
    void *arguments[] = {&at, &value}, *others[] = {&at, &other};
    CUDA_KERNEL_NODE_PARAMS params = {.func = kernel(module, "fill"),
                                      .gridDim = {1, 1, 1},
                                      .blockDim = {32, 1, 1},
                                      .kernelParams = arguments},
                            got;
    printf("-- kernels\n");
    OK(cuGraphCreate(&graph, 0));
    SAY(cuGraphAddKernelNode(&first, graph, NULL, 0, &params));
    SAY(cuGraphAddKernelNode_v2(&second, graph, &first, 1, &params));
    SAY(cuGraphAddEmptyNode(&third, graph, &second, 1));
    SAY(cuGraphAddKernelNode(NULL, graph, NULL, 0, &params));
    SAY(cuGraphAddKernelNode(&third, graph, NULL, 1, &params));
    SAY(cuGraphAddKernelNode(&third, graph, NULL, 0, NULL));
    SAY(cuGraphKernelNodeGetParams(first, &got));
    printf("grid %u block %u shared %u same %d value %u\n", got.gridDim[0], got.blockDim[0],
           got.sharedMemBytes, got.func == params.func, *(unsigned *)got.kernelParams[1]);
    value = 9; /* a node keeps what it was given */
    SAY(cuGraphKernelNodeGetParams_v2(second, &got));
    printf("value %u kernel %d\n", *(unsigned *)got.kernelParams[1], got.kern != NULL);
    SAY(cuGraphKernelNodeGetParams(third, &got));
    SAY(cuGraphKernelNodeGetParams(first, NULL));
    SAY(cuGraphInstantiate_v2(&exec, graph, NULL, NULL, 0));
    run(exec, "as made");
    params.kernelParams = others;
    SAY(cuGraphKernelNodeSetParams(first, &params));
    SAY(cuGraphKernelNodeSetParams_v2(second, &params));
    SAY(cuGraphKernelNodeSetParams(third, &params));
    SAY(cuGraphKernelNodeSetParams(first, NULL));
    run(exec, "as it was");
    SAY(cuGraphExecKernelNodeSetParams(exec, first, &params));
    SAY(cuGraphExecKernelNodeSetParams(exec, second, &params));
    SAY(cuGraphExecKernelNodeSetParams(exec, third, &params));
    SAY(cuGraphExecKernelNodeSetParams(exec, first, NULL));
    run(exec, "as set");
    SAY(cuGraphKernelNodeCopyAttributes(second, first));
    SAY(cuGraphKernelNodeCopyAttributes(third, first));
    SAY(cuGraphExecDestroy(exec));
    SAY(cuGraphDestroy(graph));
}

static void copies_of_nodes(void) {
    CUgraph graph;
    CUgraphNode fill, copy;
    CUgraphExec exec;
    unsigned host[4] = {11, 12, 13, 14};
    CUDA_MEMSET_NODE_PARAMS set = {.dst = memory,
                                   .value = 5,
                                   .elementSize = 4,
                                   .width = 4,
                                   .height = 1},
                            got_set;
    CUDA_MEMCPY3D from_host = {.srcMemoryType = MEMORYTYPE_HOST,
                               .srcHost = host,
                               .dstMemoryType = MEMORYTYPE_DEVICE,
                               .dstDevice = memory,
                               .WidthInBytes = 8,
                               .Height = 1,
                               .Depth = 1},
                  got;
    printf("-- copies\n");
    OK(cuGraphCreate(&graph, 0));
    SAY(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &set, context));
    SAY(cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &from_host, context));
    SAY(cuGraphMemsetNodeGetParams(fill, &got_set));
    printf("value %u size %u width %zu height %zu\n", got_set.value, got_set.elementSize,
           got_set.width, got_set.height);
    SAY(cuGraphMemcpyNodeGetParams(copy, &got));
    printf("host %d device %d width %zu\n", got.srcHost == host, got.dstDevice == memory,
           got.WidthInBytes);
    SAY(cuGraphMemsetNodeGetParams(copy, &got_set));
    SAY(cuGraphMemcpyNodeGetParams(fill, &got));
    SAY(cuGraphMemcpyNodeGetParams(copy, NULL));
    SAY(cuGraphInstantiateWithFlags(&exec, graph, 0));
    run(exec, "as made");
    set.value = 6;
    from_host.WidthInBytes = 4;
    SAY(cuGraphMemsetNodeSetParams(fill, &set));
    SAY(cuGraphMemcpyNodeSetParams(copy, &from_host));
    SAY(cuGraphMemsetNodeSetParams(copy, &set));
    SAY(cuGraphMemcpyNodeSetParams(fill, &from_host));
    SAY(cuGraphExecMemsetNodeSetParams(exec, fill, &set, context));
    SAY(cuGraphExecMemcpyNodeSetParams(exec, copy, &from_host, context));
    SAY(cuGraphExecMemsetNodeSetParams(exec, copy, &set, context));
    SAY(cuGraphExecMemcpyNodeSetParams(exec, fill, &from_host, context));
    run(exec, "as set");
    set.elementSize = 3;
    SAY(cuGraphMemsetNodeSetParams(fill, &set));
    SAY(cuGraphExecMemsetNodeSetParams(exec, fill, &set, context));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void hosts_and_events(void) {
    CUgraph graph, child;
    CUgraphNode host, record, wait, inner, nested;
    CUgraphExec exec;
    CUevent event, other, got_event;
    unsigned one = 1, ten = 10;
    CUDA_HOST_NODE_PARAMS params = {count_call, &one}, more = {count_call, &ten}, got;
    printf("-- functions of the host, events, graphs in graphs\n");
    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&other, 0));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&child, 0));
    SAY(cuGraphAddHostNode(&inner, child, NULL, 0, &params));
    SAY(cuGraphAddHostNode(&host, graph, NULL, 0, &params));
    SAY(cuGraphAddEventRecordNode(&record, graph, &host, 1, event));
    SAY(cuGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    SAY(cuGraphAddChildGraphNode(&nested, graph, &wait, 1, child));
    SAY(cuGraphAddEventRecordNode(&record, graph, &host, 1, NULL));
    SAY(cuGraphAddHostNode(&inner, child, NULL, 0, NULL));
    SAY(cuGraphHostNodeGetParams(host, &got));
    printf("the same: %d %d\n", got.fn == count_call, got.userData == &one);
    SAY(cuGraphEventRecordNodeGetEvent(record, &got_event));
    printf("the same: %d\n", got_event == event);
    SAY(cuGraphEventWaitNodeGetEvent(wait, &got_event));
    printf("the same: %d\n", got_event == event);
    SAY(cuGraphEventRecordNodeGetEvent(wait, &got_event));
    SAY(cuGraphEventWaitNodeGetEvent(record, &got_event));
    SAY(cuGraphHostNodeGetParams(record, &got));
    SAY(cuGraphEventRecordNodeSetEvent(record, other));
    SAY(cuGraphEventWaitNodeSetEvent(wait, other));
    SAY(cuGraphEventRecordNodeSetEvent(wait, other));
    SAY(cuGraphEventWaitNodeSetEvent(record, other));
    SAY(cuGraphEventRecordNodeGetEvent(record, &got_event));
    printf("the other: %d\n", got_event == other);
    SAY(cuGraphInstantiateWithFlags(&exec, graph, 0));
    run(exec, "as made");
    SAY(cuGraphHostNodeSetParams(host, &more));
    SAY(cuGraphHostNodeSetParams(wait, &more));
    SAY(cuGraphExecHostNodeSetParams(exec, host, &more));
    SAY(cuGraphExecHostNodeSetParams(exec, wait, &more));
    SAY(cuGraphExecEventRecordNodeSetEvent(exec, record, event));
    SAY(cuGraphExecEventWaitNodeSetEvent(exec, wait, event));
    SAY(cuGraphExecEventRecordNodeSetEvent(exec, wait, event));
    SAY(cuGraphExecEventWaitNodeSetEvent(exec, record, event));
    OK(cuGraphDestroy(child));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphAddHostNode(&inner, child, NULL, 0, &more));
    SAY(cuGraphExecChildGraphNodeSetParams(exec, nested, child));
    SAY(cuGraphExecChildGraphNodeSetParams(exec, host, child));
    OK(cuGraphAddHostNode(&inner, child, NULL, 0, &more));
    SAY(cuGraphExecChildGraphNodeSetParams(exec, nested, child)); /* another topology */
    run(exec, "as set");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(child));
}

static void operations_of_memory(void) {
    CUgraph graph;
    CUgraphNode node, empty;
    CUgraphExec exec;
    CUstreamBatchMemOpParams operations[2] = {
        {.value = {.operation = 2, .address = memory, .value = 21}},
        {.value = {.operation = 2, .address = memory + 4, .value = 22}}};
    CUDA_BATCH_MEM_OP_NODE_PARAMS params = {context, 2, operations, 0}, got;
    printf("-- operations of memory\n");
    OK(cuGraphCreate(&graph, 0));
    SAY(cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params));
    SAY(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
    SAY(cuGraphBatchMemOpNodeGetParams(node, &got));
    printf("%u of kind %d, value %llu\n", got.count, got.paramArray[1].operation,
           (unsigned long long)got.paramArray[1].value.value);
    SAY(cuGraphBatchMemOpNodeGetParams(empty, &got));
    SAY(cuGraphInstantiateWithFlags(&exec, graph, 0));
    run(exec, "as made");
    operations[1].value.value = 23;
    SAY(cuGraphBatchMemOpNodeSetParams(node, &params));
    SAY(cuGraphBatchMemOpNodeSetParams(empty, &params));
    SAY(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
    SAY(cuGraphExecBatchMemOpNodeSetParams(exec, empty, &params));
    run(exec, "as set");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void edges(void) {
    CUgraph graph, copy;
    CUgraphNode nodes[4], found[4];
    CUgraphEdgeData data[4];
    size_t count = 4;
    printf("-- edges\n");
    OK(cuGraphCreate(&graph, 0));
    for (int i = 0; i < 4; i++)
        OK(cuGraphAddEmptyNode(&nodes[i], graph, NULL, 0));
    const CUgraphNode from[] = {nodes[0], nodes[0], nodes[1]},
                      to[] = {nodes[1], nodes[2], nodes[3]};
    SAY(cuGraphAddDependencies(graph, from, to, 3));
    SAY(cuGraphAddDependencies(graph, from, to, 1)); /* it is there */
    SAY(cuGraphAddDependencies(graph, from, from, 1));
    SAY(cuGraphAddDependencies(graph, to, from, 1)); /* a circle */
    SAY(cuGraphNodeGetDependencies_v2(nodes[3], found, data, &count));
    printf("%zu, the same %d, type %d\n", count, found[0] == nodes[1], data[0].type);
    count = 4;
    SAY(cuGraphNodeGetDependentNodes_v2(nodes[0], found, data, &count));
    printf("%zu\n", count);
    SAY(cuGraphNodeGetDependentNodes_v2(nodes[0], NULL, NULL, &count));
    SAY(cuGraphNodeGetDependentNodes_v2(nodes[0], NULL, NULL, NULL));
    SAY(cuGraphClone(&copy, graph));
    SAY(cuGraphNodeFindInClone(&found[0], nodes[3], copy));
    SAY(cuGraphNodeFindInClone(&found[1], nodes[3], graph));
    SAY(cuGraphDestroyNode(nodes[1]));
    count = 4;
    SAY(cuGraphGetRootNodes(graph, found, &count));
    printf("roots %zu\n", count);
    OK(cuGraphDestroy(copy));
    OK(cuGraphDestroy(graph));
}

static CUgraph of_fill(CUgraphNode *node, unsigned value, unsigned threads) {
    CUgraph graph;
    void *arguments[] = {&memory, &value};
    const CUDA_KERNEL_NODE_PARAMS params = {.func = kernel(module, "fill"),
                                            .gridDim = {1, 1, 1},
                                            .blockDim = {threads, 1, 1},
                                            .kernelParams = arguments};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode(node, graph, NULL, 0, &params));
    return graph;
}

static void updates(void) {
    CUgraphNode node, other, third, more;
    CUgraph graph = of_fill(&node, 31, 32), same = of_fill(&other, 32, 2),
            longer = of_fill(&third, 33, 32);
    CUgraphExec exec;
    CUgraphExecUpdateResultInfo result = {.result = 99};
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = 0};
    uint64_t flags = 77;
    unsigned enabled = 7;
    printf("-- updates\n");
    OK(cuGraphAddEmptyNode(&more, longer, &third, 1));
    SAY(cuGraphInstantiateWithParams(&exec, graph, &params));
    printf("result %d node %d\n", params.result_out, params.hErrNode_out != NULL);
    SAY(cuGraphExecGetFlags(exec, &flags));
    printf("flags %llu\n", (unsigned long long)flags);
    SAY(cuGraphUpload(exec, NULL));
    run(exec, "as made");
    SAY(cuGraphExecUpdate_v2(exec, same, &result));
    printf("result %d\n", result.result);
    run(exec, "updated");
    SAY(cuGraphExecUpdate_v2(exec, longer, &result));
    printf("result %d\n", result.result);
    run(exec, "as before");
    SAY(cuGraphNodeSetEnabled(exec, node, 0));
    SAY(cuGraphNodeGetEnabled(exec, node, &enabled));
    printf("enabled %u\n", enabled);
    run(exec, "without it");
    SAY(cuGraphNodeSetEnabled(exec, more, 0));
    SAY(cuGraphInstantiateWithParams(&exec, graph, NULL));
    params.flags = 1 << 20;
    SAY(cuGraphInstantiateWithParams(&exec, graph, &params));
    printf("result %d\n", params.result_out);
    SAY(cuGraphInstantiateWithFlags(&exec, graph, 1 << 20));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(same));
    OK(cuGraphDestroy(longer));
}

static void nodes_of_any_kind(void) {
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    unsigned value = 41;
    void *arguments[] = {&memory, &value};
    CUgraphNodeParams params = {.type = NODE_KERNEL,
                                .kernel = {.func = kernel(module, "fill"),
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {32, 1, 1},
                                           .kernelParams = arguments}},
                      unknown = {.type = 99},
                      set = {.type = NODE_MEMSET,
                             .memset = {.dst = memory,
                                        .value = 42,
                                        .elementSize = 4,
                                        .width = 2,
                                        .height = 1,
                                        .ctx = context}};
    printf("-- nodes of any kind\n");
    OK(cuGraphCreate(&graph, 0));
    SAY(cuGraphAddNode(&node, graph, NULL, 0, &params));
    SAY(cuGraphAddNode(&node, graph, NULL, 0, &unknown));
    SAY(cuGraphAddNode(&node, graph, NULL, 0, NULL));
    SAY(cuGraphInstantiateWithFlags(&exec, graph, 0));
    run(exec, "as made");
    value = 43;
    SAY(cuGraphNodeSetParams(node, &params));
    SAY(cuGraphNodeSetParams(node, &set));
    SAY(cuGraphExecNodeSetParams(exec, node, &params));
    SAY(cuGraphExecNodeSetParams(exec, node, &set));
    run(exec, "as set");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    module = start();
    OK(cuCtxGetCurrent(&context));
    OK(cuMemAlloc_v2(&memory, 1024));
    kernels_of_nodes();
    copies_of_nodes();
    hosts_and_events();
    operations_of_memory();
    edges();
    updates();
    nodes_of_any_kind();
    return 0;
}

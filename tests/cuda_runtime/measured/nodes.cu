// Nodes of graphs: each kind made, asked for its parameters, changed in the graph and in the executable one; copies of graphs, and
// changes of what was instantiated. Driver first, then runtime. What it does is said as a value.
#include "say.h"

static CUdeviceptr d, e;
static CUstream s;
static CUgraph g;
static CUgraphExec x;
static CUcontext context;
static int calls, host[16];
static CUfunction kernel, twice;
static const char *ptx =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) { .reg .u64 %a; .reg .u32 %r, %s; "
    "ld.param.u64 %a, [p]; ld.param.u32 %r, [n]; atom.global.add.u32 %s, [%a], %r; ret; }\n"
    ".visible .entry twice(.param .u64 p, .param .u32 n) { .reg .u64 %a; .reg .u32 %r, %s; "
    "ld.param.u64 %a, "
    "[p]; ld.param.u32 %r, [n]; add.u32 %r, %r, %r; atom.global.add.u32 %s, [%a], %r; ret; }\n";

static void CUDA_CB called(void *data) {
    calls += *(int *)data;
}
__global__ void plus(int *to, int n) {
    atomicAdd(to, n);
}
__device__ int symbol[4];

static void run(const char *what) {
    int value = -1;
    cuMemsetD32(d, 0, 64), cuMemsetD32(e, 0, 64), calls = 0;
    int launched = cuGraphLaunch(x, s), waited = cuStreamSynchronize(s);
    cuMemcpyDtoH(&value, d, 4);
    cuMemcpyDtoH(host, e, 64);
    printf("  %s: %d %d, value %d, calls %d, e %u\n", what, launched, waited, value, calls,
           sum_of(host, 64));
    cudaGetLastError();
}
static void fresh() {
    if (x)
        cuGraphExecDestroy(x);
    cuGraphDestroy(g), cuGraphCreate(&g, 0), x = NULL;
}

static void begin() {
    CUmodule module;
    cuCtxGetCurrent(&context);
    cuMemAlloc(&d, 256), cuMemAlloc(&e, 256), cuStreamCreate(&s, 0), cuGraphCreate(&g, 0);
    cuModuleLoadData(&module, ptx), cuModuleGetFunction(&kernel, module, "add");
    cuModuleGetFunction(&twice, module, "twice");
}

static void kernels() {
    begin();
    CUgraphNode a, b;
    CUDA_KERNEL_NODE_PARAMS p = {}, got = {};
    int n = 5, m = 7;
    void *args[] = {&d, &n}, *more[] = {&d, &m};
    fresh();
    p.func = kernel, p.gridDimX = 2,
    p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    p.kernelParams = args;
    R(cuGraphAddKernelNode(&a, g, NULL, 0, &p));
    R(cuGraphAddKernelNode(&b, g, &a, 1, &p));
    R(cuGraphKernelNodeGetParams(a, &got));
    printf("  func same %d, grid %u, block %u, shared %u, n %d, extra %d\n", got.func == kernel,
           got.gridDimX, got.blockDimX, got.sharedMemBytes, *(int *)got.kernelParams[1],
           got.extra != NULL);
    R(cuGraphInstantiate(&x, g, 0)), run("5 by two blocks, twice");
    p.kernelParams = more;
    R(cuGraphKernelNodeSetParams(a, &p)), run("unchanged");
    R(cuGraphExecKernelNodeSetParams(x, b, &p)), run("one changed");
    p.gridDimX = 3;
    R(cuGraphExecKernelNodeSetParams(x, b, &p)), run("with three blocks");
    p.func = twice;
    R(cuGraphExecKernelNodeSetParams(x, b, &p)), run("another function");
    p.gridDimX = 0;
    R(cuGraphExecKernelNodeSetParams(x, b, &p));
    R(cuGraphKernelNodeSetParams(a, &p));
    R(cuGraphKernelNodeSetParams(a, NULL));
    R(cuGraphKernelNodeGetParams(NULL, &got));
    R(cuGraphKernelNodeGetParams(a, NULL));
    p.gridDimX = 1, p.func = NULL;
    R(cuGraphAddKernelNode(&b, g, NULL, 0, &p));
    p.func = kernel, p.blockDimX = 2000;
    R(cuGraphAddKernelNode(&b, g, NULL, 0, &p));
    CUlaunchAttributeValue value = {}, back = {};
    value.priority = -3;
    R(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    R(cuGraphKernelNodeGetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &back));
    printf("  priority %d\n", back.priority);
    R(cuGraphKernelNodeCopyAttributes(b, a));
    back.priority = 9;
    R(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, &back));
    printf("  priority %d\n", back.priority);
    R(cuGraphNodeSetEnabled(x, a, 0)), run("a disabled");
    unsigned enabled = 9;
    R(cuGraphNodeGetEnabled(x, a, &enabled));
    printf("  %u\n", enabled);
    R(cuGraphNodeSetEnabled(x, a, 1)), run("enabled");
    R(cuGraphNodeGetEnabled(x, NULL, &enabled));
}

static void memory() {
    begin();
    CUgraphNode set, copy, found;
    fresh();
    CUDA_MEMSET_NODE_PARAMS p = {}, got = {};
    p.dst = e, p.value = 0x11223344, p.elementSize = 4, p.width = 3, p.height = 1;
    R(cuGraphAddMemsetNode(&set, g, NULL, 0, &p, context));
    R(cuGraphMemsetNodeGetParams(set, &got));
    printf("  same %d, pitch %zu, value %x, element %u, %zu x %zu\n", got.dst == e, got.pitch,
           got.value, got.elementSize, got.width, got.height);
    CUDA_MEMCPY3D c = {}, asked = {};
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = e, c.dstDevice = d;
    c.WidthInBytes = 8, c.Height = c.Depth = 1;
    R(cuGraphAddMemcpyNode(&copy, g, &set, 1, &c, context));
    R(cuGraphMemcpyNodeGetParams(copy, &asked));
    printf("  %zu x %zu x %zu, types %d %d, same %d\n", asked.WidthInBytes, asked.Height,
           asked.Depth, asked.srcMemoryType, asked.dstMemoryType, asked.srcDevice == e);
    R(cuGraphInstantiate(&x, g, 0)), run("set and copied");
    p.value = 0x99;
    R(cuGraphMemsetNodeSetParams(set, &p)), run("unchanged");
    R(cuGraphExecMemsetNodeSetParams(x, set, &p, context)), run("set to another value");
    p.elementSize = 2, p.width = 6;
    R(cuGraphExecMemsetNodeSetParams(x, set, &p, context)), run("set halves");
    p.elementSize = 3;
    R(cuGraphExecMemsetNodeSetParams(x, set, &p, context));
    R(cuGraphMemsetNodeSetParams(set, &p));
    p.elementSize = 4, p.height = 0;
    R(cuGraphMemsetNodeSetParams(set, &p));
    p.height = 2, p.width = 2, p.pitch = 12;
    R(cuGraphMemsetNodeSetParams(set, &p));
    R(cuGraphExecMemsetNodeSetParams(x, set, &p, context));
    c.srcDevice = e + 4;
    R(cuGraphMemcpyNodeSetParams(copy, &c));
    R(cuGraphExecMemcpyNodeSetParams(x, copy, &c, context)), run("copied from behind");
    c.WidthInBytes = 12;
    R(cuGraphExecMemcpyNodeSetParams(x, copy, &c, context)), run("more of it");
    c.WidthInBytes = 0;
    R(cuGraphMemcpyNodeSetParams(copy, &c));
    R(cuGraphMemcpyNodeGetParams(set, &asked));
    R(cuGraphMemsetNodeGetParams(copy, &got));
    R(cuGraphAddMemsetNode(&found, g, NULL, 0, NULL, context));
    R(cuGraphAddMemcpyNode(&found, g, NULL, 1, &c, context));
}

static void others() {
    begin();
    CUgraphNode call, record, wait, empty, child, inner, batch, nodes[8];
    CUgraph small, copy, asked;
    CUevent event, second, got;
    static int one = 1, ten = 10;
    size_t count;
    fresh();
    cuEventCreate(&event, 0), cuEventCreate(&second, 0);
    CUDA_HOST_NODE_PARAMS h = {called, &one}, back = {};
    R(cuGraphAddHostNode(&call, g, NULL, 0, &h));
    R(cuGraphHostNodeGetParams(call, &back));
    printf("  same %d %d\n", back.fn == called, back.userData == &one);
    R(cuGraphAddEmptyNode(&empty, g, &call, 1));
    R(cuGraphAddEventRecordNode(&record, g, &empty, 1, event));
    R(cuGraphAddEventWaitNode(&wait, g, &record, 1, event));
    R(cuGraphEventRecordNodeGetEvent(record, &got));
    printf("  same %d\n", got == event);
    R(cuGraphEventWaitNodeGetEvent(wait, &got));
    printf("  same %d\n", got == event);
    cuGraphCreate(&small, 0);
    R(cuGraphAddHostNode(&inner, small, NULL, 0, &h));
    R(cuGraphAddChildGraphNode(&child, g, &wait, 1, small));
    R(cuGraphChildGraphNodeGetGraph(child, &asked));
    printf("  same %d\n", asked == small);
    CUstreamBatchMemOpParams ops[2] = {};
    ops[0].operation = ops[1].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    ops[0].writeValue.address = d, ops[0].writeValue.value = 42;
    ops[1].writeValue.address = e, ops[1].writeValue.value = 43;
    CUDA_BATCH_MEM_OP_NODE_PARAMS p = {context, 2, ops, 0}, q = {};
    R(cuGraphAddBatchMemOpNode(&batch, g, &child, 1, &p));
    R(cuGraphBatchMemOpNodeGetParams(batch, &q));
    printf("  count %u\n", q.count);
    R(cuGraphInstantiate(&x, g, 0)), run("all kinds");
    R(cuEventQuery(event)), R(cuEventQuery(second));
    ops[0].writeValue.value = 77;
    R(cuGraphBatchMemOpNodeSetParams(batch, &p));
    R(cuGraphExecBatchMemOpNodeSetParams(x, batch, &p)), run("another value");
    h.userData = &ten;
    R(cuGraphHostNodeSetParams(call, &h)), run("unchanged");
    R(cuGraphExecHostNodeSetParams(x, call, &h)), run("ten and one");
    cuGraphHostNodeSetParams(inner, &h);
    R(cuGraphExecChildGraphNodeSetParams(x, child, small)), run("ten and ten");
    CUgraph empty_one;
    cuGraphCreate(&empty_one, 0);
    R(cuGraphExecChildGraphNodeSetParams(x, child, empty_one));
    R(cuGraphEventRecordNodeSetEvent(record, second));
    R(cuGraphEventWaitNodeSetEvent(wait, second));
    R(cuGraphExecEventRecordNodeSetEvent(x, record, second));
    R(cuGraphExecEventWaitNodeSetEvent(x, wait, second));
    run("the second event"), R(cuEventQuery(second));
    R(cuGraphEventRecordNodeGetEvent(wait, &got));
    R(cuGraphHostNodeGetParams(empty, &back));
    R(cuGraphChildGraphNodeGetGraph(empty, &asked));
    // asking
    count = 8;
    R(cuGraphNodeGetDependencies(empty, nodes, NULL, &count));
    printf("  %zu, same %d\n", count, nodes[0] == call);
    count = 8;
    R(cuGraphNodeGetDependentNodes(empty, nodes, NULL, &count));
    printf("  %zu, same %d\n", count, nodes[0] == record);
    count = 0;
    R(cuGraphNodeGetDependencies(empty, NULL, NULL, &count));
    printf("  %zu\n", count);
    R(cuGraphClone(&copy, g));
    R(cuGraphNodeFindInClone(&nodes[0], call, copy));
    R(cuGraphNodeFindInClone(&nodes[0], call, g));
    R(cuGraphAddDependencies(g, &call, &batch, NULL, 1));
    R(cuGraphAddDependencies(g, &call, &batch, NULL, 1));
    R(cuGraphAddDependencies(g, &call, &call, NULL, 1));
    R(cuGraphRemoveDependencies(g, &call, &batch, NULL, 1));
    R(cuGraphRemoveDependencies(g, &call, &batch, NULL, 1));
    R(cuGraphDestroyNode(empty));
    count = 8;
    R(cuGraphNodeGetDependencies(record, nodes, NULL, &count));
    printf("  %zu\n", count);
    CUgraphExecUpdateResultInfo info = {};
    R(cuGraphExecUpdate(x, g, &info));
    printf("  result %d\n", info.result);
    R(cuGraphExecUpdate(x, copy, &info));
    printf("  result %d\n", info.result);
    run("updated");
    unsigned long long flags = 9;
    R(cuGraphExecGetFlags(x, (cuuint64_t *)&flags));
    printf("  %llu\n", flags);
    R(cuGraphUpload(x, s)), R(cuGraphUpload(NULL, s));
    CUgraphExec second_exec;
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
    how.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, how.hUploadStream = s;
    R(cuGraphInstantiateWithParams(&second_exec, copy, &how));
    printf("  result %d, failed %d\n", how.result_out, how.hErrNode_out != NULL);
    R(cuGraphExecGetFlags(second_exec, (cuuint64_t *)&flags));
    printf("  %llu\n", flags);
    how.flags = 1u << 20;
    R(cuGraphInstantiateWithParams(&second_exec, copy, &how));
    R(cuGraphDebugDotPrint(g, "/dev/null", 0));
    R(cuGraphDebugDotPrint(g, "/nowhere/file", 0));
    R(cuGraphDebugDotPrint(NULL, "/dev/null", 0));
    CUgraphNodeParams generic = {};
    generic.type = CU_GRAPH_NODE_TYPE_HOST, generic.host.fn = called, generic.host.userData = &one;
    R(cuGraphAddNode(&inner, copy, NULL, NULL, 0, &generic));
    generic.host.userData = &ten;
    R(cuGraphNodeSetParams(inner, &generic));
    R(cuGraphExecNodeSetParams(x, call, &generic));
    generic.type = CU_GRAPH_NODE_TYPE_MEMSET;
    R(cuGraphNodeSetParams(inner, &generic));
}

static void allocations() {
    begin();
    CUgraphNode node, gone;
    CUDA_MEM_ALLOC_NODE_PARAMS p = {}, got = {};
    fresh();
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    p.bytesize = 1000;
    R(cuGraphAddMemAllocNode(&node, g, NULL, 0, &p));
    R(cuGraphMemAllocNodeGetParams(node, &got));
    printf("  %zu, same %d\n", got.bytesize, got.dptr == p.dptr);
    R(cuGraphAddMemFreeNode(&gone, g, &node, 1, p.dptr));
    CUdeviceptr which = 0;
    R(cuGraphMemFreeNodeGetParams(gone, &which));
    printf("  same %d\n", which == p.dptr);
    R(cuGraphInstantiate(&x, g, 0)), run("allocated and freed");
    unsigned long long used = 9;
    R(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    printf("  %llu\n", used);
    R(cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)9, &used));
    R(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
    used = 0;
    R(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
    R(cudaDeviceGraphMemTrim(0)), R(cudaDeviceGraphMemTrim(9));
}

static void runtime() {
    begin();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t kernel_node, other, copy, to, out, set, call, record, wait, allocate, gone, any;
    cudaEvent_t event, second, got;
    static int n = 3, m = 4, one = 1, source[4] = {1, 2, 3, 4}, target[4], ten = 10;
    int *p = (int *)d;
    void *args[] = {&p, &n}, *more[] = {&p, &m};
    cudaKernelNodeParams k = {(void *)plus, dim3(2), dim3(4), 0, args, NULL}, kg = {};
    R(cudaGraphCreate(&graph, 0));
    R(cudaGraphAddKernelNode(&kernel_node, graph, NULL, 0, &k));
    R(cudaGraphAddKernelNode(&other, graph, &kernel_node, 1, &k));
    R(cudaGraphKernelNodeGetParams(kernel_node, &kg));
    printf("  same %d, %u x %u, n %d\n", kg.func == (void *)plus, kg.gridDim.x, kg.blockDim.x,
           *(int *)kg.kernelParams[1]);
    cudaLaunchAttributeValue value = {}, back = {};
    value.priority = -1;
    R(cudaGraphKernelNodeSetAttribute(kernel_node, cudaLaunchAttributePriority, &value));
    R(cudaGraphKernelNodeGetAttribute(kernel_node, cudaLaunchAttributePriority, &back));
    printf("  %d\n", back.priority);
    R(cudaGraphKernelNodeCopyAttributes(other, kernel_node));
    cudaMemcpy3DParms c = {}, cg = {};
    c.srcPtr = make_cudaPitchedPtr(source, 16, 4, 1),
    c.dstPtr = make_cudaPitchedPtr((void *)e, 16, 4, 1);
    c.extent = make_cudaExtent(16, 1, 1), c.kind = cudaMemcpyHostToDevice;
    R(cudaGraphAddMemcpyNode(&copy, graph, NULL, 0, &c));
    R(cudaGraphMemcpyNodeGetParams(copy, &cg));
    printf("  %zu x %zu x %zu, kind %d\n", cg.extent.width, cg.extent.height, cg.extent.depth,
           cg.kind);
    R(cudaGraphAddMemcpyNodeToSymbol(&to, graph, &copy, 1, symbol, source, 16, 0,
                                     cudaMemcpyHostToDevice));
    R(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &to, 1, target, symbol, 8, 4,
                                       cudaMemcpyDeviceToHost));
    R(cudaGraphAddMemcpyNodeFromSymbol(&any, graph, &to, 1, target, symbol, 16, 4,
                                       cudaMemcpyDeviceToHost));
    cudaMemsetParams ms = {(void *)(e + 32), 0, 7, 4, 2, 1}, mg = {};
    R(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &ms));
    R(cudaGraphMemsetNodeGetParams(set, &mg));
    printf("  %zu x %zu of %u, value %u\n", mg.width, mg.height, mg.elementSize, mg.value);
    cudaHostNodeParams h = {called, &one}, hg = {};
    R(cudaGraphAddHostNode(&call, graph, &out, 1, &h));
    R(cudaGraphHostNodeGetParams(call, &hg));
    printf("  same %d\n", hg.userData == &one);
    cudaEventCreate(&event), cudaEventCreate(&second);
    R(cudaGraphAddEventRecordNode(&record, graph, &call, 1, event));
    R(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    R(cudaGraphEventRecordNodeGetEvent(record, &got));
    R(cudaGraphEventWaitNodeGetEvent(wait, &got));
    R(cudaGraphEventRecordNodeSetEvent(record, second));
    R(cudaGraphEventWaitNodeSetEvent(wait, second));
    cudaMemAllocNodeParams a = {}, ag = {};
    a.poolProps.allocType = cudaMemAllocationTypePinned,
    a.poolProps.location = {cudaMemLocationTypeDevice, {0}};
    a.bytesize = 64;
    R(cudaGraphAddMemAllocNode(&allocate, graph, NULL, 0, &a));
    R(cudaGraphMemAllocNodeGetParams(allocate, &ag));
    printf("  %zu, same %d\n", ag.bytesize, ag.dptr == a.dptr);
    R(cudaGraphAddMemFreeNode(&gone, graph, &allocate, 1, a.dptr));
    void *freed = NULL;
    R(cudaGraphMemFreeNodeGetParams(gone, &freed));
    printf("  same %d\n", freed == a.dptr);
    R(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    x = exec, run("all"), printf("  target %d %d\n", target[0], target[1]);
    k.kernelParams = more;
    R(cudaGraphExecKernelNodeSetParams(exec, other, &k)), run("a kernel changed");
    h.userData = &ten;
    R(cudaGraphHostNodeSetParams(call, &h));
    R(cudaGraphExecHostNodeSetParams(exec, call, &h)), run("a call changed");
    source[0] = 9, ms.value = 8, c.extent.width = 8;
    R(cudaGraphExecMemsetNodeSetParams(exec, set, &ms)), run("a fill changed");
    R(cudaGraphMemcpyNodeSetParams(copy, &c));
    R(cudaGraphExecMemcpyNodeSetParams(exec, copy, &c)), run("a copy changed");
    R(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, (void *)e, source, 12,
                                         cudaMemcpyHostToDevice)),
        run("once more");
    R(cudaGraphMemcpyNodeSetParams1D(copy, (void *)e, source, 4, cudaMemcpyHostToDevice));
    R(cudaGraphMemcpyNodeSetParamsToSymbol(to, symbol, source, 8, 8, cudaMemcpyHostToDevice));
    R(cudaGraphMemcpyNodeSetParamsFromSymbol(out, target, symbol, 4, 0, cudaMemcpyDeviceToHost));
    R(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, symbol, source, 8, 8,
                                               cudaMemcpyHostToDevice));
    R(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, target, symbol, 4, 12,
                                                 cudaMemcpyDeviceToHost));
    run("symbols changed"), printf("  target %d %d\n", target[0], target[1]);
    R(cudaGraphExecEventRecordNodeSetEvent(exec, record, event));
    R(cudaGraphExecEventWaitNodeSetEvent(exec, wait, event));
    R(cudaGraphUpload(exec, 0));
    unsigned long long flags = 9;
    R(cudaGraphExecGetFlags(exec, &flags));
    printf("  %llu\n", flags);
    cudaGraphInstantiateParams how = {};
    cudaGraphExec_t another;
    R(cudaGraphInstantiateWithParams(&another, graph, &how));
    printf("  result %d\n", how.result_out);
    cudaGraph_t child_graph;
    cudaGraphNode_t child, inside;
    cudaGraphCreate(&child_graph, 0);
    h.userData = &one, cudaGraphAddHostNode(&inside, child_graph, NULL, 0, &h);
    R(cudaGraphAddChildGraphNode(&child, graph, NULL, 0, child_graph));
    R(cudaGraphExecChildGraphNodeSetParams(exec, child, child_graph));
    cudaGraphNodeParams generic = {};
    generic.type = cudaGraphNodeTypeHost, generic.host.fn = called, generic.host.userData = &ten;
    R(cudaGraphAddNode(&any, child_graph, NULL, NULL, 0, &generic));
    R(cudaGraphNodeSetParams(any, &generic));
    R(cudaGraphExecNodeSetParams(exec, call, &generic)), run("a call by its generic parameters");
    R(cudaGraphDebugDotPrint(graph, "/dev/null", 0));
    cudaUserObject_t object;
    R(cudaUserObjectCreate(&object, &one, called, 2, cudaUserObjectNoDestructorSync));
    R(cudaUserObjectRetain(object, 1)), R(cudaUserObjectRelease(object, 1));
    calls = 0;
    R(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    R(cudaGraphReleaseUserObject(graph, object, 1));
    R(cudaUserObjectRelease(object, 1));
    R(cudaGraphConditionalHandleCreate(NULL, graph, 0, 0));
    cudaGraphConditionalHandle handle;
    R(cudaGraphConditionalHandleCreate(&handle, child_graph, 1, cudaGraphCondAssignDefault));
    R(cudaGraphConditionalHandleCreate(&handle, child_graph, 1, 4));
    R(cudaGraphExecDestroy(exec)), R(cudaGraphDestroy(graph)), x = NULL;
    CUuserObject own;
    R(cuUserObjectCreate(&own, &one, called, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    R(cuUserObjectRetain(own, 1)), R(cuUserObjectRetain(own, 0)), R(cuUserObjectRelease(own, 0));
    R(cuGraphRetainUserObject(g, own, 1, 0)), R(cuGraphReleaseUserObject(g, own, 1));
    R(cuUserObjectRelease(own, 2));
    R(cuUserObjectCreate(&own, &one, called, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    R(cuUserObjectCreate(&own, &one, called, 1, 0)), R(cuUserObjectCreate(&own, &one, NULL, 1, 1));
}

int main() {
    return in_parts({kernels, memory, others, allocations, runtime});
}

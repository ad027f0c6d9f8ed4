/* Nodes of graphs: looking at them, and changing what they do, in a graph or in an executable one. */
#include "cuda/runtime/calls.h"

/* ---- which there are ---- */

cudaError cudaGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    RT_FORWARD(cuGraphGetNodes(graph, nodes, count));
}

cudaError cudaGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    RT_FORWARD(cuGraphGetRootNodes(graph, nodes, count));
}

cudaError cudaGraphGetEdges_13(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                               CUgraphEdgeData *edges, size_t *count) {
    RT_FORWARD(cuGraphGetEdges_v2(graph, from, to, edges, count));
}

cudaError cudaGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                               CUgraphEdgeData *edges, size_t *count) {
    return cudaGraphGetEdges_13(graph, from, to, edges, count);
}

cudaError cudaGraphGetEdges_12(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
    return cudaGraphGetEdges_13(graph, from, to, NULL, count);
}

cudaError cudaGraphNodeGetDependencies_13(CUgraphNode node, CUgraphNode *nodes,
                                          CUgraphEdgeData *edges, size_t *count) {
    RT_FORWARD(cuGraphNodeGetDependencies_v2(node, nodes, edges, count));
}

cudaError cudaGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes,
                                          CUgraphEdgeData *edges, size_t *count) {
    return cudaGraphNodeGetDependencies_13(node, nodes, edges, count);
}

cudaError cudaGraphNodeGetDependencies_12(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
    return cudaGraphNodeGetDependencies_13(node, nodes, NULL, count);
}

cudaError cudaGraphNodeGetDependentNodes_13(CUgraphNode node, CUgraphNode *nodes,
                                            CUgraphEdgeData *edges, size_t *count) {
    RT_FORWARD(cuGraphNodeGetDependentNodes_v2(node, nodes, edges, count));
}

cudaError cudaGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                            CUgraphEdgeData *edges, size_t *count) {
    return cudaGraphNodeGetDependentNodes_13(node, nodes, edges, count);
}

cudaError cudaGraphNodeGetDependentNodes_12(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
    return cudaGraphNodeGetDependentNodes_13(node, nodes, NULL, count);
}

cudaError cudaGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
    RT_FORWARD(cuGraphNodeFindInClone(node, original, clone));
}

cudaError cudaGraphNodeGetType(CUgraphNode node, int *type) {
    RT_FORWARD(cuGraphNodeGetType(node, type));
}

cudaError cudaGraphDestroyNode(CUgraphNode node) {
    RT_FORWARD(cuGraphDestroyNode(node));
}

cudaError cudaGraphRemoveDependencies_13(CUgraph graph, const CUgraphNode *from,
                                         const CUgraphNode *to, const CUgraphEdgeData *edges,
                                         size_t count) {
    RT_FORWARD(cuGraphRemoveDependencies_v2(graph, from, to, edges, count));
}

cudaError cudaGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                         const CUgraphNode *to, const CUgraphEdgeData *edges,
                                         size_t count) {
    return cudaGraphRemoveDependencies_13(graph, from, to, edges, count);
}

cudaError cudaGraphRemoveDependencies_12(CUgraph graph, const CUgraphNode *from,
                                         const CUgraphNode *to, size_t count) {
    return cudaGraphRemoveDependencies_13(graph, from, to, NULL, count);
}

/* ---- what they do ---- */

cudaError cudaGraphKernelNodeGetParams(CUgraphNode node, cudaKernelNodeParams *params) {
    CUDA_KERNEL_NODE_PARAMS from = {0};
    cudaError error = rt_ready();
    if (!error && !params)
        error = rt_result(cudaErrorInvalidValue);
    if (!error)
        error = rt_result((cudaError)cuGraphKernelNodeGetParams(node, &from));
    if (error)
        return error;
    const void *host = rt_kernel_host(from.func);
    if (!host)
        rt_remember_kernel(from.func); /* the program may hand it back as the function */
    *params =
        (cudaKernelNodeParams){.func = host ? (void *)(uintptr_t)host : (void *)from.func,
                               .gridDim = {from.gridDim[0], from.gridDim[1], from.gridDim[2]},
                               .blockDim = {from.blockDim[0], from.blockDim[1], from.blockDim[2]},
                               .sharedMemBytes = from.sharedMemBytes,
                               .kernelParams = from.kernelParams,
                               .extra = from.extra};
    return cudaSuccess;
}

cudaError cudaGraphMemcpyNodeGetParams(CUgraphNode node, cudaMemcpy3DParms *params) {
    CUDA_MEMCPY3D from;
    cudaError error = rt_ready();
    if (!error && !params)
        error = rt_result(cudaErrorInvalidValue);
    if (!error)
        error = rt_result((cudaError)cuGraphMemcpyNodeGetParams(node, &from));
    if (!error)
        rt_copy3d_back(&from, params);
    return error;
}

cudaError cudaGraphMemsetNodeGetParams(CUgraphNode node, cudaMemsetParams *params) {
    CUDA_MEMSET_NODE_PARAMS from;
    cudaError error = rt_ready();
    if (!error && !params)
        error = rt_result(cudaErrorInvalidValue);
    if (!error)
        error = rt_result((cudaError)cuGraphMemsetNodeGetParams(node, &from));
    if (!error)
        *params = (cudaMemsetParams){.dst = (void *)(uintptr_t)from.dst,
                                     .pitch = from.pitch,
                                     .value = from.value,
                                     .elementSize = from.elementSize,
                                     .width = from.width,
                                     .height = from.height};
    return error;
}

cudaError cudaGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params) {
    RT_FORWARD(cuGraphHostNodeGetParams(node, params));
}

cudaError cudaGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
    RT_FORWARD(cuGraphChildGraphNodeGetGraph(node, graph));
}

cudaError cudaGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
    RT_FORWARD(cuGraphEventRecordNodeGetEvent(node, event));
}

cudaError cudaGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
    RT_FORWARD(cuGraphEventWaitNodeGetEvent(node, event));
}

cudaError cudaGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
    RT_FORWARD(cuGraphMemAllocNodeGetParams(node, params));
}

cudaError cudaGraphMemFreeNodeGetParams(CUgraphNode node, void *address) {
    RT_FORWARD(cuGraphMemFreeNodeGetParams(node, address));
}

/* ---- changing it ---- */

cudaError cudaGraphKernelNodeSetParams(CUgraphNode node, const cudaKernelNodeParams *params) {
    CUDA_KERNEL_NODE_PARAMS converted;
    cudaError error = rt_kernel_params(params, &converted);
    return error ? error : rt_result((cudaError)cuGraphKernelNodeSetParams_v2(node, &converted));
}

cudaError cudaGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                           const cudaKernelNodeParams *params) {
    CUDA_KERNEL_NODE_PARAMS converted;
    cudaError error = rt_kernel_params(params, &converted);
    return error ? error
                 : rt_result((cudaError)cuGraphExecKernelNodeSetParams_v2(exec, node, &converted));
}

/* In an executable graph, or, where that is NULL, in the graph. */
static cudaError set_copy(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy) {
    if (exec)
        RT_FORWARD(cuGraphExecMemcpyNodeSetParams(exec, node, copy, rt_context()));
    RT_FORWARD(cuGraphMemcpyNodeSetParams(node, copy));
}

static cudaError set_flat_copy(CUgraphExec exec, CUgraphNode node, void *to, const void *from,
                               size_t bytes, int kind) {
    CUDA_MEMCPY3D copy;
    if (kind < COPY_HOST_TO_HOST || kind > COPY_DEFAULT)
        return rt_result(cudaErrorInvalidMemcpyDirection);
    rt_flat_copy(to, from, bytes, kind, &copy);
    return set_copy(exec, node, &copy);
}

cudaError cudaGraphMemcpyNodeSetParams(CUgraphNode node, const cudaMemcpy3DParms *params) {
    CUDA_MEMCPY3D copy;
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    rt_copy3d(params, &copy);
    return set_copy(NULL, node, &copy);
}

cudaError cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *to, const void *from, size_t bytes,
                                         int kind) {
    return set_flat_copy(NULL, node, to, from, bytes, kind);
}

cudaError cudaGraphMemcpyNodeSetParamsToSymbol(CUgraphNode node, const void *symbol,
                                               const void *from, size_t bytes, size_t offset,
                                               int kind) {
    void *place;
    cudaError error = rt_variable_at(symbol, offset, &place);
    return error ? error : set_flat_copy(NULL, node, place, from, bytes, kind);
}

cudaError cudaGraphMemcpyNodeSetParamsFromSymbol(CUgraphNode node, void *to, const void *symbol,
                                                 size_t bytes, size_t offset, int kind) {
    void *place;
    cudaError error = rt_variable_at(symbol, offset, &place);
    return error ? error : set_flat_copy(NULL, node, to, place, bytes, kind);
}

cudaError cudaGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                           const cudaMemcpy3DParms *params) {
    CUDA_MEMCPY3D copy;
    if (!params || !exec)
        return rt_result(cudaErrorInvalidValue);
    rt_copy3d(params, &copy);
    return set_copy(exec, node, &copy);
}

cudaError cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec exec, CUgraphNode node, void *to,
                                             const void *from, size_t bytes, int kind) {
    return exec ? set_flat_copy(exec, node, to, from, bytes, kind)
                : rt_result(cudaErrorInvalidValue);
}

cudaError cudaGraphExecMemcpyNodeSetParamsToSymbol(CUgraphExec exec, CUgraphNode node,
                                                   const void *symbol, const void *from,
                                                   size_t bytes, size_t offset, int kind) {
    void *place;
    cudaError error = rt_variable_at(symbol, offset, &place);
    return error ? error : cudaGraphExecMemcpyNodeSetParams1D(exec, node, place, from, bytes, kind);
}

cudaError cudaGraphExecMemcpyNodeSetParamsFromSymbol(CUgraphExec exec, CUgraphNode node, void *to,
                                                     const void *symbol, size_t bytes,
                                                     size_t offset, int kind) {
    void *place;
    cudaError error = rt_variable_at(symbol, offset, &place);
    return error ? error : cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, place, bytes, kind);
}

cudaError cudaGraphMemsetNodeSetParams(CUgraphNode node, const cudaMemsetParams *params) {
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    CUDA_MEMSET_NODE_PARAMS converted = rt_memset_params(params);
    RT_FORWARD(cuGraphMemsetNodeSetParams(node, &converted));
}

cudaError cudaGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                           const cudaMemsetParams *params) {
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    CUDA_MEMSET_NODE_PARAMS converted = rt_memset_params(params);
    RT_FORWARD(cuGraphExecMemsetNodeSetParams(exec, node, &converted, rt_context()));
}

cudaError cudaGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
    RT_FORWARD(cuGraphHostNodeSetParams(node, params));
}

cudaError cudaGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                         const CUDA_HOST_NODE_PARAMS *params) {
    RT_FORWARD(cuGraphExecHostNodeSetParams(exec, node, params));
}

cudaError cudaGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
    RT_FORWARD(cuGraphEventRecordNodeSetEvent(node, event));
}

cudaError cudaGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
    RT_FORWARD(cuGraphEventWaitNodeSetEvent(node, event));
}

cudaError cudaGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    RT_FORWARD(cuGraphExecEventRecordNodeSetEvent(exec, node, event));
}

cudaError cudaGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    RT_FORWARD(cuGraphExecEventWaitNodeSetEvent(exec, node, event));
}

cudaError cudaGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
    RT_FORWARD(cuGraphExecChildGraphNodeSetParams(exec, node, child));
}

cudaError cudaGraphNodeSetParams(CUgraphNode node, cudaGraphNodeParams *params) {
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    switch (params->type) {
    case NODE_KERNEL:
        return cudaGraphKernelNodeSetParams(node, &params->kernel);
    case NODE_MEMCPY:
        return cudaGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
    case NODE_MEMSET:
        return cudaGraphMemsetNodeSetParams(node, &params->memset);
    default: /* the others have the driver's own layout */
        RT_FORWARD(cuGraphNodeSetParams(node, (CUgraphNodeParams *)(void *)params));
    }
}

cudaError cudaGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                     cudaGraphNodeParams *params) {
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    switch (params->type) {
    case NODE_KERNEL:
        return cudaGraphExecKernelNodeSetParams(exec, node, &params->kernel);
    case NODE_MEMCPY:
        return cudaGraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copyParams);
    case NODE_MEMSET:
        return cudaGraphExecMemsetNodeSetParams(exec, node, &params->memset);
    default:
        RT_FORWARD(cuGraphExecNodeSetParams(exec, node, (CUgraphNodeParams *)(void *)params));
    }
}

cudaError cudaGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
    RT_FORWARD(cuGraphNodeSetEnabled(exec, node, enabled));
}

cudaError cudaGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled) {
    RT_FORWARD(cuGraphNodeGetEnabled(exec, node, enabled));
}

/* ---- user objects ---- */

cudaError cudaUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned count,
                               unsigned flags) {
    RT_FORWARD(cuUserObjectCreate(object, data, destroy, count, flags));
}

cudaError cudaUserObjectRetain(CUuserObject object, unsigned count) {
    RT_FORWARD(cuUserObjectRetain(object, count));
}

cudaError cudaUserObjectRelease(CUuserObject object, unsigned count) {
    RT_FORWARD(cuUserObjectRelease(object, count));
}

cudaError cudaGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                    unsigned flags) {
    RT_FORWARD(cuGraphRetainUserObject(graph, object, count, flags));
}

cudaError cudaGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
    RT_FORWARD(cuGraphReleaseUserObject(graph, object, count));
}

VERSIONED(cudaGraphGetEdges)
VERSIONED(cudaGraphNodeGetDependencies)
VERSIONED(cudaGraphNodeGetDependentNodes)
VERSIONED(cudaGraphRemoveDependencies)

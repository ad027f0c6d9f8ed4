/* Graphs: the runtime's node parameters become the driver's; a host function becomes its kernel. */
#include "cuda/runtime/calls.h"

#include <string.h>

cudaError cudaGraphCreate(CUgraph *graph, unsigned flags) {
    RT_FORWARD(cuGraphCreate(graph, flags));
}

cudaError cudaGraphDestroy(CUgraph graph) {
    RT_FORWARD(cuGraphDestroy(graph));
}

cudaError cudaGraphClone(CUgraph *clone, CUgraph original) {
    RT_FORWARD(cuGraphClone(clone, original));
}

/* ---- parameters of nodes ---- */

cudaError rt_kernel_params(const cudaKernelNodeParams *from, CUDA_KERNEL_NODE_PARAMS *to) {
    CUkernel kernel;
    cudaError error = from ? rt_kernel(from->func, &kernel) : rt_result(cudaErrorInvalidValue);
    if (error)
        return error;
    *to = (CUDA_KERNEL_NODE_PARAMS){
        .func = kernel,
        .kern = kernel,
        .gridDim = {from->gridDim.x, from->gridDim.y, from->gridDim.z},
        .blockDim = {from->blockDim.x, from->blockDim.y, from->blockDim.z},
        .sharedMemBytes = from->sharedMemBytes,
        .kernelParams = from->kernelParams,
        .extra = from->extra};
    return cudaSuccess;
}

CUDA_MEMSET_NODE_PARAMS rt_memset_params(const cudaMemsetParams *from) {
    return (CUDA_MEMSET_NODE_PARAMS){.dst = (CUdeviceptr)(uintptr_t)from->dst,
                                     .pitch = from->pitch,
                                     .value = from->value,
                                     .elementSize = from->elementSize,
                                     .width = from->width,
                                     .height = from->height};
}

CUcontext rt_context(void) {
    CUcontext current = NULL;
    cuCtxGetCurrent(&current);
    return current;
}

/* ---- adding nodes ---- */

cudaError cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const cudaKernelNodeParams *params) {
    CUDA_KERNEL_NODE_PARAMS converted;
    cudaError error = rt_kernel_params(params, &converted);
    return error ? error
                 : rt_result((cudaError)cuGraphAddKernelNode_v2(node, graph, dependencies, count,
                                                                &converted));
}

cudaError cudaGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const cudaMemcpy3DParms *params) {
    CUDA_MEMCPY3D copy;
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    rt_copy3d(params, &copy);
    RT_FORWARD(cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, rt_context()));
}

cudaError cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count, void *to,
                                   const void *from, size_t bytes, int kind) {
    CUDA_MEMCPY3D copy;
    if (kind < COPY_HOST_TO_HOST || kind > COPY_DEFAULT)
        return rt_result(cudaErrorInvalidMemcpyDirection);
    if (bytes == 0)
        return rt_result(cudaErrorInvalidValue);
    rt_flat_copy(to, from, bytes, kind, &copy);
    RT_FORWARD(cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, rt_context()));
}

cudaError cudaGraphAddMemcpyNodeToSymbol(CUgraphNode *node, CUgraph graph,
                                         const CUgraphNode *dependencies, size_t count,
                                         const void *symbol, const void *from, size_t bytes,
                                         size_t offset, int kind) {
    void *place;
    cudaError error = rt_variable_at(symbol, offset, &place);
    return error ? error
                 : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, place, from, bytes,
                                            kind);
}

cudaError cudaGraphAddMemcpyNodeFromSymbol(CUgraphNode *node, CUgraph graph,
                                           const CUgraphNode *dependencies, size_t count, void *to,
                                           const void *symbol, size_t bytes, size_t offset,
                                           int kind) {
    void *place;
    cudaError error = rt_variable_at(symbol, offset, &place);
    return error
               ? error
               : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, place, bytes, kind);
}

cudaError cudaGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const cudaMemsetParams *params) {
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    CUDA_MEMSET_NODE_PARAMS converted = rt_memset_params(params);
    RT_FORWARD(cuGraphAddMemsetNode(node, graph, dependencies, count, &converted, rt_context()));
}

cudaError cudaGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                               size_t count, const CUDA_HOST_NODE_PARAMS *params) {
    RT_FORWARD(cuGraphAddHostNode(node, graph, dependencies, count, params));
}

cudaError cudaGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                                     const CUgraphNode *dependencies, size_t count, CUgraph child) {
    RT_FORWARD(cuGraphAddChildGraphNode(node, graph, dependencies, count, child));
}

cudaError cudaGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                size_t count) {
    RT_FORWARD(cuGraphAddEmptyNode(node, graph, dependencies, count));
}

cudaError cudaGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                      const CUgraphNode *dependencies, size_t count,
                                      CUevent event) {
    RT_FORWARD(cuGraphAddEventRecordNode(node, graph, dependencies, count, event));
}

cudaError cudaGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                                    const CUgraphNode *dependencies, size_t count, CUevent event) {
    RT_FORWARD(cuGraphAddEventWaitNode(node, graph, dependencies, count, event));
}

cudaError cudaGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count,
                                   CUDA_MEM_ALLOC_NODE_PARAMS *params) {
    RT_FORWARD(cuGraphAddMemAllocNode(node, graph, dependencies, count, params));
}

cudaError cudaGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t count, void *address) {
    RT_FORWARD(
        cuGraphAddMemFreeNode(node, graph, dependencies, count, (CUdeviceptr)(uintptr_t)address));
}

cudaError cudaGraphAddNode_13(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              const CUgraphEdgeData *edges, size_t count,
                              cudaGraphNodeParams *params) {
    if (!params)
        return rt_result(cudaErrorInvalidValue);
    switch (params->type) {
    case NODE_KERNEL:
        return cudaGraphAddKernelNode(node, graph, dependencies, count, &params->kernel);
    case NODE_MEMCPY:
        return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copyParams);
    case NODE_MEMSET:
        return cudaGraphAddMemsetNode(node, graph, dependencies, count, &params->memset);
    default: /* the others have the driver's own layout; CUDA 12's conditions have no context */
        if (params->type == NODE_CONDITIONAL)
            ((CUgraphNodeParams *)(void *)params)->conditional.ctx = rt_context();
        RT_FORWARD(cuGraphAddNode_v2(node, graph, dependencies, edges, count,
                                     (CUgraphNodeParams *)(void *)params));
    }
}

cudaError cudaGraphAddNode_12(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, cudaGraphNodeParams *params) {
    return cudaGraphAddNode_13(node, graph, dependencies, NULL, count, params);
}

cudaError cudaGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              const CUgraphEdgeData *edges, size_t count,
                              cudaGraphNodeParams *params) {
    return cudaGraphAddNode_13(node, graph, dependencies, edges, count, params);
}

cudaError cudaGraphAddDependencies_13(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *edges, size_t count) {
    RT_FORWARD(cuGraphAddDependencies_v2(graph, from, to, edges, count));
}

cudaError cudaGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *edges, size_t count) {
    return cudaGraphAddDependencies_13(graph, from, to, edges, count);
}

cudaError cudaGraphAddDependencies_12(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      size_t count) {
    return cudaGraphAddDependencies_13(graph, from, to, NULL, count);
}

/* ---- executable graphs ---- */

cudaError cudaGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    RT_FORWARD(cuGraphInstantiateWithFlags(exec, graph, flags));
}

cudaError cudaGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                        unsigned long long flags) {
    RT_FORWARD(cuGraphInstantiateWithFlags(exec, graph, flags));
}

cudaError cudaGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                         CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
    RT_FORWARD(cuGraphInstantiateWithParams(exec, graph, params));
}

cudaError cudaGraphExecDestroy(CUgraphExec exec) {
    RT_FORWARD(cuGraphExecDestroy(exec));
}

cudaError cudaGraphLaunch(CUgraphExec exec, CUstream stream) {
    RT_FORWARD(cuGraphLaunch(exec, stream));
}

cudaError cudaGraphUpload(CUgraphExec exec, CUstream stream) {
    RT_FORWARD(cuGraphUpload(exec, stream));
}

cudaError cudaGraphExecGetFlags(CUgraphExec exec, unsigned long long *flags) {
    RT_FORWARD(cuGraphExecGetFlags(exec, (uint64_t *)flags));
}

cudaError cudaGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
    RT_FORWARD(cuGraphExecUpdate_v2(exec, graph, info));
}

VERSIONED(cudaGraphAddDependencies)
VERSIONED(cudaGraphAddNode)

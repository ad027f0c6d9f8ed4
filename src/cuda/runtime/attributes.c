/* Attributes of kernel nodes and streams, conditions of graphs, what captures depend on, copies in batches. */
#include "cuda/runtime/calls.h"

cudaError cudaGraphKernelNodeSetAttribute(CUgraphNode node, int id,
                                          const CUlaunchAttributeValue *value) {
    RT_FORWARD(cuGraphKernelNodeSetAttribute(node, id, value));
}

cudaError cudaGraphKernelNodeGetAttribute(CUgraphNode node, int id, CUlaunchAttributeValue *value) {
    RT_FORWARD(cuGraphKernelNodeGetAttribute(node, id, value));
}

cudaError cudaGraphKernelNodeCopyAttributes_13(CUgraphNode to, CUgraphNode from) {
    RT_FORWARD(cuGraphKernelNodeCopyAttributes(to, from));
}

/* CUDA 12 names the source first. */
cudaError cudaGraphKernelNodeCopyAttributes_12(CUgraphNode from, CUgraphNode to) {
    return cudaGraphKernelNodeCopyAttributes_13(to, from);
}

cudaError cudaStreamSetAttribute(CUstream stream, int id, const CUlaunchAttributeValue *value) {
    RT_FORWARD(cuStreamSetAttribute(stream, id, value));
}

cudaError cudaStreamGetAttribute(CUstream stream, int id, CUlaunchAttributeValue *value) {
    RT_FORWARD(cuStreamGetAttribute(stream, id, value));
}

cudaError cudaStreamCopyAttributes(CUstream to, CUstream from) {
    RT_FORWARD(cuStreamCopyAttributes(to, from));
}

/* ---- graphs ---- */

cudaError cudaGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                           unsigned value, unsigned flags) {
    RT_FORWARD(cuGraphConditionalHandleCreate(handle, graph, rt_context(), value, flags));
}

cudaError cudaGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) {
    RT_FORWARD(cuGraphDebugDotPrint(graph, path, flags));
}

cudaError cudaStreamUpdateCaptureDependencies_13(CUstream stream, CUgraphNode *dependencies,
                                                 const CUgraphEdgeData *edges, size_t count,
                                                 unsigned flags) {
    RT_FORWARD(cuStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags));
}

cudaError cudaStreamUpdateCaptureDependencies_12(CUstream stream, CUgraphNode *dependencies,
                                                 size_t count, unsigned flags) {
    return cudaStreamUpdateCaptureDependencies_13(stream, dependencies, NULL, count, flags);
}

cudaError cudaStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies,
                                                 const CUgraphEdgeData *edges, size_t count,
                                                 unsigned flags) {
    return cudaStreamUpdateCaptureDependencies_13(stream, dependencies, edges, count, flags);
}

/* ---- copies ---- */

cudaError cudaMemcpyBatchAsync_12(void **to, void **from, size_t *bytes, size_t count,
                                  CUmemcpyAttributes *attributes, size_t *first, size_t kinds,
                                  size_t *place, CUstream stream) {
    RT_FORWARD(cuMemcpyBatchAsync((CUdeviceptr *)to, (CUdeviceptr *)from, bytes, count, attributes,
                                  first, kinds, place, stream));
}

cudaError cudaMemcpyBatchAsync_13(const void **to, const void **from, const size_t *bytes,
                                  size_t count, CUmemcpyAttributes *attributes, size_t *first,
                                  size_t kinds, CUstream stream) {
    return cudaMemcpyBatchAsync_12((void **)(uintptr_t)to, (void **)(uintptr_t)from,
                                   (size_t *)(uintptr_t)bytes, count, attributes, first, kinds,
                                   NULL, stream);
}

cudaError cudaMemcpy3DBatchAsync_12(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, size_t *place,
                                    unsigned long long flags, CUstream stream) {
    RT_FORWARD(cuMemcpy3DBatchAsync(count, boxes, place, flags, stream));
}

cudaError cudaMemcpy3DBatchAsync_13(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes,
                                    unsigned long long flags, CUstream stream) {
    return cudaMemcpy3DBatchAsync_12(count, boxes, NULL, flags, stream);
}

cudaError cudaMemPrefetchBatchAsync(void **addresses, size_t *bytes, size_t count,
                                    CUmemLocation *locations, size_t *first, size_t kinds,
                                    unsigned long long flags, CUstream stream) {
    RT_FORWARD(cuMemPrefetchBatchAsync((CUdeviceptr *)addresses, bytes, count, locations, first,
                                       kinds, flags, stream));
}

cudaError cudaMemDiscardAndPrefetchBatchAsync(void **addresses, size_t *bytes, size_t count,
                                              CUmemLocation *locations, size_t *first, size_t kinds,
                                              unsigned long long flags, CUstream stream) {
    RT_FORWARD(cuMemDiscardAndPrefetchBatchAsync((CUdeviceptr *)addresses, bytes, count, locations,
                                                 first, kinds, flags, stream));
}

cudaError cudaMemDiscardBatchAsync(void **addresses, size_t *bytes, size_t count,
                                   unsigned long long flags, CUstream stream) {
    RT_FORWARD(cuMemDiscardBatchAsync((CUdeviceptr *)addresses, bytes, count, flags, stream));
}

VERSIONED(cudaGraphKernelNodeCopyAttributes)
VERSIONED(cudaStreamUpdateCaptureDependencies)
VERSIONED(cudaMemcpyBatchAsync)
VERSIONED(cudaMemcpy3DBatchAsync)

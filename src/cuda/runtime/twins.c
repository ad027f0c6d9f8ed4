/* The names that --default-stream per-thread uses: the same calls with stream 0 meaning the calling
 * thread's own stream (_ptsz), and synchronous ones that need not differ here (_ptds), since every
 * copy is done when the call returns. */
#include "cuda/runtime/calls.h"

static CUstream own(CUstream stream) {
    return stream ? stream : STREAM_PER_THREAD;
}

cudaError __cudaLaunchKernel_ptsz(CUkernel kernel, dim3 grid, dim3 block, void **arguments,
                                  size_t shared, CUstream stream) {
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared, own(stream));
}

cudaError cudaEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned flags) {
    return cudaEventRecordWithFlags(event, own(stream), flags);
}

cudaError cudaEventRecord_ptsz(CUevent event, CUstream stream) {
    return cudaEventRecord(event, own(stream));
}

cudaError cudaFreeAsync_ptsz(void *address, CUstream stream) {
    return cudaFreeAsync(address, own(stream));
}

cudaError cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **function,
                                                unsigned version, unsigned long long flags,
                                                int *status) {
    return cudaGetDriverEntryPointByVersion(symbol, function, version, flags, status);
}

cudaError cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function,
                                       unsigned long long flags, int *status) {
    return cudaGetDriverEntryPoint(symbol, function, flags, status);
}

cudaError cudaGraphInstantiateWithParams_ptsz(CUgraphExec *exec, CUgraph graph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
    return cudaGraphInstantiateWithParams(exec, graph, params);
}

cudaError cudaGraphLaunch_ptsz(CUgraphExec exec, CUstream stream) {
    return cudaGraphLaunch(exec, own(stream));
}

cudaError cudaGraphUpload_ptsz(CUgraphExec exec, CUstream stream) {
    return cudaGraphUpload(exec, own(stream));
}

cudaError cudaLaunchCooperativeKernel_ptsz(const void *host, dim3 grid, dim3 block,
                                           void **arguments, size_t shared, CUstream stream) {
    return cudaLaunchCooperativeKernel(host, grid, block, arguments, shared, own(stream));
}

cudaError cudaLaunchHostFunc_ptsz(CUstream stream, CUhostFn function, void *data) {
    return cudaLaunchHostFunc(own(stream), function, data);
}

cudaError cudaLaunchKernelExC_ptsz(const cudaLaunchConfig *config, const void *host,
                                   void **arguments) {
    return cudaLaunchKernelExC(config, host, arguments);
}

cudaError cudaLaunchKernel_ptsz(const void *host, dim3 grid, dim3 block, void **arguments,
                                size_t shared, CUstream stream) {
    return cudaLaunchKernel(host, grid, block, arguments, shared, own(stream));
}

cudaError cudaMallocAsync_ptsz(void **address, size_t bytes, CUstream stream) {
    return cudaMallocAsync(address, bytes, own(stream));
}

cudaError cudaMallocFromPoolAsync_ptsz(void **address, size_t bytes, CUmemoryPool pool,
                                       CUstream stream) {
    return cudaMallocFromPoolAsync(address, bytes, pool, own(stream));
}

cudaError cudaMemcpy2DAsync_ptsz(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                 size_t width, size_t height, int kind, CUstream stream) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, own(stream));
}

cudaError cudaMemcpy2D_ptds(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, int kind) {
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms *box, CUstream stream) {
    return cudaMemcpy3DAsync(box, own(stream));
}

cudaError cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms *peer, CUstream stream) {
    return cudaMemcpy3DPeerAsync(peer, own(stream));
}

cudaError cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms *peer) {
    return cudaMemcpy3DPeer(peer);
}

cudaError cudaMemcpy3D_ptds(const cudaMemcpy3DParms *box) {
    return cudaMemcpy3D(box);
}

cudaError cudaMemcpyAsync_ptsz(void *to, const void *from, size_t bytes, int kind,
                               CUstream stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, own(stream));
}

cudaError cudaMemcpyFromSymbolAsync_ptsz(void *to, const void *symbol, size_t bytes, size_t offset,
                                         int kind, CUstream stream) {
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, own(stream));
}

cudaError cudaMemcpyFromSymbol_ptds(void *to, const void *symbol, size_t bytes, size_t offset,
                                    int kind) {
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *from, size_t bytes,
                                       size_t offset, int kind, CUstream stream) {
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, own(stream));
}

cudaError cudaMemcpyToSymbol_ptds(const void *symbol, const void *from, size_t bytes, size_t offset,
                                  int kind) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError cudaMemcpy_ptds(void *to, const void *from, size_t bytes, int kind) {
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError cudaMemset2DAsync_ptsz(void *address, size_t pitch, int value, size_t width,
                                 size_t height, CUstream stream) {
    return cudaMemset2DAsync(address, pitch, value, width, height, own(stream));
}

cudaError cudaMemset2D_ptds(void *address, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2D(address, pitch, value, width, height);
}

cudaError cudaMemset3DAsync_ptsz(cudaPitchedPtr pointer, int value, cudaExtent extent,
                                 CUstream stream) {
    return cudaMemset3DAsync(pointer, value, extent, own(stream));
}

cudaError cudaMemset3D_ptds(cudaPitchedPtr pointer, int value, cudaExtent extent) {
    return cudaMemset3D(pointer, value, extent);
}

cudaError cudaMemsetAsync_ptsz(void *address, int value, size_t bytes, CUstream stream) {
    return cudaMemsetAsync(address, value, bytes, own(stream));
}

cudaError cudaMemset_ptds(void *address, int value, size_t bytes) {
    return cudaMemset(address, value, bytes);
}

cudaError cudaStreamAddCallback_ptsz(CUstream stream, CUstreamCallback callback, void *data,
                                     unsigned flags) {
    return cudaStreamAddCallback(own(stream), callback, data, flags);
}

cudaError cudaStreamAttachMemAsync_ptsz(CUstream stream, void *pointer, size_t bytes,
                                        unsigned flags) {
    return cudaStreamAttachMemAsync(own(stream), pointer, bytes, flags);
}

cudaError cudaStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph,
                                             const CUgraphNode *dependencies, const void *edges,
                                             size_t count, int mode) {
    return cudaStreamBeginCaptureToGraph(own(stream), graph, dependencies, edges, count, mode);
}

cudaError cudaStreamBeginCapture_ptsz(CUstream stream, int mode) {
    return cudaStreamBeginCapture(own(stream), mode);
}

cudaError cudaStreamCopyAttributes_ptsz(CUstream to, CUstream from) {
    return cudaStreamCopyAttributes(to, from);
}

cudaError cudaStreamEndCapture_ptsz(CUstream stream, CUgraph *graph) {
    return cudaStreamEndCapture(own(stream), graph);
}

cudaError cudaStreamGetCaptureInfo_v2_ptsz(CUstream stream, int *status, unsigned long long *id,
                                           CUgraph *graph, const CUgraphNode **dependencies,
                                           size_t *count) {
    return cudaStreamGetCaptureInfo_v2(own(stream), status, id, graph, dependencies, count);
}

cudaError cudaStreamGetCaptureInfo_v3_ptsz(CUstream stream, int *status, unsigned long long *id,
                                           CUgraph *graph, const CUgraphNode **dependencies,
                                           const void **edges, size_t *count) {
    return cudaStreamGetCaptureInfo_v3(own(stream), status, id, graph, dependencies, edges, count);
}

cudaError cudaStreamGetDevice_ptsz(CUstream stream, int *device) {
    return cudaStreamGetDevice(own(stream), device);
}

cudaError cudaStreamGetFlags_ptsz(CUstream stream, unsigned *flags) {
    return cudaStreamGetFlags(own(stream), flags);
}

cudaError cudaStreamGetId_ptsz(CUstream stream, unsigned long long *id) {
    return cudaStreamGetId(own(stream), id);
}

cudaError cudaStreamGetPriority_ptsz(CUstream stream, int *priority) {
    return cudaStreamGetPriority(own(stream), priority);
}

cudaError cudaStreamIsCapturing_ptsz(CUstream stream, int *status) {
    return cudaStreamIsCapturing(own(stream), status);
}

cudaError cudaStreamQuery_ptsz(CUstream stream) {
    return cudaStreamQuery(own(stream));
}

cudaError cudaStreamSetAttribute_ptsz(CUstream stream, int attribute, const void *value) {
    return cudaStreamSetAttribute(own(stream), attribute, value);
}

cudaError cudaStreamSynchronize_ptsz(CUstream stream) {
    return cudaStreamSynchronize(own(stream));
}

cudaError cudaStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags) {
    return cudaStreamWaitEvent(own(stream), event, flags);
}

cudaError cudaMemPrefetchAsync_ptsz_12(const void *pointer, size_t bytes, int device,
                                       CUstream stream) {
    return cudaMemPrefetchAsync_12(pointer, bytes, device, own(stream));
}

cudaError cudaMemPrefetchAsync_ptsz_13(const void *pointer, size_t bytes, CUmemLocation location,
                                       unsigned flags, CUstream stream) {
    return cudaMemPrefetchAsync_13(pointer, bytes, location, flags, own(stream));
}

cudaError cudaStreamGetCaptureInfo_ptsz_12(CUstream stream, int *status, unsigned long long *id) {
    return cudaStreamGetCaptureInfo_12(own(stream), status, id);
}

cudaError cudaStreamGetCaptureInfo_ptsz_13(CUstream stream, int *status, unsigned long long *id,
                                           CUgraph *graph, const CUgraphNode **dependencies,
                                           const void **edges, size_t *count) {
    return cudaStreamGetCaptureInfo_13(own(stream), status, id, graph, dependencies, edges, count);
}

VERSIONED(cudaMemPrefetchAsync_ptsz)
VERSIONED(cudaStreamGetCaptureInfo_ptsz)

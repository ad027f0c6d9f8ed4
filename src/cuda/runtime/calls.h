/* calls: the entry points that are implemented. Everything declared here is exported under
 * its own name, but for X_12 and X_13, which are exported as X in that version (VERSIONED). */
#pragma once

#include "cuda/runtime/runtime.h"

/* The program finds X_12 as X@libcudart.so.12, X_13 as X@libcudart.so.13. */
#define VERSIONED(name)                                                                            \
    __asm__(".symver " #name "_12, " #name "@libcudart.so.12");                                    \
    __asm__(".symver " #name "_13, " #name "@@libcudart.so.13");

#pragma GCC visibility push(default)

/* ---- error.c ---- */

cudaError cudaPeekAtLastError(void);
cudaError cudaGetLastError(void);
const char *cudaGetErrorName(cudaError error);
const char *cudaGetErrorString(cudaError error);

/* ---- registry.c ---- */

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                            int threads, void *tid, void *bid, dim3 *block, dim3 *grid,
                            int *warp_size);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern,
                       size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int is_extern, size_t bytes, int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes);
void __cudaRegisterUnifiedTable(void **handle, void *table);
char __cudaInitModule(void **handle);

/* ---- launch.c ---- */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream stream);
cudaError __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError cudaGetKernel(CUkernel *kernel, const void *host);
cudaError __cudaGetKernel(CUkernel *kernel, const void *host);
cudaError cudaGetFuncBySymbol(CUfunction *function, const void *host);
cudaError __cudaLaunchKernel(CUkernel kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, CUstream stream);
cudaError cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared,
                           CUstream stream);
cudaError cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, CUstream stream);
cudaError cudaLaunchKernelExC(const cudaLaunchConfig *config, const void *host, void **arguments);
cudaError cudaLaunchHostFunc(CUstream stream, CUhostFn function, void *data);
cudaError cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *host);
cudaError cudaFuncSetAttribute(const void *host, int attribute, int value);
cudaError cudaKernelSetAttributeForDevice(CUkernel kernel, int attribute, int value, int device);
cudaError cudaFuncSetCacheConfig(const void *host, int config);
cudaError cudaFuncSetSharedMemConfig(const void *host, int config);
cudaError cudaFuncGetName(const char **name, const void *host);
cudaError cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset, size_t *bytes);
cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host,
                                                                 int threads, size_t shared,
                                                                 unsigned flags);
cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads,
                                                        size_t shared);
cudaError cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *host, int blocks,
                                                    int threads);
cudaError cudaOccupancyMaxPotentialClusterSize(int *size, const void *host,
                                               const cudaLaunchConfig *config);
cudaError cudaOccupancyMaxActiveClusters(int *count, const void *host,
                                         const cudaLaunchConfig *config);
cudaError cudaLibraryLoadData(CUlibrary *library, const void *code, int *jit_options,
                              void **jit_values, unsigned jit_count, int *options, void **values,
                              unsigned count);
cudaError cudaLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                                  void **jit_values, unsigned jit_count, int *options,
                                  void **values, unsigned count);
cudaError cudaLibraryUnload(CUlibrary library);
cudaError cudaLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
cudaError cudaLibraryGetKernelCount(unsigned *count, CUlibrary library);
cudaError cudaLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library);
cudaError cudaLibraryGetGlobal(void **address, size_t *bytes, CUlibrary library, const char *name);
cudaError cudaLibraryGetManaged(void **address, size_t *bytes, CUlibrary library, const char *name);

/* ---- memory.c ---- */

cudaError cudaMalloc(void **address, size_t bytes);
cudaError cudaFree(void *address);
cudaError cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height);
cudaError cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent);
cudaError cudaMallocManaged(void **address, size_t bytes, unsigned flags);
cudaError cudaMallocHost(void **host, size_t bytes);
cudaError cudaHostAlloc(void **host, size_t bytes, unsigned flags);
cudaError cudaFreeHost(void *host);
cudaError cudaHostRegister(void *host, size_t bytes, unsigned flags);
cudaError cudaHostUnregister(void *host);
cudaError cudaHostGetDevicePointer(void **address, void *host, unsigned flags);
cudaError cudaHostGetFlags(unsigned *flags, void *host);
cudaError cudaMemGetInfo(size_t *available, size_t *total);
cudaError cudaMallocAsync(void **address, size_t bytes, CUstream stream);
cudaError cudaMallocFromPoolAsync(void **address, size_t bytes, CUmemoryPool pool, CUstream stream);
cudaError cudaFreeAsync(void *address, CUstream stream);
cudaError cudaDeviceGetDefaultMemPool(CUmemoryPool *pool, int device);
cudaError cudaDeviceGetMemPool(CUmemoryPool *pool, int device);
cudaError cudaDeviceSetMemPool(int device, CUmemoryPool pool);
cudaError cudaMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties);
cudaError cudaMemPoolDestroy(CUmemoryPool pool);
cudaError cudaMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value);
cudaError cudaMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value);
cudaError cudaMemPoolTrimTo(CUmemoryPool pool, size_t keep);
cudaError cudaMemPoolSetAccess(CUmemoryPool pool, const void *access, size_t count);
cudaError cudaMemPoolGetAccess(int *flags, CUmemoryPool pool, CUmemLocation *location);
cudaError cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer);
cudaError cudaMemPrefetchAsync_12(const void *pointer, size_t bytes, int device, CUstream stream);
cudaError cudaMemPrefetchAsync_13(const void *pointer, size_t bytes, CUmemLocation location,
                                  unsigned flags, CUstream stream);
cudaError cudaMemAdvise_12(const void *pointer, size_t bytes, int advice, int device);
cudaError cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, CUmemLocation location);
cudaError cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, CUmemLocation location,
                                  unsigned flags, CUstream stream);
cudaError cudaMemPrefetchAsync_v2_ptsz(const void *pointer, size_t bytes, CUmemLocation location,
                                       unsigned flags, CUstream stream);
cudaError cudaMemAdvise_13(const void *pointer, size_t bytes, int advice, CUmemLocation location);
cudaError cudaMemRangeGetAttribute(void *value, size_t size, int attribute, const void *pointer,
                                   size_t bytes);
cudaError cudaMemRangeGetAttributes(void **values, size_t *sizes, int *attributes, size_t count,
                                    const void *pointer, size_t bytes);
cudaError cudaStreamAttachMemAsync(CUstream stream, void *pointer, size_t bytes, unsigned flags);
/* ---- array.c ---- */

cudaError cudaMallocArray(CUarray *array, const cudaChannelFormatDesc *format, size_t width,
                          size_t height, unsigned flags);
cudaError cudaMalloc3DArray(CUarray *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                            unsigned flags);
cudaError cudaFreeArray(CUarray array);
cudaError cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags,
                           CUarray array);
cudaError cudaGetChannelDesc(cudaChannelFormatDesc *format, CUarray array);
cudaError cudaMallocMipmappedArray(CUmipmappedArray *mipmapped, const cudaChannelFormatDesc *format,
                                   cudaExtent extent, unsigned levels, unsigned flags);
cudaError cudaGetMipmappedArrayLevel(CUarray *array, CUmipmappedArray mipmapped, unsigned level);
cudaError cudaFreeMipmappedArray(CUmipmappedArray mipmapped);
cudaError cudaMemcpy2DToArray(CUarray to, size_t x, size_t y, const void *from, size_t pitch,
                              size_t width, size_t height, int kind);
cudaError cudaMemcpy2DToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t pitch,
                                   size_t width, size_t height, int kind, CUstream stream);
cudaError cudaMemcpy2DFromArray(void *to, size_t pitch, CUarray from, size_t x, size_t y,
                                size_t width, size_t height, int kind);
cudaError cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CUarray from, size_t x, size_t y,
                                     size_t width, size_t height, int kind, CUstream stream);
cudaError cudaMemcpy2DArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from,
                                   size_t from_x, size_t from_y, size_t width, size_t height,
                                   int kind);
cudaError cudaMemcpyToArray(CUarray to, size_t x, size_t y, const void *from, size_t bytes,
                            int kind);
cudaError cudaMemcpyToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t bytes,
                                 int kind, CUstream stream);
cudaError cudaMemcpyFromArray(void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind);
cudaError cudaMemcpyFromArrayAsync(void *to, CUarray from, size_t x, size_t y, size_t bytes,
                                   int kind, CUstream stream);
cudaError cudaMemcpyArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from, size_t from_x,
                                 size_t from_y, size_t bytes, int kind);

/* ---- texture.c ---- */

cudaError cudaCreateTextureObject(CUtexObject *object, const cudaResourceDesc *resource,
                                  const cudaTextureDesc *texture,
                                  const CUDA_RESOURCE_VIEW_DESC *view);
cudaError cudaDestroyTextureObject(CUtexObject object);
cudaError cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, CUtexObject object);
cudaError cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, CUtexObject object);
cudaError cudaGetTextureObjectResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object);
cudaError cudaCreateSurfaceObject(CUsurfObject *object, const cudaResourceDesc *resource);
cudaError cudaDestroySurfaceObject(CUsurfObject object);
cudaError cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, CUsurfObject object);

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int format);

/* ---- copy.c ---- */

cudaError cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
cudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, CUstream stream);
cudaError cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
cudaError cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                              size_t bytes, CUstream stream);
cudaError cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                       size_t height, int kind);
cudaError cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, int kind, CUstream stream);
cudaError cudaMemcpy3D(const cudaMemcpy3DParms *box);
cudaError cudaMemcpy3DAsync(const cudaMemcpy3DParms *box, CUstream stream);
cudaError cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *peer);
cudaError cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *peer, CUstream stream);
cudaError cudaGetSymbolAddress(void **address, const void *symbol);
cudaError cudaGetSymbolSize(size_t *bytes, const void *symbol);
cudaError cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                             int kind);
cudaError cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind);
cudaError cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                  int kind, CUstream stream);
cudaError cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                    int kind, CUstream stream);
cudaError cudaMemset(void *address, int value, size_t bytes);
cudaError cudaMemsetAsync(void *address, int value, size_t bytes, CUstream stream);
cudaError cudaMemset2D(void *address, size_t pitch, int value, size_t width, size_t height);
cudaError cudaMemset2DAsync(void *address, size_t pitch, int value, size_t width, size_t height,
                            CUstream stream);
cudaError cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent);
cudaError cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, CUstream stream);

/* ---- stream.c ---- */

cudaError cudaStreamCreate(CUstream *stream);
cudaError cudaStreamCreateWithFlags(CUstream *stream, unsigned flags);
cudaError cudaStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority);
cudaError cudaStreamDestroy(CUstream stream);
cudaError cudaStreamSynchronize(CUstream stream);
cudaError cudaStreamQuery(CUstream stream);
cudaError cudaStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
cudaError cudaStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                                unsigned flags);
cudaError cudaStreamGetFlags(CUstream stream, unsigned *flags);
cudaError cudaStreamGetPriority(CUstream stream, int *priority);
cudaError cudaStreamGetId(CUstream stream, unsigned long long *id);
cudaError cudaStreamGetDevice(CUstream stream, int *device);
cudaError cudaStreamSetAttribute(CUstream stream, int attribute, const void *value);
cudaError cudaStreamCopyAttributes(CUstream to, CUstream from);
cudaError cudaCtxResetPersistingL2Cache(void);
cudaError cudaEventCreate(CUevent *event);
cudaError cudaEventCreateWithFlags(CUevent *event, unsigned flags);
cudaError cudaEventDestroy(CUevent event);
cudaError cudaEventRecord(CUevent event, CUstream stream);
cudaError cudaEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags);
cudaError cudaEventQuery(CUevent event);
cudaError cudaEventSynchronize(CUevent event);
cudaError cudaEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
cudaError cudaStreamBeginCapture(CUstream stream, int mode);
cudaError cudaStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                        const CUgraphNode *dependencies, const void *edges,
                                        size_t count, int mode);
cudaError cudaStreamEndCapture(CUstream stream, CUgraph *graph);
cudaError cudaStreamIsCapturing(CUstream stream, int *status);
cudaError cudaStreamGetCaptureInfo_12(CUstream stream, int *status, unsigned long long *id);
cudaError cudaStreamGetCaptureInfo_v2(CUstream stream, int *status, unsigned long long *id,
                                      CUgraph *graph, const CUgraphNode **dependencies,
                                      size_t *count);
cudaError cudaStreamGetCaptureInfo_13(CUstream stream, int *status, unsigned long long *id,
                                      CUgraph *graph, const CUgraphNode **dependencies,
                                      const void **edges, size_t *count);
cudaError cudaStreamGetCaptureInfo_v3(CUstream stream, int *status, unsigned long long *id,
                                      CUgraph *graph, const CUgraphNode **dependencies,
                                      const void **edges, size_t *count);
cudaError cudaThreadExchangeStreamCaptureMode(int *mode);

/* ---- graph.c ---- */

cudaError cudaGraphCreate(CUgraph *graph, unsigned flags);
cudaError cudaGraphDestroy(CUgraph graph);
cudaError cudaGraphClone(CUgraph *clone, CUgraph original);
cudaError cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const cudaKernelNodeParams *params);
cudaError cudaGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const cudaMemcpy3DParms *params);
cudaError cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count, void *to,
                                   const void *from, size_t bytes, int kind);
cudaError cudaGraphAddMemcpyNodeToSymbol(CUgraphNode *node, CUgraph graph,
                                         const CUgraphNode *dependencies, size_t count,
                                         const void *symbol, const void *from, size_t bytes,
                                         size_t offset, int kind);
cudaError cudaGraphAddMemcpyNodeFromSymbol(CUgraphNode *node, CUgraph graph,
                                           const CUgraphNode *dependencies, size_t count, void *to,
                                           const void *symbol, size_t bytes, size_t offset,
                                           int kind);
cudaError cudaGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const cudaMemsetParams *params);
cudaError cudaGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                               size_t count, const CUDA_HOST_NODE_PARAMS *params);
cudaError cudaGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                                     const CUgraphNode *dependencies, size_t count, CUgraph child);
cudaError cudaGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                size_t count);
cudaError cudaGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                      const CUgraphNode *dependencies, size_t count, CUevent event);
cudaError cudaGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                                    const CUgraphNode *dependencies, size_t count, CUevent event);
cudaError cudaGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count,
                                   CUDA_MEM_ALLOC_NODE_PARAMS *params);
cudaError cudaGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t count, void *address);
cudaError cudaGraphAddNode_13(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              const void *edges, size_t count, cudaGraphNodeParams *params);
cudaError cudaGraphAddNode_12(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, cudaGraphNodeParams *params);
cudaError cudaGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              const void *edges, size_t count, cudaGraphNodeParams *params);
cudaError cudaGraphAddDependencies_13(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const void *edges, size_t count);
cudaError cudaGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const void *edges, size_t count);
cudaError cudaGraphAddDependencies_12(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      size_t count);
cudaError cudaGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
cudaError cudaGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
cudaError cudaGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                         CUDA_GRAPH_INSTANTIATE_PARAMS *params);
cudaError cudaGraphExecDestroy(CUgraphExec exec);
cudaError cudaGraphLaunch(CUgraphExec exec, CUstream stream);
cudaError cudaGraphUpload(CUgraphExec exec, CUstream stream);
cudaError cudaGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info);
cudaError cudaGraphExecGetFlags(CUgraphExec exec, unsigned long long *flags);

/* ---- graph_nodes.c ---- */

cudaError cudaGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
cudaError cudaGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
cudaError cudaGraphGetEdges_13(CUgraph graph, CUgraphNode *from, CUgraphNode *to, void *edges,
                               size_t *count);
cudaError cudaGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, void *edges,
                               size_t *count);
cudaError cudaGraphGetEdges_12(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
cudaError cudaGraphNodeGetDependencies_13(CUgraphNode node, CUgraphNode *nodes, void *edges,
                                          size_t *count);
cudaError cudaGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, void *edges,
                                          size_t *count);
cudaError cudaGraphNodeGetDependencies_12(CUgraphNode node, CUgraphNode *nodes, size_t *count);
cudaError cudaGraphNodeGetDependentNodes_13(CUgraphNode node, CUgraphNode *nodes, void *edges,
                                            size_t *count);
cudaError cudaGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, void *edges,
                                            size_t *count);
cudaError cudaGraphNodeGetDependentNodes_12(CUgraphNode node, CUgraphNode *nodes, size_t *count);
cudaError cudaGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone);
cudaError cudaGraphNodeGetType(CUgraphNode node, int *type);
cudaError cudaGraphDestroyNode(CUgraphNode node);
cudaError cudaGraphRemoveDependencies_13(CUgraph graph, const CUgraphNode *from,
                                         const CUgraphNode *to, const void *edges, size_t count);
cudaError cudaGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                         const CUgraphNode *to, const void *edges, size_t count);
cudaError cudaGraphRemoveDependencies_12(CUgraph graph, const CUgraphNode *from,
                                         const CUgraphNode *to, size_t count);
cudaError cudaGraphKernelNodeGetParams(CUgraphNode node, cudaKernelNodeParams *params);
cudaError cudaGraphMemcpyNodeGetParams(CUgraphNode node, cudaMemcpy3DParms *params);
cudaError cudaGraphMemsetNodeGetParams(CUgraphNode node, cudaMemsetParams *params);
cudaError cudaGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params);
cudaError cudaGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph);
cudaError cudaGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
cudaError cudaGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
cudaError cudaGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params);
cudaError cudaGraphMemFreeNodeGetParams(CUgraphNode node, void *address);
cudaError cudaGraphKernelNodeSetParams(CUgraphNode node, const cudaKernelNodeParams *params);
cudaError cudaGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                           const cudaKernelNodeParams *params);
cudaError cudaGraphMemcpyNodeSetParams(CUgraphNode node, const cudaMemcpy3DParms *params);
cudaError cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *to, const void *from, size_t bytes,
                                         int kind);
cudaError cudaGraphMemcpyNodeSetParamsToSymbol(CUgraphNode node, const void *symbol,
                                               const void *from, size_t bytes, size_t offset,
                                               int kind);
cudaError cudaGraphMemcpyNodeSetParamsFromSymbol(CUgraphNode node, void *to, const void *symbol,
                                                 size_t bytes, size_t offset, int kind);
cudaError cudaGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                           const cudaMemcpy3DParms *params);
cudaError cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec exec, CUgraphNode node, void *to,
                                             const void *from, size_t bytes, int kind);
cudaError cudaGraphExecMemcpyNodeSetParamsToSymbol(CUgraphExec exec, CUgraphNode node,
                                                   const void *symbol, const void *from,
                                                   size_t bytes, size_t offset, int kind);
cudaError cudaGraphExecMemcpyNodeSetParamsFromSymbol(CUgraphExec exec, CUgraphNode node, void *to,
                                                     const void *symbol, size_t bytes,
                                                     size_t offset, int kind);
cudaError cudaGraphMemsetNodeSetParams(CUgraphNode node, const cudaMemsetParams *params);
cudaError cudaGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                           const cudaMemsetParams *params);
cudaError cudaGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
cudaError cudaGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                         const CUDA_HOST_NODE_PARAMS *params);
cudaError cudaGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
cudaError cudaGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
cudaError cudaGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
cudaError cudaGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
cudaError cudaGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child);
cudaError cudaGraphNodeSetParams(CUgraphNode node, cudaGraphNodeParams *params);
cudaError cudaGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                     cudaGraphNodeParams *params);
cudaError cudaGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled);
cudaError cudaGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled);
cudaError cudaUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned count,
                               unsigned flags);
cudaError cudaUserObjectRetain(CUuserObject object, unsigned count);
cudaError cudaUserObjectRelease(CUuserObject object, unsigned count);
cudaError cudaGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                    unsigned flags);
cudaError cudaGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count);

/* ---- device.c ---- */

cudaError cudaGetDeviceCount(int *count);
cudaError cudaSetDevice(int device);
cudaError cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError cudaGetDevice(int *device);
cudaError cudaChooseDevice(int *device, const void *properties);
cudaError cudaSetValidDevices(int *devices, int count);
cudaError cudaSetDeviceFlags(unsigned flags);
cudaError cudaGetDeviceFlags(unsigned *flags);
cudaError cudaDeviceSynchronize(void);
cudaError cudaDeviceReset(void);
cudaError cudaThreadSynchronize(void);
cudaError cudaThreadExit(void);
cudaError cudaDeviceGetAttribute(int *value, int attribute, int device);
cudaError cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to);
cudaError cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError cudaDeviceDisablePeerAccess(int peer);
cudaError cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const void *format, int device);
cudaError cudaDeviceSetLimit(int limit, size_t value);
cudaError cudaDeviceGetLimit(size_t *value, int limit);
cudaError cudaDeviceSetCacheConfig(int config);
cudaError cudaDeviceGetCacheConfig(int *config);
cudaError cudaDeviceSetSharedMemConfig(int config);
cudaError cudaDeviceGetSharedMemConfig(int *config);
cudaError cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope);
cudaError cudaDriverGetVersion(int *version);
cudaError cudaRuntimeGetVersion_12(int *version);
cudaError cudaRuntimeGetVersion_13(int *version);
cudaError cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                           unsigned long long flags, int *status);
cudaError cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                  int *status);
cudaError cudaGetExportTable(const void **table, const CUuuid *id);
cudaError cudaProfilerStart(void);
cudaError cudaProfilerStop(void);

/* ---- properties.c ---- */

cudaError cudaGetDeviceProperties_13(void *properties, int device);
cudaError cudaGetDeviceProperties_v2(void *properties, int device);
cudaError cudaGetDeviceProperties_12(void *properties, int device);

/* ---- twins.c ---- */

cudaError __cudaLaunchKernel_ptsz(CUkernel kernel, dim3 grid, dim3 block, void **arguments,
                                  size_t shared, CUstream stream);
cudaError cudaEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned flags);
cudaError cudaEventRecord_ptsz(CUevent event, CUstream stream);
cudaError cudaFreeAsync_ptsz(void *address, CUstream stream);
cudaError cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **function,
                                                unsigned version, unsigned long long flags,
                                                int *status);
cudaError cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function,
                                       unsigned long long flags, int *status);
cudaError cudaGraphInstantiateWithParams_ptsz(CUgraphExec *exec, CUgraph graph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS *params);
cudaError cudaGraphLaunch_ptsz(CUgraphExec exec, CUstream stream);
cudaError cudaGraphUpload_ptsz(CUgraphExec exec, CUstream stream);
cudaError cudaLaunchCooperativeKernel_ptsz(const void *host, dim3 grid, dim3 block,
                                           void **arguments, size_t shared, CUstream stream);
cudaError cudaLaunchHostFunc_ptsz(CUstream stream, CUhostFn function, void *data);
cudaError cudaLaunchKernelExC_ptsz(const cudaLaunchConfig *config, const void *host,
                                   void **arguments);
cudaError cudaLaunchKernel_ptsz(const void *host, dim3 grid, dim3 block, void **arguments,
                                size_t shared, CUstream stream);
cudaError cudaMallocAsync_ptsz(void **address, size_t bytes, CUstream stream);
cudaError cudaMallocFromPoolAsync_ptsz(void **address, size_t bytes, CUmemoryPool pool,
                                       CUstream stream);
cudaError cudaMemcpy2DAsync_ptsz(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                 size_t width, size_t height, int kind, CUstream stream);
cudaError cudaMemcpy2D_ptds(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, int kind);
cudaError cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms *box, CUstream stream);
cudaError cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms *peer, CUstream stream);
cudaError cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms *peer);
cudaError cudaMemcpy3D_ptds(const cudaMemcpy3DParms *box);
cudaError cudaMemcpyAsync_ptsz(void *to, const void *from, size_t bytes, int kind, CUstream stream);
cudaError cudaMemcpyFromSymbolAsync_ptsz(void *to, const void *symbol, size_t bytes, size_t offset,
                                         int kind, CUstream stream);
cudaError cudaMemcpyFromSymbol_ptds(void *to, const void *symbol, size_t bytes, size_t offset,
                                    int kind);
cudaError cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *from, size_t bytes,
                                       size_t offset, int kind, CUstream stream);
cudaError cudaMemcpyToSymbol_ptds(const void *symbol, const void *from, size_t bytes, size_t offset,
                                  int kind);
cudaError cudaMemcpy_ptds(void *to, const void *from, size_t bytes, int kind);
cudaError cudaMemset2DAsync_ptsz(void *address, size_t pitch, int value, size_t width,
                                 size_t height, CUstream stream);
cudaError cudaMemset2D_ptds(void *address, size_t pitch, int value, size_t width, size_t height);
cudaError cudaMemset3DAsync_ptsz(cudaPitchedPtr pointer, int value, cudaExtent extent,
                                 CUstream stream);
cudaError cudaMemset3D_ptds(cudaPitchedPtr pointer, int value, cudaExtent extent);
cudaError cudaMemsetAsync_ptsz(void *address, int value, size_t bytes, CUstream stream);
cudaError cudaMemset_ptds(void *address, int value, size_t bytes);
cudaError cudaStreamAddCallback_ptsz(CUstream stream, CUstreamCallback callback, void *data,
                                     unsigned flags);
cudaError cudaStreamAttachMemAsync_ptsz(CUstream stream, void *pointer, size_t bytes,
                                        unsigned flags);
cudaError cudaStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph,
                                             const CUgraphNode *dependencies, const void *edges,
                                             size_t count, int mode);
cudaError cudaStreamBeginCapture_ptsz(CUstream stream, int mode);
cudaError cudaStreamCopyAttributes_ptsz(CUstream to, CUstream from);
cudaError cudaStreamEndCapture_ptsz(CUstream stream, CUgraph *graph);
cudaError cudaStreamGetCaptureInfo_v2_ptsz(CUstream stream, int *status, unsigned long long *id,
                                           CUgraph *graph, const CUgraphNode **dependencies,
                                           size_t *count);
cudaError cudaStreamGetCaptureInfo_v3_ptsz(CUstream stream, int *status, unsigned long long *id,
                                           CUgraph *graph, const CUgraphNode **dependencies,
                                           const void **edges, size_t *count);
cudaError cudaStreamGetDevice_ptsz(CUstream stream, int *device);
cudaError cudaStreamGetFlags_ptsz(CUstream stream, unsigned *flags);
cudaError cudaStreamGetId_ptsz(CUstream stream, unsigned long long *id);
cudaError cudaStreamGetPriority_ptsz(CUstream stream, int *priority);
cudaError cudaStreamIsCapturing_ptsz(CUstream stream, int *status);
cudaError cudaStreamQuery_ptsz(CUstream stream);
cudaError cudaStreamSetAttribute_ptsz(CUstream stream, int attribute, const void *value);
cudaError cudaStreamSynchronize_ptsz(CUstream stream);
cudaError cudaStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags);
cudaError cudaMemPrefetchAsync_ptsz_12(const void *pointer, size_t bytes, int device,
                                       CUstream stream);
cudaError cudaMemPrefetchAsync_ptsz_13(const void *pointer, size_t bytes, CUmemLocation location,
                                       unsigned flags, CUstream stream);
cudaError cudaStreamGetCaptureInfo_ptsz_12(CUstream stream, int *status, unsigned long long *id);
cudaError cudaStreamGetCaptureInfo_ptsz_13(CUstream stream, int *status, unsigned long long *id,
                                           CUgraph *graph, const CUgraphNode **dependencies,
                                           const void **edges, size_t *count);

#pragma GCC visibility pop

# Calls of the runtime: copies and fills, arrays, streams, events, graphs, pools, devices, libraries, and what is refused
$ warplens run -q answers 2>/dev/null
-- libraries
cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0): cudaSuccess
cudaLibraryGetKernel(&fill, library, "fill"): cudaSuccess
cudaLibraryGetKernel(&none, library, "nothing"): cudaErrorSymbolNotFound
cudaLibraryGetKernelCount(&count, library): cudaSuccess
kernels 1
cudaLibraryEnumerateKernels(kernels, 4, library): cudaSuccess
cudaLibraryGetGlobal(&at, &bytes, library, "counter"): cudaSuccess
bytes 4
cudaLibraryGetGlobal(&at, &bytes, library, "nothing"): cudaErrorSymbolNotFound
cudaLibraryGetManaged(&at, &bytes, library, "counter"): cudaErrorSymbolNotFound
cudaKernelSetAttributeForDevice(fill, 8, 65536, 0): cudaSuccess
cudaKernelSetAttributeForDevice(fill, 99, 1, 0): cudaErrorInvalidValue
cudaLibraryLoadFromFile(&library, "/nowhere/at/all", NULL, NULL, 0, NULL, NULL, 0): cudaErrorFileNotFound
cudaLibraryLoadData(&library, "nonsense", NULL, NULL, 0, NULL, NULL, 0): cudaSuccess
cudaMemcpyAsync(b, a, 4, COPY_DEVICE_TO_DEVICE, stream): cudaSuccess
   1 2 3 4 0
cudaMemcpyAsync(b, host + 4, 3, COPY_DEFAULT, stream): cudaSuccess
   5 6 7 0 0
cudaMemcpy(b, a, 4, 9): cudaErrorInvalidMemcpyDirection
cudaMemcpy(b, NULL, 4, COPY_DEFAULT): cudaErrorInvalidValue
cudaMemcpy(NULL, NULL, 0, COPY_DEFAULT): cudaSuccess
cudaMemcpyPeer(b, 0, a, 0, 3): cudaSuccess
   1 2 3 0 0
cudaMemcpyPeerAsync(b, 0, a + 1, 0, 3, stream): cudaSuccess
   2 3 4 0 0
cudaMemcpyPeer(b, 0, a, 99, 3): cudaErrorInvalidDevice
cudaMemcpy2DAsync(b, 4, a, 8, 3, 2, COPY_DEVICE_TO_DEVICE, stream): cudaSuccess
   1 2 3 0 9 10 11 0
cudaMemcpy2D(b, 2, a, 8, 3, 2, COPY_DEVICE_TO_DEVICE): cudaErrorInvalidPitchValue
cudaMemcpy3D(&box): cudaSuccess
   0 1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0 0
cudaMemcpy3DAsync(&box, stream): cudaSuccess
   0 1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0 0
cudaMemcpy3DPeer(&peer): cudaSuccess
   1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0 0 0
cudaMemcpy3DPeerAsync(&peer, stream): cudaSuccess
   1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0 0 0
cudaMemcpy3D(&box): cudaErrorInvalidMemcpyDirection
cudaMemsetAsync(b, 5, 3, stream): cudaSuccess
   5 5 5 0 0
cudaMemset2D(b, 4, 6, 2, 2): cudaSuccess
   6 6 0 0 6 6 0 0
cudaMemset2DAsync(b, 4, 6, 3, 2, stream): cudaSuccess
   6 6 6 0 6 6 6 0
cudaMemset3D(to, 7, (cudaExtent){2, 2, 2}): cudaSuccess
   7 7 0 0 7 7 0 0 7 7 0 0 7 7 0 0
cudaMemset3DAsync(to, 7, (cudaExtent){1, 2, 2}, stream): cudaSuccess
   7 0 0 0 7 0 0 0 7 0 0 0 7 0 0 0
cudaMemset(NULL, 1, 4): cudaErrorInvalidValue
cudaMemset2D(b, 1, 6, 2, 2): cudaErrorInvalidValue
cudaMalloc3D(&made, (cudaExtent){10, 2, 2}): cudaSuccess
pitch holds it: 1, 10 x 2
cudaFree(made.ptr): cudaSuccess
cudaFree(a + 1): cudaErrorInvalidValue
-- arrays
cudaMallocArray(&flat, &bytes, 8, 4, 0): cudaSuccess
cudaMallocArray(&other, &bytes, 8, 4, 0): cudaSuccess
cudaMalloc3DArray(&deep, &bytes, (cudaExtent){4, 4, 2}, 2): cudaSuccess
cudaMallocArray(&level, &odd, 8, 4, 0): cudaErrorInvalidChannelDescriptor
cudaArrayGetInfo(&got, &extent, &flags, deep): cudaSuccess
8 bits, 4 x 4 x 2, flags 2
cudaGetChannelDesc(&got, flat): cudaSuccess
8 0 0 0 of kind 1
cudaMemcpy2DToArray(flat, 1, 1, a, 8, 4, 2, COPY_DEVICE_TO_DEVICE): cudaSuccess
cudaMemcpy2DFromArray(b, 4, flat, 1, 1, 4, 2, COPY_DEVICE_TO_DEVICE): cudaSuccess
   1 2 3 4 9 10 11 12
cudaMemcpy2DToArrayAsync(flat, 0, 0, host, 8, 8, 4, COPY_HOST_TO_DEVICE, NULL): cudaSuccess
cudaMemcpy2DFromArrayAsync(b, 2, flat, 2, 1, 2, 2, COPY_DEFAULT, NULL): cudaSuccess
   11 12 19 20 0
cudaMemcpy2DArrayToArray(other, 0, 0, flat, 4, 2, 4, 2, COPY_DEVICE_TO_DEVICE): cudaSuccess
cudaMemcpy2DFromArray(b, 4, other, 0, 0, 4, 2, COPY_DEVICE_TO_DEVICE): cudaSuccess
   21 22 23 24 29 30 31 32
cudaMemcpyToArray(flat, 6, 0, host + 100, 4, COPY_HOST_TO_DEVICE): cudaSuccess
cudaMemcpyFromArray(b, flat, 6, 0, 4, COPY_DEVICE_TO_DEVICE): cudaSuccess
   101 102 103 104 0
cudaMemcpyToArrayAsync(flat, 0, 3, host, 4, COPY_HOST_TO_DEVICE, NULL): cudaSuccess
cudaMemcpyFromArrayAsync(b, flat, 0, 3, 4, COPY_DEVICE_TO_DEVICE, NULL): cudaSuccess
   1 2 3 4 0
cudaMemcpyArrayToArray(other, 0, 0, flat, 4, 0, 8, COPY_DEVICE_TO_DEVICE): cudaSuccess
cudaMemcpyFromArray(b, other, 0, 0, 8, COPY_DEVICE_TO_DEVICE): cudaSuccess
   5 6 101 102 103 104 11 12
cudaMemcpy2DToArray(flat, 6, 1, a, 8, 4, 2, COPY_DEVICE_TO_DEVICE): cudaErrorInvalidValue
cudaMemcpy2DFromArray(b, 4, flat, 0, 3, 4, 2, COPY_DEVICE_TO_DEVICE): cudaErrorInvalidValue
cudaMemcpyFromArray(b, flat, 4, 3, 8, COPY_DEVICE_TO_DEVICE): cudaErrorInvalidValue
cudaMallocMipmappedArray(&mipmapped, &bytes, (cudaExtent){8, 8, 0}, 3, 0): cudaSuccess
cudaGetMipmappedArrayLevel(&level, mipmapped, 1): cudaSuccess
cudaArrayGetInfo(&got, &extent, &flags, level): cudaSuccess
4 x 4
cudaGetMipmappedArrayLevel(&level, mipmapped, 3): cudaErrorInvalidValue
cudaFreeMipmappedArray(mipmapped): cudaSuccess
cudaFreeArray(flat): cudaSuccess
cudaFreeArray(other): cudaSuccess
cudaFreeArray(NULL): cudaSuccess
-- streams and events
cudaDeviceGetStreamPriorityRange(&least, &greatest): cudaSuccess
0 to -5
cudaStreamCreateWithFlags(&stream, 1): cudaSuccess
cudaStreamCreateWithPriority(&hasty, 0, -1): cudaSuccess
cudaStreamCreateWithPriority(&hasty, 9, 0): cudaErrorInvalidValue
cudaStreamGetFlags(stream, &flags): cudaSuccess
flags 1
cudaStreamGetPriority(hasty, &priority): cudaSuccess
priority -1
cudaStreamGetId(stream, &id): cudaSuccess
cudaStreamGetId(hasty, &other): cudaSuccess
another: 1
cudaStreamGetDevice(stream, &device): cudaSuccess
device 0
cudaStreamSetAttribute(stream, 3, &value): cudaSuccess
cudaStreamGetAttribute(stream, 3, &value): cudaSuccess
synchronization policy 2
cudaStreamGetAttribute(stream, 4, &value): cudaErrorInvalidValue
cudaStreamCopyAttributes(hasty, stream): cudaSuccess
cudaLaunchHostFunc(stream, count_call, &one): cudaSuccess
cudaStreamAddCallback(stream, count_stream, &one, 0): cudaSuccess
cudaStreamAddCallback(stream, count_stream, &one, 1): cudaErrorInvalidValue
cudaStreamSynchronize(stream): cudaSuccess
called 2
cudaStreamQuery(stream): cudaSuccess
cudaStreamIsCapturing(stream, &status): cudaSuccess
status 0
cudaEventCreateWithFlags(&first, 0): cudaSuccess
cudaEventCreateWithFlags(&second, 2): cudaSuccess
cudaEventCreateWithFlags(&second, 99): cudaErrorInvalidValue
cudaEventQuery(first): cudaSuccess
cudaEventElapsedTime(&milliseconds, first, second): cudaErrorInvalidResourceHandle
cudaEventRecord(first, stream): cudaSuccess
cudaEventRecordWithFlags(first, stream, 0): cudaSuccess
cudaEventRecordWithFlags(first, stream, 7): cudaErrorInvalidValue
cudaStreamWaitEvent(stream, first, 0): cudaSuccess
cudaStreamWaitEvent(stream, first, 7): cudaErrorInvalidValue
cudaEventSynchronize(first): cudaSuccess
cudaEventElapsedTime_v2(&milliseconds, first, first): cudaSuccess
0.0
cudaEventElapsedTime(&milliseconds, first, second): cudaErrorInvalidResourceHandle
cudaEventDestroy(first): cudaSuccess
cudaEventDestroy(NULL): cudaErrorInvalidResourceHandle
cudaStreamDestroy(stream): cudaSuccess
cudaStreamDestroy(NULL): cudaErrorInvalidResourceHandle
-- graphs
cudaGraphCreate(&graph, 0): cudaSuccess
cudaGraphCreate(&child, 0): cudaSuccess
cudaGraphCreate(&clone, 1): cudaErrorInvalidValue
cudaGraphAddHostNode(&nested, child, NULL, 0, &call): cudaSuccess
cudaGraphAddEmptyNode(&nodes[0], graph, NULL, 0): cudaSuccess
cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &params): cudaSuccess
cudaGraphAddMemsetNode(&nodes[2], graph, nodes, 2, &set): cudaSuccess
cudaGraphAddMemcpyNode(&nodes[3], graph, nodes, 3, &box): cudaSuccess
cudaGraphAddHostNode(&nodes[4], graph, nodes, 4, &call): cudaSuccess
cudaGraphAddEventRecordNode(&nodes[5], graph, nodes + 4, 1, event): cudaSuccess
cudaGraphAddEventWaitNode(&nodes[6], graph, nodes + 5, 1, event): cudaSuccess
cudaGraphAddChildGraphNode(&nodes[7], graph, nodes + 6, 1, child): cudaSuccess
 5 0 2 1 3 7 6 4
cudaGraphKernelNodeGetParams(nodes[1], &got): cudaSuccess
block 2, the same 1
cudaGraphMemsetNodeGetParams(nodes[2], &got_set): cudaSuccess
value 9
cudaGraphMemcpyNodeGetParams(nodes[3], &got_box): cudaSuccess
width 3
cudaGraphHostNodeGetParams(nodes[4], &got_call): cudaSuccess
the same 1
cudaGraphEventRecordNodeGetEvent(nodes[5], &got_event): cudaSuccess
cudaGraphEventWaitNodeGetEvent(nodes[6], &got_event): cudaSuccess
the same 1
cudaGraphChildGraphNodeGetGraph(nodes[7], &clone): cudaSuccess
cudaGraphEventWaitNodeGetEvent(nodes[1], &got_event): cudaErrorInvalidValue
cudaGraphHostNodeGetParams(nodes[1], &got_call): cudaErrorInvalidValue
cudaGraphMemsetNodeGetParams(nodes[1], &got_set): cudaErrorInvalidValue
cudaGraphKernelNodeGetParams(nodes[0], &got): cudaErrorInvalidValue
cudaGraphGetNodes(graph, found, &count): cudaSuccess
8 nodes
cudaGraphGetRootNodes(graph, found, &count): cudaSuccess
1 roots, the same 1
cudaGraphGetEdges_v2(graph, found, found, edges, &count): cudaSuccess
8 edges
cudaGraphInstantiateWithFlags(&exec, graph, 0): cudaSuccess
cudaGraphExecGetFlags(exec, &flags): cudaSuccess
flags 0
cudaGraphUpload(exec, NULL): cudaSuccess
cudaGraphLaunch(exec, NULL): cudaSuccess
   3 0 0 0 3 0 0 0 1 2 3 0 0 0 0 0 9 9
called 2
cudaGraphExecKernelNodeSetParams(exec, nodes[1], &params): cudaSuccess
cudaGraphExecMemsetNodeSetParams(exec, nodes[2], &set): cudaSuccess
cudaGraphExecMemcpyNodeSetParams(exec, nodes[3], &box): cudaSuccess
cudaGraphExecHostNodeSetParams(exec, nodes[4], &call): cudaSuccess
cudaGraphExecEventRecordNodeSetEvent(exec, nodes[5], event): cudaSuccess
cudaGraphExecEventWaitNodeSetEvent(exec, nodes[6], event): cudaSuccess
cudaGraphExecChildGraphNodeSetParams(exec, nodes[7], child): cudaSuccess
cudaGraphExecHostNodeSetParams(exec, nodes[1], &call): cudaErrorInvalidValue
cudaGraphExecMemcpyNodeSetParams1D(exec, nodes[3], b + 9, a, 2, COPY_DEVICE_TO_DEVICE): cudaSuccess
cudaGraphNodeSetEnabled(exec, nodes[2], 0): cudaSuccess
cudaGraphNodeGetEnabled(exec, nodes[2], &enabled): cudaSuccess
enabled 0
cudaGraphLaunch(exec, NULL): cudaSuccess
   4 0 0 0 4 0 0 0 0 1 2 0 0 0 0 0 0 0
called 22
cudaGraphKernelNodeSetParams(nodes[1], &params): cudaSuccess
cudaGraphMemsetNodeSetParams(nodes[2], &set): cudaSuccess
cudaGraphMemcpyNodeSetParams(nodes[3], &box): cudaSuccess
cudaGraphMemcpyNodeSetParams1D(nodes[3], b + 9, a, 2, COPY_DEVICE_TO_DEVICE): cudaSuccess
cudaGraphHostNodeSetParams(nodes[4], &call): cudaSuccess
cudaGraphEventRecordNodeSetEvent(nodes[5], event): cudaSuccess
cudaGraphEventWaitNodeSetEvent(nodes[6], event): cudaSuccess
cudaGraphHostNodeSetParams(nodes[1], &call): cudaErrorInvalidValue
cudaGraphClone(&clone, graph): cudaSuccess
cudaGraphNodeFindInClone(&found[0], nodes[1], clone): cudaSuccess
cudaGraphExecUpdate(exec, clone, &info): cudaSuccess
result 0
cudaGraphDestroyNode(nodes[7]): cudaSuccess
cudaGraphExecUpdate(exec, graph, &info): cudaErrorGraphExecUpdateFailure
result 2
cudaGraphExecDestroy(exec): cudaSuccess
cudaGraphDestroy(clone): cudaSuccess
cudaGraphDestroy(graph): cudaSuccess
cudaGraphDestroy(child): cudaSuccess
-- pools
cudaMemPoolCreate(&pool, &good): cudaSuccess
cudaMemPoolCreate(&now, &wrong): cudaErrorInvalidValue
cudaMemPoolCreate(&now, &wrong): cudaErrorInvalidValue
cudaDeviceGetDefaultMemPool(&ordinary, 0): cudaSuccess
cudaDeviceGetMemPool(&now, 0): cudaSuccess
the same: 1
cudaDeviceSetMemPool(0, pool): cudaSuccess
cudaDeviceGetMemPool(&now, 0): cudaSuccess
the other: 1
cudaMemGetDefaultMemPool(&now, &device, 1): cudaSuccess
the same: 1
cudaMemSetMemPool(&device, 1, ordinary): cudaSuccess
cudaMemGetMemPool(&now, &device, 1): cudaSuccess
the same: 1
cudaDeviceGetDefaultMemPool(&now, 99): cudaErrorInvalidDevice
cudaMallocFromPoolAsync(&at, 1000, pool, stream): cudaSuccess
cudaMemPoolGetAttribute(pool, 7, &value): cudaSuccess
cudaMemPoolSetAttribute(pool, 4, &value): cudaSuccess
cudaMemPoolGetAttribute(pool, 4, &value): cudaSuccess
kept 1048576
cudaMemPoolGetAttribute(pool, 99, &value): cudaErrorInvalidValue
cudaMemPoolGetAccess(&flags, pool, &device): cudaSuccess
access 3
cudaFreeAsync(at, stream): cudaSuccess
cudaStreamSynchronize(stream): cudaSuccess
cudaMemPoolTrimTo(pool, 0): cudaSuccess
cudaMemPoolDestroy(pool): cudaSuccess
cudaMallocAsync(&at, 0, stream): cudaSuccess
cudaDeviceGraphMemTrim(0): cudaSuccess
cudaDeviceGetGraphMemAttribute(0, 0, &value): cudaSuccess
of graphs 0
cudaDeviceGetGraphMemAttribute(0, 99, &value): cudaErrorInvalidValue
-- devices
cudaGetDevice(&device): cudaSuccess
cudaSetDevice(99): cudaErrorInvalidDevice
cudaDeviceGetPCIBusId(bus, sizeof bus, 0): cudaSuccess
cudaDeviceGetByPCIBusId(&device, bus): cudaSuccess
device 0
cudaDeviceGetPCIBusId(bus, 3, 0): cudaErrorInvalidValue
cudaDeviceGetByPCIBusId(&device, "nonsense"): cudaErrorInvalidValue
cudaDeviceCanAccessPeer(&value, 0, 0): cudaSuccess
cudaDeviceEnablePeerAccess(0, 0): cudaErrorPeerAccessUnsupported
cudaDeviceEnablePeerAccess(99, 0): cudaErrorInvalidDevice
cudaDeviceDisablePeerAccess(99): cudaErrorInvalidDevice
cudaDeviceGetP2PAttribute(&value, 1, 0, 0): cudaErrorInvalidDevice
cudaDeviceGetCacheConfig(&config): cudaSuccess
config 0
cudaDeviceSetCacheConfig(1): cudaSuccess
cudaDeviceGetCacheConfig(&config): cudaSuccess
config 1
cudaDeviceGetLimit(&bytes, 0): cudaSuccess
stack 1024
cudaDeviceSetLimit(0, 2048): cudaSuccess
cudaDeviceGetLimit(&bytes, 0): cudaSuccess
stack 2048
cudaDeviceGetLimit(&bytes, 99): cudaErrorInvalidValue
cudaDeviceSetLimit(99, 1): cudaErrorInvalidValue
cudaGetDeviceFlags(&flags): cudaSuccess
cudaDeviceGetAttribute(&value, 99999, 0): cudaErrorInvalidValue
cudaDeviceGetAttribute(&value, 1, 99): cudaErrorInvalidDevice
threads 1024
cudaMemGetInfo(&bytes, &total): cudaSuccess
less: 1
cudaHostAlloc(&pinned, 4096, 2): cudaSuccess
cudaHostGetFlags(&flags, pinned): cudaSuccess
mapped: 1
cudaHostGetDevicePointer(&of_device, pinned, 0): cudaSuccess
cudaFreeHost(pinned): cudaSuccess
cudaHostAlloc(&pinned, 4096, 99): cudaErrorInvalidValue
cudaHostRegister(mine, sizeof mine, 0): cudaSuccess
cudaHostRegister(mine, sizeof mine, 0): cudaErrorHostMemoryAlreadyRegistered
cudaHostUnregister(mine): cudaSuccess
cudaHostUnregister(mine): cudaErrorHostMemoryNotRegistered
cudaHostGetFlags(&flags, mine): cudaErrorInvalidValue
cudaGetDeviceCount(&count): cudaSuccess
some: 1
cudaProfilerStart(): cudaSuccess
cudaProfilerStop(): cudaSuccess

# What can be asked of contexts, devices, streams, functions and libraries, and set of them; and what is refused of it
$ warplens run -q asked 2>/dev/null
-- contexts
cuCtxGetApiVersion(now, &version): CUDA_SUCCESS
version 3020
cuCtxGetApiVersion(NULL, &version): CUDA_SUCCESS
cuCtxGetId(now, &id): CUDA_SUCCESS
cuCtxGetId(NULL, &other_id): CUDA_SUCCESS
the same: 1
cuCtxGetId(now, NULL): CUDA_ERROR_INVALID_VALUE
cuCtxGetCacheConfig(&config): CUDA_SUCCESS
config 0
cuCtxSetCacheConfig(1): CUDA_SUCCESS
cuCtxGetCacheConfig(&config): CUDA_SUCCESS
config 1
cuCtxSetCacheConfig(99): CUDA_ERROR_INVALID_VALUE
cuCtxGetSharedMemConfig(&config): CUDA_SUCCESS
cuCtxGetExecAffinity(&affinity, 0): CUDA_SUCCESS
cuCtxGetExecAffinity(&affinity, 9): CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
cuCtxSetFlags(1): CUDA_SUCCESS
cuCtxGetFlags(&flags): CUDA_SUCCESS
flags 1
cuCtxSetFlags(1 << 20): CUDA_ERROR_INVALID_VALUE
cuCtxAttach(&attached, 0): CUDA_SUCCESS
the same: 1
cuCtxAttach(&attached, 1): CUDA_ERROR_INVALID_VALUE
cuCtxDetach(attached): CUDA_SUCCESS
cuCtxRecordEvent(now, event): CUDA_SUCCESS
cuCtxWaitEvent(now, event): CUDA_SUCCESS
cuCtxRecordEvent(now, NULL): CUDA_ERROR_INVALID_HANDLE
cuCtxCreate_v3(&made, NULL, 0, 0, 0): CUDA_SUCCESS
cuCtxGetDevice(&device): CUDA_SUCCESS
device 0
cuCtxDestroy_v2(made): CUDA_SUCCESS
cuCtxSetCurrent(now): CUDA_SUCCESS
cuModuleGetLoadingMode(&mode): CUDA_SUCCESS
mode 2
-- devices
cuDeviceGetUuid(&one, 0): CUDA_SUCCESS
cuDeviceGetUuid_v2(&two, 0): CUDA_SUCCESS
the same: 1
cuDeviceGetUuid_v2(&one, 99): CUDA_ERROR_INVALID_DEVICE
cuDeviceGetExecAffinitySupport(&value, 0, 0): CUDA_SUCCESS
cuDeviceGetExecAffinitySupport(&value, 7, 0): CUDA_SUCCESS
cuDeviceGetP2PAttribute(&value, 1, 0, 0): CUDA_ERROR_INVALID_DEVICE
cuDeviceGetP2PAttribute(&value, 1, 0, 99): CUDA_ERROR_INVALID_DEVICE
cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_FLOAT, 4, 0): CUDA_SUCCESS
width 268435456
cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_UNSIGNED_INT8, 1, 0): CUDA_SUCCESS
width 4294967296
cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_FLOAT, 3, 0): CUDA_ERROR_INVALID_VALUE
cuDeviceGetTexture1DLinearMaxWidth(&width, AD_FORMAT_FLOAT, 4, 99): CUDA_ERROR_INVALID_VALUE
cuDevicePrimaryCtxSetFlags_v2(0, 4): CUDA_SUCCESS
cuDevicePrimaryCtxGetState(0, &flags, &value): CUDA_SUCCESS
flags 4 active 0
cuDevicePrimaryCtxSetFlags_v2(0, 1 << 20): CUDA_ERROR_INVALID_VALUE
cuDevicePrimaryCtxSetFlags_v2(99, 0): CUDA_ERROR_INVALID_DEVICE
cuDeviceGetAttribute(&value, 1, 99): CUDA_ERROR_INVALID_DEVICE
cuDeviceGetAttribute(&value, 99999, 0): CUDA_ERROR_INVALID_VALUE
cuDeviceGetAttribute(NULL, 1, 0): CUDA_ERROR_INVALID_VALUE
cuThreadExchangeStreamCaptureMode(&mode): CUDA_SUCCESS
mode 0
cuThreadExchangeStreamCaptureMode(&mode): CUDA_SUCCESS
mode 1
-- streams
cuStreamGetCtx(stream, &context): CUDA_SUCCESS
the same: 1
cuStreamGetCtx_v2(stream, &context, &green): CUDA_SUCCESS
the same: 1 green 0
cuStreamGetDevice(stream, &device): CUDA_SUCCESS
device 0
cuStreamGetId(stream, &id): CUDA_SUCCESS
cuStreamGetId(stream, &again): CUDA_SUCCESS
cuStreamGetId(other, &other_id): CUDA_SUCCESS
the same: 1, another: 1
cuStreamGetId(stream, NULL): CUDA_ERROR_INVALID_VALUE
cuStreamCopyAttributes(other, stream): CUDA_SUCCESS
cuStreamCopyAttributes(other, other): CUDA_SUCCESS
cuStreamWriteValue64_v2(stream, at, 5, 0): CUDA_SUCCESS
cuStreamWriteValue64_v2(stream, at + 4, 6, 0): CUDA_ERROR_INVALID_VALUE
cuStreamWaitValue64_v2(stream, at, 5, 1): CUDA_SUCCESS
value 5
cuEventRecordWithFlags(event, stream, 0): CUDA_SUCCESS
cuEventRecordWithFlags(event, stream, 9): CUDA_ERROR_INVALID_VALUE
cuEventRecordWithFlags(NULL, stream, 0): CUDA_ERROR_INVALID_HANDLE
cuStreamWaitEvent(stream, event, 0): CUDA_SUCCESS
cuStreamWaitEvent(stream, event, 99): CUDA_ERROR_INVALID_VALUE
cuStreamCreate(&other, 99): CUDA_ERROR_INVALID_VALUE
cuStreamCreate(NULL, 0): CUDA_ERROR_INVALID_VALUE
-- captures
cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count): CUDA_SUCCESS
status 0
cuStreamBeginCaptureToGraph(stream, into, &first, NULL, 1, 2): CUDA_SUCCESS
cuStreamBeginCaptureToGraph(stream, into, &first, NULL, 1, 2): CUDA_ERROR_ILLEGAL_STATE
cuStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &nodes, &edges, &count): CUDA_SUCCESS
status 1 the same 1 nodes 1
cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count): CUDA_SUCCESS
status 1 nodes 1 another 1
cuStreamUpdateCaptureDependencies(stream, &empty, 1, 0): CUDA_SUCCESS
cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count): CUDA_SUCCESS
nodes 2
cuStreamUpdateCaptureDependencies(stream, &empty, 1, 1): CUDA_SUCCESS
cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count): CUDA_SUCCESS
nodes 1
cuStreamUpdateCaptureDependencies(stream, &empty, 1, 99): CUDA_ERROR_INVALID_VALUE
cuStreamEndCapture(stream, &captured): CUDA_SUCCESS
the same 1
nodes 3
cuStreamEndCapture(stream, &captured): CUDA_ERROR_ILLEGAL_STATE
cuStreamUpdateCaptureDependencies(stream, &empty, 1, 0): CUDA_ERROR_ILLEGAL_STATE
cuStreamBeginCapture_v2(stream, 99): CUDA_ERROR_INVALID_VALUE
cuStreamBeginCapture_v2(NULL, 0): CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
cuStreamBeginCapture_v2(stream, 0): CUDA_SUCCESS
cuStreamSynchronize(stream): CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
cuStreamEndCapture(stream, &captured): CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
cuStreamIsCapturing(stream, &status): CUDA_SUCCESS
status 0
-- functions
cuFuncLoad(fill): CUDA_SUCCESS
cuFuncIsLoaded(&state, fill): CUDA_SUCCESS
state 1
cuFuncGetName(&name, fill): CUDA_SUCCESS
fill
cuFuncGetModule(&from, fill): CUDA_SUCCESS
the same: 1
cuFuncGetParamInfo(fill, 1, &offset, &bytes): CUDA_SUCCESS
at 8: 4
cuFuncGetParamInfo(fill, 2, &offset, &bytes): CUDA_ERROR_INVALID_VALUE
cuFuncSetCacheConfig(fill, 2): CUDA_SUCCESS
cuFuncSetCacheConfig(fill, 99): CUDA_ERROR_INVALID_VALUE
cuFuncSetSharedMemConfig(fill, 1): CUDA_SUCCESS
cuFuncGetAttribute(&value, FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, shared): CUDA_SUCCESS
shared 4096
cuFuncGetAttribute(&value, 99, shared): CUDA_ERROR_INVALID_VALUE
cuFuncSetAttribute(fill, FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536): CUDA_SUCCESS
cuFuncSetAttribute(fill, FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20): CUDA_ERROR_INVALID_VALUE
cuFuncSetAttribute(fill, FUNC_ATTRIBUTE_NUM_REGS, 8): CUDA_ERROR_INVALID_VALUE
cuFuncSetAttribute(fill, 99, 8): CUDA_ERROR_INVALID_VALUE
cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, shared, 128, 0): CUDA_SUCCESS
cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&grid, shared, 128, 0, 0): CUDA_SUCCESS
the same: 1
cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&grid, shared, 128, 0, 99): CUDA_ERROR_INVALID_VALUE
cuOccupancyMaxActiveBlocksPerMultiprocessor(&grid, shared, 0, 0): CUDA_ERROR_INVALID_VALUE
cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, fill, shared_of, 0, 256, 0): CUDA_SUCCESS
block 256
cuOccupancyMaxPotentialBlockSize(&grid, &block, fill, NULL, 0, 100): CUDA_SUCCESS
block 64
cuModuleGetFunction(&none, module, "nothing"): CUDA_ERROR_NOT_FOUND
cuModuleGetFunction(&none, module, NULL): CUDA_ERROR_INVALID_VALUE
cuModuleGetFunctionCount((unsigned *)&value, module): CUDA_SUCCESS
functions 5
-- libraries
cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0): CUDA_SUCCESS
cuLibraryGetKernelCount(&count, library): CUDA_SUCCESS
kernels 5
cuLibraryEnumerateKernels(kernels_of, 8, library): CUDA_SUCCESS
cuLibraryEnumerateKernels(kernels_of, 1, library): CUDA_SUCCESS
cuLibraryEnumerateKernels(NULL, 1, library): CUDA_ERROR_INVALID_VALUE
cuLibraryGetKernel(&fill, library, "fill"): CUDA_SUCCESS
cuLibraryGetKernel(&none, library, "nothing"): CUDA_ERROR_NOT_FOUND
cuKernelGetName(&name, fill): CUDA_SUCCESS
fill
cuKernelGetLibrary(&from, fill): CUDA_SUCCESS
the same: 1
cuKernelGetParamInfo(fill, 0, &offset, &bytes): CUDA_SUCCESS
at 0: 8
cuKernelGetParamInfo(fill, 2, &offset, &bytes): CUDA_ERROR_INVALID_VALUE
cuKernelGetFunction(&function, fill): CUDA_SUCCESS
cuKernelGetAttribute(&value, FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fill, 0): CUDA_SUCCESS
threads 1024
cuKernelGetAttribute(&value, FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fill, 99): CUDA_ERROR_INVALID_DEVICE
cuKernelSetAttribute(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, fill, 0): CUDA_SUCCESS
cuKernelSetAttribute(FUNC_ATTRIBUTE_NUM_REGS, 8, fill, 0): CUDA_ERROR_INVALID_VALUE
cuKernelSetCacheConfig(fill, 1, 0): CUDA_SUCCESS
cuKernelSetCacheConfig(fill, 99, 0): CUDA_ERROR_INVALID_VALUE
cuLibraryGetGlobal(&at, &bytes, library, "counter"): CUDA_SUCCESS
bytes 4
cuLibraryGetGlobal(&at, &bytes, library, "nothing"): CUDA_ERROR_NOT_FOUND
cuLibraryGetManaged(&at, &bytes, library, "counter"): CUDA_ERROR_NOT_FOUND
cuLibraryGetModule(&loaded, library): CUDA_SUCCESS
cuLibraryUnload(library): CUDA_SUCCESS
cuLibraryLoadFromFile(&library, "/nowhere/at/all", NULL, NULL, 0, NULL, NULL, 0): CUDA_ERROR_FILE_NOT_FOUND
cuModuleLoad(&loaded, path): CUDA_SUCCESS
cuModuleUnload(loaded): CUDA_SUCCESS
cuModuleLoad(&loaded, "/nowhere/at/all"): CUDA_ERROR_FILE_NOT_FOUND
cuModuleLoadDataEx(&loaded, kernels, 2, options, values): CUDA_SUCCESS
cuModuleUnload(loaded): CUDA_SUCCESS
cuModuleLoadDataEx(&loaded, ".version 8.0\n.target sm_80\nnonsense", 2, options, values): CUDA_ERROR_INVALID_PTX
cuModuleLoadDataEx(NULL, kernels, 0, NULL, NULL): CUDA_ERROR_INVALID_VALUE

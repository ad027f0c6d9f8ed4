/* Our declarations of the Compute Sanitizer API against the vendor's: compiled by headers.py where these are installed. */
#include <sanitizer.h>
#ifdef CUDA_META /* of CUDA itself: headers.py */
#include CUDA_META
#endif

#include "probe/device/table.h"
#include "probe/inject/sanitizer.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
#define PLACE(Ours, mine, Theirs, its)                                                             \
    _Static_assert(offsetof(Ours, mine) == offsetof(Theirs, its), #Ours "." #mine)

SAME(SAN_LIMIT_REACHED, SANITIZER_ERROR_MAX_LIMIT_REACHED);
SAME(SAN_NOT_INITIALIZED, SANITIZER_ERROR_NOT_INITIALIZED);
SAME(SAN_NOT_SUPPORTED, SANITIZER_ERROR_NOT_SUPPORTED);
SAME(SAN_DRIVER, SANITIZER_CB_DOMAIN_DRIVER_API);
SAME(SAN_CALL_ENTERS, SANITIZER_API_ENTER);
SAME(SAN_CALL_RETURNS, SANITIZER_API_EXIT);
SAME(SAN_LAUNCH_KERNEL, SANITIZER_CBID_DRIVER_API_cuLaunchKernel);
SAME(SAN_LAUNCH_KERNEL_PTSZ, SANITIZER_CBID_DRIVER_API_cuLaunchKernel_ptsz);
SAME(SAN_LAUNCH_COOPERATIVE, SANITIZER_CBID_DRIVER_API_cuLaunchCooperativeKernel);
SAME(SAN_LAUNCH_COOPERATIVE_PTSZ, SANITIZER_CBID_DRIVER_API_cuLaunchCooperativeKernel_ptsz);
SAME(SAN_LAUNCH_KERNEL_EX, SANITIZER_CBID_DRIVER_API_cuLaunchKernelEx);
SAME(SAN_LAUNCH_KERNEL_EX_PTSZ, SANITIZER_CBID_DRIVER_API_cuLaunchKernelEx_ptsz);
SAME(SAN_LAUNCH_OLDEST, SANITIZER_CBID_DRIVER_API_cuLaunch);
SAME(SAN_LAUNCH_GRID, SANITIZER_CBID_DRIVER_API_cuLaunchGrid);
SAME(SAN_LAUNCH_GRID_ASYNC, SANITIZER_CBID_DRIVER_API_cuLaunchGridAsync);
SAME(SAN_LAUNCH_COOPERATIVE_MULTI_DEVICE,
     SANITIZER_CBID_DRIVER_API_cuLaunchCooperativeKernelMultiDevice);
SAME(SAN_GRAPH_INSTANTIATE, SANITIZER_CBID_DRIVER_API_cuGraphInstantiate);
SAME(SAN_GRAPH_LAUNCH, SANITIZER_CBID_DRIVER_API_cuGraphLaunch);
SAME(SAN_GRAPH_LAUNCH_PTSZ, SANITIZER_CBID_DRIVER_API_cuGraphLaunch_ptsz);
SAME(SAN_GRAPH_INSTANTIATE_2, SANITIZER_CBID_DRIVER_API_cuGraphInstantiate_v2);
SAME(SAN_GRAPH_INSTANTIATE_FLAGS, SANITIZER_CBID_DRIVER_API_cuGraphInstantiateWithFlags);
SAME(SAN_GRAPH_INSTANTIATE_MORE, SANITIZER_CBID_DRIVER_API_cuGraphInstantiateWithParams);
SAME(SAN_GRAPH_INSTANTIATE_MORE_PTSZ, SANITIZER_CBID_DRIVER_API_cuGraphInstantiateWithParams_ptsz);
#ifdef CUDA_META
PLACE(SanLaunchParameters, function, cuLaunchKernel_params, f);
PLACE(SanLaunchParameters, stream, cuLaunchKernel_params, hStream);
PLACE(SanLaunchParameters, function, cuLaunchCooperativeKernel_params, f);
PLACE(SanLaunchParameters, stream, cuLaunchCooperativeKernel_params, hStream);
PLACE(SanLaunchConfig, stream, CUlaunchConfig, hStream);
PLACE(SanLaunchExParameters, config, cuLaunchKernelEx_params, config);
PLACE(SanLaunchExParameters, function, cuLaunchKernelEx_params, f);
#endif
PLACE(SanCallData, site, Sanitizer_CallbackData, callbackSite);
PLACE(SanCallData, result, Sanitizer_CallbackData, functionReturnValue);
PLACE(SanCallData, kernel, Sanitizer_CallbackData, symbolName);
PLACE(SanCallData, context, Sanitizer_CallbackData, context);
SAME(SAN_RESOURCE, SANITIZER_CB_DOMAIN_RESOURCE);
SAME(SAN_LAUNCH, SANITIZER_CB_DOMAIN_LAUNCH);
SAME(SAN_GRAPHS, SANITIZER_CB_DOMAIN_GRAPHS);
SAME(SAN_CONTEXT_CREATED, SANITIZER_CBID_RESOURCE_CONTEXT_CREATION_FINISHED);
SAME(SAN_CONTEXT_DESTROY, SANITIZER_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
SAME(SAN_MODULE_LOADED, SANITIZER_CBID_RESOURCE_MODULE_LOADED);
SAME(SAN_MODULE_UNLOAD, SANITIZER_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
SAME(SAN_MEMORY_ALLOC, SANITIZER_CBID_RESOURCE_DEVICE_MEMORY_ALLOC);
SAME(SAN_MEMORY_FREE, SANITIZER_CBID_RESOURCE_DEVICE_MEMORY_FREE);
SAME(SAN_MEMORY_ALLOC_ASYNC, SANITIZER_CBID_RESOURCE_MEMORY_ALLOC_ASYNC);
SAME(SAN_MEMORY_FREE_ASYNC, SANITIZER_CBID_RESOURCE_MEMORY_FREE_ASYNC);
SAME(SAN_LAUNCH_BEGIN, SANITIZER_CBID_LAUNCH_BEGIN);
SAME(SAN_LAUNCH_END, SANITIZER_CBID_LAUNCH_END);
SAME(SAN_NODE_BEGIN, SANITIZER_CBID_GRAPHS_NODE_LAUNCH_BEGIN);
SAME(SAN_GRAPH_BEGIN, SANITIZER_CBID_GRAPHS_LAUNCH_BEGIN);
SAME(SAN_GRAPH_END, SANITIZER_CBID_GRAPHS_LAUNCH_END);
SAME(SAN_GLOBAL, SANITIZER_INSTRUCTION_GLOBAL_MEMORY_ACCESS);
SAME(SAN_SHARED, SANITIZER_INSTRUCTION_SHARED_MEMORY_ACCESS);
SAME(SAN_LOCAL, SANITIZER_INSTRUCTION_LOCAL_MEMORY_ACCESS);
SAME(SAN_COPY_ASYNC, SANITIZER_INSTRUCTION_MEMCPY_ASYNC);
SAME(SAN_REMOTE, SANITIZER_INSTRUCTION_REMOTE_SHARED_MEMORY_ACCESS);
SAME(SAN_MATRIX, SANITIZER_INSTRUCTION_MATRIX_MEMORY_ACCESS);
SAME(SAN_WGMMA, SANITIZER_INSTRUCTION_WARPGROUP_MMA_ASYNC);
#ifdef WITH_BULK /* of CUDA 12.9 and later: headers.py */
SAME(PROBE_PREFETCH, SANITIZER_MEMORY_DEVICE_FLAG_PREFETCH);
SAME(SAN_ASYNC_STORE, SANITIZER_INSTRUCTION_ASYNC_STORE);
SAME(SAN_ASYNC_REDUCTION, SANITIZER_INSTRUCTION_ASYNC_REDUCTION);
SAME(SAN_BULK_IN, SANITIZER_INSTRUCTION_BULK_COPY_GLOBAL_TO_SHARED);
SAME(SAN_BULK_OUT, SANITIZER_INSTRUCTION_BULK_COPY_SHARED_TO_GLOBAL);
SAME(SAN_BULK_WITHIN, SANITIZER_INSTRUCTION_BULK_COPY_SHARED_TO_SHARED);
SAME(SAN_BULK_REDUCTION_OUT, SANITIZER_INSTRUCTION_BULK_REDUCTION_SHARED_TO_GLOBAL);
SAME(SAN_BULK_REDUCTION_WITHIN, SANITIZER_INSTRUCTION_BULK_REDUCTION_SHARED_TO_SHARED);
#endif
#ifdef WITH_TENSOR /* of CUDA 13.4 and later */
SAME(SAN_TENSOR_LOAD, SANITIZER_INSTRUCTION_TMA_LOAD);
#endif
SAME(PROBE_READ, SANITIZER_MEMORY_DEVICE_FLAG_READ);
SAME(PROBE_WRITE, SANITIZER_MEMORY_DEVICE_FLAG_WRITE);

PLACE(SanContextData, context, Sanitizer_ResourceContextData, context);
#ifndef WITH_GREEN /* of CUDA 13.1 and later, where modules.c asks the driver */
PLACE(SanContextData, device, Sanitizer_ResourceContextData, device);
#endif
PLACE(SanModuleData, context, Sanitizer_ResourceModuleData, context);
PLACE(SanModuleData, module, Sanitizer_ResourceModuleData, module);
PLACE(SanModuleData, cubin_size, Sanitizer_ResourceModuleData, cubinSize);
PLACE(SanModuleData, cubin, Sanitizer_ResourceModuleData, pCubin);
PLACE(SanMemoryData, address, Sanitizer_ResourceMemoryData, address);
PLACE(SanMemoryData, size, Sanitizer_ResourceMemoryData, size);
PLACE(SanLaunchData, context, Sanitizer_LaunchData, context);
PLACE(SanLaunchData, stream_handle, Sanitizer_LaunchData, hStream);
PLACE(SanLaunchData, module, Sanitizer_LaunchData, module);
PLACE(SanLaunchData, function, Sanitizer_LaunchData, function);
PLACE(SanLaunchData, name, Sanitizer_LaunchData, functionName);
PLACE(SanLaunchData, grid, Sanitizer_LaunchData, gridDim_x);
PLACE(SanLaunchData, block, Sanitizer_LaunchData, blockDim_x);
PLACE(SanLaunchData, cluster, Sanitizer_LaunchData, clusterDim_x);
PLACE(SanLaunchData, grid_id, Sanitizer_LaunchData, gridId);
PLACE(SanLaunchData, launch, Sanitizer_LaunchData, hLaunch);
PLACE(SanNodeData, type, Sanitizer_GraphNodeLaunchData, nodeType);
PLACE(SanNodeData, data, Sanitizer_GraphNodeLaunchData, launchData);
PLACE(SanNodeData, graph, Sanitizer_GraphNodeLaunchData, graphExec);
PLACE(SanGraphData, stream_handle, Sanitizer_GraphLaunchData, hStream);
PLACE(SanGraphData, graph, Sanitizer_GraphLaunchData, graphExec);
PLACE(SanGraphData, upload, Sanitizer_GraphLaunchData, isGraphUpload);

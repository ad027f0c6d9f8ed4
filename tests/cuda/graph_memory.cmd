# Memory of graphs. What it prints is what the same program
# printed on an H200 (driver 580.159, CUDA 13.0), 22 November 2026.
$ warplens run -q graph_memory
at first: 0 0 0 0
made: 0 0 0 0
launched: 67108864 67108864 67108864 67108864
launched again: 67108864 67108864 67108864 67108864
cuDeviceGraphMemTrim(0): CUDA_SUCCESS
trimmed: 0 67108864 0 67108864
kept: 33554432 67108864 33554432 67108864
cuGraphLaunch(kept, NULL): CUDA_ERROR_INVALID_VALUE
cuDeviceGraphMemTrim(0): CUDA_SUCCESS
trimmed: 33554432 67108864 33554432 67108864
cuMemFree_v2(left): CUDA_SUCCESS
freed: 33554432 67108864 33554432 67108864
cuDeviceGraphMemTrim(0): CUDA_SUCCESS
trimmed: 0 67108864 0 67108864
cuDeviceSetGraphMemAttribute(0, 1, &value): CUDA_SUCCESS
cuDeviceSetGraphMemAttribute(0, 3, &value): CUDA_SUCCESS
cuDeviceSetGraphMemAttribute(0, 0, &value): CUDA_ERROR_INVALID_VALUE
cuDeviceSetGraphMemAttribute(0, 2, &value): CUDA_ERROR_INVALID_VALUE
cuDeviceSetGraphMemAttribute(0, 1, &value): CUDA_ERROR_INVALID_VALUE
cuDeviceSetGraphMemAttribute(0, 7, &value): CUDA_ERROR_INVALID_VALUE
cuDeviceGetGraphMemAttribute(0, 7, &value): CUDA_ERROR_INVALID_VALUE
cuDeviceGetGraphMemAttribute(77, 0, &value): CUDA_ERROR_INVALID_DEVICE
cuDeviceGetGraphMemAttribute(0, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuDeviceGraphMemTrim(77): CUDA_ERROR_INVALID_DEVICE
highs forgotten: 0 0 0 0
destroyed: 0 0 0 0

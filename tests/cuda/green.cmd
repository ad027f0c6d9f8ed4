# Green contexts, the log, core dumps, notifications. What it prints is what the same program
# printed on an H200 (driver 580.159, CUDA 13.0), 22 November 2026.
$ warplens run -q green
cuLogsRegisterCallback(logged, NULL, &handle): CUDA_SUCCESS
cuLogsRegisterCallback(NULL, NULL, &handle): CUDA_ERROR_INVALID_VALUE
cuLogsCurrent(&iterator, 0): CUDA_SUCCESS
cuLogsDumpToMemory(&iterator, buffer, &size, 0): CUDA_SUCCESS
cuLogsDumpToMemory(&iterator, NULL, &size, 0): CUDA_ERROR_INVALID_VALUE
cuLogsUnregisterCallback(handle): CUDA_SUCCESS
core dump attribute 0: 1
core dump attribute 1: 1
core dump attribute 2: 1
core dump attribute 3: 1
core dump attribute 4: 1
core dump attribute 5: 0
core dump attribute 6: 1
core dump attribute 7: 1
core dump attribute 8: 1
cuDeviceRegisterAsyncNotification(0, (void *)(uintptr_t)logged, NULL, &notified): CUDA_SUCCESS
cuDeviceUnregisterAsyncNotification(0, notified): CUDA_SUCCESS
device: 0, type 1, SMs 132, least 8, group 8
cuDeviceGetDevResource(0, &none, 2): CUDA_ERROR_INVALID_RESOURCE_TYPE
cuDeviceGetDevResource(77, &none, 1): CUDA_ERROR_INVALID_DEVICE
cuDeviceGetDevResource(0, NULL, 1): CUDA_ERROR_INVALID_VALUE
least 10, flags 0: 0, 8 groups
first: 0, type 1, SMs 16, least 0, group 0
rest: 8, type 1, SMs 4, least 0, group 0
least 50, flags 0: 0, 2 groups
first: 0, type 1, SMs 56, least 0, group 0
rest: 2, type 1, SMs 20, least 0, group 0
least 120, flags 0: 0, 1 groups
first: 0, type 1, SMs 120, least 0, group 0
rest: 1, type 1, SMs 12, least 0, group 0
least 10000, flags 0: 915, 0 groups
first: 915, type 0, SMs 0, least 0, group 0
least 2, flags 1: 0, 66 groups
first: 0, type 1, SMs 2, least 0, group 0
rest: 32, type 1, SMs 68, least 0, group 0
least 7, flags 1: 0, 16 groups
first: 0, type 1, SMs 8, least 0, group 0
rest: 16, type 1, SMs 4, least 0, group 0
least 16, flags 2: 0, 8 groups
first: 0, type 1, SMs 16, least 0, group 0
rest: 8, type 1, SMs 4, least 0, group 0
cuDevSmResourceSplitByCount(parts, &count, &none, NULL, 0, 8): CUDA_ERROR_INVALID_RESOURCE_TYPE
cuDevSmResourceSplitByCount(parts, &count, &all, NULL, 0, 16): CUDA_SUCCESS
2 groups
cuDevResourceGenerateDesc(&descriptor, parts, 1): CUDA_SUCCESS
cuDevResourceGenerateDesc(NULL, parts, 1): CUDA_ERROR_INVALID_VALUE
cuDevResourceGenerateDesc(&descriptor, &none, 1): CUDA_ERROR_INVALID_RESOURCE_TYPE
cuDevResourceGenerateDesc(&descriptor, parts, 1): CUDA_SUCCESS
cuGreenCtxCreate(&green, descriptor, 0, 0): CUDA_ERROR_INVALID_VALUE
cuGreenCtxCreate(&green, descriptor, 0, 1): CUDA_SUCCESS
green: 0, type 1, SMs 16, least 8, group 8
cuCtxFromGreenCtx(&context, green): CUDA_SUCCESS
its context: 0, type 1, SMs 16, least 8, group 8
cuGreenCtxStreamCreate(&stream, green, 0, 0): CUDA_ERROR_INVALID_VALUE
cuGreenCtxStreamCreate(&stream, green, 1, 0): CUDA_SUCCESS
cuStreamGetGreenCtx(stream, &other): CUDA_SUCCESS
the same: 1
cuCtxSetCurrent(context): CUDA_SUCCESS
cuCtxGetCurrent(&current): CUDA_SUCCESS
the same: 1
cuGreenCtxGetId(green, &id): CUDA_SUCCESS
id: 1
cuStreamCreate(&inside, 1): CUDA_SUCCESS
cuStreamGetGreenCtx(inside, &other): CUDA_SUCCESS
the same: 1
cuStreamSynchronize(stream): CUDA_SUCCESS
cuEventCreate(&event, 2): CUDA_SUCCESS
cuGreenCtxRecordEvent(green, event): CUDA_SUCCESS
cuGreenCtxWaitEvent(green, event): CUDA_SUCCESS
cuEventSynchronize(event): CUDA_SUCCESS
4
cuStreamDestroy_v2(stream): CUDA_SUCCESS
cuStreamDestroy_v2(inside): CUDA_SUCCESS
cuGreenCtxDestroy(green): CUDA_SUCCESS

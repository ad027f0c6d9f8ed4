# Memory and events of two processes; children of the program are run, too. What it prints is what the same program
# printed on an H200 (driver 580.159, CUDA 13.0), 22 November 2026.
$ warplens run -q shares
cuEventCreate(&event, EVENT_INTERPROCESS): CUDA_ERROR_INVALID_VALUE
cuEventCreate(&event, EVENT_INTERPROCESS | EVENT_DISABLE_TIMING): CUDA_SUCCESS
cuEventCreate(&local, 0): CUDA_SUCCESS
cuIpcGetEventHandle(&gift.event, local): CUDA_ERROR_INVALID_HANDLE
cuIpcGetEventHandle(&gift.event, event): CUDA_SUCCESS
cuIpcGetEventHandle(NULL, event): CUDA_ERROR_INVALID_VALUE
cuIpcGetMemHandle(&gift.memory, at): CUDA_SUCCESS
cuIpcGetMemHandle(&gift.again, at): CUDA_SUCCESS
cuIpcGetMemHandle(&gift.again, pinned): CUDA_ERROR_INVALID_VALUE
cuIpcGetMemHandle(&gift.again, 4096): CUDA_ERROR_INVALID_VALUE
cuIpcGetMemHandle(NULL, at): CUDA_ERROR_INVALID_VALUE
cuIpcOpenMemHandle_v2(&other, gift.memory, 1): CUDA_ERROR_INVALID_CONTEXT
cuIpcOpenEventHandle(&local, gift.event): CUDA_ERROR_INVALID_CONTEXT
cuMemExportToShareableHandle(&gift.file, handle, HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemPoolExportToShareableHandle(&gift.pool, pool, HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemPoolExportPointer(&gift.pointer, pooled): CUDA_SUCCESS
cuMemPoolExportPointer(&gift.pointer, at): CUDA_ERROR_INVALID_VALUE
cuMemPoolExportPointer(&gift.pointer, pooled): CUDA_SUCCESS
cuIpcGetMemHandle(&gift.again, pooled): CUDA_ERROR_INVALID_VALUE
cuIpcGetMemHandle(&gift.again, parts): CUDA_ERROR_INVALID_VALUE
cuEventRecord(event, NULL): CUDA_SUCCESS
cuIpcOpenMemHandle_v2(&at, gift.memory, 0): CUDA_ERROR_INVALID_VALUE
cuIpcOpenMemHandle_v2(&at, gift.memory, 1): CUDA_SUCCESS
cuIpcOpenMemHandle_v2(&again, gift.again, 1): CUDA_SUCCESS
the same: 1
cuIpcOpenEventHandle(&event, gift.event): CUDA_SUCCESS
cuStreamWaitEvent(NULL, event, 0): CUDA_SUCCESS
cuEventQuery(event): CUDA_SUCCESS
child: 1 1
cuEventRecord(event, NULL): CUDA_SUCCESS
cuCtxSynchronize(): CUDA_SUCCESS
cuMemFree_v2(at): CUDA_ERROR_INVALID_VALUE
cuIpcCloseMemHandle(at): CUDA_SUCCESS
child: 11 1
cuIpcCloseMemHandle(at): CUDA_SUCCESS
cuIpcCloseMemHandle(at): CUDA_ERROR_INVALID_VALUE
cuEventDestroy_v2(event): CUDA_SUCCESS
cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)file, HANDLE_POSIX_FD): CUDA_SUCCESS
cuMemAddressReserve(&at, part, 0, 0, 0): CUDA_SUCCESS
cuMemMap(at, part, 0, handle, 0): CUDA_SUCCESS
cuMemSetAccess(at, part, &all, 1): CUDA_SUCCESS
child, parts: 2 2
cuCtxSynchronize(): CUDA_SUCCESS
cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)gift->pool, HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemPoolImportPointer(&at, pool, &gift->pointer): CUDA_SUCCESS
child, pool: 3 3
cuCtxSynchronize(): CUDA_SUCCESS
cuMemAllocFromPoolAsync(&none, 64, pool, NULL): CUDA_ERROR_INVALID_VALUE
cuMemFreeAsync(at, NULL): CUDA_SUCCESS
cuStreamSynchronize(NULL): CUDA_SUCCESS
cuMemPoolDestroy(pool): CUDA_SUCCESS
child ended: 0
cuEventSynchronize(event): CUDA_SUCCESS
parent: 11 1
parent, parts: 22 2
parent, pool: 33 3
parent: 4 4

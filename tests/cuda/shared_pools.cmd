# Two pools that processes share: a pointer belongs to the pool that it was allocated from. What it prints is what the
# same program printed on an H200 (24 November 2026).
$ warplens run -q --no-save shared_pools
cuMemPoolExportToShareableHandle(&gift.pool[i], pool[i], HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemPoolExportPointer(&gift.pointer[i], at[i]): CUDA_SUCCESS
cuMemPoolExportToShareableHandle(&gift.pool[i], pool[i], HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemPoolExportPointer(&gift.pointer[i], at[i]): CUDA_SUCCESS
cuMemPoolImportFromShareableHandle(&pool[i], (void *)(intptr_t)gift.pool[i], HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemPoolImportFromShareableHandle(&pool[i], (void *)(intptr_t)gift.pool[i], HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemPoolImportFromShareableHandle(&none, (void *)(intptr_t)pipe_ends[0], HANDLE_POSIX_FD, 0): CUDA_ERROR_UNKNOWN
cuMemPoolImportPointer(&at[0], pool[0], &gift.pointer[1]): CUDA_ERROR_INVALID_VALUE
cuMemPoolImportPointer(&at[1], pool[1], &gift.pointer[0]): CUDA_ERROR_INVALID_VALUE
cuMemPoolImportPointer(&at[i], pool[i], &gift.pointer[i]): CUDA_SUCCESS
cuMemPoolImportPointer(&at[i], pool[i], &gift.pointer[i]): CUDA_SUCCESS
cuMemPoolImportPointer(&again, pool[0], &gift.pointer[1]): CUDA_ERROR_INVALID_VALUE
apart: 1
child, first: 1 1
child, second: 2 2
cuCtxSynchronize(): CUDA_SUCCESS
cuMemFree_v2(at[i]): CUDA_SUCCESS
cuMemFree_v2(at[i]): CUDA_SUCCESS
child ended: 0
parent, first: 1 1
parent, second: 22 2

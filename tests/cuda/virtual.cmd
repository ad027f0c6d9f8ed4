# Memory in parts: addresses, physical memory, mappings, access; the last launch faults. What it prints is what the same program
# printed on an H200 (driver 580.159, CUDA 13.0), 22 November 2026.
$ warplens run -q virtual 2>/dev/null; echo "status $?"
cuMemGetAllocationGranularity(&least, &on_device, 0): CUDA_SUCCESS
cuMemGetAllocationGranularity(&best, &on_device, 1): CUDA_SUCCESS
cuMemGetAllocationGranularity(&best, &on_device, 2): CUDA_ERROR_INVALID_VALUE
2097152 2097152
cuMemCreate(&handle, PART + 4096, &on_device, 0): CUDA_ERROR_INVALID_VALUE
cuMemCreate(&handle, 0, &on_device, 0): CUDA_ERROR_INVALID_VALUE
cuMemCreate(NULL, PART, &on_device, 0): CUDA_ERROR_INVALID_VALUE
cuMemCreate(&handle, PART, NULL, 0): CUDA_ERROR_INVALID_VALUE
cuMemCreate(&handle, PART, &on_device, 1): CUDA_ERROR_INVALID_VALUE
cuMemCreate(&handle, PART, &other, 0): CUDA_ERROR_INVALID_VALUE
cuMemCreate(&handle, PART, &other, 0): CUDA_ERROR_INVALID_DEVICE
cuMemCreate(&handle, PART << 24, &on_device, 0): CUDA_ERROR_OUT_OF_MEMORY
cuMemAddressReserve(&at, PART + 4096, 0, 0, 0): CUDA_ERROR_INVALID_VALUE
cuMemAddressReserve(&at, 0, 0, 0, 0): CUDA_ERROR_INVALID_VALUE
cuMemAddressReserve(&at, PART, 3, 0, 0): CUDA_ERROR_INVALID_VALUE
cuMemAddressReserve(NULL, PART, 0, 0, 0): CUDA_ERROR_INVALID_VALUE
cuMemAddressReserve(&at, PART, 0, 0, 1): CUDA_ERROR_INVALID_VALUE
cuMemRelease(0): CUDA_ERROR_INVALID_VALUE
cuMemAddressReserve(&at, 4 * PART, 0, 0, 0): CUDA_SUCCESS
cuMemAddressReserve(&alias, PART, 4 * PART, 0, 0): CUDA_SUCCESS
aligned: 1 1
cuMemCreate(&first, PART, &on_device, 0): CUDA_SUCCESS
cuMemCreate(&second, 2 * PART, &on_device, 0): CUDA_SUCCESS
cuMemMap(at, PART, 0, first, 0): CUDA_SUCCESS
cuMemMap(at, PART, 0, first, 0): CUDA_ERROR_INVALID_VALUE
cuMemMap(at + PART, 2 * PART, PART, second, 0): CUDA_ERROR_NOT_SUPPORTED
cuMemMap(at + PART, 3 * PART, 0, second, 0): CUDA_ERROR_NOT_SUPPORTED
cuMemMap(at + PART + 4096, PART, 0, second, 0): CUDA_ERROR_NOT_SUPPORTED
cuMemMap(at + PART, 2 * PART, 0, second, 0): CUDA_SUCCESS
cuMemGetAccess(&flags, &all.location, at): CUDA_SUCCESS
flags 0
cuMemSetAccess(at, PART, &all, 1): CUDA_SUCCESS
cuMemSetAccess(at + PART, PART, &all, 1): CUDA_ERROR_INVALID_VALUE
cuMemSetAccess(at, 4 * PART, &all, 1): CUDA_ERROR_INVALID_VALUE
cuMemSetAccess(at + PART, 2 * PART, &all, 1): CUDA_SUCCESS
cuMemGetAccess(&flags, &all.location, at + PART): CUDA_SUCCESS
flags 3
cuCtxSynchronize(): CUDA_SUCCESS
0: 5 5
0: 5 5
cuMemsetD32_v2(at + PART - 128, 6, 64): CUDA_SUCCESS
0: 6 6
cuPointerGetAttribute(&type, 2, at + PART + 64): CUDA_SUCCESS
type 2
cuMemGetAddressRange_v2(&base, &range, at + PART + 64): CUDA_SUCCESS
range from 2097152, 4194304 bytes
cuMemFree_v2(at): CUDA_ERROR_INVALID_VALUE
cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + PART + 4)): CUDA_SUCCESS
the same: 1
cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + 3 * PART)): CUDA_ERROR_INVALID_VALUE
cuMemRelease(second): CUDA_SUCCESS
cuMemMap(alias, PART, 0, first, 0): CUDA_SUCCESS
cuMemSetAccess(alias, PART, &all, 1): CUDA_SUCCESS
0: 8 8
cuMemGetAllocationPropertiesFromHandle(&properties, first): CUDA_SUCCESS
1 1 1 0
cuMemExportToShareableHandle(&file, first, HANDLE_POSIX_FD, 0): CUDA_SUCCESS
cuMemImportFromShareableHandle(&taken, (void *)(intptr_t)file, HANDLE_POSIX_FD): CUDA_SUCCESS
cuMemUnmap(alias, PART): CUDA_SUCCESS
cuMemMap(alias, PART, 0, taken, 0): CUDA_SUCCESS
cuMemSetAccess(alias, PART, &all, 1): CUDA_SUCCESS
0: 8 8
cuMemImportFromShareableHandle(&again, (void *)(intptr_t)file, HANDLE_POSIX_FD): CUDA_ERROR_UNKNOWN
cuMemAddressFree(at, 4 * PART): CUDA_ERROR_INVALID_VALUE
cuMemUnmap(at + PART, PART): CUDA_ERROR_INVALID_VALUE
cuMemUnmap(at, 3 * PART): CUDA_SUCCESS
cuMemUnmap(at, PART): CUDA_SUCCESS
cuMemSetAccess(at, PART, &all, 1): CUDA_ERROR_INVALID_VALUE
cuMemAddressFree(at, PART): CUDA_ERROR_INVALID_VALUE
cuMemAddressFree(at, 4 * PART): CUDA_SUCCESS
cuMemRelease(first): CUDA_SUCCESS
cuMemRelease(second): CUDA_SUCCESS
cuMemRelease(taken): CUDA_SUCCESS
cuMemSetAccess(alias, PART, &none, 1): CUDA_SUCCESS
1: 0 0
cuCtxSynchronize(): CUDA_ERROR_ILLEGAL_ADDRESS
status 2

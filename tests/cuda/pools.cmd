# Memory pools: what they count, what may be set. What it prints is what the same program
# printed on an H200 (driver 580.159, CUDA 13.0), 22 November 2026.
$ warplens run -q pools
cuMemPoolCreate(NULL, &properties): CUDA_ERROR_INVALID_VALUE
cuMemPoolCreate(&made, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPoolCreate(&made, &properties): CUDA_ERROR_INVALID_VALUE
cuMemPoolCreate(&made, &properties): CUDA_ERROR_INVALID_VALUE
cuMemPoolGetAttribute(pool, 0, &value): CUDA_ERROR_INVALID_VALUE
cuMemPoolGetAttribute(pool, 99, &value): CUDA_ERROR_INVALID_VALUE
cuMemPoolGetAttribute(pool, 4, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPoolSetAttribute(pool, 5, &value): CUDA_ERROR_INVALID_VALUE
cuMemPoolSetAttribute(pool, 6, &value): CUDA_ERROR_INVALID_VALUE
cuMemPoolSetAttribute(pool, 7, &value): CUDA_ERROR_INVALID_VALUE
cuMemPoolSetAttribute(pool, 8, &value): CUDA_ERROR_INVALID_VALUE
cuMemPoolSetAccess(pool, &access, 1): CUDA_ERROR_NOT_SUPPORTED
cuMemPoolSetAccess(pool, &access, 1): CUDA_ERROR_INVALID_DEVICE
cuMemPoolSetAccess(pool, &access, 1): CUDA_SUCCESS
cuMemPoolSetAccess(pool, &access, 1): CUDA_ERROR_INVALID_DEVICE
cuMemPoolGetAccess(&flags, pool, &far): CUDA_ERROR_INVALID_VALUE
cuMemPoolGetAccess(&flags, pool, &host): CUDA_SUCCESS
cuMemPoolDestroy(pool): CUDA_ERROR_INVALID_VALUE
cuMemPoolDestroy(NULL): CUDA_ERROR_INVALID_VALUE
cuMemPoolTrimTo(NULL, 0): CUDA_ERROR_INVALID_VALUE
cuMemAllocFromPoolAsync(&at, 0, pool, NULL): CUDA_SUCCESS
cuMemAllocAsync(&at, MIB << 20, NULL): CUDA_ERROR_OUT_OF_MEMORY
cuMemAllocAsync(NULL, 16, NULL): CUDA_ERROR_INVALID_VALUE
cuMemFreeAsync(0, NULL): CUDA_SUCCESS
cuMemFreeAsync(4096, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPoolExportToShareableHandle(&flags, pool, HANDLE_POSIX_FD, 0): CUDA_ERROR_INVALID_VALUE
reuse 1
reuse 1
reuse 1
0 0 0 0 0
cuMemAllocAsync(&a, 200, stream): CUDA_SUCCESS
0 33554432 33554432 200 200
cuMemAllocAsync(&b, 3 * MIB, stream): CUDA_SUCCESS
cuMemAllocAsync(&c, 40 * MIB, stream): CUDA_SUCCESS
0 67108864 67108864 45088968 45088968
cuMemFreeAsync(b, stream): CUDA_SUCCESS
0 67108864 67108864 41943240 45088968
cuStreamSynchronize(stream): CUDA_SUCCESS
0 67108864 67108864 41943240 45088968
cuMemFreeAsync(c, stream): CUDA_SUCCESS
cuStreamSynchronize(stream): CUDA_SUCCESS
0 33554432 67108864 200 45088968
cuMemFreeAsync(a, stream): CUDA_SUCCESS
0 33554432 67108864 0 45088968
cuStreamSynchronize(stream): CUDA_SUCCESS
0 0 67108864 0 45088968
cuMemPoolSetAttribute(pool, 6, &value): CUDA_SUCCESS
cuMemPoolSetAttribute(pool, 8, &value): CUDA_SUCCESS
0 0 0 0 0
cuMemPoolSetAttribute(pool, 4, &value): CUDA_SUCCESS
cuMemAllocAsync(&a, 80 * MIB, stream): CUDA_SUCCESS
cuMemFreeAsync(a, stream): CUDA_SUCCESS
cuStreamSynchronize(stream): CUDA_SUCCESS
67108864 67108864 100663296 0 83886080
cuMemPoolTrimTo(pool, 10 * MIB): CUDA_SUCCESS
67108864 33554432 100663296 0 83886080
cuMemPoolTrimTo(pool, 0): CUDA_SUCCESS
67108864 0 100663296 0 83886080
cuMemPoolCreate(&own, &properties): CUDA_SUCCESS
cuDeviceSetMemPool(0, own): CUDA_SUCCESS
cuDeviceGetMemPool(&now, 0): CUDA_SUCCESS
own: 1
cuMemGetMemPool(&now, &here, ALLOCATION_PINNED): CUDA_SUCCESS
own: 1
cuMemGetDefaultMemPool(&now, &here, ALLOCATION_PINNED): CUDA_SUCCESS
default: 1
cuMemAllocAsync(&a, MIB, stream): CUDA_SUCCESS
0 33554432 33554432 1048576 1048576
cuPointerGetAttribute(&now, 17, a): CUDA_SUCCESS
own: 1
cuMemPoolGetAccess(&flag, own, &here): CUDA_SUCCESS
flags 3
cuMemFreeAsync(a, stream): CUDA_SUCCESS
cuMemPoolDestroy(own): CUDA_SUCCESS
cuDeviceGetMemPool(&now, 0): CUDA_SUCCESS
default: 1
cuMemPoolCreate(&own, &properties): CUDA_SUCCESS
cuMemAllocFromPoolAsync(&a, 8 * MIB, own, stream): CUDA_SUCCESS
cuMemAllocFromPoolAsync(&a, 2 * MIB, own, stream): CUDA_SUCCESS
cuMemFreeAsync(a, stream): CUDA_SUCCESS
cuMemPoolDestroy(own): CUDA_SUCCESS
cuStreamSynchronize(stream): CUDA_SUCCESS

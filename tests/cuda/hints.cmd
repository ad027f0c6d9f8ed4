# Hints of memory that both sides use, what is said of them, and memory of the host. What it prints is what the same program printed
# on a GPU (NVIDIA's driver 580, CUDA 13.0), 27 November 2026.
$ warplens run -q hints 2>/dev/null
-- advice
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  read mostly: 0
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  preferred: -2
cuMemAdvise_v2(at, PAGE, 1, device): CUDA_SUCCESS
cuMemAdvise_v2(at, PAGE, 3, device): CUDA_SUCCESS
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  read mostly: 1
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  preferred: 0
cuMemRangeGetAttributes(places, sizes, attributes, 2, at, PAGE): CUDA_SUCCESS
1 0
cuMemAdvise_v2(at, PAGE, 2, device): CUDA_SUCCESS
cuMemAdvise_v2(at, PAGE, 4, device): CUDA_SUCCESS
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  read mostly: 0
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  preferred: -2
cuMemAdvise_v2(at, PAGE, 3, host): CUDA_SUCCESS
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  preferred: -1
cuMemAdvise_v2(at, PAGE, 5, device): CUDA_SUCCESS
cuMemAdvise_v2(at, PAGE, 6, device): CUDA_SUCCESS
cuMemAdvise_v2(at, PAGE, 99, device): CUDA_ERROR_INVALID_VALUE
cuMemAdvise_v2(at, PAGE, 3, nowhere): CUDA_ERROR_INVALID_VALUE
cuMemAdvise_v2(at, 0, 1, device): CUDA_ERROR_INVALID_VALUE
cuMemAdvise_v2(at, (size_t)1 << 40, 1, device): CUDA_ERROR_INVALID_VALUE
cuMemAdvise(at, PAGE, 1, 0): CUDA_SUCCESS
cuMemAdvise(at, PAGE, 3, -1): CUDA_SUCCESS
cuMemAdvise(at, PAGE, 3, 99): CUDA_ERROR_INVALID_DEVICE
cuMemRangeGetAttribute(values, 3, 1, at, PAGE): CUDA_ERROR_INVALID_VALUE
cuMemRangeGetAttribute(values, 4, 99, at, PAGE): CUDA_ERROR_INVALID_VALUE
cuMemRangeGetAttribute(NULL, 4, 1, at, PAGE): CUDA_ERROR_INVALID_VALUE
cuMemRangeGetAttributes(places, sizes, attributes, 0, at, PAGE): CUDA_ERROR_INVALID_VALUE
-- prefetches
cuMemPrefetchAsync_v2(at, PAGE, device, 0, NULL): CUDA_SUCCESS
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  last prefetched to: 0
cuMemPrefetchAsync_v2(at, PAGE, host, 0, NULL): CUDA_SUCCESS
cuMemRangeGetAttribute(&value, sizeof value, attribute, at, PAGE): CUDA_SUCCESS
  last prefetched to: -1
cuMemPrefetchAsync_v2(at, PAGE, nowhere, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPrefetchAsync_v2(at, PAGE, device, 9, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPrefetchAsync_v2(at, 0, device, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPrefetchAsync(at, PAGE, 0, NULL): CUDA_SUCCESS
cuMemPrefetchAsync(at, PAGE, -1, NULL): CUDA_SUCCESS
cuMemPrefetchAsync(at, PAGE, 99, NULL): CUDA_ERROR_INVALID_DEVICE
cuMemPrefetchBatchAsync(addresses, bytes, 2, &device, &first, 1, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPrefetchBatchAsync(addresses, bytes, 0, &device, &first, 1, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuMemPrefetchBatchAsync(addresses, bytes, 2, &device, &first, 1, 9, NULL): CUDA_ERROR_INVALID_VALUE
cuMemDiscardBatchAsync(addresses, bytes, 2, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuMemDiscardBatchAsync(addresses, bytes, 0, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuMemDiscardBatchAsync(addresses, bytes, 2, 9, NULL): CUDA_ERROR_INVALID_VALUE
cuMemDiscardAndPrefetchBatchAsync(addresses, bytes, 2, &device, &first, 1, 0, NULL): CUDA_ERROR_INVALID_VALUE
-- memory of the host
cuStreamAttachMemAsync(stream, at, 0, 4): CUDA_SUCCESS
cuStreamAttachMemAsync(stream, at, 0, 1): CUDA_SUCCESS
cuStreamAttachMemAsync(stream, at, 0, 99): CUDA_ERROR_INVALID_VALUE
cuMemAllocHost_v2(&host, PAGE): CUDA_SUCCESS
cuMemHostGetFlags(&flags, host): CUDA_SUCCESS
flags 2
cuMemHostGetDevicePointer_v2(&device, host, 0): CUDA_SUCCESS
the same: 1
cuPointerGetAttribute(&type, 2, device): CUDA_SUCCESS
type 1
cuPointerSetAttribute(&on, 6, at): CUDA_SUCCESS
cuPointerSetAttribute(&on, 2, at): CUDA_ERROR_INVALID_VALUE
cuMemFreeHost(host): CUDA_SUCCESS
cuMemFreeHost(host): CUDA_ERROR_INVALID_VALUE
cuMemHostRegister_v2(mine, sizeof mine, 0): CUDA_SUCCESS
cuMemHostRegister_v2(mine, sizeof mine, 0): CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
cuMemHostUnregister(mine): CUDA_SUCCESS
cuMemHostUnregister(mine): CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
cuMemHostRegister_v2(NULL, PAGE, 0): CUDA_ERROR_INVALID_VALUE
cuMemHostRegister_v2(mine, 0, 0): CUDA_ERROR_INVALID_VALUE
cuMemHostAlloc(&host, 0, 0): CUDA_SUCCESS
cuMemHostAlloc(&host, PAGE, 99): CUDA_ERROR_INVALID_VALUE
cuMemHostAlloc(NULL, PAGE, 0): CUDA_ERROR_INVALID_VALUE
-- memory of the device
cuMemAdvise(plain, PAGE, 1, 0): CUDA_ERROR_INVALID_VALUE
cuMemPrefetchAsync(plain, PAGE, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuMemRangeGetAttribute(&value, 4, 1, plain, PAGE): CUDA_ERROR_INVALID_VALUE
cuMemAllocManaged(&at, 0, 1): CUDA_ERROR_INVALID_VALUE
cuMemAllocManaged(&at, BYTES, 99): CUDA_ERROR_INVALID_VALUE

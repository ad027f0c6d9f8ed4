# Copies and fills of every form, and what is refused. What it prints is what the same program printed on a
# GPU (NVIDIA's driver 580, CUDA 13.0), 27 November 2026.
$ warplens run -q copies 2>/dev/null
-- in a row
cuMemcpy(b, a, 4): CUDA_SUCCESS
   1 2 3 4 0
cuMemcpyAsync(b + 1, a, 3, stream): CUDA_SUCCESS
   0 1 2 3 0
cuMemcpyHtoDAsync_v2(b, host + 8, 4, stream): CUDA_SUCCESS
   9 10 11 12 0
cuMemcpyDtoDAsync_v2(b + 2, a + 4, 2, stream): CUDA_SUCCESS
   0 0 5 6 0
cuMemcpyPeer(b, context, a, context, 3): CUDA_SUCCESS
   1 2 3 0 0
cuMemcpyPeerAsync(b, context, a + 1, context, 3, stream): CUDA_SUCCESS
   2 3 4 0 0
cuMemcpyDtoHAsync_v2(back, a, 4, stream): CUDA_SUCCESS
cuMemcpy(b, a, 0): CUDA_SUCCESS
cuMemcpy(0, a, 4): CUDA_ERROR_INVALID_VALUE
cuMemcpyHtoD_v2(0, host, 4): CUDA_ERROR_INVALID_VALUE
cuMemcpyDtoH_v2(back, 16, 4): CUDA_ERROR_INVALID_VALUE
cuMemcpyDtoD_v2(b, a, (size_t)1 << 40): CUDA_ERROR_INVALID_VALUE
-- fills
cuMemsetD8Async(b, 7, 3, stream): CUDA_SUCCESS
   7 7 7 0 0
cuMemsetD16Async(b, 0x0102, 2, stream): CUDA_SUCCESS
   2 1 2 1 0
cuMemsetD32Async(b, 0x01020304, 1, stream): CUDA_SUCCESS
   4 3 2 1 0
cuMemsetD2D8_v2(b, 4, 9, 2, 2): CUDA_SUCCESS
   9 9 0 0 9 9 0 0
cuMemsetD2D8Async(b, 4, 9, 3, 2, stream): CUDA_SUCCESS
   9 9 9 0 9 9 9 0
cuMemsetD2D16_v2(b, 6, 0x0102, 1, 2): CUDA_SUCCESS
   2 1 0 0 0 0 2 1 0 0
cuMemsetD2D16Async(b, 6, 0x0203, 2, 2, stream): CUDA_SUCCESS
   3 2 3 2 0 0 3 2 3 2 0 0
cuMemsetD2D32_v2(b, 8, 0x01020304, 1, 2): CUDA_SUCCESS
   4 3 2 1 0 0 0 0 4 3 2 1 0 0
cuMemsetD2D32Async(b, 8, 0x04030201, 1, 2, stream): CUDA_SUCCESS
   1 2 3 4 0 0 0 0 1 2 3 4 0 0
cuMemsetD16_v2(b + 1, 1, 1): CUDA_ERROR_INVALID_VALUE
cuMemsetD32_v2(b + 2, 1, 1): CUDA_ERROR_INVALID_VALUE
cuMemsetD2D8_v2(b, 2, 9, 4, 2): CUDA_ERROR_INVALID_VALUE
cuMemsetD2D32_v2(b, 6, 9, 1, 2): CUDA_ERROR_INVALID_VALUE
cuMemsetD8_v2(0, 1, 4): CUDA_ERROR_INVALID_VALUE
cuMemsetD8_v2(0, 1, 0): CUDA_SUCCESS
-- boxes
cuMemcpy2D_v2(&flat): CUDA_SUCCESS
   10 11 12 0 18 19 20 0
cuMemcpy2DUnaligned_v2(&flat): CUDA_SUCCESS
   10 11 12 0 18 19 20 0
cuMemcpy2DAsync_v2(&flat, NULL): CUDA_SUCCESS
   10 11 12 0 18 19 20 0
cuMemcpy3D_v2(&box): CUDA_SUCCESS
   0 0 0 0 0 0 0 0 1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0
cuMemcpy3DAsync_v2(&box, NULL): CUDA_SUCCESS
   0 0 0 0 0 0 0 0 1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0
cuMemcpy3DPeer(&box): CUDA_SUCCESS
   0 0 0 0 0 0 0 0 1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0
cuMemcpy3DPeerAsync(&box, NULL): CUDA_SUCCESS
   0 0 0 0 0 0 0 0 1 2 0 0 9 10 0 0 17 18 0 0 25 26 0 0
cuMemcpy2D_v2(&flat): CUDA_ERROR_INVALID_VALUE
cuMemcpy2D_v2(&flat): CUDA_ERROR_INVALID_VALUE
cuMemcpy2D_v2(&flat): CUDA_SUCCESS
cuMemcpy3D_v2(&box): CUDA_SUCCESS
cuMemcpy3D_v2(&box): CUDA_ERROR_INVALID_VALUE
cuMemcpy2D_v2(NULL): CUDA_ERROR_INVALID_VALUE
cuMemcpy3D_v2(NULL): CUDA_ERROR_INVALID_VALUE
-- arrays
cuArrayCreate_v2(&first, &row): CUDA_SUCCESS
cuArrayCreate_v2(&second, &row): CUDA_SUCCESS
cuArray3DCreate_v2(&third, &deep): CUDA_SUCCESS
cuArrayGetDescriptor_v2(&got, first): CUDA_SUCCESS
16 x 0, format 1, channels 1
cuArray3DGetDescriptor_v2(&got_deep, third): CUDA_SUCCESS
4 x 4 x 2, format 32, channels 2, flags 2
cuArrayGetDescriptor_v2(NULL, first): CUDA_ERROR_INVALID_VALUE
cuArrayCreate_v2(&third, &wrong): CUDA_ERROR_INVALID_VALUE
cuArrayCreate_v2(&third, &wrong): CUDA_ERROR_INVALID_VALUE
cuArrayCreate_v2(&third, &wrong): CUDA_ERROR_INVALID_VALUE
cuArrayCreate_v2(NULL, &row): CUDA_ERROR_INVALID_VALUE
cuMemcpyHtoA_v2(first, 0, host, 16): CUDA_SUCCESS
cuMemcpyAtoD_v2(b, first, 4, 6): CUDA_SUCCESS
   5 6 7 8 9 10 0 0
cuMemcpyDtoA_v2(second, 2, a, 8): CUDA_SUCCESS
cuMemcpyAtoA_v2(first, 1, second, 3, 4): CUDA_SUCCESS
cuMemcpyAtoH_v2(back, first, 0, 8): CUDA_SUCCESS
 1 2 3 4 5 6 7 8
cuMemcpyHtoAAsync_v2(first, 8, host, 8, NULL): CUDA_SUCCESS
cuMemcpyAtoHAsync_v2(back, first, 6, 8, NULL): CUDA_SUCCESS
 7 8 1 2 3 4 5 6
cuMemcpyAtoH_v2(back, first, 12, 8): CUDA_ERROR_INVALID_VALUE
cuMemcpyHtoA_v2(first, 16, host, 1): CUDA_ERROR_INVALID_VALUE
cuMemcpyAtoA_v2(first, 0, second, 12, 8): CUDA_ERROR_INVALID_VALUE
cuArrayDestroy(first): CUDA_SUCCESS
cuArrayDestroy(second): CUDA_SUCCESS
-- in batches
cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, stream): CUDA_SUCCESS
   1 2 0 0 0 0 0 0 2 3 4 0 0 0 0 0 3 4 5 6
cuMemcpyBatchAsync(to, from, bytes, 3, &attributes, first, 1, &place, stream): CUDA_SUCCESS
   1 2 0 0 0 0 0 0 2 3 4 0 0 0 0 0 3 4 5 6
cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, NULL): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 0, &attributes, first, 1, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 0, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 4, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpy3DBatchAsync_v2(1, &box, 0, stream): CUDA_SUCCESS
   1 2 3 4 5 6 7 8
cuMemcpy3DBatchAsync(1, &box, &place, 0, stream): CUDA_SUCCESS
   1 2 3 4 5 6 7 8
cuMemcpy3DBatchAsync_v2(1, &box, 0, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpy3DBatchAsync_v2(0, &box, 0, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpy3DBatchAsync_v2(1, &box, 9, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpy3DBatchAsync_v2(1, &box, 0, NULL): CUDA_ERROR_INVALID_VALUE

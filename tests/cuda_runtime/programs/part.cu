// Device code for a library of its own, or the other half of linked.cu.
#include <cstdio>

#ifdef LIBRARY
static
#endif
__device__ int triple(int x) {
    return 3 * x;
}

__global__ void fill(int *out) {
    out[threadIdx.x] = triple(threadIdx.x);
}

extern "C" int last_of_32() {
    int *device, last = -1;
    cudaMalloc(&device, 32 * sizeof(int));
    fill<<<1, 32>>>(device);
    cudaMemcpy(&last, device + 31, sizeof last, cudaMemcpyDeviceToHost);
    return last;
}

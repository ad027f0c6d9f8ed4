// Relocatable device code: a kernel here calls a function of part.cu.
#include <cstdio>

__device__ int triple(int x);
extern "C" int last_of_32();

__global__ void two(int *out) {
    *out = triple(14);
}

int main() {
    int *device, result = 0;
    cudaMalloc(&device, sizeof(int));
    two<<<1, 1>>>(device);
    cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d %d\n", result, last_of_32());
    return 0;
}

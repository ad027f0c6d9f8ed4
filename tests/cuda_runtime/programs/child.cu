/* Kernels that launch kernels: NVIDIA's device runtime is linked in, whose PTX is for the newest GPU alone. */
#include <cstdio>

__global__ void child(int *count) { atomicAdd(count, 1); }

__global__ void parent(int *count) { child<<<1, 32>>>(count); }

int main() {
    int *count, result = -1;
    cudaMalloc(&count, sizeof *count);
    cudaMemset(count, 0, sizeof *count);
    parent<<<1, 2>>>(count);
    cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d\n", result);
}

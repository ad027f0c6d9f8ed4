// Says which architecture the code that runs was compiled for.
#include <cstdio>

__global__ void arch() {
#ifdef __CUDA_ARCH__
    printf("%d\n", __CUDA_ARCH__);
#endif
}

int main() {
    arch<<<1, 1>>>();
    return cudaDeviceSynchronize();
}

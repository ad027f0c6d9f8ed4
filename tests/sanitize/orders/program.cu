// A program whose kernels depend on the order, or not, by its argument: schedules.py.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

__device__ int counter;

__global__ void last(int *out) {
    if (threadIdx.x == 0)
        *out = blockIdx.x;
}

__global__ void right(int *out) {
    atomicAdd(out, 1);
}

__global__ void fill(float *in) {
    in[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f / (1 + threadIdx.x + blockIdx.x);
}

__global__ void sum(float *out, const float *in) {
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

// A barrier is missing: how many threads count themselves is a matter of the order, and so is how often.
__global__ void unguarded() {
    __shared__ volatile int a[64];
    a[threadIdx.x] = 1;
    if (!a[63 - threadIdx.x])
        atomicAdd(&counter, 1);
}

int main(int argc, char **argv) {
    int *a, h[2];
    float *f;
    const char *way = argc > 1 ? argv[1] : "";
    cudaMalloc(&a, 64);
    cudaMemset(a, 0, 64);
    cudaMalloc(&f, 4 * 4097);
    cudaMemset(f, 0, 4);
    right<<<4, 64>>>(a + 1);
    if (!strcmp(way, "last"))
        last<<<32, 32>>>(a);
    if (!strcmp(way, "unguarded"))
        unguarded<<<1, 64>>>();
    if (!strcmp(way, "sum")) {
        fill<<<64, 64>>>(f + 1);
        sum<<<64, 64>>>(f, f + 1);
    }
    cudaMemcpy(h, a, 8, cudaMemcpyDeviceToHost);
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%d %d\ntime %ld\n", h[0], h[1], now.tv_nsec);
    return !strcmp(way, "status") ? 3 : 0;
}

// Variables of every kind, launches with several shapes, and what the device says of itself.
#include <cstdio>

__constant__ float scale;
__device__ int blocks_seen;
__managed__ int lanes_seen;

__global__ void add(const float *a, const float *b, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = scale * (a[i] + b[i]);
    if (threadIdx.x == 0)
        atomicAdd(&blocks_seen, 1);
    if (i < 32)
        atomicAdd(&lanes_seen, 1);
}

int main() {
    const int n = 1000;
    static float host[n], result[n];
    float *a, *b, *sum, two = 2;
    int seen, version, wrong = 0;
    cudaDeviceProp device;
    for (int i = 0; i < n; i++)
        host[i] = float(i);
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&sum, sizeof host);
    cudaMemcpyToSymbol(scale, &two, sizeof two);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyDefault);
    lanes_seen = 10;
    add<<<(n + 255) / 256, 256>>>(a, b, sum, n);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(result, sum, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&seen, blocks_seen, sizeof seen);
    for (int i = 0; i < n; i++)
        wrong += result[i] != 4.0f * i;
    cudaGetDeviceProperties(&device, 0);
    cudaRuntimeGetVersion(&version);
    printf("%d wrong, %d blocks, %d lanes, %s with %d SMs, runtime %s\n", wrong, seen, lanes_seen,
           device.name, device.multiProcessorCount, version == CUDART_VERSION ? "as built" : "?");
    add<<<1, 2048>>>(a, b, sum, n);
    // CUDA 12 has an error of its own for shapes; 13 gives the driver's (measured on an H200)
    cudaError_t wanted = CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
    printf("%s\n", cudaGetLastError() == wanted ? "refused" : "not refused");
    return wrong != 0;
}

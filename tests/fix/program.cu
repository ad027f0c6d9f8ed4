// A program with two kernels that walk down columns.
#include <cstdio>
#include <vector>

constexpr int TILE = 32;

__global__ void turn(const float *in, float *out, int n) {
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
    tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * n + x + threadIdx.x];
    __syncthreads();
    out[(x + threadIdx.y) * n + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void deal(const float *in, float *out) {
    __shared__ float row[TILE * TILE];
    row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x % TILE * TILE + threadIdx.x / TILE];
}

int main() {
    const int n = 64, bytes = n * n * sizeof(float);
    std::vector<float> host(n * n, 1.5f);
    float *in, *out;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
    turn<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(in, out, n);
    deal<<<1, TILE * TILE>>>(in, out);
    cudaMemcpy(host.data(), out, bytes, cudaMemcpyDeviceToHost);
    printf("%g\n", host[5]);
}

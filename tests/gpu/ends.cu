// A program that ends early, after three launches: ends abort|kill|exit|throw, or goes wrong and on: fault (an address that is nobody's), reset (of the
// device, then another kernel), full (nearly all of the GPU's memory is taken before).
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <stdexcept>
#include <unistd.h>

__global__ void first(float *data) {
    __shared__ float tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void second(float *data) {
    data[threadIdx.x] = threadIdx.x;
}

__global__ void wild(float *data) {
    data[(size_t)(threadIdx.x + 1) << 40] = 1;
}

static void take_all() {
    void *taken;
    for (size_t bytes = (size_t)1 << 36; bytes >= 1 << 12; bytes /= 2)
        while (cudaMalloc(&taken, bytes) == cudaSuccess)
            ;
    cudaGetLastError();
}

static void end(const char *how) {
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "exit"))
        _exit(7);
    if (!strcmp(how, "throw"))
        throw std::runtime_error("an end");
}

int main(int, char **argv) {
    const char *how = argv[1];
    float *data;
    cudaMalloc(&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    if (!strcmp(how, "full"))
        take_all();
    cudaError_t failed = cudaSuccess;
    for (int i = 0; i < 3; i++) {
        first<<<1, 64>>>(data);
        failed = failed ? failed : cudaGetLastError();
    }
    cudaDeviceSynchronize();
    end(how);
    if (!strcmp(how, "fault"))
        wild<<<1, 64>>>(data);
    if (!strcmp(how, "reset")) {
        cudaDeviceReset();
        cudaMalloc(&data, 64 * sizeof *data);
        second<<<1, 64>>>(data);
    }
    printf("%s\n", cudaGetErrorString(failed ? failed : cudaDeviceSynchronize()));
    return 0;
}

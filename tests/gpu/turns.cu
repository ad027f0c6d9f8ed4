// Kernels of one module, some counted and some not, that run at once: a long one runs in one stream while a small one is launched six times in another, eight times over.
// Prints "ok" where every result is as without any of that.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int BLOCKS = 64, THREADS = 256, TURNS = 8, SMALL = 6;

__global__ void lasting(unsigned *out, int number) {
    __shared__ unsigned values[THREADS];
    unsigned sum = 0;
    values[threadIdx.x] = threadIdx.x * 2654435761u + blockIdx.x;
    __syncthreads();
    for (int i = 0; i < number; i++)
        sum = sum * 31 + values[(threadIdx.x + i) % THREADS];
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}
__global__ void small(unsigned *out) {
    atomicAdd(&out[threadIdx.x], 1u);
}
int main() {
    const size_t bytes = BLOCKS * THREADS * sizeof(unsigned);
    const int number = 200000;
    unsigned *data, *counts;
    cudaStream_t one, other;
    std::vector<unsigned> was(BLOCKS * THREADS), is(BLOCKS * THREADS), count(THREADS);
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMalloc(&data, TURNS * bytes);
    cudaMalloc(&counts, THREADS * sizeof *counts);
    cudaMemset(counts, 0, THREADS * sizeof *counts);
    cudaMemset(data, 0, TURNS * bytes);
    lasting<<<BLOCKS, THREADS, 0, one>>>(data, number);
    cudaMemcpyAsync(was.data(), data, bytes, cudaMemcpyDeviceToHost, one);
    cudaStreamSynchronize(one);
    for (int turn = 0; turn < TURNS; turn++) {
        lasting<<<BLOCKS, THREADS, 0, one>>>(data + turn * BLOCKS * THREADS, number);
        for (int i = 0; i < SMALL; i++)
            small<<<1, THREADS, 0, other>>>(counts);
    }
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        cudaMemcpy(is.data(), data + turn * BLOCKS * THREADS, bytes, cudaMemcpyDeviceToHost);
        wrong += memcmp(is.data(), was.data(), bytes) != 0;
    }
    cudaMemcpy(count.data(), counts, THREADS * sizeof *counts, cudaMemcpyDeviceToHost);
    for (unsigned value : count)
        wrong += value != TURNS * SMALL;
    printf("%s %s\n", wrong ? "WRONG" : "ok", cudaGetErrorString(cudaGetLastError()));
    return wrong != 0;
}

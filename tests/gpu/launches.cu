// How long launches take in a row that are not counted: launches [N]. Prints microseconds a launch, of the default stream and of another.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void tiny(float *data) {
    data[threadIdx.x] += 1;
}
static double each(int number, float *data, cudaStream_t stream, bool wait) {
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < number; i++) {
        tiny<<<1, 64, 0, stream>>>(data);
        if (wait)
            cudaStreamSynchronize(stream);
    }
    cudaStreamSynchronize(stream);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e6 / number;
}
int main(int argc, char **argv) {
    const int number = argc > 1 ? atoi(argv[1]) : 20000;
    float *data;
    cudaStream_t stream;
    cudaMalloc(&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    each(100, data, 0, true);
    printf("default stream: %.2f us a launch in a row, ", each(number, data, 0, false));
    printf("%.2f us each waited for\n", each(number, data, 0, true));
    cudaStreamCreate(&stream);
    each(100, data, stream, true);
    printf("another stream: %.2f us a launch in a row, ", each(number, data, stream, false));
    printf("%.2f us each waited for\n", each(number, data, stream, true));
    return cudaGetLastError() != cudaSuccess;
}

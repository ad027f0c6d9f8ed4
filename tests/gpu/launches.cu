// How long launches take that are not counted: launches [NUMBER [mixed | other]]. Prints microseconds a launch, of the default stream and of another (other:
// of that alone): of an empty kernel, and of one of nothing but shared loads; mixed: an empty one is launched before each eighth of those.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
__global__ void tiny(float *data) {
    data[threadIdx.x] += 1;
}
__global__ void loads(float *data, int number) {
    __shared__ float values[256];
    values[threadIdx.x] = data[threadIdx.x % 64];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < number; i++)
        sum += values[(threadIdx.x + i * 3) % 256];
    if (sum == 12345)
        data[0] = sum;
}
template <class Launch> static double each(int number, cudaStream_t stream, bool wait, Launch launch) {
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < number; i++) {
        launch(i);
        if (wait)
            cudaStreamSynchronize(stream);
    }
    cudaStreamSynchronize(stream);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e6 / number;
}
int main(int argc, char **argv) {
    const int number = argc > 1 ? atoi(argv[1]) : 20000;
    const bool mixed = argc > 2 && strcmp(argv[2], "mixed") == 0, other = argc > 2 && strcmp(argv[2], "other") == 0;
    float *data;
    cudaStream_t streams[2] = {0};
    cudaMalloc(&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking);
    for (int i = other ? 1 : 0; i < 2; i++) {
        cudaStream_t stream = streams[i];
        auto empty = [&](int) { tiny<<<1, 64, 0, stream>>>(data); };
        auto loading = [&](int at) {
            if (mixed && at % 8 == 0)
                tiny<<<1, 64, 0, stream>>>(data);
            loads<<<1056, 256, 0, stream>>>(data, 2000);
        };
        each(100, stream, true, empty);
        printf("%s stream: %.2f us a launch in a row, ", i ? "another" : "default", each(number, stream, false, empty));
        printf("%.2f us each waited for, ", each(number, stream, true, empty));
        each(5, stream, true, loading);
        printf("%.2f us of shared loads\n", each(number / 100, stream, false, loading));
    }
    return cudaGetLastError() != cudaSuccess;
}

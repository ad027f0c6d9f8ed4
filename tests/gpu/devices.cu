// Launches on two GPUs: from one thread, from a thread for each, on copies of each other's memory; then on memory of the other, where that is allowed.
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>

__global__ void column(float *data, int blocks) {
    __shared__ float tile[32][32];
    float *at = data + blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = *at;
    __syncthreads();
    *at = tile[threadIdx.x][threadIdx.y] + blocks;
}

static void launch(int device, float *data, int blocks) {
    cudaSetDevice(device);
    column<<<blocks, dim3(32, 32)>>>(data, blocks);
}

int main() {
    float *data[2];
    int peers = 0, devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices < 2)
        return 77;
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        cudaMalloc(&data[device], 1 << 20);
        cudaMemset(data[device], 0, 1 << 20);
    }
    for (int i = 0; i < 3; i++)
        for (int device = 0; device < 2; device++)
            launch(device, data[device], 1 + device);
    cudaMemcpyPeer(data[1], 1, data[0], 0, 1 << 20);
    std::thread threads[2];
    for (int device = 0; device < 2; device++)
        threads[device] = std::thread([&, device] {
            cudaStream_t stream;
            cudaSetDevice(device);
            cudaStreamCreate(&stream);
            for (int i = 0; i < 5; i++)
                column<<<3 + device, dim3(32, 32), 0, stream>>>(data[device], i);
            cudaStreamSynchronize(stream);
        });
    for (auto &thread : threads)
        thread.join();
    cudaDeviceCanAccessPeer(&peers, 1, 0);
    if (peers) {
        cudaSetDevice(1);
        cudaDeviceEnablePeerAccess(0, 0);
        launch(1, data[0], 5);
    }
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        cudaError_t error = cudaDeviceSynchronize();
        printf("GPU %d: %s\n", device, cudaGetErrorString(error));
    }
    printf("peers: %d\n", peers);
    return 0;
}

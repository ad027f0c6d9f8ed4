// Kernels that pad by themselves, after the wrong number of elements.
#include <cstdio>
#include <vector>

constexpr int LOG_BANKS = 4;
constexpr int ROWS = 16;
#define PADDED(i) ((i) + (i) / 32)

__device__ __forceinline__ int banks(int i) {
    return i >> LOG_BANKS;
}

// For 16 banks. The array is not told of their number, and has room for less padding, not for more.
__global__ void tree(const float *in, float *out) {
    __shared__ float s[1024 + 64];
    int t = threadIdx.x;
    s[t + banks(t)] = in[blockIdx.x * 1024 + t];
    s[t + 512 + banks(t + 512)] = in[blockIdx.x * 1024 + t + 512];
    for (int stride = 1; stride < 1024; stride *= 2) {
        __syncthreads();
        int a = 2 * stride * t, b = a + stride;
        a += banks(a);
        b += banks(b);
        if (2 * stride * t < 1024)
            s[a] += s[b];
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// For floats.
__global__ void rows(const double *in, double *out) {
    __shared__ double s[PADDED(64 * 16)];
    for (int i = threadIdx.x; i < 64 * 16; i += 64)
        s[PADDED(i)] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 16; k++)
        sum += s[PADDED(threadIdx.x * 16 + k)] * k;
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The number counts rows, too.
__global__ void both(const float *in, float *out) {
    __shared__ float s[1024 + 64];
    for (int i = threadIdx.x; i < 64 * ROWS; i += 64)
        s[i + i / ROWS] = in[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += s[threadIdx.x * 16 + k + (threadIdx.x * 16 + k) / ROWS] * k;
    out[threadIdx.x] = sum;
}

int main() {
    std::vector<float> host(2048);
    float *in, *out, sums[2];
    for (int i = 0; i < 2048; i++)
        host[i] = i % 13 * 0.5f;
    cudaMalloc(&in, 2048 * sizeof(float));
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(in, host.data(), 2048 * sizeof(float), cudaMemcpyHostToDevice);
    tree<<<2, 512>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%g %g\n", sums[0], sums[1]);
}

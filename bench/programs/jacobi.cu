// A whole program: heat flow on a square plate, 200 steps, with the greatest change read back every 20.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int N = 256;

__global__ void step(const float *in, float *out, float *change) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int at = y * N + x;
    float value = in[at];
    if (x > 0 && x < N - 1 && y > 0 && y < N - 1)
        value = 0.25f * (in[at - 1] + in[at + 1] + in[at - N] + in[at + N]);
    out[at] = value;
    atomicMax((int *)change, __float_as_int(fabsf(value - in[at]))); // positive floats order as ints
}

int main() {
    std::vector<float> plate(N * N, 0.0f);
    for (int i = 0; i < N; i++)
        plate[i] = 100;
    float *in, *out, *change, most = 0;
    cudaMalloc(&in, N * N * sizeof *in);
    cudaMalloc(&out, N * N * sizeof *out);
    cudaMalloc(&change, sizeof *change);
    cudaMemcpy(in, plate.data(), N * N * sizeof *in, cudaMemcpyHostToDevice);
    for (int i = 0; i < 200; i++) {
        cudaMemset(change, 0, sizeof *change);
        step<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(in, out, change);
        std::swap(in, out);
        if (i % 20 == 19)
            cudaMemcpy(&most, change, sizeof most, cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(plate.data(), in, N * N * sizeof *in, cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess && plate[0] == 100 && plate[N + N / 2] > 50 && most < 1;
    printf("jacobi: the last change is %.6f: %s\n", most, good ? "ok" : "wrong");
    return good ? 0 : 1;
}

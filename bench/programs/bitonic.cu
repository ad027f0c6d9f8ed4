// A whole program: sorts 64 Ki numbers with a bitonic network, 136 short launches.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

__global__ void exchange(unsigned *values, unsigned distance, unsigned run) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
    if (partner <= i)
        return;
    unsigned a = values[i], b = values[partner];
    if ((a > b) == ((i & run) == 0)) {
        values[i] = b;
        values[partner] = a;
    }
}

int main() {
    const unsigned n = 1 << 16;
    std::mt19937 random(1);
    std::vector<unsigned> values(n), sorted;
    for (unsigned &value : values)
        value = random();
    sorted = values;
    std::sort(sorted.begin(), sorted.end());
    unsigned *device;
    cudaMalloc(&device, n * sizeof *device);
    cudaMemcpy(device, values.data(), n * sizeof *device, cudaMemcpyHostToDevice);
    for (unsigned run = 2; run <= n; run *= 2)
        for (unsigned distance = run / 2; distance > 0; distance /= 2)
            exchange<<<n / 256, 256>>>(device, distance, run);
    cudaMemcpy(values.data(), device, n * sizeof *device, cudaMemcpyDeviceToHost);
    printf("bitonic: %s\n", values == sorted ? "ok" : "wrong");
    return values == sorted ? 0 : 1;
}

// A program whose threads walk down columns, and bodies that are accessed by their members.
#include <cstdio>
#include <vector>

struct Body {
    float x, y, z, speed;
};

__global__ void scaleRows(float *m, const float *by, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    m[row * n + column] *= by[row];
}

__global__ void fall(Body *bodies, float time) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bodies[i].x += bodies[i].speed * time;
    bodies[i].y -= bodies[i].speed * time;
    bodies[i].z += time;
}

// Its axes cannot change places for the better: it reads rows and writes columns.
__global__ void turned(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

int main() {
    const int n = 64;
    std::vector<float> host(n * n, 1.5f);
    std::vector<Body> all(256, Body{1, 2, 3, 4});
    for (int i = 0; i < n * n; i++)
        host[i] = i % 97;
    float *m, *to, *by;
    Body *bodies;
    cudaMalloc(&m, n * n * sizeof(float));
    cudaMalloc(&to, n * n * sizeof(float));
    cudaMalloc(&by, n * sizeof(float));
    cudaMalloc(&bodies, all.size() * sizeof(Body));
    cudaMemcpy(m, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(by, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(bodies, all.data(), all.size() * sizeof(Body), cudaMemcpyHostToDevice);
    scaleRows<<<dim3(4, 4), dim3(16, 16)>>>(m, by, n);
    fall<<<2, 128>>>(bodies, 0.5f);
    turned<<<dim3(4, 4), dim3(16, 16)>>>(m, to, n);
    cudaMemcpy(host.data(), to, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(all.data(), bodies, all.size() * sizeof(Body), cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[5], all[3].y);
}

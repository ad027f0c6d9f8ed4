// A whole program: 2,048 bodies that attract each other, 4 steps, tiles in shared memory.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int BODIES = 2048, BLOCK = 128;

__global__ void accelerate(const float4 *body, float4 *speed) {
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 own = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int start = 0; start < BODIES; start += BLOCK) {
        tile[threadIdx.x] = body[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < BLOCK; j++) {
            float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float pull = tile[j].w * inverse * inverse * inverse;
            ax += dx * pull, ay += dy * pull, az += dz * pull;
        }
        __syncthreads();
    }
    float4 v = speed[i];
    speed[i] = make_float4(v.x + 1e-3f * ax, v.y + 1e-3f * ay, v.z + 1e-3f * az, 0);
}

__global__ void move(float4 *body, const float4 *speed) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    body[i].x += 1e-3f * speed[i].x;
    body[i].y += 1e-3f * speed[i].y;
    body[i].z += 1e-3f * speed[i].z;
}

int main() {
    std::vector<float4> body(BODIES), speed(BODIES, make_float4(0, 0, 0, 0));
    for (int i = 0; i < BODIES; i++)
        body[i] = make_float4(std::cos(i * 0.7f), std::sin(i * 1.3f), std::cos(i * 2.1f), 1.0f / BODIES);
    float4 *bodies, *speeds;
    cudaMalloc(&bodies, BODIES * sizeof *bodies);
    cudaMalloc(&speeds, BODIES * sizeof *speeds);
    cudaMemcpy(bodies, body.data(), BODIES * sizeof *bodies, cudaMemcpyHostToDevice);
    cudaMemcpy(speeds, speed.data(), BODIES * sizeof *speeds, cudaMemcpyHostToDevice);
    for (int step = 0; step < 4; step++) {
        accelerate<<<BODIES / BLOCK, BLOCK>>>(bodies, speeds);
        move<<<BODIES / BLOCK, BLOCK>>>(bodies, speeds);
    }
    cudaMemcpy(speed.data(), speeds, BODIES * sizeof *speeds, cudaMemcpyDeviceToHost);
    double x = 0, y = 0, z = 0, most = 0; // momentum is kept
    for (const float4 &v : speed) {
        x += v.x, y += v.y, z += v.z;
        most = std::fmax(most, std::fabs(v.x));
    }
    bool good = most > 1e-4 && std::fabs(x) + std::fabs(y) + std::fabs(z) < 1e-2;
    printf("nbody: momentum %.1e %.1e %.1e: %s\n", x, y, z, good ? "ok" : "wrong");
    return good ? 0 : 1;
}

// A product with two buffers for each operand.
#define BLOCK 16

__global__ void doubleBuffer(const float *a, const float *bt, float *c, int n) {
    __shared__ float as[2][BLOCK][BLOCK], bs[2][BLOCK][BLOCK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK + ty, col = blockIdx.x * BLOCK + ty;
    as[0][ty][tx] = a[row * n + tx];
    bs[0][ty][tx] = bt[col * n + tx];
    __syncthreads();
    float sum = 0.0f;
    for (int k0 = BLOCK, stage = 0; k0 <= n; k0 += BLOCK, stage ^= 1) {
        if (k0 < n) {
            as[stage ^ 1][ty][tx] = a[row * n + k0 + tx];
            bs[stage ^ 1][ty][tx] = bt[col * n + k0 + tx];
        }
        for (int k = 0; k < BLOCK; ++k)
            sum += as[stage][ty][k] * bs[stage][tx][k];
        __syncthreads();
    }
    c[row * n + blockIdx.x * BLOCK + tx] = sum;
}

// Elements are named by a macro.
#define TILE(y, x) tile[(y) * 33 + (x)]

__global__ void macroAccess(const float *in, float *out) {
    __shared__ float tile[32 * 33];
    for (int y = threadIdx.y; y < 32; y += 8)
        TILE(y, threadIdx.x) = in[(blockIdx.x * 32 + y) * 32 + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + threadIdx.x] = TILE(threadIdx.x, y);
}

// The same, with a column more.
#define IDX(r, c) ((r) * 33 + (c))

__global__ void macroPitch(const float *in, float *out, int n) {
    __shared__ float tile[32 * 33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[IDX(r, threadIdx.x)] = in[(y + r) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(y + r) * n + x] = tile[IDX(threadIdx.x, r)];
}

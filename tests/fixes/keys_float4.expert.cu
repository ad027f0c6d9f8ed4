// The same with a vector more in each row.
__global__ void keysFloat4(const float4 *q, const float4 *keys, float *scores) {
    __shared__ float4 tile[32][17];
    const int lane = threadIdx.x, warp = threadIdx.y;
    for (int r = warp; r < 32; r += 4)
        if (lane < 16)
            tile[r][lane] = keys[(blockIdx.x * 32 + r) * 16 + lane];
    __syncthreads();
    for (int row = warp; row < 8; row += 4) {
        float score = 0.0f;
        for (int d = 0; d < 16; ++d) {
            const float4 a = q[row * 16 + d], b = tile[lane][d];
            score += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
        scores[(blockIdx.x * 8 + row) * 32 + lane] = score;
    }
}

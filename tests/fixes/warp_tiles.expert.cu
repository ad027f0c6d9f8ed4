// A flat tile for each warp, without barriers of the block.
__global__ void warpTiles(const float *in, float *out) {
    __shared__ float tiles[4][16 * 33];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float *from = in + (blockIdx.x * 4 + warp) * 512;
    for (int i = 0; i < 16; i++)
        tiles[warp][i * 33 + lane] = from[i * 32 + lane];
    __syncwarp();
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += tiles[warp][lane / 2 * 33 + lane % 2 * 16 + i] * (i + 1);
    out[(blockIdx.x * 4 + warp) * 32 + lane] = sum;
}

// Each warp turns a tile of its own round.
__global__ void tilePerWarp(const float *in, float *out) {
    __shared__ float tiles[4][32][33];
    int warp = threadIdx.y, lane = threadIdx.x;
    const float *from = in + (blockIdx.x * 4 + warp) * 1024;
    float *to = out + (blockIdx.x * 4 + warp) * 1024;
    for (int i = 0; i < 32; i++)
        tiles[warp][i][lane] = from[i * 32 + lane];
    __syncwarp();
    for (int i = 0; i < 32; i++)
        to[i * 32 + lane] = tiles[warp][lane][i];
}

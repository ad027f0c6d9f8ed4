// The last index of the tile is the thread's x.
__global__ void axesSwapped(const float *in, float *out) {
    __shared__ float tile[16][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[blockIdx.x * 512 + y * 32 + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum = sum * 0.5f + tile[(y + k) % 16][(x + k) % 32];
    out[blockIdx.x * 512 + y * 32 + x] = sum;
}

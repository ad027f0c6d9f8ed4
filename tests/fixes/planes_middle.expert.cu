// A warp works across the planes of a small volume.
__global__ void planesMiddle(const float *in, float *out) {
    __shared__ float volume[8][8 + 1][4];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int at = blockIdx.x * 256 + (z * 8 + y) * 4 + x;
    volume[z][y][x] = in[at];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum = sum * 0.5f + volume[y][(z + k) % 8][x];
    out[at] = sum;
}

// Four matrices of 16 x 16 a block, each turned round.
__global__ void batchPlanes(const float *in, float *out) {
    __shared__ float planes[4][16][16];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    planes[z][y][x ^ y] = in[((blockIdx.x * 4 + z) * 16 + y) * 16 + x];
    __syncthreads();
    out[((blockIdx.x * 4 + z) * 16 + y) * 16 + x] = planes[z][x][y ^ x];
}

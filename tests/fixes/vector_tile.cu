// Vectors of 16 bytes, stored by rows and read by columns.
__global__ void vectorTile(const int4 *in, int4 *out) {
    __shared__ int4 tile[32 * 8];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y * 8 + x] = in[blockIdx.x * 256 + y * 8 + x];
    __syncthreads();
    int tid = y * 8 + x;
    out[blockIdx.x * 256 + tid] = tile[tid % 32 * 8 + tid / 32];
}

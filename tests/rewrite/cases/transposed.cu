//! transposed 16 128 4 | 2048 | turn(float*)::tile
// Two dimensions change places.
__global__ void turn(float *out) {
    __shared__ float tile[16][8 * 4];
    tile[threadIdx.y][threadIdx.x + 1] = out[threadIdx.x];
    out[threadIdx.x] = tile[threadIdx.x & 15][tile[0][1] > 0];
}

//! padded 128 4 | 4096 | ends(float*)::tile
__global__ void ends(float *out) {
    __shared__ float tile[32][32]; tile[threadIdx.y][threadIdx.x] = out[0]; }
//! padded 128 4 | 4096 | included(float*)::tile
//! padded 128 4 | 4096 | everywhere
// What is declared in a header is rewritten there.
#include "included.cuh"

__global__ void user(float *out) {
    everywhere[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

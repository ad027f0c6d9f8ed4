//! swizzled 5 2 5 | 4096 | square(float*)::tile
//! swizzled 4 3 5 | 8192 | wide(double*)::tile
//! swizzled 3 4 3 | 4096 | chunks(float4*)::chunk
//! swizzled 5 2 6 | 8192 | far(float*)::tile
//! swizzled 5 2 5 | 8192 | boxes(float*)::box
//! swizzled 5 2 5 | 4096 | counts(float*)::tile
//! swizzled 5 2 5 | 4096 | line(float*)::row
//! swizzled 2 4 3 | 4096 | groups(float*)::tile
//! xored 2 4 8 16 32 64 | 4096 | mapped(float*)::tile
//! xored 3 8 16 32 64 8 | 8192 | mapped(float*)::wide
//! xored 2 0 64 0 4 8 | 4096 | mapped(float*)::line
// A swizzle is an exclusive or of the last two subscripts where it stays within rows, and where both may stand
// twice; else a function of the index.
#include <nothing_that_is_there.h>

__global__ void square(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y + 8][threadIdx.x] = out[threadIdx.x];
    out[threadIdx.x] = tile[threadIdx.x][(threadIdx.y)] + unknown(tile[1][2 * threadIdx.x]);
}

__global__ void wide(double *out) {
    __shared__ double tile[32][32];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void chunks(float4 *out) {
    __shared__ float4 chunk[32][8];
    chunk[threadIdx.y][threadIdx.x].x = out[threadIdx.x].y;
}

__global__ void far(float *out) {
    __shared__ float tile[64][32];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void boxes(float *out) {
    __shared__ float box[2][32][32];
    box[threadIdx.z][threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

// Evaluated twice, the row would be another one.
__global__ void counts(float *out) {
    __shared__ float tile[32][32];
    int row = 0;
    tile[row++][threadIdx.x] = out[threadIdx.x];
    tile[threadIdx.x & 31][min(row, 31)] = out[threadIdx.y];
}

__global__ void line(float *out) {
    __shared__ float row[1024];
    row[threadIdx.x * 32 + threadIdx.y] = out[threadIdx.x];
}

__global__ void groups(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

// Maps of the line's bits: fields of them, moved.
__global__ void mapped(float *out) {
    __shared__ float tile[32][32];
    __shared__ double wide[32][32];
    __shared__ float line[1024];
    tile[threadIdx.y][threadIdx.x] = wide[threadIdx.x][threadIdx.y] + line[threadIdx.x];
}

//! padded 128 4 | 4096 | literal(float*)::tile
//! padded 128 8 | 4096 | named(float*)::tile
//! padded 128 4 | 8192 | boxes(float*)::box
//! padded 512 128 | 8192 | slabs(float*)::slab
//! padded 132 4 | 4224 | sum(float*)::tile
//! padded 128 4 | 4096 | loose(float*)::tile
//! padded 256 8 | 8192 | pair(double*)::left
//! padded 256 16 | 8192 | pair(double*)::right
// Padding after rows is another extent, however it is written. No use changes.
#define TILE 32
constexpr int WIDE = 1;

__global__ void literal(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
    out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void named(float *out) {
    __shared__ float tile [ TILE ] [ TILE ];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void boxes(float *out) {
    __shared__ float box[2][TILE][0x20];
    box[threadIdx.z][threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void slabs(float *out) {
    __shared__ float slab[16][4][32]; // the one in the middle grows
    slab[threadIdx.z][threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void sum(float *out) {
    __shared__ float tile[TILE][TILE + 1];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void loose(float *out) {
    __shared__ float tile[TILE][WIDE ? TILE : 16];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void pair(double *out) {
    __shared__ double left[32][TILE], right[32][1 << 5];
    left[threadIdx.y][threadIdx.x] = right[threadIdx.x][threadIdx.y] = out[threadIdx.x];
}

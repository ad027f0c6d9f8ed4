//! padded 128 4 | 4096 | made(float*)::tile
//! padded 128 4 | 4096 | used(float*)::tile
//! padded 128 4 | 4096 | left_out(float*)::tile
//! padded 128 4 | 4096 | not_parsed(float*)::tile
//! padded 128 4 | 4096 | fine(float*)::tile
// Macros, what #if leaves out, and what the parser does not understand: none of it is missed.
#define DECLARE(name) __shared__ float name[32][32]
#define AT(y, x) tile[y][x]
#define SQUARE(value) ((value) * (value))

__global__ void made(float *out) {
    DECLARE(tile);
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

__global__ void used(float *out) {
    __shared__ float tile[32][32];
    AT(threadIdx.y, threadIdx.x) = SQUARE(tile[1][2]);
}

__global__ void left_out(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
#if __CUDA_ARCH__ < 700
    out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
#endif
}

__global__ void not_parsed(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
    unknown::type value = tile[threadIdx.x][0];
}

struct Other {
    float tile[4][4];
};

// Other things of the same name are no uses.
template <class T> __global__ void fine(float *out);
__global__ void fine(float *out) {
    __shared__ float tile[32][32];
    Other other;
    other.tile[1][2] = unknown.tile[3];
    tile[threadIdx.y][threadIdx.x] = other.tile[1][1];
    {
        float *tile = out; // the tile of a block
        tile[3] = 4;
    }
}

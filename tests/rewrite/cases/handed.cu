//! tried
//! padded 256 16 | 16384 | hands(int const*, int*)::tile
//! swizzled 3 4 4 | 16384 | hands(int const*, int*)::turned
//! padded 256 16 | 16384 | walks(int*)::flat
//! split
//! padded 256 16 | 16384 | hands(int const*, int*)::again
// A function gets a pointer into a flat array: a sum of several terms is one index.
constexpr int COLS = 64;
__device__ void fill(void *to, const void *from);
__device__ int walk(const int *row) {
    return row[0] + row[COLS - 1];
}

__global__ void hands(const int *in, int *out) {
    __shared__ int tile[64 * 64], turned[64 * COLS], again[64 * COLS];
    int row = threadIdx.x / 8, column = threadIdx.x % 8 * 8;
    fill(tile + row * 64 + column, in);
    fill((tile + row * 64) + column, in);
    fill(turned + row * 64 + column, in);
    fill(again + row * COLS + column + 8, in);
    fill(&again[column * COLS + row], in);
}

__global__ void walks(int *out) {
    __shared__ int flat[64 * COLS];
    out[0] = walk(flat + threadIdx.x * COLS);
}

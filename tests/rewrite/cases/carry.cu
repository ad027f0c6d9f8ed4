//! tried
//! padded 128 4 | 4096 | carries(int const*, int*, int)::flat
//! padded 128 4 | 4096 | carries(int const*, int*, int)::rows
//! padded 128 4 | 4096 | carries(int const*, int*, int)::sums
//! padded 128 4 | 4096 | carries(int const*, int*, int)::changed
//! padded 128 4 | 4096 | carries(int const*, int*, int)::outer
//! padded 128 4 256 4 | 4096 | carries(int const*, int*, int)::twice
//! swizzled 5 2 5 | 4096 | turns(int const*, int*)::tile
//! swizzled 3 2 3 | 4096 | turns(int const*, int*)::flat
//! padded 128 4 | 4096 | typed(int*)::tile
// The place of an element as a variable of the loop; rows with exclusive ors; a pitch that a type has.
enum { STEP = 64 };

__global__ void carries(const int *in, int *out, int n) {
    __shared__ int flat[1024], rows[128][8], sums[1024], changed[1024], outer[1024], twice[1024];
    for (int i = threadIdx.x; i < 1024; i += STEP)
        flat[i] = in[i] + flat[i];
    for (unsigned i = threadIdx.x; i < 1024; i += 2 * STEP)
        rows[i / 8][i % 8] = in[i];
    for (int i = 0; i < 1024; i += 128) {
        int j = i / 2;
        sums[(i >> 5) * 32 + (i & 31) + n] = in[0];
        sums[j] = in[j];
        sums[i / 256 * 256] = in[i];
    }
    for (int i = threadIdx.x; i < 1024; i += 32) {
        changed[i] = in[i];
        i += n;
    }
    for (int i = threadIdx.x; i < 1024; i += n)
        changed[i] = in[i];
    for (int i = 0; i < 1024; i += 256)
        for (int k = 0; k < 4; ++k)
            outer[i + threadIdx.x] = outer[i + k];
    for (int i = threadIdx.x; i < 1024; i += 32)
        twice[i] = in[i];
    for (int i = threadIdx.x; i < 1024; i += 64)
        twice[i] = in[i];
    out[0] = flat[0] + rows[threadIdx.x][n] + twice[n];
}

__global__ void turns(const int *in, int *out) {
    __shared__ int tile[1024], flat[1024];
    int row = threadIdx.x % 32;
    tile[row * 32 + threadIdx.y] = in[row];
    tile[threadIdx.y + 3 + (row + 1) * 32] = in[row];
    tile[row * 128] = in[row];
    tile[row * 32 - 1] = in[row];
    for (int i = threadIdx.x; i < 1024; i += 256)
        flat[i / 32 * 32 + i % 32] = in[i];
    out[0] = tile[row] + flat[row * 16];
}

template <int ROWS, int COLUMNS, int PITCH> struct Layout {
    static constexpr int size = ROWS * PITCH;
    __device__ constexpr int operator()(int y, int x) const {
        return y * PITCH + x;
    }
};

__global__ void typed(int *out) {
    using Tile = Layout<32, 32, 32>;
    __shared__ int tile[Tile::size];
    Tile at;
    tile[at(threadIdx.y, threadIdx.x)] = 1;
    out[0] = tile[at(threadIdx.x, threadIdx.y)];
}

// transpose: out[x][y] = in[y][x] for a square matrix of n x n floats; n is a multiple of 32.
//
// A block of 32 x 8 threads moves a tile of 32 x 32 elements, each thread four of them.
//   transposeNaive       reads rows, writes columns: the 32 stores of a warp are n elements apart
//   transposeTiled<0>    turns the tile in shared memory: rows are read, and rows are written, but
//                        the column that is read from the tile lies in one bank: 32 wavefronts for
//                        a request
//   transposeTiled<1>    one word of padding per row of the tile: the column lies in 32 banks
//   transposeSwizzled    no padding: column c of row r is stored at c ^ r

constexpr int TILE = 32;
constexpr int ROWS = 8; // blockDim is (TILE, ROWS)

__global__ void transposeNaive(const float *in, float *out, int n) {
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        float value = in[(size_t)(y + j) * n + x];
        out[(size_t)x * n + y + j] = value;
    }
}

template <int PAD> __global__ void transposeTiled(const float *in, float *out, int n) {
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transposeSwizzled(const float *in, float *out, int n) {
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x ^ (threadIdx.y + j)] = in[(size_t)(y + j) * n + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(size_t)(y + j) * n + x] = tile[threadIdx.x][(threadIdx.y + j) ^ threadIdx.x];
}

template __global__ void transposeTiled<0>(const float *, float *, int);
template __global__ void transposeTiled<1>(const float *, float *, int);

// The same with a tile of 64 x 64, still by 32 x 8 threads: a row of the tile is 256 bytes of a row
// of the matrix, and a thread has 16 loads on their way before it needs the first. n is a multiple
// of 64.
constexpr int WIDE_TILE = 2 * TILE;

__global__ void transposeWide(const float *in, float *out, int n) {
    __shared__ float tile[WIDE_TILE][WIDE_TILE + 1];
    int x = blockIdx.x * WIDE_TILE + threadIdx.x;
    int y = blockIdx.y * WIDE_TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < WIDE_TILE; j += ROWS)
#pragma unroll
        for (int i = 0; i < WIDE_TILE; i += TILE)
            tile[threadIdx.y + j][threadIdx.x + i] = in[(size_t)(y + j) * n + x + i];
    __syncthreads();

    x = blockIdx.y * WIDE_TILE + threadIdx.x;
    y = blockIdx.x * WIDE_TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < WIDE_TILE; j += ROWS)
#pragma unroll
        for (int i = 0; i < WIDE_TILE; i += TILE)
            out[(size_t)(y + j) * n + x + i] = tile[threadIdx.x + i][threadIdx.y + j];
}

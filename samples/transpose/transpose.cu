// transpose: out[x][y] = in[y][x] for a square matrix of n x n floats; n is a multiple of 32.
//
// A block of 32 x 8 threads moves a tile of 32 x 32 elements, each thread four of them.
//   transposeNaive       reads rows, writes columns: the 32 stores of a warp lie n elements apart,
//   a sector each transposeTiled<0>    turns the tile in shared memory: rows are read and rows are
//   written, but the column that is
//                        read from the tile lies in one bank
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

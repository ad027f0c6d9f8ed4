// out[x][y] = in[y][x] for an n x n matrix of doubles, through a tile of 32 rows in dynamic shared
// memory, `pitch` elements apart. A block has 32 x 8 threads.
extern __shared__ double tile[];

extern "C" __global__ void transpose(const double *in, double *out, int n, int pitch) {
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8)
        tile[row * pitch + threadIdx.x] = in[(size_t)(blockIdx.y * 32 + row) * n + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8)
        out[(size_t)(blockIdx.x * 32 + row) * n + column] = tile[threadIdx.x * pitch + row];
}

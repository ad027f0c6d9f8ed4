// A matrix turned round: extents by macros, elements by a typedef.
#define TILE 32
#define ROWS 8
typedef float real;

__global__ void transposeMacro(const real *in, real *out, int n) {
    __shared__ real tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

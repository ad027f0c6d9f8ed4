// The same with rows of 17.
#define TILE 16
#define AT(row, col) ((row) * (TILE + 1) + (col))

__global__ void macroBoth(const float *a, const float *b, float *c, int n) {
    __shared__ float as[TILE * (TILE + 1)], bs[TILE * (TILE + 1)];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        as[AT(ty, tx)] = a[row * n + k0 + tx];
        bs[AT(ty, tx)] = b[(col + ty) * n + k0 + tx];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += as[AT(ty, k)] * bs[AT(tx, k)];
        __syncthreads();
    }
    c[row * n + col + tx] = sum;
}

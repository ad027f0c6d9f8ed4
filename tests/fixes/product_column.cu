// A product of matrices; a is read down its columns.
__global__ void productColumn(const float *a, const float *b, float *c) {
    __shared__ float as[32][32], bs[32][32];
    float sum[4] = {0, 0, 0, 0};
    int x = threadIdx.x, y = threadIdx.y, n = gridDim.x * 32;
    for (int t = 0; t < 4; t++) {
        for (int i = y; i < 32; i += 8) {
            as[i][x] = a[((blockIdx.y * 4 + t) * 32 + i) * 32 + x];
            bs[i][x] = b[((blockIdx.x * 4 + t) * 32 + i) * 32 + x];
        }
        __syncthreads();
        for (int k = 0; k < 32; k++)
            for (int j = 0; j < 4; j++)
                sum[j] += as[x][k] * bs[k][y + 8 * j];
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        c[(blockIdx.y * 32 + x) + (blockIdx.x * 32 + y + 8 * j) * n] = sum[j];
}

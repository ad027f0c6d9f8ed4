// A product with 4 x 4 results a thread: a's tile is stored by columns, so that four rows are one load.
__global__ void productRegisters(const float *a, const float *b, float *c) {
    __shared__ float as[16][64];
    __shared__ float bs[16][64];
    float sum[4][4] = {};
    int tid = threadIdx.x, x = tid % 16 * 4, y = tid / 16 * 4;
    int row = tid / 4, four = tid % 4 * 4;
    for (int t = 0; t < 64; t += 16) {
        for (int i = 0; i < 4; i++)
            as[four + i][row] = a[(blockIdx.x * 64 + row) * 64 + t + four + i];
        for (int i = 0; i < 4; i++)
            bs[tid / 16][x + i] = b[(t + tid / 16) * 64 + x + i];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += as[k][y + i] * bs[k][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(blockIdx.x * 64 + y + i) * 64 + x + j] = sum[i][j];
}

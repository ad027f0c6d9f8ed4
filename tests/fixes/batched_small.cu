// Products of many 4 x 4 matrices: each thread multiplies two of its own.
const int BATCH = 64;
const int DIM = 4;

__global__ void batchedSmall(const float *a, const float *b, float *c) {
    __shared__ float as[BATCH][DIM][DIM];
    __shared__ float bs[BATCH][DIM][DIM];
    const float *aBlock = a + blockIdx.x * BATCH * DIM * DIM;
    const float *bBlock = b + blockIdx.x * BATCH * DIM * DIM;
    for (int i = threadIdx.x; i < BATCH * DIM * DIM; i += BATCH) {
        as[i / 16][i / 4 % 4][i % 4] = aBlock[i];
        bs[i / 16][i % 4][i / 4 % 4] = bBlock[i];
    }
    __syncthreads();

    const int m = threadIdx.x;
    float sum[DIM][DIM];
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            sum[i][j] = 0.0f;
            for (int k = 0; k < DIM; k++)
                sum[i][j] += as[m][i][k] * bs[m][j][k];
        }
    __syncthreads();
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            as[m][i][j] = sum[i][j];
    __syncthreads();
    for (int i = threadIdx.x; i < BATCH * DIM * DIM; i += BATCH)
        c[blockIdx.x * BATCH * DIM * DIM + i] = as[i / 16][i / 4 % 4][i % 4];
}

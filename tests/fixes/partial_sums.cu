// Matrices by vectors, stored by columns: a warp has every eighth column, and one warp adds what they have.
#define ROWS 32
#define WARPS 8

__global__ void partialSums(const float *matrix, const float *vector, float *result) {
    __shared__ float partial[ROWS][WARPS];
    const int row = threadIdx.x, warp = threadIdx.y;
    const float *mine = matrix + blockIdx.x * 64 * ROWS + row;
    float sum = 0.0f;
    for (int c = warp; c < 64; c += WARPS)
        sum += mine[c * ROWS] * vector[c];
    partial[row][warp] = sum;
    __syncthreads();
    if (warp == 0) {
        float total = 0.0f;
        for (int w = 0; w < WARPS; w++)
            total += partial[row][w];
        result[blockIdx.x * ROWS + row] = total;
    }
}

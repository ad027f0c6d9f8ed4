// Elimination without pivots in a block of 32 x 32, a row for each lane.
#define SIZE 32

__global__ void eliminate(const float *in, float *out) {
    __shared__ float m[SIZE][SIZE + 1];
    int lane = threadIdx.x;
    for (int y = 0; y < SIZE; y++)
        m[y][lane] = in[(blockIdx.x * SIZE + y) * SIZE + lane] + (y == lane ? 40 : 0);
    for (int k = 0; k < SIZE - 1; k++) {
        __syncwarp();
        if (lane > k) {
            float by = m[lane][k] / m[k][k];
            m[lane][k] = by;
            for (int x = k + 1; x < SIZE; x++)
                m[lane][x] -= by * m[k][x];
        }
    }
    __syncwarp();
    for (int y = 0; y < SIZE; y++)
        out[(blockIdx.x * SIZE + y) * SIZE + lane] = m[y][lane];
}

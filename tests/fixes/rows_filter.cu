// A filter along rows; the threads of a warp stand below each other, so that results can be kept as columns.
constexpr int RADIUS = 4, WIDTH = 32, ROWS = 32;

__global__ void rowsFilter(const float *in, float *out) {
    __shared__ float row[ROWS][WIDTH + 2 * RADIUS];
    const float *from = in + blockIdx.x * ROWS * (WIDTH + 2 * RADIUS);
    for (int y = threadIdx.y; y < ROWS; y += 8)
        for (int x = threadIdx.x; x < WIDTH + 2 * RADIUS; x += 32)
            row[y][x] = from[y * (WIDTH + 2 * RADIUS) + x];
    __syncthreads();
    for (int x = threadIdx.y; x < WIDTH; x += 8) {
        float sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++)
            sum += row[threadIdx.x][x + k] * (k + 1);
        out[(blockIdx.x * WIDTH + x) * ROWS + threadIdx.x] = sum;
    }
}

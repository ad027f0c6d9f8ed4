// A panel of an LU decomposition: each thread has a row and a pointer to it.
static constexpr int ROWS = 64;
static constexpr int COLUMNS = 16;
static constexpr int PITCH = COLUMNS + 1;

__global__ void luPanel(const double *a, double *lu) {
    __shared__ double panel[ROWS * PITCH];
    const int t = threadIdx.x;
    for (int r = t / COLUMNS, c = t % COLUMNS; r < ROWS; r += ROWS / COLUMNS)
        panel[r * PITCH + c] = a[(blockIdx.x * ROWS + r) * COLUMNS + c];
    double *mine = panel + t * PITCH;
    for (int k = 0; k < COLUMNS; k++) {
        __syncthreads();
        if (t > k) {
            const double *pivot = panel + k * PITCH;
            const double factor = mine[k] / (pivot[k] + 20.0);
            mine[k] = factor;
            for (int c = k + 1; c < COLUMNS; c++)
                mine[c] -= factor * pivot[c];
        }
    }
    __syncthreads();
    for (int r = t / COLUMNS, c = t % COLUMNS; r < ROWS; r += ROWS / COLUMNS)
        lu[(blockIdx.x * ROWS + r) * COLUMNS + c] = panel[r * PITCH + c];
}

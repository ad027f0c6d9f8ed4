// A panel of an LU decomposition: each thread has a row and a pointer to it.
static constexpr int ROWS = 64;
static constexpr int COLUMNS = 16;

__global__ void luPanel(const double *a, double *lu) {
    __shared__ double panel[ROWS * COLUMNS];
    const int t = threadIdx.x;
    for (int i = t; i < ROWS * COLUMNS; i += ROWS)
        panel[i / COLUMNS * COLUMNS + i % COLUMNS] = a[blockIdx.x * ROWS * COLUMNS + i];
    double *mine = panel + t * COLUMNS;
    for (int k = 0; k < COLUMNS; k++) {
        __syncthreads();
        if (t > k) {
            const double *pivot = panel + k * COLUMNS;
            const double factor = mine[k] / (pivot[k] + 20.0);
            mine[k] = factor;
            for (int c = k + 1; c < COLUMNS; c++)
                mine[c] -= factor * pivot[c];
        }
    }
    __syncthreads();
    for (int i = t; i < ROWS * COLUMNS; i += ROWS)
        lu[blockIdx.x * ROWS * COLUMNS + i] = panel[i / COLUMNS * COLUMNS + i % COLUMNS];
}

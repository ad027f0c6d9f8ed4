// Each lane scans a row of its own.
__global__ void scanRows(const int *in, int *out) {
    __shared__ int row[32][32];
    for (int y = 0; y < 32; y++)
        row[y][threadIdx.x] = in[(blockIdx.x * 32 + y) * 32 + threadIdx.x];
    __syncwarp();
    int sum = 0;
    for (int x = 0; x < 32; x++) {
        sum += row[threadIdx.x][x];
        row[threadIdx.x][x] = sum;
    }
    __syncwarp();
    for (int y = 0; y < 32; y++)
        out[(blockIdx.x * 32 + y) * 32 + threadIdx.x] = row[y][threadIdx.x];
}

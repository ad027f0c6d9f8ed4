// A product of matrices of doubles, b being stored by columns.
#define N 16

__global__ void productDouble(const double *a, const double *b, double *c) {
    __shared__ double as[N][N];
    __shared__ double bs[N][N];
    double sum = 0;
    int x = threadIdx.x, y = threadIdx.y;
    for (int t = 0; t < 4; t++) {
        as[y][x] = a[((blockIdx.y * 4 + t) * N + y) * N + x];
        bs[y][x] = b[((blockIdx.x * 4 + t) * N + y) * N + x];
        __syncthreads();
        for (int k = 0; k < N; k++)
            sum += as[y][k] * bs[x][k];
        __syncthreads();
    }
    c[(blockIdx.y * N + y) * gridDim.x * N + blockIdx.x * N + x] = sum;
}

// Kernels whose layout can be changed, but whose source must not be changed so: --apply finds that out.
constexpr int TILE = 32;

// The rows are filled as if they were one: tile[0][32] is not C++, but it is tile[1][0] - until rows grow.
__global__ void overrun(const float *in, float *out) {
    __shared__ float tile[TILE][TILE];
    for (int i = threadIdx.x; i < TILE * TILE; i += blockDim.x)
        tile[0][i] = in[i];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
        out[i * TILE + threadIdx.x] = tile[threadIdx.x][i];
}

// What is read depends on the number of this line, which a function that is inserted above changes.
__global__ void numbered(const int *in, int *out, int zero) {
    __shared__ int a[TILE * TILE];
    for (int i = threadIdx.x; i < TILE * TILE; i += blockDim.x)
        a[i] = in[i];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < TILE; i++)
        sum += a[threadIdx.x * TILE + i] + (a[threadIdx.x * (__LINE__ % 2 ? TILE + 1 : 1)] & zero);
    out[threadIdx.x] = sum;
}

// The array itself goes to a function.
__device__ float sum(const float (*tile)[TILE], int row) {
    float sum = 0;
    for (int i = 0; i < TILE; i++)
        sum += tile[row][i];
    return sum;
}

__global__ void passed(const float *in, float *out) {
    __shared__ float tile[TILE][TILE];
    for (int i = 0; i < TILE; i++)
        tile[i][threadIdx.x] = in[i * TILE + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = sum(tile, threadIdx.x);
}

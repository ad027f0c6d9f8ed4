// The five kernels that `make bench` times the executor with. They are plain CUDA, as one finds it
// in a first course; bench/run has their launches and checks their results.

typedef unsigned long long u64;

// A streaming kernel: per thread two loads, an addition and a store, all coalesced.
__global__ void vecadd(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

// A load-bound loop: blocks of 16 x 16 threads, so a warp covers two rows of C.
__global__ void matmulNaive(const float *A, const float *B, float *C, int n) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + column];
    C[row * n + column] = sum;
}

constexpr int TILE = 32;

// The same through shared memory: barriers and two conflict-free shared loads per multiply-add.
__global__ void matmulTiled(const float *A, const float *B, float *C, int n) {
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int step = 0; step < n; step += TILE) {
        tileA[threadIdx.y][threadIdx.x] = A[row * n + step + threadIdx.x];
        tileB[threadIdx.y][threadIdx.x] = B[(step + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }
    C[row * n + column] = sum;
}

// Blocks of 32 x 8 threads; the tile's columns lie in one bank (32-way conflicts).
__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8)
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Inclusive prefix sum over the lanes of a warp.
__device__ __forceinline__ u64 scanWarp(u64 value) {
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        u64 below = __shfl_up_sync(0xffffffffu, value, distance);
        if (threadIdx.x >= distance)
            value += below;
    }
    return value;
}

// Shuffles, 64-bit arithmetic and divergence: the 2-D prefix sums of each 32 x 32 tile of an image.
__global__ void scan(const unsigned char *in, u64 *out, int n) {
    __shared__ u64 tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = scanWarp(in[y * n + x]);
    __syncthreads();
    u64 value = scanWarp(tile[threadIdx.x][threadIdx.y]);
    tile[threadIdx.x][threadIdx.y] = value;
    __syncthreads();
    out[y * n + x] = tile[threadIdx.y][threadIdx.x];
}

// Kernels of other kinds that `make bench` times, beside the five of kernels.cu; bench/launches.py has
// their launches and checks their results.

#include <mma.h>

using namespace nvcuda;

constexpr int SIDE = 64;     // of the tile of C that a block computes
constexpr int DEPTH = 16;    // of the steps along k
constexpr int SKEW = 8;      // halves behind each row in shared memory

// C = A B on tensor cores: blocks of 128 threads, each warp 32 x 32 of the block's 64 x 64.
__global__ void gemmTensor(const half *A, const half *B, float *C, int n) {
    __shared__ __align__(32) half tileA[SIDE][DEPTH + SKEW];
    __shared__ __align__(32) half tileB[DEPTH][SIDE + SKEW];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
    int row = blockIdx.y * SIDE, column = blockIdx.x * SIDE;
    int warpRow = threadIdx.x / 64 * 32, warpColumn = threadIdx.x / 32 % 2 * 32;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    for (int step = 0; step < n; step += DEPTH) {
        // 8 halves for each thread and matrix
        int x = threadIdx.x % 2 * 8, y = threadIdx.x / 2;
        *(uint4 *)&tileA[y][x] = *(const uint4 *)&A[(row + y) * n + step + x];
        x = threadIdx.x % 8 * 8, y = threadIdx.x / 8;
        *(uint4 *)&tileB[y][x] = *(const uint4 *)&B[(step + y) * n + column + x];
        __syncthreads();
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(a[i], &tileA[warpRow + 16 * i][0], DEPTH + SKEW);
            wmma::load_matrix_sync(b[i], &tileB[0][warpColumn + 16 * i], SIDE + SKEW);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(&C[(row + warpRow + 16 * i) * n + column + warpColumn + 16 * j],
                                    sum[i][j], n, wmma::mem_row_major);
}

// The sum of n numbers: a loop over the grid, shuffles, shared memory, an atomic for each block.
__global__ void reduce(const int *in, int *sum, int n) {
    __shared__ int ofWarp[32];
    int value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        value += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0)
        ofWarp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? ofWarp[threadIdx.x] : 0;
        for (int distance = 16; distance > 0; distance /= 2)
            value += __shfl_down_sync(0xffffffffu, value, distance);
        if (threadIdx.x == 0)
            atomicAdd(sum, value);
    }
}

// How often each byte occurs: atomics in shared memory at addresses that the data choose.
__global__ void histogram(const unsigned char *in, unsigned *counts, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// A step of heat flow: each point's four neighbours; points of the border stay as they are.
__global__ void stencil(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    float value = in[at];
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
        value = 0.25f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
    out[at] = value;
}

// Loops of different lengths in the lanes of a warp.
__global__ void mandelbrot(int *steps, int width, int height, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    double cx = -2.0 + 3.0 * px / width, cy = -1.0 + 2.0 * py / height, x = 0, y = 0;
    int step = 0;
    while (step < limit && x * x + y * y <= 4.0) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        step++;
    }
    steps[py * width + px] = step;
}

// The same work in each block, on 64 KiB whatever the grid: what grows with it is the work alone.
__global__ void growing(const unsigned *in, unsigned *sums) {
    __shared__ unsigned tile[256];
    unsigned i = blockIdx.x * 256 + threadIdx.x, value = in[i & 0x3fff];
    for (int k = 0; k < 8; k++) {
        tile[threadIdx.x] = value;
        __syncthreads();
        value = value * 1664525 + tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    atomicAdd(&sums[threadIdx.x], value);
}

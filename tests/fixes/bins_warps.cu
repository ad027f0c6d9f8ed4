// A histogram of 64 bins for each warp of a block; the counters of a bin lie side by side.
#define WARPS 8
#define BINS 64

__global__ void binsWarps(const unsigned char *data, unsigned *histogram) {
    __shared__ unsigned counts[BINS][WARPS];
    const unsigned warp = threadIdx.x / 32;
    for (unsigned i = threadIdx.x; i < BINS * WARPS; i += blockDim.x)
        counts[i / WARPS][i % WARPS] = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x)
        atomicAdd(&counts[data[blockIdx.x * 8192 + i] / 4][warp], 1u);
    __syncthreads();
    if (threadIdx.x < BINS) {
        unsigned sum = 0;
        for (unsigned w = 0; w < WARPS; w++)
            sum += counts[threadIdx.x][w];
        histogram[blockIdx.x * BINS + threadIdx.x] = sum;
    }
}

// A histogram for each warp, the warps beside each other.
constexpr int WARPS = 8;

__global__ void histogramWarps(const unsigned char *in, unsigned *out, int each) {
    __shared__ unsigned bins[256][WARPS];
    int warp = threadIdx.x / 32;
    for (int w = 0; w < WARPS; w++)
        bins[threadIdx.x][w] = 0;
    __syncthreads();
    const unsigned char *from = in + blockIdx.x * 256 * each;
    for (int i = 0; i < each; i++)
        atomicAdd(&bins[from[i * 256 + threadIdx.x]][warp], 1);
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += bins[threadIdx.x][w];
    atomicAdd(&out[threadIdx.x], sum);
}

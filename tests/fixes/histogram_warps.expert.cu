// A histogram for each warp, one behind the other.
constexpr int WARPS = 8;

__global__ void histogramWarps(const unsigned char *in, unsigned *out, int each) {
    __shared__ unsigned bins[WARPS][256];
    int warp = threadIdx.x / 32;
    for (int w = 0; w < WARPS; w++)
        bins[w][threadIdx.x] = 0;
    __syncthreads();
    const unsigned char *from = in + blockIdx.x * 256 * each;
    for (int i = 0; i < each; i++)
        atomicAdd(&bins[warp][from[i * 256 + threadIdx.x]], 1);
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += bins[w][threadIdx.x];
    atomicAdd(&out[threadIdx.x], sum);
}

// One macro for the places of elements in a tile and in global memory.
#define W 32
#define IDX2(r, c) ((r) * W + (c))

__global__ void macroShared(const double *in, double *out) {
    __shared__ double block[W * W];
    const double *from = in + blockIdx.x * W * W;
    double *to = out + blockIdx.x * W * W;
    for (int r = threadIdx.y; r < W; r += blockDim.y)
        block[IDX2(r, threadIdx.x)] = from[IDX2(r, threadIdx.x)];
    __syncthreads();
    for (int r = threadIdx.y; r < W; r += blockDim.y)
        to[IDX2(r, threadIdx.x)] = block[IDX2(threadIdx.x, r)];
}

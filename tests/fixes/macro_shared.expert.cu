// The tile has a macro of its own, and a column more.
#define W 32
#define IDX2(r, c) ((r) * W + (c))
#define BLOCK(r, c) ((r) * (W + 1) + (c))

__global__ void macroShared(const double *in, double *out) {
    __shared__ double block[W * (W + 1)];
    const double *from = in + blockIdx.x * W * W;
    double *to = out + blockIdx.x * W * W;
    for (int r = threadIdx.y; r < W; r += blockDim.y)
        block[BLOCK(r, threadIdx.x)] = from[IDX2(r, threadIdx.x)];
    __syncthreads();
    for (int r = threadIdx.y; r < W; r += blockDim.y)
        to[IDX2(r, threadIdx.x)] = block[BLOCK(threadIdx.x, r)];
}

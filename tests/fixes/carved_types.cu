// Dynamic memory with numbers of both precisions: weights of rows, then a tile.
extern __shared__ unsigned char dynamic[];

__global__ void carvedTypes(const float *in, const double *weights, float *out) {
    double *weight = (double *)dynamic;
    float *tile = (float *)(weight + 64);
    const int x = threadIdx.x;
    if (threadIdx.y == 0)
        weight[x] = weights[blockIdx.x * 32 + x];
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y * 32 + x] = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = (float)(weight[x] * tile[x * 32 + y]);
}

// Each thread adds up eight elements of its own.
__global__ void reduceChunks(const float *in, float *out) {
    __shared__ float chunk[2048 + 64];
    // One word of padding for every 32.
    unsigned to = threadIdx.x + threadIdx.x / 32, first = threadIdx.x * 8 + threadIdx.x / 4;
    for (int i = 0; i < 8; i++)
        chunk[to + i * 264] = in[blockIdx.x * 2048 + i * 256 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += chunk[first + k] * (k + 1);
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

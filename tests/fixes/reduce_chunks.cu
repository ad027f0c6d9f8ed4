// Each thread adds up eight elements of its own.
__global__ void reduceChunks(const float *in, float *out) {
    __shared__ float chunk[256][8];
    for (int i = threadIdx.x; i < 2048; i += 256)
        chunk[i / 8][i % 8] = in[blockIdx.x * 2048 + i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += chunk[threadIdx.x][k] * (k + 1);
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

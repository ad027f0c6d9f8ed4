// A sum as a tree whose threads stay together.
__global__ void reduceInterleaved(const int *in, int *out) {
    __shared__ int s[256];
    int tid = threadIdx.x;
    s[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (tid < step)
            s[tid] += s[tid + step];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}

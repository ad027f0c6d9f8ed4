// A scan up and down a tree.
__global__ void scanTree(const int *in, int *out) {
    __shared__ int s[512];
    int tid = threadIdx.x, step = 1;
    s[tid] = in[blockIdx.x * 512 + tid];
    s[tid + 256] = in[blockIdx.x * 512 + tid + 256];
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d)
            s[step * (2 * tid + 2) - 1] += s[step * (2 * tid + 1) - 1];
        step *= 2;
    }
    if (tid == 0)
        s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        step /= 2;
        __syncthreads();
        if (tid < d) {
            int a = step * (2 * tid + 1) - 1, b = step * (2 * tid + 2) - 1;
            int kept = s[a];
            s[a] = s[b];
            s[b] += kept;
        }
    }
    __syncthreads();
    out[blockIdx.x * 512 + tid] = s[tid];
    out[blockIdx.x * 512 + tid + 256] = s[tid + 256];
}

// A scan: each thread adds up its eight elements, then the threads' sums are scanned.
__global__ void scanChunks(const int *in, int *out) {
    __shared__ int s[128 * 8], sums[128];
    int tid = threadIdx.x;
    for (int i = tid; i < 1024; i += 128)
        s[i] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += s[tid * 8 + k];
    sums[tid] = sum;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int other = tid >= step ? sums[tid - step] : 0;
        __syncthreads();
        sums[tid] += other;
        __syncthreads();
    }
    int before = tid ? sums[tid - 1] : 0;
    for (int k = 0; k < 8; k++) {
        before += s[tid * 8 + k];
        s[tid * 8 + k] = before;
    }
    __syncthreads();
    for (int i = tid; i < 1024; i += 128)
        out[blockIdx.x * 1024 + i] = s[i];
}

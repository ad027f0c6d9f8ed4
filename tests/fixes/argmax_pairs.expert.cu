// The same with an array for each member.
__global__ void argmaxPairs(const float *in, float *value, int *index) {
    __shared__ float best[256];
    __shared__ int where[256];
    const int tid = threadIdx.x;
    best[tid] = in[blockIdx.x * 256 + tid];
    where[tid] = blockIdx.x * 256 + tid;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (tid < half && best[tid + half] > best[tid]) {
            best[tid] = best[tid + half];
            where[tid] = where[tid + half];
        }
        __syncthreads();
    }
    if (tid == 0) {
        value[blockIdx.x] = best[0];
        index[blockIdx.x] = where[0];
    }
}

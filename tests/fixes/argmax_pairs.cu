// The largest value and where it is: a tree over structures, a member at a time.
struct Best {
    float value;
    int index;
};

__global__ void argmaxPairs(const float *in, float *value, int *index) {
    __shared__ Best best[256];
    const int tid = threadIdx.x;
    best[tid].value = in[blockIdx.x * 256 + tid];
    best[tid].index = blockIdx.x * 256 + tid;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (tid < half && best[tid + half].value > best[tid].value) {
            best[tid].value = best[tid + half].value;
            best[tid].index = best[tid + half].index;
        }
        __syncthreads();
    }
    if (tid == 0) {
        value[blockIdx.x] = best[0].value;
        index[blockIdx.x] = best[0].index;
    }
}

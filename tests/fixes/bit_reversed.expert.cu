// The same with a word of padding after 32.
__device__ unsigned place(unsigned i) { return i + (i >> 5); }

__global__ void bitReversed(const float *in, float *out) {
    __shared__ float s[1024 + 32];
    const unsigned t = threadIdx.x, base = blockIdx.x * 1024;
    for (unsigned i = t; i < 1024; i += blockDim.x)
        s[place(i)] = in[base + i];
    __syncthreads();
    for (unsigned i = t; i < 1024; i += blockDim.x)
        out[base + i] = s[place(__brev(i) >> 22)];
}

// The order of bit-reversed places, within a block.
__global__ void bitReversed(const float *in, float *out) {
    __shared__ float s[1024];
    const unsigned t = threadIdx.x, base = blockIdx.x * 1024;
    for (unsigned i = t; i < 1024; i += blockDim.x)
        s[i] = in[base + i];
    __syncthreads();
    for (unsigned i = t; i < 1024; i += blockDim.x)
        out[base + i] = s[__brev(i) >> 22];
}

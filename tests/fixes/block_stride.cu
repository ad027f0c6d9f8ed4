// Loops that step by the block's size.
__global__ void blockStride(const float *in, float *out, int each) {
    __shared__ float s[2048];
    for (int i = threadIdx.x; i < blockDim.x * 32; i += blockDim.x)
        s[i] = in[blockIdx.x * blockDim.x * 32 + i];
    __syncthreads();
    float least = 1e30f;
    for (int k = 0; k < each; k++)
        least = fminf(least, s[threadIdx.x * 32 + k]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = least;
}

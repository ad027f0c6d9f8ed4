// Loops that step by the block's size.
__global__ void blockStride(const float *in, float *out, int each) {
    __shared__ float s[2112];
    int place = threadIdx.x + threadIdx.x / 32, step = blockDim.x + blockDim.x / 32;
    for (int i = threadIdx.x; i < blockDim.x * 32; i += blockDim.x, place += step)
        s[place] = in[blockIdx.x * blockDim.x * 32 + i];
    __syncthreads();
    float least = 1e30f;
    for (int k = 0; k < each; k++)
        least = fminf(least, s[threadIdx.x * 33 + k]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = least;
}

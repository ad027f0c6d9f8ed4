// The exchange between two steps of an FFT of radix 4.
__global__ void fftComplex(const int2 *in, int2 *out) {
    __shared__ int2 s[256 + 16];
    int tid = threadIdx.x;
    unsigned to = threadIdx.x * 4 + threadIdx.x / 4, from = threadIdx.x + threadIdx.x / 16;
    for (int k = 0; k < 4; k++)
        s[to + k] = in[(blockIdx.x * 4 + k) * 64 + tid];
    __syncthreads();
    for (int k = 0; k < 4; k++)
        out[(blockIdx.x * 4 + k) * 64 + tid] = s[from + 68 * k];
}

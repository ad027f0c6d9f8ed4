// The exchange between two steps of an FFT of radix 4.
__global__ void fftComplex(const int2 *in, int2 *out) {
    __shared__ int2 s[256];
    int tid = threadIdx.x;
    for (int k = 0; k < 4; k++)
        s[tid * 4 + k] = in[(blockIdx.x * 4 + k) * 64 + tid];
    __syncthreads();
    for (int k = 0; k < 4; k++)
        out[(blockIdx.x * 4 + k) * 64 + tid] = s[tid + 64 * k];
}

// Four doubles a thread, in a flat array.
__global__ void ownQuads(const double *in, double *out) {
    __shared__ double own[512 + 32];
    unsigned place = threadIdx.x + threadIdx.x / 16, first = threadIdx.x * 4 + threadIdx.x / 4;
    for (int i = threadIdx.x; i < 512; i += 128, place += 136)
        own[place] = in[blockIdx.x * 512 + i];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        double a = own[first + (k + threadIdx.x) % 4];
        sum = sum * 0.5 + a;
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

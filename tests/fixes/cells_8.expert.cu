// The members that are used, each in an array.
__global__ void cells8(const float *in, float *out) {
    __shared__ float density[130], pressure[130];
    __shared__ int kind[130];
    const int i = threadIdx.x + 1;
    for (int k = threadIdx.x; k < 130; k += 128) {
        const float d = in[blockIdx.x * 130 + k];
        density[k] = d;
        pressure[k] = d * d;
        kind[k] = d > 0.5f;
    }
    __syncthreads();
    float flux = 0;
    if (kind[i] != 0)
        flux = pressure[i + 1] - pressure[i - 1];
    out[blockIdx.x * 128 + threadIdx.x] = density[i] - 0.1f * flux;
}

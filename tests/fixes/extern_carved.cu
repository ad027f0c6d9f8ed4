// Two tiles carved out of dynamic shared memory by hand.
__global__ void externCarved(const float *in, float *out) {
    extern __shared__ float memory[];
    float *a = memory, *b = memory + 32 * 32;
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        a[y * 32 + x] = in[(blockIdx.x * 64 + y) * 32 + x];
        b[y * 32 + x] = in[(blockIdx.x * 64 + 32 + y) * 32 + x];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = a[x * 32 + y] - b[x * 32 + y];
}

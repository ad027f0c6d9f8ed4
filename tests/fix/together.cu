// Two arrays that one function gets, which can only change together, and a third that comes after a text that does not compile.
__device__ void fill(float (*to)[32], const float *from) {
    for (int row = threadIdx.y; row < 32; row += 8)
        to[row][threadIdx.x] = from[row * 32 + threadIdx.x];
}

__global__ void three(const float *in, float *out) {
    __shared__ float a[32][32], b[32][32], c[32][32];
    const int x = threadIdx.x;
    fill(a, in);
    fill(b, in + 1024);
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += 8)
        c[row][x] = a[x][row] + 2 * b[x][row] * a[x][31 - row];
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += 8)
        out[row * 32 + x] = c[x][row];
}

// A tile is filled and read in functions, which get it as a pointer to rows.
constexpr int N = 32;

__device__ void fill(float (*tile)[N], const float *in) {
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][threadIdx.x] = in[y * 32 + threadIdx.x];
}

__device__ void drain(const float (*tile)[N], float *out) {
    for (int y = threadIdx.y; y < 32; y += 8)
        out[y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}

__global__ void functionRows(const float *in, float *out) {
    __shared__ float tile[N][N];
    fill(tile, in + blockIdx.x * 1024);
    __syncthreads();
    drain(tile, out + blockIdx.x * 1024);
}

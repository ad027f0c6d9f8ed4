// A tile is filled and read in functions, which get it as a pointer, with a pitch.
constexpr int PITCH = 33;

__device__ void fill(float *tile, const float *in) {
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y * PITCH + threadIdx.x] = in[y * 32 + threadIdx.x];
}

__device__ void drain(const float *tile, float *out) {
    for (int y = threadIdx.y; y < 32; y += 8)
        out[y * 32 + threadIdx.x] = tile[threadIdx.x * PITCH + y];
}

__global__ void functionFlat(const float *in, float *out) {
    __shared__ float tile[32 * PITCH];
    fill(tile, in + blockIdx.x * 1024);
    __syncthreads();
    drain(tile, out + blockIdx.x * 1024);
}

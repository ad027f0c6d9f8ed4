// A class template with a flat array and an operator for its elements.
template <typename T, int N> struct Square {
    T data[N * (N + 1)];
    __device__ T &operator()(int y, int x) { return data[y * (N + 1) + x]; }
};

__global__ void classFlat(const float *in, float *out) {
    __shared__ Square<float, 32> tile;
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile(y, x) = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = tile(x, y);
}

// Sizes come of a configuration, a parameter of the template.
template <int Rows, int Columns> struct Config {
    static constexpr int rows = Rows, columns = Columns;
    static constexpr int pitch = Columns;
    static constexpr int size = Rows * pitch;
};

template <class C> __device__ void columns(const float *in, float *out) {
    __shared__ float tile[C::size];
    const int x = threadIdx.x;
    for (int r = threadIdx.y; r < C::rows; r += blockDim.y)
        tile[r * C::pitch + x] = in[(blockIdx.x * C::rows + r) * C::columns + x];
    __syncthreads();
    for (int c = threadIdx.y; c < C::columns; c += blockDim.y)
        out[(blockIdx.x * C::columns + c) * C::rows + x] = tile[x * C::pitch + c];
}

__global__ void configPitch(const float *in, float *out) { columns<Config<32, 32>>(in, out); }

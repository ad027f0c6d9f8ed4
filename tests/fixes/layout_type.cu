// Where an element lies is a type's business.
template <int ROWS, int COLUMNS, int PITCH> struct Layout {
    static constexpr int size = ROWS * PITCH;
    __device__ constexpr int operator()(int y, int x) const { return y * PITCH + x; }
};

__global__ void layoutType(const float *in, float *out) {
    using Tile = Layout<32, 32, 32>;
    __shared__ float tile[Tile::size];
    Tile at;
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[at(y, x)] = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = tile[at(x, y)];
}

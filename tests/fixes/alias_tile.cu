// The tile's type is an alias template.
template <typename T, int R, int C> using Tile = T[R][C];

template <typename T> __global__ void aliasTile(const T *in, T *out) {
    __shared__ Tile<T, 32, 32> tile;
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = tile[x][y];
}

template __global__ void aliasTile<float>(const float *, float *);

// A matrix turned round: the tile's type and size are a template's.
template <typename T, int N> __global__ void transposeTemplate(const T *in, T *out, int n) {
    __shared__ T tile[N][N];
    int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * N + threadIdx.x, y = blockIdx.x * N + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
template __global__ void transposeTemplate<int, 16>(const int *, int *, int);

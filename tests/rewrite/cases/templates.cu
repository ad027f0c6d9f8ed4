//! padded 128 4 | 4096 | ns::tiled<float, 32>(float*)::tile
//! swizzled 5 2 5 | 4096 | ns::swizzled<32>(float*)::tile
//! swizzled 5 2 5 | 4096 | both<32>(float*)::tile
//! padded 64 4 | 2048 | elsewhere<16>(float*)::tile
//! padded 64 4 | 2048 | named<16>(float*)::tile
//! padded 128 4 | 4096 | special<5>(float*)::tile
//! instantiate named<16>
// Extents may depend on a template's arguments; every instance changes.
namespace ns {
template <typename T, int N> __global__ void tiled(T *out) {
    __shared__ T tile[N][N];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
    out[threadIdx.x] = unknown<T>(tile[threadIdx.x][threadIdx.y]);
}

template <int N> __global__ void swizzled(float *out) {
    __shared__ float tile[N][N];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}
} // namespace ns

// Here one instance has rows that the exclusive or would leave.
template <int N> __global__ void both(float *out) {
    __shared__ float tile[32][N];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

template <int N> __global__ void elsewhere(float *out) {
    __shared__ float tile[32][N];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

template <int N> __global__ void named(float *out) {
    __shared__ float tile[32][N];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

template <int N> __global__ void special(float *out) {
    __shared__ float tile[32][N];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

template <> __global__ void special<5>(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.x][threadIdx.y] = out[threadIdx.x];
}

void launch(float *out) {
    ns::tiled<float, 32><<<1, dim3(32, 32)>>>(out);
    ns::tiled<double, 16><<<1, dim3(16, 16)>>>((double *)out);
    ns::swizzled<32><<<1, 1>>>(out);
    ns::swizzled<64><<<1, 1>>>(out);
    both<32><<<1, 1>>>(out);
    both<33><<<1, 1>>>(out);
    special<5><<<1, 1>>>(out);
    special<6><<<1, 1>>>(out);
}

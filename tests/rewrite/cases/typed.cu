//! tried
//! padded 128 4 | 4096 | named(int const*, int*)::tile
//! padded 64 4 | 2048 | named(int const*, int*)::sized
//! padded 128 4 | 4096 | aliased<int>(int const*, int*)::tile
//! padded 128 4 | 4228 | parts(int const*, int*)::all
//! padded 128 4 | 8196 | passes(int*)::both
//! swizzled 5 2 5 | 4096 | named(int const*, int*)::swizzled
//! padded 256 4 | 4096 | named(int const*, int*)::flat
//! padded 128 4 | 4096 | configured(int*)::tile
//! padded 128 4 | 132 | parts(int const*, int*)::small
// Extents that come with the name of a type, arrays among other members of a class, sizes of a configuration.
constexpr int WIDTH = 16;
typedef int Tile[32][32];
using Sized = int[32][WIDTH];
using Other = int[32][32];
typedef int Flat[1024];
template <typename T, int R, int C> using Matrix = T[R][C];

struct All {
    int values[32][32];
    int sums[32];
    int ready;
};
struct Both {
    int a[32][32], b[32][32];
    int n;
};
struct Small {
    int values[32];
    int n;
};

__global__ void named(const int *in, int *out) {
    __shared__ Tile tile;
    __shared__ Sized sized;
    __shared__ Other swizzled;
    __shared__ Flat flat;
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[0];
    sized[y][x] = in[1];
    swizzled[y][x] = in[2];
    flat[y * 64 + x] = in[3];
    out[0] = tile[x][y] + sized[x][y] + swizzled[x][y] + flat[x * 64 + y];
}

template <typename T> __global__ void aliased(const T *in, T *out) {
    __shared__ Matrix<T, 32, 32> tile;
    tile[threadIdx.y][threadIdx.x] = in[0];
    out[0] = tile[threadIdx.x][threadIdx.y];
}
template __global__ void aliased<int>(const int *, int *);

__global__ void parts(const int *in, int *out) {
    __shared__ All all;
    __shared__ Small small;
    all.values[threadIdx.y][threadIdx.x] = in[0];
    all.sums[threadIdx.x] = 0;
    all.ready = 1;
    small.values[0] = small.n = 1;
    out[0] = all.values[threadIdx.x][threadIdx.y] + all.sums[0];
}

__device__ int sum(const int *from);
__global__ void passes(int *out) {
    __shared__ Both both;
    both.n = 1;
    both.a[threadIdx.y][threadIdx.x] = 1;
    out[0] = both.b[threadIdx.x][threadIdx.y] + sum(both.a[0]);
}

template <int ROWS, int COLUMNS> struct Sizes {
    static constexpr int columns = COLUMNS, pitch = COLUMNS;
    static constexpr int size = ROWS * pitch;
};
__global__ void configured(int *out) {
    using S = Sizes<32, 32>;
    __shared__ int tile[S::size];
    tile[threadIdx.y * S::pitch + threadIdx.x] = S::columns;
    out[0] = tile[threadIdx.x * S::pitch];
}

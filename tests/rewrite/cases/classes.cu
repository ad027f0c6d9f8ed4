//! padded 128 4 | 4096 | alone(float*)::tile
//! padded 128 8 | 4096 | alone(float*)::other
//! padded 128 4 | 4096 | shared(float*)::one
//! plain | 4096 | shared(float*)::two
//! padded 128 4 | 4104 | mixed(float*)::tile
//! padded 128 4 | 4096 | outside(float*)::tile
// An array that is all there is in a class is rewritten in the class.
template <int PAD> struct Tile {
    static const int side = 32;
    float rows[side][side + PAD];
    __device__ float &at(int y, int x) {
        return rows[y][x];
    }
};

__global__ void alone(float *out) {
    __shared__ Tile<0> tile, other;
    tile.at(threadIdx.y, threadIdx.x) = other.at(1, 2) + out[threadIdx.x];
}

namespace ns {
struct Plain {
    float cells[32][32];
};
} // namespace ns

__global__ void shared(float *out) {
    using Row = ns::Plain;
    __shared__ Row one;
    __shared__ ns::Plain two;
    one.cells[threadIdx.y][threadIdx.x] = two.cells[threadIdx.x][threadIdx.y];
}

struct Mixed {
    float rows[32][32];
    int y, x;
};

__global__ void mixed(float *out) {
    __shared__ Mixed tile;
    tile.rows[threadIdx.y][threadIdx.x] = out[threadIdx.x];
}

struct Seen {
    float rows_[32][32];
};

template <class T> __device__ float look(T &tile) {
    return tile.rows_[1][2];
}

__global__ void outside(float *out) {
    __shared__ Seen tile;
    tile.rows_[threadIdx.y][threadIdx.x] = look(tile);
}

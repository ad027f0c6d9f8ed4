// scan2d: the inner step of a summed-area table. Each block takes a tile of 32 x 32 pixels, squares
// them and forms the inclusive prefix sum along its rows and then down its columns, in 64 bits.
//
// The tile lives in shared memory, because a warp scans a row with shuffles, and then a column:
// rows are stored by threadIdx.x, columns are read by threadIdx.x as well, with the indices
// swapped. That column access is the point of the sample. An element has 8 bytes, so a half-warp
// (16 threads) is served at a time and fills all 32 banks at best: 2 wavefronts a request. A row of
// the tile has 64 words, so without further measures all elements of a column start in the same
// bank, and a request costs 32 wavefronts.
//
// Three layouts of the same tile, and nothing else changes:
//   blockScan<0>          row pitch 32 elements: columns conflict 16 ways
//   blockScan<1>          one unused element per row: the next row starts two banks later
//   blockScanSwizzled     no unused element: column c of row r is stored at place c ^ r of its row

typedef unsigned char u8;
typedef unsigned long long u64;

constexpr int TILE = 32; // blockDim is (TILE, TILE): one thread per pixel, one warp per row

template <int PAD> struct PaddedTile {
    u64 rows[TILE][TILE + PAD];
    __device__ u64 &at(unsigned row, unsigned column) {
        return rows[row][column];
    }
};

struct SwizzledTile {
    u64 rows[TILE][TILE];
    __device__ u64 &at(unsigned row, unsigned column) {
        return rows[row][column ^ row];
    }
};

// Inclusive prefix sum over the lanes of a warp in five steps: each lane adds the value of the lane
// 1, 2, 4, 8, 16 below it, where there is one.
__device__ __forceinline__ u64 scanWarp(u64 value) {
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        u64 below = __shfl_up_sync(0xffffffffu, value, distance);
        if (threadIdx.x >= distance)
            value += below;
    }
    return value;
}

// colReduced[i * ny + y]   sum of the squares in row y of the tile columns 0 to i
// rowReduced[i * nx + x]   the finished table's value at column x of the last row of tile row i
//
// With both, dst is the summed-area table of the whole image; with zeros in both, each tile's own.
// nx and ny are multiples of TILE.
template <class Tile>
__device__ __forceinline__ void scanTile(Tile &tile, const u8 *src, u64 *dst, const u64 *colReduced,
                                         const u64 *rowReduced, int nx, int ny) {
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    u64 pixel = src[y * nx + x];
    tile.at(threadIdx.y, threadIdx.x) = pixel * pixel;
    __syncthreads();

    u64 left = 0;
    if (blockIdx.x > 0)
        left = colReduced[(blockIdx.x - 1) * ny + y];
    u64 value = tile.at(threadIdx.y, threadIdx.x);
    value = scanWarp(value) + left;
    tile.at(threadIdx.y, threadIdx.x) = value;
    __syncthreads();

    value = tile.at(threadIdx.x, threadIdx.y); // a column: the conflicting load
    value = scanWarp(value);
    tile.at(threadIdx.x, threadIdx.y) = value; // and the conflicting store
    __syncthreads();

    u64 above = 0;
    if (blockIdx.y > 0)
        above = rowReduced[(blockIdx.y - 1) * nx + x];
    value = tile.at(threadIdx.y, threadIdx.x);
    dst[y * nx + x] = value + above;
}

template <int PAD>
__global__ void blockScan(const u8 *src, u64 *dst, const u64 *colReduced, const u64 *rowReduced,
                          int nx, int ny) {
    __shared__ PaddedTile<PAD> tile;
    scanTile(tile, src, dst, colReduced, rowReduced, nx, ny);
}

__global__ void blockScanSwizzled(const u8 *src, u64 *dst, const u64 *colReduced,
                                  const u64 *rowReduced, int nx, int ny) {
    __shared__ SwizzledTile tile;
    scanTile(tile, src, dst, colReduced, rowReduced, nx, ny);
}

template __global__ void blockScan<0>(const u8 *, u64 *, const u64 *, const u64 *, int, int);
template __global__ void blockScan<1>(const u8 *, u64 *, const u64 *, const u64 *, int, int);

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

// ---- the whole image ----
//
// blockScan needs what lies to the left of and above each tile. A first kernel reads the image
// (n bytes for n pixels, against the 8 n that the last one writes) and leaves two small arrays:
// the sums of the squares in each row of a tile, and in each column of a tile. Scanned, these are
// colReduced and rowReduced.
//
//   1. tileSums     rowSums[i * ny + y]     sum of row y in the tile column i
//                   columnSums[j * nx + x]  sum of column x in the tile row j
//   2. scanSums     colReduced: running sums of rowSums over i; columnSums likewise over j
//   3. scanRows     rowReduced: running sums of these over x
//   4. blockScan
//
// nx is a multiple of WARP_PIXELS and ny of TILE: an image of another size is padded
// with zeros on the right and below, which changes no sum.

constexpr int WARP = 32;
constexpr int LANE_PIXELS = 4;                  // of a row, in one load
constexpr int WARP_PIXELS = WARP * LANE_PIXELS; // of a row
constexpr int SUM_WARPS = 8;                    // blockDim is (WARP, SUM_WARPS), in steps 1 and 2

// Adds up N numbers of each lane over groups of N lanes. The result is the total of sums[lane % N]:
// in each step lanes that differ in one bit share the work, so that each sends half of what it has
// and adds the other half.
template <int N> __device__ __forceinline__ unsigned addRows(unsigned (&sums)[N]) {
#pragma unroll
    for (int step = 2; step <= N; step *= 2) {
        const int half = N / step;
        const bool upper = threadIdx.x & half;
#pragma unroll
        for (int i = 0; i < half; i++) {
            const unsigned send = upper ? sums[i] : sums[i + half];
            const unsigned keep = upper ? sums[i + half] : sums[i];
            sums[i] = keep + __shfl_xor_sync(0xffffffffu, send, half);
        }
    }
    return sums[0];
}

// Grid: (nx / WARP_PIXELS, ny / (SUM_WARPS * TILE) rounded up). A warp takes WARP_PIXELS columns of a
// tile row.
__global__ void tileSums(const u8 *src, unsigned *rowSums, unsigned *columnSums, int nx, int ny) {
    constexpr int GROUP = TILE / LANE_PIXELS; // lanes that share a tile, and rows taken at a time
    const int lane = threadIdx.x, tileRow = blockIdx.y * SUM_WARPS + threadIdx.y;
    const int x = blockIdx.x * WARP_PIXELS + lane * LANE_PIXELS;
    if (tileRow >= ny / TILE)
        return;

    unsigned columns[LANE_PIXELS] = {};
    for (int y = tileRow * TILE; y < (tileRow + 1) * TILE; y += GROUP) {
        unsigned sums[GROUP]; // of this lane's pixels, by row
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            const size_t at = static_cast<size_t>(y + i) * nx + x;
            const unsigned pixels = *reinterpret_cast<const unsigned *>(src + at);
            sums[i] = __dp4a(pixels, pixels, 0u);
#pragma unroll
            for (int c = 0; c < LANE_PIXELS; c++) {
                const unsigned pixel = pixels >> 8 * c & 255;
                columns[c] += pixel * pixel;
            }
        }
        rowSums[static_cast<size_t>(x / TILE) * ny + y + lane % GROUP] = addRows(sums);
    }
    uint4 four = make_uint4(columns[0], columns[1], columns[2], columns[3]);
    *reinterpret_cast<uint4 *>(columnSums + static_cast<size_t>(tileRow) * nx + x) = four;
}

// out[j * width + x] = in[0 * width + x] + … + in[j * width + x], for j < height. A block takes 32
// columns x; its warps share the rows j.
__device__ __forceinline__ void scanDown(const unsigned *in, u64 *out, int block, int width,
                                         int height) {
    __shared__ u64 totals[SUM_WARPS][WARP];
    const int x = block * WARP + threadIdx.x;
    const int share = (height + SUM_WARPS - 1) / SUM_WARPS;
    const int first = threadIdx.y * share, last = min(first + share, height);
    u64 sum = 0;
#pragma unroll 16
    for (int j = first; j < last; j++)
        sum += in[static_cast<size_t>(j) * width + x];
    totals[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < threadIdx.y; i++)
        sum += totals[i][threadIdx.x];
#pragma unroll 16
    for (int j = first; j < last; j++) {
        sum += in[static_cast<size_t>(j) * width + x];
        out[static_cast<size_t>(j) * width + x] = sum;
    }
}

// Grid: ny / WARP + nx / WARP blocks. There are `across` tiles in a row and `down` in a column.
__global__ void scanSums(const unsigned *rowSums, const unsigned *columnSums, u64 *colReduced,
                         u64 *rowReduced, int nx, int ny, int across, int down) {
    const int rowBlocks = ny / WARP;
    if (blockIdx.x < rowBlocks)
        scanDown(rowSums, colReduced, blockIdx.x, ny, across);
    else
        scanDown(columnSums, rowReduced, blockIdx.x - rowBlocks, nx, down);
}

// Replaces each row of `width` numbers by its running sums; the width is even. A block of (WARP,
// ROW_WARPS) threads takes a row, two neighbouring numbers per thread.
constexpr int ROW_WARPS = 32;

__global__ void scanRows(u64 *rows, int width) {
    __shared__ u64 totals[ROW_WARPS]; // of the warps
    u64 *row = rows + static_cast<size_t>(blockIdx.x) * width;
    u64 before = 0; // the sum of all that the block has passed
    for (int from = 0; from < width; from += 2 * WARP * ROW_WARPS) {
        const int x = from + 2 * (threadIdx.y * WARP + threadIdx.x);
        ulonglong2 pair = {0, 0};
        if (x < width)
            pair = *reinterpret_cast<ulonglong2 *>(row + x);
        const u64 second = pair.y, upTo = scanWarp(pair.x + second);
        if (threadIdx.x == WARP - 1)
            totals[threadIdx.y] = upTo;
        __syncthreads();
        const u64 warps = scanWarp(totals[threadIdx.x]); // lane i: of the warps 0 to i
        const u64 left = __shfl_sync(0xffffffffu, warps, (threadIdx.y + WARP - 1) % WARP);
        pair.y = before + upTo + (threadIdx.y > 0 ? left : 0);
        pair.x = pair.y - second;
        before += __shfl_sync(0xffffffffu, warps, WARP - 1);
        if (x < width)
            *reinterpret_cast<ulonglong2 *>(row + x) = pair;
        __syncthreads();
    }
}

// ---- in one pass ----
//
// The kernels above read the image twice and wait for each other three times. This one reads it
// once: a block keeps its pixels in shared memory while it learns what lies to the left and above.
//
// A tile is 512 pixels wide and 64 high, and a warp has a strip of it, 64 pixels wide: each lane
// owns two columns, so that the results of a row are 16 bytes a lane, side by side. Rows are scanned
// across the warp with shuffles; down its columns a lane just adds. So no tile needs to be turned,
// and no column of shared memory is read.
//
// Blocks tell each other three things, each as soon as it is known:
//   rows      the sums of the tile's rows
//   columns   the sums of the image's columns from its top down to the tile's last row. This is the
//             one chain: a tile needs those of the tile above before it can tell its own.
//   corner    the sum of all that lies above the tile (and not to its left)
// Each number is its own flag: with it, in the topmost byte, goes the number of the launch, and who
// needs it reads until it is there. (An image has fewer than 2^56 / 255^2 pixels.) So no fence is
// needed, a step of the chain takes one write and one read, and nothing is cleared between launches:
// it is enough that the next one has another number.
//
// Blocks take their tiles by a ticket, from the top left to the bottom right: whatever a tile waits
// for belongs to a block that already runs.

constexpr int STRIPS = 8; // warps of a block; blockDim is (WARP, STRIPS)
constexpr int THREADS = WARP * STRIPS;
constexpr int STRIP_WIDTH = 2 * WARP;
constexpr int TILE_WIDTH = STRIP_WIDTH * STRIPS;
constexpr int TILE_HEIGHT = 64;
constexpr int ROWS_AT_A_TIME = 16;

struct Messages {
    u64 *rows;    // [tile][TILE_HEIGHT]
    u64 *columns; // [tile row][nx]
    u64 *corner;  // [tile]
    unsigned *ticket;
    u64 launch; // its number, in the topmost byte

    static constexpr u64 number = (1ull << 56) - 1;

    __device__ __forceinline__ void tell(u64 *to, u64 value) const {
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value | launch)
                     : "memory");
    }
    __device__ __forceinline__ void tell(u64 *to, ulonglong2 value) const {
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to),
                     "l"(value.x | launch), "l"(value.y | launch)
                     : "memory");
    }
    __device__ __forceinline__ u64 hear(const u64 *from) const {
        u64 value;
        do
            asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                         : "=l"(value)
                         : "l"(from)
                         : "memory");
        while ((value & ~number) != launch);
        return value & number;
    }
    __device__ __forceinline__ ulonglong2 hearTwo(const u64 *from) const {
        ulonglong2 value;
        do
            asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                         : "=l"(value.x), "=l"(value.y)
                         : "l"(from)
                         : "memory");
        while ((value.x & ~number) != launch || (value.y & ~number) != launch);
        return {value.x & number, value.y & number};
    }
};

// A tile's pixels in shared memory.
struct Pixels {
    uchar2 rows[TILE_HEIGHT][TILE_WIDTH / 2];

    __device__ __forceinline__ void load(const u8 *from, int nx, int thread) {
        constexpr int BYTES = 16, ACROSS = TILE_WIDTH / BYTES;
        for (int i = thread; i < TILE_HEIGHT * ACROSS; i += THREADS) {
            const int row = i / ACROSS, part = i % ACROSS;
            void *to = &rows[row][part * BYTES / 2];
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             static_cast<unsigned>(__cvta_generic_to_shared(to))),
                         "l"(from + static_cast<size_t>(row) * nx + part * BYTES)
                         : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
};

// nx is a multiple of TILE_WIDTH and ny of TILE_HEIGHT. Grid: as many blocks as there are tiles.
__global__ void __launch_bounds__(THREADS)
    scanOnePass(const u8 *src, u64 *dst, Messages messages, int nx, int ny) {
    __shared__ unsigned ticket;
    __shared__ __align__(128) Pixels pixels;
    __shared__ unsigned rowSums[STRIPS][TILE_HEIGHT];
    __shared__ u64 left[STRIPS][TILE_HEIGHT]; // of each row, up to where the warp's strip begins
    __shared__ u64 columnTotals[STRIPS];
    const int lane = threadIdx.x, warp = threadIdx.y, thread = warp * WARP + lane;
    const int across = nx / TILE_WIDTH, tiles = across * (ny / TILE_HEIGHT);
    if (thread == 0) {
        ticket = atomicAdd(messages.ticket, 1u);
        if (ticket + 1 == tiles)
            *messages.ticket = 0; // for the next launch
    }
    __syncthreads();
    const int tile = ticket, column = tile % across, row = tile / across;
    const int x = column * TILE_WIDTH + 2 * thread, y = row * TILE_HEIGHT; // of the lane's columns

    pixels.load(src + static_cast<size_t>(y) * nx + column * TILE_WIDTH, nx, thread);
    __syncthreads();

    // The sums of the strip's rows and columns.
    unsigned first = 0, second = 0;
    for (int i = 0; i < TILE_HEIGHT; i += ROWS_AT_A_TIME) {
        unsigned sums[ROWS_AT_A_TIME];
#pragma unroll
        for (int j = 0; j < ROWS_AT_A_TIME; j++) {
            const uchar2 two = pixels.rows[i + j][thread];
            first += two.x * two.x;
            second += two.y * two.y;
            sums[j] = two.x * two.x + two.y * two.y;
        }
        unsigned total = addRows(sums);
        total += __shfl_xor_sync(0xffffffffu, total, ROWS_AT_A_TIME);
        if (lane < ROWS_AT_A_TIME)
            rowSums[warp][i + lane] = total;
    }
    __syncthreads();

    if (thread < TILE_HEIGHT) {
        u64 sum = 0;
#pragma unroll
        for (int i = 0; i < STRIPS; i++)
            sum += rowSums[i][thread];
        messages.tell(messages.rows + static_cast<size_t>(tile) * TILE_HEIGHT + thread, sum);
    }
    ulonglong2 above = {0, 0}; // the sums of the lane's columns down to the tile
    if (row > 0)
        above = messages.hearTwo(messages.columns + static_cast<size_t>(row - 1) * nx + x);
    messages.tell(messages.columns + static_cast<size_t>(row) * nx + x,
                  ulonglong2{above.x + first, above.y + second});

    // What the table holds just above the tile: the sums of these columns from the left.
    ulonglong2 sum;
    sum.y = scanWarp(above.x + above.y);
    sum.x = sum.y - above.y;
    if (lane == WARP - 1)
        columnTotals[warp] = sum.y;
    __syncthreads();
    u64 before = 0;
#pragma unroll
    for (int i = 0; i < STRIPS; i++) {
        if (i == warp) {
            sum.x += before;
            sum.y += before;
        }
        before += columnTotals[i];
    }
    if (thread == 0)
        messages.tell(messages.corner + tile, before);

    // What lies to the left: above the tile, and beside it. Some threads share a row.
    constexpr int SHARES = THREADS / TILE_HEIGHT;
    __shared__ u64 beside[SHARES][TILE_HEIGHT];
    const int share = thread / TILE_HEIGHT, rowInTile = thread % TILE_HEIGHT;
    before = 0;
    for (int i = tile - column + share; i < tile; i += SHARES)
        before += messages.hear(messages.rows + static_cast<size_t>(i) * TILE_HEIGHT + rowInTile);
    beside[share][rowInTile] = before;
    __syncthreads();
    if (thread < TILE_HEIGHT) {
        before = 0;
#pragma unroll
        for (int i = 0; i < SHARES; i++)
            before += beside[i][thread];
#pragma unroll
        for (int i = 0; i < STRIPS; i++) {
            left[i][thread] = before;
            before += rowSums[i][thread];
        }
    }
    before = 0;
    for (int i = tile - column + lane; i < tile; i += WARP)
        before += messages.hear(messages.corner + i);
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        before += __shfl_xor_sync(0xffffffffu, before, distance);
    sum.x += before;
    sum.y += before;
    __syncthreads();

    u64 *to = dst + static_cast<size_t>(y) * nx + x;
#pragma unroll 8
    for (int i = 0; i < TILE_HEIGHT; i++) {
        const uchar2 two = pixels.rows[i][thread];
        const unsigned last = two.y * two.y;
        unsigned scanned = two.x * two.x + last; // 64 * 255^2 is little
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const unsigned below = __shfl_up_sync(0xffffffffu, scanned, distance);
            if (lane >= distance)
                scanned += below;
        }
        const u64 begin = left[warp][i];
        sum.x += begin + (scanned - last);
        sum.y += begin + scanned;
        *reinterpret_cast<ulonglong2 *>(to + static_cast<size_t>(i) * nx) = sum;
    }
}

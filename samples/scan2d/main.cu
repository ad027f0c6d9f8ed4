// The summed-area table of the squares of an image of --size x --size random pixels, or of
// --size x --height of them.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=sm_90 -o scan2d samples/scan2d/main.cu
//
// Each version is the whole computation, with all its kernels.

#include "../bench.h"
#include "scan2d.cu"

// What scanOnePass could come to at best: each pixel is read and its square is written, two pixels a
// lane as there, and nothing is summed. First from the beginning of memory to its end, then in the
// order of scanOnePass's tiles.
__global__ void squaresInOrder(const u8 *src, u64 *dst) {
    const size_t pair = static_cast<size_t>(blockIdx.x) * THREADS + threadIdx.x;
    const uchar2 two = reinterpret_cast<const uchar2 *>(src)[pair];
    const u64 first = two.x * two.x, second = two.y * two.y;
    reinterpret_cast<ulonglong2 *>(dst)[pair] = {first, second};
}

__global__ void squaresInTiles(const u8 *src, u64 *dst, int nx) {
    const int x = blockIdx.x * TILE_WIDTH + 2 * threadIdx.x, y = blockIdx.y * TILE_HEIGHT;
#pragma unroll 8
    for (int i = 0; i < TILE_HEIGHT; i++) {
        const size_t at = static_cast<size_t>(y + i) * nx + x;
        const uchar2 two = *reinterpret_cast<const uchar2 *>(src + at);
        const u64 first = two.x * two.x, second = two.y * two.y;
        *reinterpret_cast<ulonglong2 *>(dst + at) = {first, second};
    }
}

// An image padded with zeros to whole tiles, on the GPU, and what the kernels need beside it.
struct Image {
    int width, height, nx, ny;
    Array<u8> src;
    Array<u64> dst;
    Array<unsigned> rowSums, columnSums;
    Array<u64> colReduced, rowReduced;
    Array<u64> messages; // of scanOnePass: rows, columns, corners and the ticket
    unsigned launch = 0;

    static int padded(int n, int tile) {
        return (n + tile - 1) / tile * tile;
    }
    Image(const std::vector<u8> &pixels, int width_, int height_)
        : width(width_), height(height_), nx(padded(width, TILE_WIDTH)),
          ny(padded(height, TILE_HEIGHT)), src(static_cast<size_t>(nx) * ny), dst(src.count),
          rowSums(src.count / TILE), columnSums(src.count / TILE), colReduced(rowSums.count),
          rowReduced(rowSums.count),
          messages(src.count / TILE_WIDTH + src.count / TILE_HEIGHT + tiles() + 1) {
        src.zero();
        messages.zero();
        CHECK(cudaMemcpy2D(src.data, nx, pixels.data(), width, width, height,
                           cudaMemcpyHostToDevice));
    }
    int tiles() const {
        return nx / TILE_WIDTH * (ny / TILE_HEIGHT);
    }
    template <class Kernel> void inFourSteps(Kernel blockScan) {
        dim3 sums(nx / WARP_PIXELS, ceilDivide(ny / TILE, SUM_WARPS)), block(WARP, SUM_WARPS);
        tileSums<<<sums, block>>>(src.data, rowSums.data, columnSums.data, nx, ny);
        scanSums<<<(nx + ny) / WARP, block>>>(rowSums.data, columnSums.data, colReduced.data,
                                              rowReduced.data, nx, ny, nx / TILE, ny / TILE);
        scanRows<<<ny / TILE, dim3(WARP, ROW_WARPS)>>>(rowReduced.data, nx);
        blockScan<<<dim3(nx / TILE, ny / TILE), dim3(TILE, TILE)>>>(
            src.data, dst.data, colReduced.data, rowReduced.data, nx, ny);
    }
    void inOnePass() {
        launch = launch % 255 + 1;
        Messages parts;
        parts.rows = messages.data;
        parts.columns = parts.rows + src.count / TILE_WIDTH;
        parts.corner = parts.columns + src.count / TILE_HEIGHT;
        parts.ticket = reinterpret_cast<unsigned *>(parts.corner + tiles());
        parts.launch = static_cast<u64>(launch) << 56;
        scanOnePass<<<tiles(), dim3(WARP, STRIPS)>>>(src.data, dst.data, parts, nx, ny);
    }
    void squares(bool inOrder) {
        if (inOrder)
            squaresInOrder<<<src.count / 2 / THREADS, THREADS>>>(src.data, dst.data);
        else
            squaresInTiles<<<dim3(nx / TILE_WIDTH, ny / TILE_HEIGHT), THREADS>>>(src.data, dst.data,
                                                                                 nx);
    }
    std::vector<u64> table() const {
        std::vector<u64> host(static_cast<size_t>(width) * height);
        CHECK(cudaMemcpy2D(host.data(), width * sizeof(u64), dst.data, nx * sizeof(u64),
                           width * sizeof(u64), height, cudaMemcpyDeviceToHost));
        return host;
    }
};

std::vector<u64> expectedTable(const std::vector<u8> &pixels, int width, int height) {
    std::vector<u64> table(pixels.size());
    for (int y = 0; y < height; y++) {
        u64 row = 0;
        for (int x = 0; x < width; x++) {
            const size_t at = static_cast<size_t>(y) * width + x;
            row += static_cast<u64>(pixels[at]) * pixels[at];
            table[at] = row + (y > 0 ? table[at - width] : 0);
        }
    }
    return table;
}

int main(int argc, char **argv) {
    Bench bench(argc, argv, 8192, {"--height="});
    const int width = static_cast<int>(bench.size);
    const int height = static_cast<int>(bench.value("--height=", width));
    const std::vector<u8> pixels = randomValues<u8>(static_cast<size_t>(width) * height, 1);
    const std::vector<u64> expected = expectedTable(pixels, width, height);
    Image image(pixels, width, height);

    // The floor: each pixel read once, each result written once, as fast as a copy moves bytes.
    const double bytes = 9.0 * width * height;
    Array<u8> from(image.dst.bytes()), to(image.dst.bytes());
    bench.addCopy(from, to);
    auto addCompared = [&](const char *name, auto launch, const std::vector<u64> &right) {
        bench.add(
            name, bytes, "byte", launch,
            [=, &image, &right] { return same(name, right, image.table()); },
            [&] { image.dst.poison(); });
    };
    auto add = [&](const char *name, auto launch) { addCompared(name, launch, expected); };
    add("blockScan<0>", [&] { image.inFourSteps(blockScan<0>); });
    add("blockScan<1>", [&] { image.inFourSteps(blockScan<1>); });
    add("blockScanSwizzled", [&] { image.inFourSteps(blockScanSwizzled); });
    add("scanOnePass", [&] { image.inOnePass(); });

    std::vector<u64> squares(pixels.begin(), pixels.end());
    for (u64 &pixel : squares)
        pixel *= pixel;
    addCompared(
        "(squaresInOrder)", [&] { image.squares(true); }, squares);
    addCompared(
        "(squaresInTiles)", [&] { image.squares(false); }, squares);
    return bench.run();
}

// Runs every version of transpose on a matrix of --size x --size floats.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=sm_90 -o transpose samples/transpose/main.cu

#include "../bench.h"
#include "transpose.cu"

int main(int argc, char **argv) {
    Bench bench(argc, argv, 8192);
    const int n = static_cast<int>(bench.size);
    if (n % WIDE_TILE != 0) {
        fprintf(stderr, "the size must be a multiple of %d\n", WIDE_TILE);
        return 2;
    }
    const std::vector<float> matrix = randomValues<float>(static_cast<size_t>(n) * n, 1);
    std::vector<float> turned(matrix.size());
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            turned[static_cast<size_t>(x) * n + y] = matrix[static_cast<size_t>(y) * n + x];

    Array<float> in(matrix), out(matrix.size());
    bench.addCopy(in, out);
    auto add = [&](const char *name, auto kernel, int tile, int rows) {
        dim3 grid(n / tile, n / tile), block(TILE, rows);
        bench.add(
            name, 2.0 * in.bytes(), "byte", [=] { kernel<<<grid, block>>>(in.data, out.data, n); },
            [=] { return same(name, turned, out.download()); }, [=]() mutable { out.poison(); });
    };
    add("transposeNaive", transposeNaive, TILE, ROWS);
    add("transposeTiled<0>", transposeTiled<0>, TILE, ROWS);
    add("transposeTiled<1>", transposeTiled<1>, TILE, ROWS);
    add("transposeSwizzled", transposeSwizzled, TILE, ROWS);
    add("transposeWide", transposeWide, WIDE_TILE, ROWS);
    return bench.run();
}

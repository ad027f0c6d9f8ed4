// Runs every version of histogram on --size random bytes.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=sm_90 -o histogram samples/histogram/main.cu
//
// The work is the bytes that are read.

#include "../bench.h"
#include "histogram.cu"

template <typename T>
void launch(void (*kernel)(const T *, unsigned *, int), int blocks, const u8 *in, unsigned *bins,
            int n) {
    kernel<<<blocks, BINS>>>(reinterpret_cast<const T *>(in), bins, n);
}

int main(int argc, char **argv) {
    Bench bench(argc, argv, 256 << 20);
    if (bench.size % 16) {
        fprintf(stderr, "the size must be a multiple of 16\n");
        return 2;
    }
    const int n = static_cast<int>(bench.size);
    const std::vector<u8> bytes = randomValues<u8>(n, 1);
    std::vector<unsigned> expected(BINS);
    for (u8 byte : bytes)
        expected[byte]++;

    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    Array<u8> in(bytes), copy(bytes.size());
    Array<unsigned> bins(BINS);
    bench.addCopy(in, copy);
    // As many blocks as fit at a time, but for a small size one for every two rounds.
    auto add = [&](const char *name, auto kernel, int bytesPerThread) {
        int each;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, BINS, 0));
        const int items = n / bytesPerThread;
        const int blocks =
            std::min(each * multiprocessors, static_cast<int>(ceilDivide(items, 2 * BINS)));
        auto data = in.data;
        bench.add(
            name, n, "byte", [=] { launch(kernel, blocks, data, bins.data, items); },
            [=] { return same(name, expected, bins.download()); }, [=]() mutable { bins.zero(); });
    };
    add("histogramGlobal", histogramGlobal, 1);
    add("histogramShared", histogramShared, 1);
    add("histogramPerLane", histogramPerLane, 1);
    add("histogramPerLaneWide", histogramPerLaneWide, 4);
    add("histogramPerLaneWidest", histogramPerLaneWidest, 16);
    return bench.run();
}

// Times bankOffset for all distances from 1 to 64: --size loads per thread, by a block of 256
// threads on each multiprocessor.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=sm_90 -o bank_offset samples/bank_offset/main.cu
//
// The work is the bytes that the threads load. The measure is the distance 1.

#include "../bench.h"
#include "bank_offset.cu"

constexpr int THREADS = 256;

int main(int argc, char **argv) {
    Bench bench(argc, argv, 4096);
    const unsigned loads = static_cast<unsigned>(bench.size);
    int blocks = 1;
    if (bench.repeats > 0)
        CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    Array<unsigned> out(static_cast<size_t>(blocks) * THREADS);
    bench.measure = "bankOffset:1";

    for (unsigned offset = 1; offset <= 64; offset++) {
        std::vector<unsigned> expected(out.count);
        for (size_t i = 0; i < expected.size(); i++)
            for (unsigned j = 0; j < loads; j++)
                expected[i] += i < THREADS ? (i * offset + 32 * j) % WORDS : 0;
        for (size_t i = THREADS; i < expected.size(); i++)
            expected[i] = expected[i % THREADS];
        const std::string name = "bankOffset:" + std::to_string(offset);
        bench.add(
            name, 4.0 * loads * out.count, "byte",
            [=] { bankOffset<<<blocks, THREADS>>>(out.data, offset, loads); },
            [=] { return same(name.c_str(), expected, out.download()); },
            [=]() mutable { out.poison(); });
    }

    // Two threads, each at a byte of its own.
    const unsigned pairs[][2] = {{0, 128}, {0, 132}, {0, 0}};
    for (const auto &pair : pairs) {
        const unsigned first = pair[0], second = pair[1];
        const std::string name =
            "twoThreads:" + std::to_string(first) + "," + std::to_string(second);
        const std::vector<unsigned> expected = {3 * (first / 4), 3 * (second / 4)};
        Array<unsigned> two(2);
        bench.add(
            name, 8, "byte", [=] { twoThreads<<<1, 2>>>(two.data, first, second); },
            [=] { return same(name.c_str(), expected, two.download()); },
            [=]() mutable { two.poison(); });
    }
    return bench.run();
}

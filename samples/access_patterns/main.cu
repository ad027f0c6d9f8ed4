// Times every pattern of access_patterns: --size rounds of a store and a load, by 32 warps on each
// multiprocessor.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=sm_90 -o access_patterns samples/access_patterns/main.cu
//
// The work is the bytes that the threads store and load. The same bytes with a stride of 1 are the
// measure.

#include "../bench.h"
#include "access_patterns.cu"

int multiprocessors() {
    int count;
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}

// A warp's elements, of random bytes.
template <typename T> std::vector<T> randomElements() {
    const std::vector<uint8_t> bytes = randomValues<uint8_t>(WARP * sizeof(T), 1);
    std::vector<T> elements(WARP);
    memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
}

// After an even number of rounds each thread has the element that it began with; each round turns
// the order of the warp's elements round.
template <typename T, int STRIDE> void add(Bench &bench, const char *name) {
    const int times = static_cast<int>(bench.size);
    const int blocks = bench.repeats > 0 ? 32 * multiprocessors() : 1;
    const std::vector<T> elements = randomElements<T>();
    std::vector<T> expected;
    for (int block = 0; block < blocks; block++)
        expected.insert(expected.end(), elements.begin(), elements.end());
    if (times % 2)
        for (int i = 0; i < blocks; i++)
            std::reverse(expected.begin() + i * WARP, expected.begin() + (i + 1) * WARP);

    Array<T> in(elements), out(expected.size());
    bench.add(
        name, 2.0 * times * blocks * WARP * sizeof(T), "byte",
        [=] { ownElements<T, STRIDE><<<blocks, WARP>>>(in.data, out.data, times); },
        [=] { return same(name, expected, out.download()); }, [=]() mutable { out.poison(); });
}

// One warp, one store and one load: what a launch costs at least, and nothing of the pattern.
template <typename T, class Kernel>
void addOnce(Bench &bench, const char *name, Kernel kernel, const std::vector<T> &elements,
             const std::vector<T> &expected) {
    Array<T> in(elements), out(WARP);
    bench.add(
        name, 2.0 * WARP * sizeof(T), "byte", [=] { kernel<<<1, WARP>>>(in.data, out.data); },
        [=] { return same(name, expected, out.download()); }, [=]() mutable { out.poison(); });
}

template <typename T, class Kernel> void addOwn(Bench &bench, const char *name, Kernel kernel) {
    const std::vector<T> elements = randomElements<T>();
    addOnce<T>(bench, name, kernel, elements, {elements.rbegin(), elements.rend()});
}

template <typename T, class Kernel>
void addBroadcast(Bench &bench, const char *name, Kernel kernel) {
    const std::vector<T> elements = randomValues<T>(WARP, 1);
    T sum = 0;
    for (T element : elements)
        sum += element;
    addOnce<T>(bench, name, kernel, elements, std::vector<T>(WARP, sum));
}

int main(int argc, char **argv) {
    Bench bench(argc, argv, 4096);
    bench.measure = "ownElements<float,1>";
    add<float, 1>(bench, "ownElements<float,1>");
    add<float, 32>(bench, "ownElements<float,32>");
    add<float, 33>(bench, "ownElements<float,33>");
    add<__half, 1>(bench, "ownElements<__half,1>");
    add<unsigned char, 1>(bench, "ownElements<unsigned_char,1>");
    add<double, 1>(bench, "ownElements<double,1>");
    add<float4, 1>(bench, "ownElements<float4,1>");

    addOwn<float>(bench, "ownElement<float,1>", ownElement<float, 1>);
    addOwn<float>(bench, "ownElement<float,32>", ownElement<float, 32>);
    addOwn<float>(bench, "ownElement<float,33>", ownElement<float, 33>);
    addOwn<__half>(bench, "ownElement<__half,1>", ownElement<__half, 1>);
    addOwn<unsigned char>(bench, "ownElement<unsigned_char,1>", ownElement<unsigned char, 1>);
    addOwn<double>(bench, "ownElement<double,1>", ownElement<double, 1>);
    addOwn<float4>(bench, "ownElement<float4,1>", ownElement<float4, 1>);
    addBroadcast<float>(bench, "broadcast<float>", broadcast<float>);
    addBroadcast<double>(bench, "broadcast<double>", broadcast<double>);
    return bench.run();
}

// Runs every version of add_const_double3 on --size structures of three doubles.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=sm_90 -o add_const_double3 samples/add_const_double3/main.cu

#include "../bench.h"
#include "add_const_double3.cu"

int main(int argc, char **argv) {
    constexpr int BLOCK = 256;
    constexpr double K = 1.5;
    Bench bench(argc, argv, 16 << 20);
    if (bench.size % 2) {
        fprintf(stderr, "the size must be even: addConstDouble2 takes doubles in pairs\n");
        return 2;
    }
    const int n = static_cast<int>(bench.size);
    const std::vector<double> numbers = randomValues<double>(3 * static_cast<size_t>(n), 1);
    std::vector<double> sums = numbers;
    for (double &sum : sums)
        sum += K;

    Array<double> in(numbers), out(numbers.size());
    bench.addCopy(in, out);
    auto add = [&](const char *name, std::function<void()> launch) {
        bench.add(
            name, 2.0 * in.bytes(), "byte", launch,
            [=] { return same(name, sums, out.download()); }, [=]() mutable { out.poison(); });
    };
    add("addConstDouble3", [=] {
        addConstDouble3<<<ceilDivide(n, BLOCK), BLOCK>>>(n, reinterpret_cast<double3 *>(in.data), K,
                                                         reinterpret_cast<double3 *>(out.data));
    });
    add("addConstDouble",
        [=] { addConstDouble<<<ceilDivide(3 * n, BLOCK), BLOCK>>>(3 * n, in.data, K, out.data); });
    add("addConstDouble2", [=] {
        addConstDouble2<<<ceilDivide(3 * n / 2, BLOCK), BLOCK>>>(
            3 * n / 2, reinterpret_cast<double2 *>(in.data), K,
            reinterpret_cast<double2 *>(out.data));
    });
    return bench.run();
}

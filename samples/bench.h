// bench.h: what the samples' programs share: arguments, arrays on the GPU, checks and timing.
//
// A program adds its versions to a Bench, each with what it moves or computes, how it is launched
// and how its result is checked, and calls run():
//
//   1. every version runs once and its result is checked. A wrong one ends the program with 1.
//   2. all run once more to warm up, and then `--repeats` times. The versions take turns, so that
//      clocks and temperatures are the same for all, and none finds its own data in the cache.
//   3. a table: median, lowest and highest time of each, what it achieved, and what share that is
//      of the version that is the measure for all (the one called "copy", for most).
//
// With --repeats 0 only step 1 is done: one launch per version. That is what `warplens run` and
// Nsight Compute are for; times under them mean nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call) checkCall(call, #call, __FILE__, __LINE__)

inline void checkCall(cudaError_t error, const char *call, const char *file, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

// An array on the GPU. It is as long as its program lives: there is no need to free it.
template <typename T> struct Array {
    T *data = nullptr;
    size_t count = 0;

    explicit Array(size_t count_) : count(count_) {
        CHECK(cudaMalloc(&data, bytes()));
        poison();
    }
    explicit Array(const std::vector<T> &host) : Array(host.size()) {
        upload(host);
    }
    size_t bytes() const {
        return count * sizeof(T);
    }
    void upload(const std::vector<T> &host) {
        CHECK(cudaMemcpy(data, host.data(), bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<T> download() const {
        std::vector<T> host(count);
        CHECK(cudaMemcpy(host.data(), data, bytes(), cudaMemcpyDeviceToHost));
        return host;
    }
    void zero() {
        CHECK(cudaMemset(data, 0, bytes()));
    }
    // What a version does not write must not look right.
    void poison() {
        CHECK(cudaMemset(data, 0xa5, bytes()));
    }
};

// `count` random values: whole numbers of any size, or floating-point numbers in [-0.5, 0.5).
template <typename T> std::vector<T> randomValues(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> values(count);
    for (T &value : values)
        if constexpr (std::is_floating_point_v<T>)
            value = static_cast<T>(random() * 0x1p-32 - 0.5);
        else
            value = static_cast<T>(random());
    return values;
}

// Says where two arrays differ first. Equal means equal bits.
template <typename T>
bool same(const char *version, const std::vector<T> &expected, const std::vector<T> &actual) {
    for (size_t i = 0; i < expected.size(); i++)
        if (memcmp(&expected[i], &actual[i], sizeof(T)) != 0) {
            fprintf(stderr, "%s: element %zu is wrong\n", version, i);
            return false;
        }
    return expected.size() == actual.size();
}

inline unsigned ceilDivide(size_t a, size_t b) {
    return static_cast<unsigned>((a + b - 1) / b);
}

// Keeps the GPU busy while the CPU puts into its queue what is to be timed: else the time of a short
// kernel would be that of its launch.
__global__ void holdQueue(unsigned nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
}

class Bench {
  public:
    struct Version {
        std::string name;
        double work;                  // what one launch does, in units of `unit`
        const char *unit;             // "byte" or "flop"
        std::function<void()> launch; // one or more kernels, or a copy
        std::function<bool()> check;  // after one launch
        std::function<void()> before; // ahead of every launch, not timed; may be empty
        std::vector<float> microseconds;
    };

    long size;
    int repeats = 20;
    std::string measure = "copy"; // the version with which the others are compared

    // Arguments: --size N, --repeats N, and the program's own `options`: a word, or a word that ends
    // with = and a number.
    Bench(int argc, char **argv, long defaultSize, std::vector<std::string> options = {})
        : size(defaultSize) {
        for (int i = 1; i < argc; i++) {
            std::string argument = argv[i];
            if (argument == "--size" && i + 1 < argc)
                size = atol(argv[++i]);
            else if (argument == "--repeats" && i + 1 < argc)
                repeats = atoi(argv[++i]);
            else if (std::count(options.begin(), options.end(),
                                argument.substr(0, argument.find('=') + 1)) ||
                     std::count(options.begin(), options.end(), argument))
                given.push_back(argument);
            else
                usage(argv[0], options);
        }
        if (size <= 0 || repeats < 0)
            usage(argv[0], options);
    }

    bool has(const char *option) const {
        return std::count(given.begin(), given.end(), option) > 0;
    }

    // The number that follows an option which ends with =.
    long value(const std::string &option, long otherwise) const {
        for (const std::string &argument : given)
            if (argument.compare(0, option.size(), option) == 0)
                return atol(argument.c_str() + option.size());
        return otherwise;
    }

    void add(std::string name, double work, const char *unit, std::function<void()> launch,
             std::function<bool()> check, std::function<void()> before = {}) {
        versions.push_back({name, work, unit, launch, check, before, {}});
    }

    // A copy from device to device of as many bytes as `from` has: what the memory can do.
    template <typename T> void addCopy(const Array<T> &from, Array<T> &to) {
        auto copy = [&] {
            CHECK(cudaMemcpyAsync(to.data, from.data, to.bytes(), cudaMemcpyDeviceToDevice));
        };
        add("copy", 2.0 * to.bytes(), "byte", copy, [] { return true; });
    }

    // Checks, times and prints. The program's exit status.
    int run() {
        for (Version &version : versions) {
            start(version);
            CHECK(cudaDeviceSynchronize());
            if (!version.check()) {
                fprintf(stderr, "%s: the result is wrong\n", version.name.c_str());
                return 1;
            }
        }
        if (repeats > 0)
            time();
        print();
        return 0;
    }

  private:
    std::vector<std::string> given;
    std::vector<Version> versions;

    static void usage(const char *program, const std::vector<std::string> &options) {
        fprintf(stderr, "usage: %s [--size N] [--repeats N]", program);
        for (const std::string &option : options)
            fprintf(stderr, " [%s]", option.c_str());
        fprintf(stderr, "\n");
        exit(2);
    }

    static void start(Version &version) {
        if (version.before)
            version.before();
        version.launch();
        CHECK(cudaGetLastError());
    }

    void time() {
        cudaEvent_t first, last;
        CHECK(cudaEventCreate(&first));
        CHECK(cudaEventCreate(&last));
        for (int round = -1; round < repeats; round++)
            for (Version &version : versions) {
                if (version.before)
                    version.before();
                holdQueue<<<1, 1>>>(100000);
                CHECK(cudaEventRecord(first));
                version.launch();
                CHECK(cudaEventRecord(last));
                CHECK(cudaEventSynchronize(last));
                CHECK(cudaGetLastError());
                float milliseconds;
                CHECK(cudaEventElapsedTime(&milliseconds, first, last));
                if (round >= 0)
                    version.microseconds.push_back(1000 * milliseconds);
            }
        for (Version &version : versions)
            std::sort(version.microseconds.begin(), version.microseconds.end());
    }

    // Work per microsecond, median.
    static double rate(const Version &version) {
        return version.work / version.microseconds[version.microseconds.size() / 2];
    }

    void print() const {
        printf("%-34s %6s %10s %10s %10s %10s %-7s %8s\n", "version", "size", "median_us",
               "lowest_us", "highest_us", "rate", "unit", "share");
        const Version *reference = nullptr;
        for (const Version &version : versions)
            if (version.name == measure)
                reference = &version;
        for (const Version &version : versions) {
            const auto &times = version.microseconds;
            if (times.empty()) {
                printf("%-34s %6ld right, not timed\n", version.name.c_str(), size);
                continue;
            }
            bool bytes = !strcmp(version.unit, "byte");
            printf("%-34s %6ld %10.2f %10.2f %10.2f %10.2f %-7s ", version.name.c_str(), size,
                   times[times.size() / 2], times.front(), times.back(),
                   rate(version) / (bytes ? 1e3 : 1e6), bytes ? "GB/s" : "TFLOP/s");
            if (reference)
                printf("%7.1f%%\n", 100 * rate(version) / rate(*reference));
            else
                printf("%8s\n", "-");
        }
    }
};

// Runs every version of sgemm on square matrices of --size x --size floats.
//
//   nvcc -O3 -lineinfo -std=c++17 -arch=sm_90 -o sgemm samples/sgemm/main.cu
//
// --cublas adds cuBLAS's product in full 32-bit precision (no TF32), from a libcublas.so that the
// dynamic loader finds, as the measure for the others.

#include <dlfcn.h>

#include "../bench.h"
#include "sgemm.cu"

// C = A * B^T, of n x n matrices stored by rows. cuBLAS has matrices stored by columns: to it, ours
// are transposed.
class Cublas {
  public:
    Cublas() {
        void *library = nullptr;
        for (const char *name : {"libcublas.so", "libcublas.so.13", "libcublas.so.12"})
            if (!library)
                library = dlopen(name, RTLD_NOW);
        if (!library) {
            fprintf(stderr, "there is no cuBLAS: %s\n", dlerror());
            exit(1);
        }
        auto create = reinterpret_cast<int (*)(void **)>(dlsym(library, "cublasCreate_v2"));
        sgemm = reinterpret_cast<Sgemm *>(dlsym(library, "cublasSgemm_v2"));
        if (!create || !sgemm || create(&handle) != 0) {
            fprintf(stderr, "cuBLAS does not start\n");
            exit(1);
        }
    }
    void product(const float *A, const float *B, float *C, int n) const {
        enum { NO, TRANSPOSE };
        const float one = 1, zero = 0;
        if (sgemm(handle, TRANSPOSE, NO, n, n, n, &one, B, n, A, n, &zero, C, n) != 0) {
            fprintf(stderr, "cublasSgemm failed\n");
            exit(1);
        }
    }

  private:
    using Sgemm = int(void *, int, int, int, int, int, const float *, const float *, int,
                      const float *, int, const float *, float *, int);
    void *handle = nullptr;
    Sgemm *sgemm = nullptr;
};

int main(int argc, char **argv) {
    Bench bench(argc, argv, 4096, {"--cublas"});
    bench.measure = "cublas";
    const int n = static_cast<int>(bench.size);
    if (n % SPAN != 0) {
        fprintf(stderr, "the size must be a multiple of %d\n", SPAN);
        return 2;
    }
    const size_t count = static_cast<size_t>(n) * n;
    const std::vector<float> hostA = randomValues<float>(count, 1);
    const std::vector<float> hostB = randomValues<float>(count, 2);
    Array<float> A(hostA), B(hostB), C(count);

    // 4,096 elements of the product, each against the sum in double precision. The products are
    // below 1/4, and so is the sum of their rounding errors: k * 2^-24 / 4, in the worst case.
    auto check = [&](const std::string &name) {
        const std::vector<float> product = C.download();
        std::mt19937 random(3);
        for (int i = 0; i < 4096; i++) {
            const size_t row = random() % n, column = random() % n;
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += static_cast<double>(hostA[row * n + j]) * hostB[column * n + j];
            if (!(std::abs(sum - product[row * n + column]) <= n * 0x1p-26)) {
                fprintf(stderr, "%s: C[%zu][%zu] is %.9g and should be %.9g\n", name.c_str(), row,
                        column, product[row * n + column], sum);
                return false;
            }
        }
        return true;
    };
    auto add = [&](std::string name, std::function<void()> launch) {
        bench.add(
            name, 2.0 * n * n * n, "flop", launch, [=] { return check(name); },
            [&] { C.poison(); });
    };

    Cublas *cublas = bench.has("--cublas") ? new Cublas : nullptr;
    if (cublas)
        add("cublas", [=] { cublas->product(A.data, B.data, C.data, n); });
    auto addTiled = [&](const char *name, auto kernel) {
        dim3 grid(n / SPAN, n / SPAN), block(SIDE, SIDE);
        add(name, [=] { kernel<<<grid, block>>>(A.data, B.data, C.data, n, n, n, 1, 0); });
    };
    addTiled("gemm<Sync,Plain>", gemm<float, 128, 128, 32, 8, 8, SyncPlain, SyncPlain>);
    addTiled("gemm<Sync,Skewed>", gemm<float, 128, 128, 32, 8, 8, SyncPlain, SyncSkewed>);
    addTiled("gemm<Async,Plain>", gemm<float, 128, 128, 32, 8, 8, AsyncPlain, AsyncPlain>);
    addTiled("gemm<Async,Skewed>", gemm<float, 128, 128, 32, 8, 8, AsyncPlain, AsyncSkewed>);
    addTiled("gemm<Async,Swizzled>", gemm<float, 128, 128, 32, 8, 8, AsyncPlain, AsyncSwizzled>);

    const int blocks = (n / SPAN) * (n / SPAN), shared = 3 * sizeof(Stage);
    CHECK(cudaFuncSetAttribute(gemmStages<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    add("gemmStages<3>",
        [=] { gemmStages<3><<<blocks, BLOCK, shared>>>(A.data, B.data, C.data, n, n, n, 1, 0); });
    add("gemmTurned",
        [=] { gemmTurned<<<blocks, BLOCK>>>(A.data, B.data, C.data, n, n, n, 1, 0); });
    return bench.run();
}

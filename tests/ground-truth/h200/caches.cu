// Launches that pin how the L1 and L2 of a GPU behave. No arguments: all launches, one line each. "place": on which SM
// each block ran, in the order of their beginnings.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = (call);                                                                    \
        if (e != cudaSuccess) {                                                                    \
            fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(e));                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define LOADS(X)                                                                                   \
    X(0, ca, "ld.global.u32")                                                                      \
    X(1, cg, "ld.global.cg.u32")                                                                   \
    X(2, cv, "ld.global.cv.u32")                                                                   \
    X(3, volatile, "ld.volatile.global.u32")                                                       \
    X(4, nc, "ld.global.nc.u32")                                                                   \
    X(5, noalloc, "ld.global.L1::no_allocate.u32")                                                 \
    X(6, first, "ld.global.L1::evict_first.u32")                                                   \
    X(7, last, "ld.global.L1::evict_last.u32")                                                     \
    X(8, cs, "ld.global.cs.u32")                                                                   \
    X(9, lu, "ld.global.lu.u32")                                                                   \
    X(10, relaxed, "ld.relaxed.gpu.global.u32")                                                    \
    X(11, acquire, "ld.acquire.gpu.global.u32")                                                    \
    X(12, ncnoalloc, "ld.global.nc.L1::no_allocate.u32")                                           \
    X(13, pref128, "ld.global.L2::128B.u32")                                                       \
    X(14, pref256, "ld.global.L2::256B.u32")                                                       \
    X(15, pref64, "ld.global.L2::64B.u32")

template <int OP> __device__ __forceinline__ uint32_t load(const uint32_t *p) {
    uint32_t v = 0;
#define X(op, name, text)                                                                          \
    if (OP == op)                                                                                  \
        asm volatile(text " %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    LOADS(X)
#undef X
    return v;
}

// Each block reads `words` of its own, several times.
template <int OP> __global__ void twice(const uint32_t *p, uint32_t *out, int words, int passes) {
    p += (size_t)blockIdx.x * words;
    uint32_t sum = 0;
    for (int pass = 0; pass < passes; pass++) {
        for (int i = threadIdx.x; i < words; i += blockDim.x)
            sum += load<OP>(p + i);
        __syncthreads();
    }
    if (sum == 12345)
        out[threadIdx.x] = sum;
}

// All warps of a block read the same words.
__global__ void together(const uint32_t *p, uint32_t *out, int words) {
    p += (size_t)blockIdx.x * words;
    uint32_t sum = 0;
    for (int i = threadIdx.x % 32; i < words; i += 32)
        sum += load<0>(p + i);
    if (sum == 12345)
        out[threadIdx.x] = sum;
}

// 0: store, load. 1: load, store, load. 2: store of every 8th word, load of all. 3: load, red, load. 4: load, atom, load. 5: atom, atom.
// 6: red, red. 7: store, store. 8: load, store other words of the sector, load.
template <int KIND> __global__ void mixed(uint32_t *p, uint32_t *out, int words) {
    p += (size_t)blockIdx.x * words;
    uint32_t sum = 0;
    int first = threadIdx.x, step = blockDim.x;
    if (KIND == 1 || KIND == 3 || KIND == 4)
        for (int i = first; i < words; i += step)
            sum += load<0>(p + i);
    __syncthreads();
    if (KIND == 0 || KIND == 1 || KIND == 7)
        for (int i = first; i < words; i += step)
            p[i] = i;
    if (KIND == 2)
        for (int i = first * 8; i < words; i += step * 8)
            p[i] = i;
    if (KIND == 3 || KIND == 6)
        for (int i = first; i < words; i += step)
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p + i) : "memory");
    if (KIND == 4 || KIND == 5)
        for (int i = first; i < words; i += step)
            sum += atomicAdd(p + i, 1);
    __syncthreads();
    if (KIND <= 4)
        for (int i = first; i < words; i += step)
            sum += load<0>(p + i);
    if (KIND == 5)
        for (int i = first; i < words; i += step)
            sum += atomicAdd(p + i, 1);
    if (KIND == 6)
        for (int i = first; i < words; i += step)
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p + i) : "memory");
    if (KIND == 7)
        for (int i = first; i < words; i += step)
            p[i] = i;
    if (sum == 12345)
        out[threadIdx.x] = sum;
}

// Lanes `stride` words apart, once over all; then, where `again`, those 8 words further on.
__global__ void strided(const uint32_t *p, uint32_t *out, size_t words, int stride, int again) {
    size_t at = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * stride,
           all = (size_t)gridDim.x * blockDim.x * stride;
    uint32_t sum = 0;
    for (; at < words; at += all) {
        sum += load<0>(p + at);
        if (again)
            sum += load<0>(p + at + 8);
    }
    if (sum == 12345)
        out[threadIdx.x] = sum;
}

// The grid reads all words twice; the second time block b those of block b + shift.
template <int OP>
__global__ void l2twice(const uint32_t *p, uint32_t *out, size_t words, int shift, int passes) {
    uint32_t sum = 0;
    for (int pass = 0; pass < passes; pass++) {
        size_t b = (blockIdx.x + (size_t)pass * shift) % gridDim.x;
        for (size_t i = b * blockDim.x + threadIdx.x; i < words;
             i += (size_t)gridDim.x * blockDim.x)
            sum += load<OP>(p + i);
    }
    if (sum == 12345)
        out[threadIdx.x] = sum;
}

__global__ void fill(uint32_t *p, size_t words, int stride) {
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i * stride < words; i += step)
        p[i * stride] = (uint32_t)i;
}

__global__ void copy(const uint32_t *in, uint32_t *out, size_t words) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < words)
        out[i] = in[i];
}

__global__ void addTo(const uint32_t *in, uint32_t *out, size_t words) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < words)
        out[i] += in[i];
}

// Each thread reads `chunk` words that are its own.
__global__ void own(const uint32_t *p, uint32_t *out, int chunk) {
    p += (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * chunk;
    uint32_t sum = 0;
    for (int i = 0; i < chunk; i++)
        sum += load<0>(p + i);
    out[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = sum;
}

// Block b reads region b / k, or b % k.
__global__ void region(const uint32_t *p, uint32_t *out, int words, int k, int modulo) {
    p += (size_t)(modulo ? blockIdx.x % k : blockIdx.x / k) * words;
    uint32_t sum = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        sum += load<0>(p + i);
    if (sum == 12345)
        out[threadIdx.x] = sum;
}

__device__ __forceinline__ uint32_t mix(uint32_t x) {
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// Lanes read words at random places of their block's (or all blocks') region of a power of two.
__global__ void gather(const uint32_t *p, uint32_t *out, uint32_t words, int reads, int ofBlock) {
    uint32_t sum = 0, thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (ofBlock)
        p += (size_t)blockIdx.x * words;
    for (int i = 0; i < reads; i++)
        sum += load<0>(p + (mix(thread * 1009u + i * 7919u + 17u) & (words - 1)));
    if (sum == 12345)
        out[threadIdx.x] = sum;
}

__global__ void scatter(uint32_t *p, uint32_t words, int writes, int atomic) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < writes; i++) {
        uint32_t *at = p + (mix(thread * 1009u + i * 7919u + 17u) & (words - 1));
        if (atomic)
            atomicAdd(at, 1);
        else
            *at = thread;
    }
}

template <int BYTES, int CG>
__global__ void copies(const uint32_t *p, uint32_t *out, int words, int passes) {
    __shared__ __align__(16) uint32_t tile[256 * 4];
    p += (size_t)blockIdx.x * words;
    uint32_t to = (uint32_t)__cvta_generic_to_shared(tile + threadIdx.x * (BYTES / 4));
    for (int pass = 0; pass < passes; pass++) {
        for (int i = threadIdx.x * (BYTES / 4); i < words; i += blockDim.x * (BYTES / 4)) {
            if (CG)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(p + i)
                             : "memory");
            else
                asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(p + i),
                             "n"(BYTES)
                             : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
    }
    if (tile[threadIdx.x] == 12345)
        out[threadIdx.x] = 1;
}

// An array of each thread in local memory, written and read several times.
template <int N> __global__ void locals(const uint32_t *p, uint32_t *out, int passes) {
    uint32_t a[N];
    uint32_t v = p[threadIdx.x % 32];
    for (int pass = 0; pass < passes; pass++) {
#pragma unroll 1
        for (int i = 0; i < N; i++)
            a[(i + v) % N] = i * v + pass;
#pragma unroll 1
        for (int i = 0; i < N; i++)
            v += a[(i * 7 + v) % N] & 1;
    }
    out[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = v;
}

__global__ void stencil(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[(size_t)y * n + x] = in[(size_t)y * n + x] + in[(size_t)y * n + x - 1] +
                                 in[(size_t)y * n + x + 1] + in[(size_t)(y - 1) * n + x] +
                                 in[(size_t)(y + 1) * n + x];
}

__global__ void transposeNaive(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[(size_t)x * n + y] = in[(size_t)y * n + x];
}

__global__ void matmulNaive(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[(size_t)y * n + k] * b[(size_t)k * n + x];
    c[(size_t)y * n + x] = sum;
}

__global__ void rowPerThread(const float *in, float *out, int n, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < columns; i++)
        sum += in[(size_t)row * n + i];
    out[row] = sum;
}

__global__ void place(uint32_t *sm, unsigned long long *order, unsigned long long *turn, int spin) {
    if (threadIdx.x == 0) {
        uint32_t id;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
        sm[blockIdx.x] = id;
        order[blockIdx.x] = atomicAdd(turn, 1ULL);
        long long until = clock64() + spin;
        while (clock64() < until)
            ;
    }
}

static int count;
static void done(const char *format, long a = 0, long b = 0, long c = 0) {
    CHECK(cudaGetLastError());
    printf("%d\t", count++);
    printf(format, a, b, c);
    printf("\n");
}

static uint32_t *p, *q, *out;
static const size_t MB = 1 << 20;

template <int OP> static void policy(const char *name) {
    twice<OP><<<132, 256>>>(p, out, 32 * 256, 2);
    done(name);
}

static void places() {
    static const int blocks[][3] = {{132, 1024, 0}, {264, 1024, 0},     {600, 1024, 0},
                                    {1056, 256, 0}, {1500, 256, 0},     {132, 256, 0},
                                    {264, 256, 0},  {300, 256, 100000}, {400, 128, 200000},
                                    {100, 256, 0},  {4300, 64, 0}};
    uint32_t *sm;
    unsigned long long *order, *turn;
    CHECK(cudaMallocManaged(&sm, 8192 * 4));
    CHECK(cudaMallocManaged(&order, 8192 * 8));
    CHECK(cudaMallocManaged(&turn, 8));
    CHECK(cudaFuncSetAttribute(place, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    for (int warm = 0; warm < 2; warm++)
        for (auto &b : blocks) {
            *turn = 0;
            place<<<b[0], b[1], b[2]>>>(sm, order, turn, 20000);
            CHECK(cudaDeviceSynchronize());
            if (!warm)
                continue;
            printf("place %d %d %d:", b[0], b[1], b[2]);
            for (int i = 0; i < b[0]; i++)
                printf(" %u/%llu", sm[i], order[i]);
            printf("\n");
        }
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "place")) {
        places();
        return 0;
    }
    CHECK(cudaMalloc(&p, 256 * MB));
    CHECK(cudaMalloc(&q, 256 * MB));
    CHECK(cudaMalloc(&out, 64 * MB));
    CHECK(cudaMemset(p, 0, 256 * MB));
#define X(op, name, text) policy<op>("policy " #name);
    LOADS(X)
#undef X
    static const int sizes[] = {32,  96,  128, 160, 192, 208, 216, 224,
                                232, 240, 248, 256, 264, 288, 320, 384};
    for (int kb : sizes) {
        twice<0><<<132, 1024>>>(p, out, kb * 256, 3);
        done("size %ld KB", kb);
    }
    for (int kb : {128, 224, 256, 320}) {
        twice<0><<<132, 64>>>(p, out, kb * 256, 4);
        done("size64 %ld KB", kb);
    }
    CHECK(cudaFuncSetAttribute(twice<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    for (int kb : {1, 4, 8, 16, 24, 32, 48, 64, 96, 128, 160, 200}) {
        twice<0><<<132, 256, kb * 1024>>>(p, out, 96 * 256, 3);
        done("carve %ld KB of 132 blocks", kb);
    }
    for (int kb : {1, 4, 8, 24, 48, 100}) {
        twice<0><<<132 * 8, 256, kb * 1024>>>(p, out, 16 * 256, 3);
        done("carve %ld KB of 1056 blocks", kb);
    }
    mixed<0><<<132, 256>>>(p, out, 8192), done("mixed store load");
    mixed<1><<<132, 256>>>(p, out, 8192), done("mixed load store load");
    mixed<2><<<132, 256>>>(p, out, 8192), done("mixed partial store, load");
    mixed<3><<<132, 256>>>(p, out, 8192), done("mixed load red load");
    mixed<4><<<132, 256>>>(p, out, 8192), done("mixed load atom load");
    mixed<5><<<132, 256>>>(p, out, 8192), done("mixed atom atom");
    mixed<6><<<132, 256>>>(p, out, 8192), done("mixed red red");
    mixed<7><<<132, 256>>>(p, out, 8192), done("mixed store store");
    for (int threads : {32, 64, 256, 1024}) {
        together<<<132, threads>>>(p, out, 8192);
        done("together %ld", threads);
    }
    for (int stride : {1, 2, 4, 8, 16, 32, 64, 128}) {
        strided<<<132 * 8, 256>>>(p, out, 64 * MB / 4, stride, 0);
        done("strided %ld", stride);
    }
    strided<<<132 * 8, 256>>>(p, out, 64 * MB / 4, 32, 1), done("strided 32 again");
    strided<<<132 * 8, 256>>>(p, out, 64 * MB / 4, 16, 1), done("strided 16 again");
    for (int mb : {8, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 128})
        for (int shift : {0, 67}) {
            l2twice<1><<<132 * 8, 256>>>(p, out, mb * MB / 4, shift, 2);
            done("l2 %ld MB shift %ld", mb, shift);
        }
    l2twice<1><<<132 * 8, 256>>>(p, out, 16 * MB / 4, 67, 8), done("l2 16 MB 8 passes");
    l2twice<1><<<132 * 8, 256>>>(p, out, 32 * MB / 4, 67, 8), done("l2 32 MB 8 passes");
    l2twice<1><<<132 * 8, 256>>>(p, out, 48 * MB / 4, 67, 8), done("l2 48 MB 8 passes");
    l2twice<1><<<132 * 8, 256>>>(p, out, 64 * MB / 4, 67, 8), done("l2 64 MB 8 passes");
    for (int mb : {8, 24, 40, 56, 80, 256}) {
        fill<<<132 * 8, 256>>>(p, mb * MB / 4, 1);
        done("fill %ld MB", mb);
    }
    for (int mb : {8, 56, 128})
        for (int stride : {2, 4, 8, 16, 32}) {
            fill<<<132 * 8, 256>>>(p, mb * MB / 4, stride);
            done("fill %ld MB stride %ld", mb, stride);
        }
    for (int mb : {8, 24, 48, 128}) {
        copy<<<mb * MB / 4 / 256, 256>>>(p, q, mb * MB / 4), done("copy %ld MB", mb);
        addTo<<<mb * MB / 4 / 256, 256>>>(p, q, mb * MB / 4), done("addTo %ld MB", mb);
    }
    for (int chunk : {2, 4, 8, 16, 32, 64, 128})
        for (int blocks : {1, 2, 4, 8}) {
            own<<<132 * blocks, 256>>>(p, out, chunk);
            done("own %ld words, %ld blocks", chunk, blocks);
        }
    own<<<132 * 32, 256>>>(p, out, 32), done("own 32 words, 32 blocks");
    own<<<132 * 32, 256>>>(p, out, 8), done("own 8 words, 32 blocks");
    own<<<132 * 16, 1024>>>(p, out, 16), done("own 16 words, 1024 threads");
    for (int k : {2, 4, 8, 16}) {
        region<<<132 * 16, 256>>>(p, out, 2048, k, 0), done("region / %ld", k);
        region<<<132 * 16, 256>>>(p, out, 2048, k, 1), done("region %% %ld", k);
    }
    region<<<132 * 16, 256>>>(p, out, 2048, 132, 1), done("region %% 132");
    region<<<132 * 16, 256>>>(p, out, 2048, 66, 1), done("region %% 66");
    region<<<132 * 16, 256>>>(p, out, 2048, 1056, 1), done("region %% 1056");
    for (int kb : {64, 128, 256, 512})
        gather<<<132, 1024>>>(p, out, kb * 256, 64, 1), done("gather %ld KB of a block", kb);
    for (int mb : {1, 8, 16, 32, 64, 128, 256})
        gather<<<132 * 8, 256>>>(p, out, mb * MB / 4, 32, 0), done("gather %ld MB", mb);
    for (int mb : {1, 32, 128}) {
        scatter<<<132 * 8, 256>>>(p, mb * MB / 4, 16, 0), done("scatter %ld MB", mb);
        scatter<<<132 * 8, 256>>>(p, mb * MB / 4, 16, 1), done("scatter %ld MB atomic", mb);
    }
    copies<4, 0><<<132, 256>>>(p, out, 8192, 2), done("cp.async.ca 4");
    copies<8, 0><<<132, 256>>>(p, out, 8192, 2), done("cp.async.ca 8");
    copies<16, 0><<<132, 256>>>(p, out, 8192, 2), done("cp.async.ca 16");
    copies<16, 1><<<132, 256>>>(p, out, 8192, 2), done("cp.async.cg 16");
    locals<16><<<132 * 2, 256>>>(p, out, 4), done("local 16");
    locals<64><<<132 * 2, 256>>>(p, out, 4), done("local 64");
    locals<64><<<132 * 8, 256>>>(p, out, 4), done("local 64, 8 blocks");
    locals<128><<<132 * 8, 256>>>(p, out, 2), done("local 128, 8 blocks");
    stencil<<<dim3(128, 512), dim3(32, 8)>>>((float *)p, (float *)q, 4096), done("stencil 32 x 8");
    stencil<<<dim3(256, 256), dim3(16, 16)>>>((float *)p, (float *)q, 4096),
        done("stencil 16 x 16");
    stencil<<<dim3(16, 4096), dim3(256, 1)>>>((float *)p, (float *)q, 4096),
        done("stencil 256 x 1");
    transposeNaive<<<dim3(64, 64), dim3(32, 32)>>>((float *)p, (float *)q, 2048),
        done("transpose 2048, 32 x 32");
    transposeNaive<<<dim3(64, 256), dim3(32, 8)>>>((float *)p, (float *)q, 2048),
        done("transpose 2048, 32 x 8");
    matmulNaive<<<dim3(64, 64), dim3(16, 16)>>>((float *)p, (float *)q, (float *)out, 1024),
        done("matmul 16 x 16");
    matmulNaive<<<dim3(32, 32), dim3(32, 32)>>>((float *)p, (float *)q, (float *)out, 1024),
        done("matmul 32 x 32");
    rowPerThread<<<128, 256>>>((float *)p, (float *)out, 2048, 256), done("row per thread");
    rowPerThread<<<512, 128>>>((float *)p, (float *)out, 512, 128), done("row per thread, 512");
    CHECK(cudaDeviceSynchronize());
    return 0;
}

// The microbenchmarks behind src/timing's table: latencies of dependent instructions, how many of them an SM takes in a
// clock, latencies and rates of each level of memory, what launches and blocks cost. Prints one line each:
//   name <tab> value <tab> unit
// Built and run by `bench/gpu calibrate`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <functional>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static int sms;
static long long *clocks_device;
static uint32_t *sink;

static void print(const char *name, double value, const char *unit) {
    printf("%s\t%.4g\t%s\n", name, value, unit);
    fflush(stdout);
}

// ---- instructions: a chain of each, and 8 chains side by side ----

enum { UNROLL = 64, TURNS = 32 };

// Op: state type S, `static S make(uint32_t)`, `static void step(S &)`, `static uint32_t end(S)`.
template <typename Op, int CHAINS>
__global__ void chain(long long *clocks, uint32_t *out, uint32_t seed) {
    typename Op::S s[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        s[c] = Op::make(seed + threadIdx.x + 7 * c);
    __syncthreads();
    long long begin = clock64();
    for (int turn = 0; turn < TURNS; turn++) {
#pragma unroll
        for (int i = 0; i < UNROLL / CHAINS; i++) {
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                Op::step(s[c]);
        }
    }
    __syncthreads();
    long long end = clock64();
    uint32_t sum = 0;
    for (int c = 0; c < CHAINS; c++)
        sum ^= Op::end(s[c]);
    if (sum == seed + 12345)
        out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = end - begin;
}

static long long read_clocks() {
    long long clocks;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&clocks, clocks_device, sizeof clocks, cudaMemcpyDeviceToHost));
    return clocks;
}

template <typename Op, int CHAINS> static double run(int threads) {
    double best = 1e30;
    for (int i = 0; i < 3; i++) {
        chain<Op, CHAINS><<<1, threads>>>(clocks_device, sink, 3);
        best = std::min(best, (double)read_clocks());
    }
    return best;
}

template <typename Op, int CHAINS = 4> static void op(const char *name) {
    char text[64];
    snprintf(text, sizeof text, "latency_%s", name);
    print(text, run<Op, 1>(32) / (UNROLL * TURNS), "clocks");
    snprintf(text, sizeof text, "rate_%s", name);
    print(text, 32.0 * UNROLL * TURNS / run<Op, CHAINS>(1024), "warp instructions/clock/SM");
    snprintf(text, sizeof text, "alone_%s", name);
    print(text, UNROLL * TURNS / run<Op, CHAINS>(32), "warp instructions/clock of one warp");
}

struct OfU32 {
    typedef uint32_t S;
    static __device__ S make(uint32_t x) {
        return x;
    }
    static __device__ uint32_t end(S s) {
        return s;
    }
};
struct OfU64 {
    typedef uint64_t S;
    static __device__ S make(uint32_t x) {
        return x;
    }
    static __device__ uint32_t end(S s) {
        return (uint32_t)s ^ (uint32_t)(s >> 32);
    }
};
struct OfF32 {
    typedef float S;
    static __device__ S make(uint32_t x) {
        return x * 1e-3f;
    }
    static __device__ uint32_t end(S s) {
        return __float_as_uint(s);
    }
};
struct OfF64 {
    typedef double S;
    static __device__ S make(uint32_t x) {
        return x * 1e-3;
    }
    static __device__ uint32_t end(S s) {
        return (uint32_t)__double_as_longlong(s);
    }
};
#define OP(Name, Base, ...)                                                                        \
    struct Name : Base {                                                                           \
        static __device__ __forceinline__ void step(S &s) {                                        \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    };
OP(Iadd, OfU32, asm volatile("add.u32 %0, %0, %1;" : "+r"(s) : "r"(blockDim.x)))
OP(Lop, OfU32,
   asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;"
                : "+r"(s)
                : "r"(blockDim.x), "r"(gridDim.x)))
OP(Shift, OfU32, asm volatile("shf.l.wrap.b32 %0, %0, %1, 5;" : "+r"(s) : "r"(blockDim.x)))
OP(Imad, OfU32, asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(s) : "r"(blockDim.x)))
OP(ImadWide, OfU64,
   asm volatile("{.reg .u32 t; cvt.u32.u64 t, %0; mad.wide.u32 %0, t, %1, %0;}"
                : "+l"(s)
                : "r"(blockDim.x)))
OP(Imnmx, OfU32,
   asm volatile("{.reg .u32 t; min.u32 t, %0, %1; max.u32 %0, t, %2;}"
                : "+r"(s)
                : "r"(blockDim.x), "r"(gridDim.x)))
OP(Popc, OfU32, asm volatile("popc.b32 %0, %0;" : "+r"(s)))
OP(Prmt, OfU32, asm volatile("prmt.b32 %0, %0, %1, 0x2143;" : "+r"(s) : "r"(blockDim.x)))
OP(Select, OfU32,
   asm volatile("{.reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p;}"
                : "+r"(s)
                : "r"(blockDim.x), "r"(gridDim.x)))
OP(Fadd, OfF32, asm volatile("add.f32 %0, %0, %1;" : "+f"(s) : "f"(1.5f)))
OP(Ffma, OfF32, asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(s) : "f"(1.5f)))
OP(Fmnmx, OfF32,
   asm volatile("{.reg .f32 t; min.f32 t, %0, 0f40000000; max.f32 %0, t, 0f3f800000;}"
                : "+f"(s)))
OP(Ex2, OfF32, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(s)))
OP(Rcp, OfF32, asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(s)))
OP(Sin, OfF32, asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(s)))
OP(Dadd, OfF64, asm volatile("add.f64 %0, %0, %1;" : "+d"(s) : "d"(1.5)))
OP(Dfma, OfF64, asm volatile("fma.rn.f64 %0, %0, %1, %0;" : "+d"(s) : "d"(1.5)))
OP(Hfma2, OfU32, asm volatile("fma.rn.f16x2 %0, %0, %1, %0;" : "+r"(s) : "r"(0x3c003c00)))
OP(I2f, OfU32, asm volatile("{.reg .f32 t; cvt.rn.f32.s32 t, %0; mov.b32 %0, t;}" : "+r"(s)))
OP(F2i, OfU32, asm volatile("{.reg .f32 t; mov.b32 t, %0; cvt.rzi.s32.f32 %0, t;}" : "+r"(s)))
OP(F2d, OfF64, asm volatile("{.reg .f32 t; cvt.rn.f32.f64 t, %0; cvt.f64.f32 %0, t;}" : "+d"(s)))
OP(F2h, OfU32,
   asm volatile("{.reg .f32 t; .reg .b16 h; mov.b32 t, %0; cvt.rn.f16.f32 h, t; cvt.u32.u16 %0, h;}"
                : "+r"(s)))
OP(Shfl, OfU32, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(s)))
OP(Vote, OfU32,
   asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
                : "+r"(s)))
OP(Redux, OfU32, asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : "+r"(s)))
OP(Match, OfU32, asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(s)))

struct OfMma {
    struct S {
        float d[4];
    };
    static __device__ S make(uint32_t x) {
        return {{x * 1.f, 1, 2, 3}};
    }
    static __device__ uint32_t end(S s) {
        return __float_as_uint(s.d[0]) ^ __float_as_uint(s.d[1]) ^ __float_as_uint(s.d[2]) ^
               __float_as_uint(s.d[3]);
    }
};
OP(Hmma16816, OfMma,
   asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, "
                "{%4,%4}, {%0,%1,%2,%3};"
                : "+f"(s.d[0]), "+f"(s.d[1]), "+f"(s.d[2]), "+f"(s.d[3])
                : "r"(0)))
OP(Hmma1688, OfMma,
   asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4}, "
                "{%0,%1,%2,%3};"
                : "+f"(s.d[0]), "+f"(s.d[1]), "+f"(s.d[2]), "+f"(s.d[3])
                : "r"(0)))
OP(HmmaTf32, OfMma,
   asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, "
                "{%4,%4}, {%0,%1,%2,%3};"
                : "+f"(s.d[0]), "+f"(s.d[1]), "+f"(s.d[2]), "+f"(s.d[3])
                : "r"(0)))
struct OfImma {
    struct S {
        int d[4];
    };
    static __device__ S make(uint32_t x) {
        return {{(int)x, 1, 2, 3}};
    }
    static __device__ uint32_t end(S s) {
        return s.d[0] ^ s.d[1] ^ s.d[2] ^ s.d[3];
    }
};
OP(Imma16832, OfImma,
   asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, "
                "{%4,%4}, {%0,%1,%2,%3};"
                : "+r"(s.d[0]), "+r"(s.d[1]), "+r"(s.d[2]), "+r"(s.d[3])
                : "r"(0)))
struct OfDmma {
    struct S {
        double d[2];
    };
    static __device__ S make(uint32_t x) {
        return {{(double)x, 1}};
    }
    static __device__ uint32_t end(S s) {
        return (uint32_t)(__double_as_longlong(s.d[0]) ^ __double_as_longlong(s.d[1]));
    }
};
OP(Dmma884, OfDmma,
   asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                : "+d"(s.d[0]), "+d"(s.d[1])
                : "d"(0.0), "d"(0.0)))

// ---- shared memory ----

__shared__ uint32_t tile[8192];

// A chain of loads: each lane's next address is what it reads, its own.
template <int WAYS> __global__ void shared_chain(long long *clocks, uint32_t *out) {
    uint32_t place = (threadIdx.x * WAYS) % 8192;
    for (uint32_t i = threadIdx.x; i < 8192; i += blockDim.x)
        tile[i] = i;
    __syncthreads();
    uint32_t at = (uint32_t)__cvta_generic_to_shared(tile), value = place;
    long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < 512; i++)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at + value * 4));
    long long end = clock64();
    if (value == 99999)
        out[0] = value;
    if (threadIdx.x == 0)
        clocks[0] = end - begin;
}

// WORDS: of each lane (1, 2, 4); OP: 0 loads, 1 stores, 2 atomics without a result, 3 with one.
template <int WORDS, int OP_KIND>
__global__ void shared_rate(long long *clocks, uint32_t *out, int stride) {
    uint32_t at = (uint32_t)__cvta_generic_to_shared(tile) +
                  (threadIdx.x * stride * 4 * WORDS) % (32768 - 16);
    at &= ~15u;
    if (WORDS == 1)
        at = (uint32_t)__cvta_generic_to_shared(tile) + (threadIdx.x * stride * 4) % 32768;
    uint32_t a = 0, b = 0, c = 0, d = 0;
    __syncthreads();
    long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < 256; i++) {
        if (OP_KIND == 0 && WORDS == 1)
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(at));
        if (OP_KIND == 0 && WORDS == 2)
            asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
        if (OP_KIND == 0 && WORDS == 4)
            asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                         : "r"(at));
        if (OP_KIND == 1 && WORDS == 1)
            asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(i));
        if (OP_KIND == 1 && WORDS == 4)
            asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(at), "r"(i));
        if (OP_KIND == 2)
            asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(1));
        if (OP_KIND == 3)
            asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(a) : "r"(at), "r"(1));
    }
    __syncthreads();
    long long end = clock64();
    if (a + b + c + d == 99999)
        out[0] = a;
    if (threadIdx.x == 0)
        clocks[0] = end - begin;
}

__global__ void shared_atomic_chain(long long *clocks, uint32_t *out, int same) {
    uint32_t at = (uint32_t)__cvta_generic_to_shared(tile) + (same ? 0 : threadIdx.x * 4),
             value = 0;
    tile[threadIdx.x] = 0;
    __syncthreads();
    long long begin = clock64();
#pragma unroll 8
    for (int i = 0; i < 128; i++)
        asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                     : "=r"(value)
                     : "r"(at + (value >> 31)), "r"(1));
    long long end = clock64();
    if (value == 99999)
        out[0] = value;
    if (threadIdx.x == 0)
        clocks[0] = end - begin;
}

__global__ void barrier_chain(long long *clocks) {
    __syncthreads();
    long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < 256; i++)
        asm volatile("bar.sync 0;");
    long long end = clock64();
    if (threadIdx.x == 0)
        clocks[0] = end - begin;
}

// ---- constants ----

__constant__ uint32_t constants[8192];

enum LoadsOfConstants { FREE, GUARDED, CHAINED };

// 16 loads by a register (LDC) a turn, of lanes and of warps so many words apart; GUARDED: each only where a bit of the lane is set.
template <LoadsOfConstants HOW>
__global__ void constant_loads(long long *clocks, uint32_t *out, int lanes_apart, int warps_apart,
                               int turns, uint32_t bits) {
    uint32_t sum = 0, guards = bits | threadIdx.x,
             at = threadIdx.x % 32 * lanes_apart + threadIdx.x / 32 * warps_apart;
    __syncthreads();
    long long begin = clock64();
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll
        for (int i = 0; i < 16; i++) {
            if (HOW == CHAINED)
                at = constants[at];
            else if (HOW == FREE || guards & 1u << i)
                sum ^= constants[at + i];
        }
        if (HOW == CHAINED)
            continue;
        at = at + 64 & 2047;
        guards = guards * 5 + 1;
    }
    long long end = clock64();
    if (sum + at == 99999)
        out[0] = sum;
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = end - begin;
}

// ---- global memory ----

// Each lane follows its own chain: `next` holds byte offsets.
__global__ void global_chain(long long *clocks, const uint32_t *next, int steps, uint32_t *out,
                             int past) {
    uint32_t at = threadIdx.x * 4;
    for (int i = 0; i < 8; i++)
        at = past ? __ldcg(next + at / 4) : next[at / 4];
    long long begin = clock64();
    if (past) {
        for (int i = 0; i < steps; i++)
            at = __ldcg(next + at / 4);
    } else {
        for (int i = 0; i < steps; i++)
            at = next[at / 4];
    }
    long long end = clock64();
    if (at == 1)
        out[0] = at;
    if (threadIdx.x == 0)
        clocks[0] = end - begin;
}

static void memory_latency(const char *name, size_t bytes, size_t stride, int steps, int past,
                           bool warm) {
    std::vector<uint32_t> next(bytes / 4);
    size_t count = bytes / stride;
    for (size_t i = 0; i < count; i++) {
        size_t to = (i + 1) % count; // in order
        for (int lane = 0; lane < 32; lane++)
            next[i * stride / 4 + lane] = (uint32_t)(to * stride + 4 * lane);
    }
    uint32_t *device;
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMemcpy(device, next.data(), bytes, cudaMemcpyHostToDevice));
    if (!warm) { // what lies in L2 goes
        void *other;
        CHECK(cudaMalloc(&other, 256 << 20));
        CHECK(cudaMemset(other, 0, 256 << 20));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(other));
    }
    if (warm) {
        global_chain<<<1, 32>>>(clocks_device, device, (int)count + 8, sink, past);
        CHECK(cudaDeviceSynchronize());
    }
    global_chain<<<1, 32>>>(clocks_device, device, steps, sink, past);
    print(name, (double)read_clocks() / steps, "clocks");
    CHECK(cudaFree(device));
}

// Hits in L1: WORDS of each lane, `stride` of them apart; 16 places in turn.
template <int WORDS>
__global__ void l1_rate(long long *clocks, const uint32_t *data, uint32_t *out, int stride) {
    const uint32_t *at = data + (threadIdx.x % 32) * stride * WORDS;
    uint32_t sum = 0;
    long long begin = 0;
    for (int turn = 0; turn < 17; turn++) {
        if (turn == 1) { // all of it is there
            __syncthreads();
            begin = clock64();
        }
#pragma unroll
        for (int i = 0; i < 16; i++) {
            uint32_t a, b = 0, c = 0, d = 0;
            const uint32_t *from = at + ((i ^ (turn & 15)) * 128);
            if (WORDS == 1)
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(from));
            if (WORDS == 4)
                asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                             : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                             : "l"(from));
            sum ^= a ^ b ^ c ^ d;
        }
    }
    __syncthreads();
    long long end = clock64();
    if (sum == 99999)
        out[0] = 1;
    if (threadIdx.x == 0)
        clocks[0] = end - begin;
}

__global__ void read_all(const uint4 *data, size_t count, uint32_t *out, int turns) {
    uint32_t sum = 0;
    for (int turn = 0; turn < turns; turn++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
             i += 4 * (size_t)gridDim.x * blockDim.x) {
            uint4 v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                size_t at = i + k * (size_t)gridDim.x * blockDim.x;
                v[k] = at < count ? __ldcg(data + at) : make_uint4(0, 0, 0, 0);
            }
#pragma unroll
            for (int k = 0; k < 4; k++)
                sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
        }
    if (sum == 99999)
        out[0] = sum;
}
__global__ void write_all(uint4 *data, size_t count, int turns) {
    for (int turn = 0; turn < turns; turn++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
             i += (size_t)gridDim.x * blockDim.x)
            data[i] = make_uint4(turn, 2, 3, 4);
}
__global__ void copy_all(const uint4 *from, uint4 *to, size_t count, int turns) {
    for (int turn = 0; turn < turns; turn++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
             i += (size_t)gridDim.x * blockDim.x)
            to[i] = from[i];
}
// One word of each sector (apart 8) or line (32): what L2 takes for pieces.
__global__ void pieces(uint32_t *data, uint32_t mask, int apart, int store, int turns,
                       uint32_t *out) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        uint32_t *at = data + (((thread + turn * gridDim.x * blockDim.x) * apart) & mask);
        if (store)
            __stcg(at, turn);
        else
            sum ^= __ldcg(at);
    }
    if (sum == 99999)
        out[0] = sum;
}
__global__ void atomic_all(uint32_t *data, uint32_t mask, int turns, int scatter) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < turns; turn++)
        atomicAdd(data + ((scatter ? thread * 2654435761u : thread) & mask), 1);
}
// The first `lanes` lanes of each warp meet on `words` words of a line, all warps on `lines` lines. REAL: sums of floats.
template <bool REAL> __global__ void atomic_lines(uint32_t *data, int lanes, int words, int lines) {
    const uint32_t lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (lane >= (uint32_t)lanes)
        return;
    for (int turn = 0; turn < 16; turn++) {
        const uint32_t line = (warp * 2654435761u + turn * 40503u) >> 7 & (lines - 1);
        uint32_t *at = data + line * 32 + lane % words * (32 / words);
        if (REAL)
            asm volatile("red.global.add.f32 [%0], 0f3F800000;" ::"l"(at));
        else
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at));
    }
}
template <bool REAL> static void time_lines(uint32_t *data) {
    const int met[][2] = {{1, 1}, {2, 2}, {8, 8}, {32, 1}, {32, 2}, {32, 8}, {32, 16}, {32, 32}};
    for (const auto &one : met)
        for (int lines : {1, 4, 32, 256}) {
            const int lanes = one[0], words = one[1];
            char name[64];
            double us =
                time_us([&] { atomic_lines<REAL><<<1056, 256>>>(data, lanes, words, lines); });
            snprintf(name, sizeof name, "atomic_%s_%d_lanes_%d_words_%d", REAL ? "f32" : "u32",
                     lanes, words, lines);
            print(name, us * 1e-6 * 1.98e9 / (1056 * 8 * 16), "clocks of the GPU for a warp's");
        }
}
__global__ void atomic_chain(long long *clocks, uint32_t *data, uint32_t *out) {
    uint32_t value = 0;
    long long begin = clock64();
    for (int i = 0; i < 64; i++)
        value = atomicAdd(data + threadIdx.x + (value >> 31), 1);
    long long end = clock64();
    if (value == 99999)
        out[0] = value;
    if (threadIdx.x == 0)
        clocks[0] = end - begin;
}
__global__ void empty() {
}
__global__ void spin(long long clocks) {
    long long begin = clock64();
    while (clock64() - begin < clocks) {
    }
}
__global__ void clock_rate(long long *clocks, long long *nanoseconds) {
    long long begin = clock64(), from, to;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    while (clock64() - begin < 20000000) {
    }
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
    clocks[0] = clock64() - begin;
    nanoseconds[0] = to - from;
}

// Microseconds of a launch, best of 5; caches as they are left.
static double time_us(const std::function<void()> &launch) {
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    float best = 1e30f;
    for (int i = 0; i < 5; i++) {
        CHECK(cudaEventRecord(a));
        launch();
        CHECK(cudaEventRecord(b));
        CHECK(cudaEventSynchronize(b));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, a, b));
        best = std::min(best, ms);
    }
    return 1e3 * best;
}

static void instructions() {
    op<Iadd>("iadd");
    op<Lop>("lop3");
    op<Shift>("shift");
    op<Imad>("imad");
    op<ImadWide>("imad_wide");
    op<Imnmx>("imnmx2");
    op<Popc>("popc");
    op<Prmt>("prmt");
    op<Select>("setp_selp");
    op<Fadd>("fadd");
    op<Ffma>("ffma");
    op<Fmnmx>("fmnmx2");
    op<Ex2>("ex2");
    op<Rcp>("rcp");
    op<Sin>("sin");
    op<Dadd>("dadd");
    op<Dfma>("dfma");
    op<Hfma2>("hfma2");
    op<I2f>("i2f");
    op<F2i>("f2i");
    op<F2d>("f2f64_2");
    op<F2h>("f2f16");
    op<Shfl>("shfl");
    op<Vote>("setp_vote");
    op<Redux>("redux");
    op<Match>("match");
    op<Hmma16816>("mma_m16n8k16_f16");
    op<Hmma1688>("mma_m16n8k8_f16");
    op<HmmaTf32>("mma_m16n8k8_tf32");
    op<Imma16832>("mma_m16n8k32_s8");
    op<Dmma884>("mma_m8n8k4_f64");
}

template <int WORDS, int OP_KIND> static void shared_op(const char *name, int stride) {
    double best = 1e30;
    for (int i = 0; i < 3; i++) {
        shared_rate<WORDS, OP_KIND><<<1, 1024>>>(clocks_device, sink, stride);
        best = std::min(best, (double)read_clocks());
    }
    print(name, best / (32.0 * 256), "clocks/warp instruction of an SM");
}

static void shared() {
    shared_chain<1><<<1, 32>>>(clocks_device, sink);
    print("latency_lds", read_clocks() / 512.0, "clocks");
    shared_chain<8><<<1, 32>>>(clocks_device, sink);
    print("latency_lds_8way", read_clocks() / 512.0, "clocks");
    shared_chain<32><<<1, 32>>>(clocks_device, sink);
    print("latency_lds_32way", read_clocks() / 512.0, "clocks");
    shared_op<1, 0>("period_lds32", 1);
    shared_op<1, 0>("period_lds32_2way", 2);
    shared_op<1, 0>("period_lds32_32way", 32);
    shared_op<2, 0>("period_lds64", 1);
    shared_op<4, 0>("period_lds128", 1);
    shared_op<1, 1>("period_sts32", 1);
    shared_op<1, 1>("period_sts32_8way", 8);
    shared_op<4, 1>("period_sts128", 1);
    shared_op<1, 2>("period_red_shared", 1);
    shared_op<1, 2>("period_red_shared_8way", 8);
    shared_op<1, 2>("period_red_shared_same", 0);
    shared_op<1, 3>("period_atom_shared", 1);
    shared_atomic_chain<<<1, 32>>>(clocks_device, sink, 0);
    print("latency_atom_shared", read_clocks() / 128.0, "clocks");
    shared_atomic_chain<<<1, 32>>>(clocks_device, sink, 1);
    print("latency_atom_shared_same", read_clocks() / 128.0, "clocks");
    for (int threads : {32, 128, 256, 512, 1024}) {
        char name[32];
        barrier_chain<<<1, threads>>>(clocks_device);
        snprintf(name, sizeof name, "barrier_%d", threads);
        print(name, read_clocks() / 256.0, "clocks");
    }
}

template <int WORDS> static void l1_op(const char *name, const void *data, int stride) {
    l1_rate<WORDS><<<1, 1024>>>(clocks_device, (const uint32_t *)data, sink, stride);
    print(name, read_clocks() / (32.0 * 256), "clocks/warp instruction of an SM");
}

// All lanes of a warp load the same value, all warps the same ones in turn, from L1: bytes 4, 8 or 16. INDEPENDENT: the sums do not wait for one another.
template <int BYTES>
__global__ void uniform_loads(const char *data, int count, int apart, int turns, float *out) {
    float a = threadIdx.x, b = 1;
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < count; i++) {
            float x, y = 0, z = 0, w = 0;
            const char *at = data + (size_t)i * apart;
            if (BYTES == 4)
                asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(at));
            if (BYTES == 8)
                asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(at));
            if (BYTES == 16)
                asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                             : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                             : "l"(at));
            a = fmaf(x + z, b, a);
            b = fminf(b, y + w + a);
        }
    if (a == 99999)
        out[0] = a + b;
}

// A table of `words` words, each lane at a place of its own: rounds of crc and the like. Clocks of an SM for a warp's load.
template <int WORDS>
__global__ void table_loads(const uint32_t *table, uint32_t mask, int turns, uint32_t *out) {
    uint32_t at = threadIdx.x * 2654435761u, sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        if (WORDS == 2) {
            uint2 found = *(const uint2 *)(table + (at >> 9 & mask & ~1u));
            sum += found.x ^ found.y;
        } else
            sum += table[at >> 9 & mask];
        at = at * 1664525u + 1013904223u;
    }
    if (sum == 99999)
        out[0] = sum;
}

// Sectors at random places of a footprint: pages that virtual memory has to find.
__global__ void random_sectors(uint32_t *data, uint64_t mask, int store, int turns, uint32_t *out) {
    uint64_t at = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b97f4a7c15u;
    uint32_t sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        at ^= at >> 29;
        at *= 0xbf58476d1ce4e5b9u;
        uint32_t *place = data + ((at >> 16) * 8 & mask);
        if (store)
            __stcg(place, turn);
        else
            sum ^= __ldcg(place);
    }
    if (sum == 99999)
        out[0] = sum;
}
// A chain of single loads, each in a page of its own; `next` holds byte offsets / 64.
__global__ void fill_chain(uint32_t *next, uint32_t places, uint32_t apart) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < places) // an odd step through a power of two of places: one circle
        next[(size_t)i * apart / 4] = ((i + (places / 2 | 1) * 5u) & (places - 1)) * (apart / 64);
}
__global__ void page_chain(long long *clocks, const uint32_t *next, int steps, uint32_t *out) {
    uint32_t at = 0;
    for (int i = 0; i < 64; i++)
        at = __ldcg(next + (size_t)at * 16);
    long long begin = clock64();
    for (int i = 0; i < steps; i++)
        at = __ldcg(next + (size_t)at * 16);
    clocks[0] = clock64() - begin;
    if (at == 1)
        out[0] = at;
}
// Threads that add by compare-and-swap, as where there is no such atomic, on `words` words that are a sector apart.
__global__ void swap_all(uint32_t *data, uint32_t words, int loop, uint32_t *failed) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x,
             *at = data + (thread * 2654435761u >> 8) % words * 8;
    uint32_t old = *(volatile uint32_t *)at, turns = 0;
    for (;;) {
        uint32_t found = atomicCAS(at, old, old + 1);
        turns++;
        if (found == old || !loop)
            break;
        old = found;
    }
    if (turns > 1 && threadIdx.x % 32 == 0)
        atomicAdd(failed, turns);
}

// Each thread swaps or adds on one of `words` words that are `apart` words apart.
enum Atomics { CAS, ADD, EXCH };
template <Atomics HOW>
__global__ void atomic_words(uint32_t *data, uint32_t words, uint32_t apart, uint32_t *out) {
    uint32_t *at = data + (size_t)((blockIdx.x * blockDim.x + threadIdx.x) % words) * apart,
             sum = 0;
    for (int turn = 0; turn < 4; turn++)
        sum += HOW == CAS   ? atomicCAS(at, 0xffffffffu, 1)
               : HOW == ADD ? atomicAdd(at, 1)
                            : atomicExch(at, sum);
    if (sum == 12345)
        *out = sum;
}
template <Atomics HOW> static void time_words(uint32_t *data, const char *what) {
    for (uint32_t words : {1u, 32u, 1024u, 32768u, 1u << 18})
        for (uint32_t apart : {1u, 8u, 32u}) {
            char name[64];
            double us =
                time_us([&] { atomic_words<HOW><<<1056, 256>>>(data, words, apart, sink); });
            snprintf(name, sizeof name, "global_%s_words%u_apart%u", what, words, apart);
            print(name, us * 1e-6 * 1.98e9 / (1056 * 256 * 4), "clocks of the GPU for each lane");
        }
}

template <int BYTES> static void time_uniform(const char *data, int apart) {
    char name[64];
    const int count = 1024, turns = 8;
    double us = time_us(
        [&] { uniform_loads<BYTES><<<sms * 4, 512>>>(data, count, apart, turns, (float *)sink); });
    snprintf(name, sizeof name, "uniform_%d_apart_%d", BYTES, apart);
    print(name, us * 1e-6 * 1.98e9 / (4.0 * 16 * count * turns),
          "clocks of an SM for a warp's load");
}

template <LoadsOfConstants HOW>
static double time_constants(int warps, int lanes_apart, int warps_apart = 0, uint32_t bits = 0) {
    const int turns = 200;
    for (int i = 0; i < 2; i++)
        constant_loads<HOW>
            <<<sms, warps * 32>>>(clocks_device, sink, lanes_apart, warps_apart, turns, bits);
    return read_clocks() / 16.0 / turns / (HOW == CHAINED ? 1 : warps);
}

static void by_constants() {
    std::vector<uint32_t> values(8192);
    for (uint32_t i = 0; i < values.size(); i++)
        values[i] = i * 7 + 5 & 2047;
    CHECK(cudaMemcpyToSymbol(constants, values.data(), values.size() * sizeof values[0]));
    const char *each = "clocks of an SM for each warp's load";
    char name[64];
    for (int warps : {1, 4, 8, 16, 32}) {
        for (int apart : {0, 1, 32}) {
            snprintf(name, sizeof name, "ldc_%dw_apart%d", warps, apart);
            print(name, time_constants<FREE>(warps, apart), each);
            snprintf(name, sizeof name, "ldc_chain_%dw_apart%d", warps, apart);
            print(name, time_constants<CHAINED>(warps, apart), "clocks");
        }
        snprintf(name, sizeof name, "ldc_%dw_warps_apart", warps);
        print(name, time_constants<FREE>(warps, 0, 97), each);
        snprintf(name, sizeof name, "ldc_guarded_%dw", warps);
        print(name, time_constants<GUARDED>(warps, 0, 31), each);
        snprintf(name, sizeof name, "ldc_guarded_all_%dw", warps);
        print(name, time_constants<GUARDED>(warps, 0, 31, ~0u), each);
    }
}

static void scattered(char *a, size_t most) {
    for (int apart : {4, 8, 16})
        time_uniform<4>(a, apart);
    time_uniform<8>(a, 8);
    time_uniform<16>(a, 16);
    for (uint32_t words : {32u, 256u, 1024u, 4096u, 16384u}) {
        char name[64];
        double us =
            time_us([&] { table_loads<1><<<sms * 4, 512>>>((uint32_t *)a, words - 1, 512, sink); });
        snprintf(name, sizeof name, "table_%u_words", words);
        print(name, us * 1e-6 * 1.98e9 / (4.0 * 16 * 512), "clocks of an SM for a warp's load");
        us =
            time_us([&] { table_loads<2><<<sms * 4, 512>>>((uint32_t *)a, words - 1, 512, sink); });
        snprintf(name, sizeof name, "table_%u_words_pairs", words);
        print(name, us * 1e-6 * 1.98e9 / (4.0 * 16 * 512), "clocks of an SM for a warp's load");
    }
    for (int store = 0; store < 2; store++)
        for (size_t mib = 16; mib << 20 <= most; mib *= 4) {
            char name[64];
            const int turns = 16;
            double us = time_us([&] {
                random_sectors<<<sms * 8, 256>>>((uint32_t *)a, (mib << 18) - 8, store, turns,
                                                 sink);
            });
            snprintf(name, sizeof name, "random_%s_%zu_mib", store ? "writes" : "reads", mib);
            print(name, (double)sms * 8 * 256 * turns / us / 1e3, "G sectors/s");
        }
    for (size_t mib = 128; mib << 20 <= most; mib *= 4) {
        char name[64];
        const uint32_t apart = (2u << 20) + 256, places = (uint32_t)((mib << 20) / (4u << 20));
        fill_chain<<<(places + 255) / 256, 256>>>((uint32_t *)a, places, apart);
        page_chain<<<1, 1>>>(clocks_device, (uint32_t *)a, 4096, sink);
        snprintf(name, sizeof name, "latency_pages_%zu_mib", mib);
        print(name, read_clocks() / 4096.0, "clocks");
    }
    for (int loop = 0; loop < 2; loop++)
        for (uint32_t words : {1u, 4u, 32u, 256u, 4096u, 1u << 20}) {
            char name[64];
            const int blocks = loop && words < 32 ? 64 : 1056;
            CHECK(cudaMemset(a, 0, 64 << 20));
            double us =
                time_us([&] { swap_all<<<blocks, 256>>>((uint32_t *)a, words, loop, sink); });
            snprintf(name, sizeof name, "swap_%s_%u_words", loop ? "loop" : "once", words);
            print(name, us * 1e-6 * 1.98e9 / (blocks * 256), "clocks of the GPU for a thread's");
        }
}

static void memory() {
    memory_latency("latency_l1", 16 << 10, 128, 16384, 0, true);
    memory_latency("latency_l2", 4 << 20, 128, 1024, 1, true);
    memory_latency("latency_l2_far", 24 << 20, 4096, 1024, 1, true);
    memory_latency("latency_dram", 512 << 20, 65536 + 128, 1024, 1, false);
    memory_latency("latency_dram_page", 256 << 20, 4096, 1024, 1, false);
    size_t most = size_t(4) << 30;
    char *a, *b;
    CHECK(cudaMalloc(&a, most));
    CHECK(cudaMalloc(&b, most));
    CHECK(cudaMemset(a, 0, most));
    CHECK(cudaMemset(b, 0, most));
    l1_op<1>("period_l1_32", a, 1);
    l1_op<1>("period_l1_32_stride2", a, 2);
    l1_op<1>("period_l1_32_stride8", a, 8);
    l1_op<1>("period_l1_32_stride32", a, 32);
    l1_op<4>("period_l1_128", a, 1);
    atomic_chain<<<1, 32>>>(clocks_device, (uint32_t *)a, sink);
    print("latency_atom_global", read_clocks() / 64.0, "clocks");
    int grid = sms * 8, threads = 256;
    for (size_t mib : {8, 16, 24, 48}) {
        size_t bytes = mib << 20;
        char name[64];
        read_all<<<grid, threads>>>((uint4 *)a, bytes / 16, sink, 2);
        double us =
            time_us([&] { read_all<<<grid, threads>>>((uint4 *)a, bytes / 16, sink, 40); }) -
            time_us([&] { read_all<<<grid, threads>>>((uint4 *)a, bytes / 16, sink, 8); });
        snprintf(name, sizeof name, "read_l2_%zu_mib", mib);
        print(name, 32 * bytes / us / 1e3, "GB/s");
        us = time_us([&] { write_all<<<grid, threads>>>((uint4 *)a, bytes / 16, 40); }) -
             time_us([&] { write_all<<<grid, threads>>>((uint4 *)a, bytes / 16, 8); });
        snprintf(name, sizeof name, "write_l2_%zu_mib", mib);
        print(name, 32 * bytes / us / 1e3, "GB/s");
    }
    size_t gib = size_t(2) << 30;
    print("read_dram",
          gib / time_us([&] { read_all<<<grid, threads>>>((uint4 *)a, gib / 16, sink, 1); }) / 1e3,
          "GB/s");
    print("write_dram",
          gib / time_us([&] { write_all<<<grid, threads>>>((uint4 *)a, gib / 16, 1); }) / 1e3,
          "GB/s");
    print("copy_dram", 2 * gib / time_us([&] {
                           copy_all<<<grid, threads>>>((uint4 *)a, (uint4 *)b, gib / 16, 1);
                       }) / 1e3,
          "GB/s");
    for (int used : {1, 8, 33, 66, 132}) { // what one SM, and some, can ask for
        if (used > sms)
            continue;
        char name[64];
        size_t bytes = (size_t)used << 22;
        double us = time_us([&] {
            read_all<<<used, 1024>>>((uint4 *)a, (size_t)used * (64 << 10) / 16, sink, 128);
        });
        snprintf(name, sizeof name, "read_l2_%d_sms", used);
        print(name, 2.0 * bytes / us / 1e3, "GB/s");
        us = time_us(
            [&] { read_all<<<used, 1024>>>((uint4 *)a, (size_t)used * (16 << 20) / 16, sink, 1); });
        snprintf(name, sizeof name, "read_dram_%d_sms", used);
        print(name, 4.0 * bytes / us / 1e3, "GB/s");
    }
    for (int store = 0; store < 2; store++)
        for (int apart : {1, 8, 16, 32}) {
            char name[64];
            uint32_t mask = (4u << 20) - 1; // 16 MiB
            int turns = 64;
            pieces<<<grid, threads>>>((uint32_t *)a, mask, apart, store, turns, sink);
            double us = time_us(
                [&] { pieces<<<grid, threads>>>((uint32_t *)a, mask, apart, store, turns, sink); });
            snprintf(name, sizeof name, "%s_l2_apart_%d", store ? "write" : "read", apart);
            print(name, us * 1e-6 * 1.98e9 / (grid * threads / 32 * (double)turns / sms),
                  "clocks of an SM's share for a warp's request");
        }
    int atomics = 1 << 22;
    for (uint32_t mask : {0u, 31u, 1023u, 65535u, (1u << 22) - 1}) {
        char name[64];
        double us = time_us([&] { atomic_all<<<atomics / 256, 256>>>((uint32_t *)a, mask, 1, 0); });
        snprintf(name, sizeof name, "red_%u_words", mask + 1);
        print(name, atomics / us / 1e3, "G/s");
        us = time_us([&] { atomic_all<<<atomics / 256, 256>>>((uint32_t *)a, mask, 1, 1); });
        snprintf(name, sizeof name, "red_%u_words_scattered", mask + 1);
        print(name, atomics / us / 1e3, "G/s");
    }
    time_lines<false>((uint32_t *)a);
    time_lines<true>((uint32_t *)a);
    time_words<CAS>((uint32_t *)a, "cas");
    time_words<ADD>((uint32_t *)a, "add");
    time_words<EXCH>((uint32_t *)a, "exch");
    CHECK(cudaMemset(a, 0, most));
    scattered(a, most);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

static void launches() {
    print("launch_empty", time_us([] { empty<<<1, 32>>>(); }), "us");
    for (int threads : {32, 128, 256, 1024}) {
        char name[64];
        double us = time_us([&] { empty<<<1 << 18, threads>>>(); });
        snprintf(name, sizeof name, "blocks_of_%d", threads);
        print(name, (1 << 18) / us, "blocks/us");
    }
}

int main() {
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    sms = properties.multiProcessorCount;
    CHECK(cudaMalloc(&clocks_device, 4096 * sizeof *clocks_device));
    CHECK(cudaMalloc(&sink, 65536));
    spin<<<sms, 32>>>(400000000); // until the clock is up
    CHECK(cudaDeviceSynchronize());
    clock_rate<<<1, 1>>>(clocks_device, clocks_device + 1);
    long long both[2];
    CHECK(cudaMemcpy(both, clocks_device, sizeof both, cudaMemcpyDeviceToHost));
    print("clock", 1e3 * both[0] / both[1], "MHz");
    print("sms", sms, "");
    instructions();
    shared();
    by_constants();
    memory();
    launches();
}

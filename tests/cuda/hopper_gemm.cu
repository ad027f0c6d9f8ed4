/* The product of two matrices as Hopper is built for it: D = A B', all bfloat16, A of M x K and B
 * of N x K elements by rows, D of M x N. A block computes 128 x 64 elements of D.
 *
 *   - One lane, the producer, has tiles of A and B brought to shared memory by TMA, in 128-byte
 *     swizzle, through a ring of stages. The barrier `full` of a stage counts the bytes that have
 *     come, `empty` the readers that are through with them.
 *   - Two warpgroups, the consumers, multiply them by wgmma, 64 rows of D each, with the sums in
 *     registers.
 *   - The sums, rounded, go to shared memory by stmatrix, swizzled likewise, and from there to D by
 *     TMA. TMA also sees to the borders: it brings zeros for what is outside of A and B, and leaves
 *     out what is outside of D.
 *
 * gemm: a block alone.   gemm_cluster: two blocks, one above the other in D, share the tile of B:
 * each brings a half of it to both. So a stage is empty only when the consumers of both say so. */
#include <cstdint>

#include <cuda_bf16.h>

/* As the driver's CUtensorMap, whose header other compilers need not have. */
struct alignas(64) TensorMap {
    uint64_t opaque[16];
};

enum {
    HEIGHT = 128, /* rows and */
    WIDTH = 64,   /* columns of D that a block computes */
    DEPTH = 64,   /* columns of A and B in a stage */
    STAGES = 4,
    CONSUMERS = 2, /* warpgroups, each with its */
    ROWS = HEIGHT / CONSUMERS,
    WARPGROUP = 128,
    THREADS = (CONSUMERS + 1) * WARPGROUP,
    SUMS = ROWS * WIDTH / WARPGROUP, /* in a thread */
    ROW_BYTES = 128, /* of 64 elements: as wide as the swizzle, which repeats after 8 rows */
};

struct __align__(8 * ROW_BYTES) Shared {
    uint8_t a[STAGES][HEIGHT * ROW_BYTES];
    uint8_t b[STAGES][WIDTH * ROW_BYTES];
    uint8_t d[CONSUMERS][ROWS * ROW_BYTES];
    uint64_t full[STAGES], empty[STAGES];
};

static __device__ uint32_t address(const void *shared) {
    return (uint32_t)__cvta_generic_to_shared(shared);
}

static __device__ uint32_t rank_in_cluster() {
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* True in one lane of the warp. */
static __device__ bool elected() {
    uint32_t one;
    asm volatile("{\n"
                 ".reg .pred one;\n"
                 "elect.sync _|one, 0xffffffff;\n"
                 "selp.u32 %0, 1, 0, one;\n"
                 "}"
                 : "=r"(one));
    return one;
}

static __device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release;\n"
                 "barrier.cluster.wait.acquire;" ::
                     : "memory");
}

/* ---- barriers ---- */

static __device__ void init(uint64_t *barrier, uint32_t arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(arrivals));
}

static __device__ void expect(uint64_t *barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* At the barrier that has this place in the shared memory of a block of the cluster. */
static __device__ void arrive(uint64_t *barrier, uint32_t rank) {
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n"
                 "}" ::"r"(address(barrier)),
                 "r"(rank)
                 : "memory");
}

static __device__ void wait(uint64_t *barrier, uint32_t parity) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "AGAIN:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra AGAIN;\n"
                 "}" ::"r"(address(barrier)),
                 "r"(parity)
                 : "memory");
}

/* ---- TMA ---- */

/* The box at column x and row y, to these blocks of the cluster. */
template <int BLOCKS>
static __device__ void load(void *to, const TensorMap *map, int x, int y, uint64_t *barrier) {
    if constexpr (BLOCKS == 1)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            " [%0], [%1, {%2, %3}], [%4];" ::"r"(address(to)),
            "l"(map), "r"(x), "r"(y), "r"(address(barrier))
            : "memory");
    else
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address(to)),
            "l"(map), "r"(x), "r"(y), "r"(address(barrier)), "h"((uint16_t)((1 << BLOCKS) - 1))
            : "memory");
}

static __device__ void store(const TensorMap *map, int x, int y, const void *from) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
            map),
        "r"(x), "r"(y), "r"(address(from))
        : "memory");
}

/* ---- wgmma ---- */

/* Describes a tile: rows of 128 bytes in 128-byte swizzle, 1024 bytes from 8 rows to the next. */
static __device__ uint64_t describe(const void *tile) {
    return (uint64_t)address(tile) >> 4 | (uint64_t)(8 * ROW_BYTES >> 4) << 32 | (uint64_t)1 << 62;
}

/* sum += A B' for 64 x 16 and 64 x 16 elements; if not keep, sum = A B'. */
static __device__ void multiply(float (&sum)[SUMS], uint64_t a, uint64_t b, int keep) {
#define EIGHT(i)                                                                                   \
    "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]),          \
        "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])
    asm volatile(
        "{\n"
        ".reg .pred keep;\n"
        "setp.ne.b32 keep, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16\n"
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,\n"
        " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31},\n"
        "%32, %33, keep, 1, 1, 0, 0;\n"
        "}"
        : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
        : "l"(a), "l"(b), "r"(keep));
#undef EIGHT
}

/* ---- the kernel ---- */

template <int BLOCKS>
static __device__ void produce(Shared &shared, const TensorMap *a, const TensorMap *b, int row,
                               int column, int stages) {
    uint32_t rank = BLOCKS > 1 ? rank_in_cluster() : 0;
    constexpr int PART = WIDTH / BLOCKS; /* rows of B that this block brings */
#pragma unroll 1
    for (int i = 0; i < stages; i++) {
        int s = i % STAGES;
        uint64_t *full = &shared.full[s];
        wait(&shared.empty[s], i / STAGES % 2 ^ 1); /* at once, the first time round */
        expect(full, (HEIGHT + WIDTH) * ROW_BYTES);
        load<1>(shared.a[s], a, i * DEPTH, row, full);
        load<BLOCKS>(shared.b[s] + rank * PART * ROW_BYTES, b, i * DEPTH, column + rank * PART,
                     full);
    }
}

template <int BLOCKS>
static __device__ void consume(Shared &shared, float (&sum)[SUMS], int group, int stages) {
#pragma unroll 1
    for (int i = 0; i < stages; i++) {
        int s = i % STAGES;
        wait(&shared.full[s], i / STAGES % 2);
        uint64_t a = describe(shared.a[s] + group * ROWS * ROW_BYTES), b = describe(shared.b[s]);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < DEPTH / 16; k++) /* 16 elements are 32 bytes, 2 in a descriptor */
            multiply(sum, a + 2 * k, b + 2 * k, i > 0 || k > 0);
        asm volatile("wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 0;" ::
                         : "memory");
        if (threadIdx.x % WARPGROUP < BLOCKS)
            arrive(&shared.empty[s], threadIdx.x % WARPGROUP);
    }
}

/* The sums, rounded, as the tile that is copied out. A warp has 16 rows of it; of these, sums 8 i
 * to 8 i + 7 are columns 16 i to 16 i + 15: four matrices for stmatrix. */
static __device__ void put(uint8_t *tile, const float (&sum)[SUMS]) {
    uint32_t warp = threadIdx.x % WARPGROUP / 32, lane = threadIdx.x % 32;
    uint32_t row = warp * 16 + lane % 16;
#pragma unroll
    for (uint32_t i = 0; i < SUMS / 8; i++) {
        uint8_t *to = tile + row * ROW_BYTES + ((2 * i + lane / 16) ^ row % 8) * 16;
        uint32_t word[4];
#pragma unroll
        for (int w = 0; w < 4; w++) {
            __nv_bfloat162 pair = __floats2bfloat162_rn(sum[8 * i + 2 * w], sum[8 * i + 2 * w + 1]);
            word[w] = reinterpret_cast<uint32_t &>(pair);
        }
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared::cta.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                         address(to)),
                     "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3])
                     : "memory");
    }
}

template <int BLOCKS>
static __device__ void product(const TensorMap &a, const TensorMap &b, const TensorMap &d, int k) {
    extern __shared__ Shared dynamic[];
    Shared &shared = dynamic[0];
    int row = blockIdx.x * HEIGHT, column = blockIdx.y * WIDTH;
    int group = threadIdx.x / WARPGROUP, stages = (k + DEPTH - 1) / DEPTH;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            init(&shared.full[s], 1);
            init(&shared.empty[s], CONSUMERS * BLOCKS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if constexpr (BLOCKS > 1)
        cluster_sync();
    else
        __syncthreads();

    if (group == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x / 32 == CONSUMERS * WARPGROUP / 32 && elected())
            produce<BLOCKS>(shared, &a, &b, row, column, stages);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float sum[SUMS] = {};
        uint8_t *tile = shared.d[group];
        consume<BLOCKS>(shared, sum, group, stages);
        put(tile, sum);
        asm volatile("fence.proxy.async.shared::cta;\n" /* the copy reads what was stored */
                     "bar.sync %0, %1;" ::"r"(1 + group),
                     "n"((int)WARPGROUP)
                     : "memory");
        if (threadIdx.x % WARPGROUP == 0) {
            store(&d, column, row + group * ROWS, tile);
            asm volatile("cp.async.bulk.commit_group;\n"
                         "cp.async.bulk.wait_group.read 0;" ::
                             : "memory");
        }
    }
    if constexpr (BLOCKS > 1)
        cluster_sync(); /* the other block arrives at barriers in this one's shared memory */
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
         const __grid_constant__ TensorMap d, int k) {
    product<1>(a, b, d, k);
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(THREADS, 1)
    gemm_cluster(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
                 const __grid_constant__ TensorMap d, int k) {
    product<2>(a, b, d, k);
}

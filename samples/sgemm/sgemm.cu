// sgemm: C = alpha * A * B^T + beta * C through tiles in shared memory. A is m x k and B is n x k,
// both with k along their rows (what BLAS calls TN), and C is m x n.
//
// A block of 16 x 16 threads computes BM x BN elements of C. It walks along k in steps of BK: it
// copies BM rows of A and BN rows of B, BK elements of each, into shared memory; then each thread
// multiplies TM rows of the one with TN rows of the other. It reads 16 bytes of a row at a time.
//
// How a tile gets into shared memory, and how it lies there, is the business of a loader type, one
// for each operand: Loader<Copy, Layout>.
//
//   Copy     Sync        128-bit loads into registers, 128-bit stores to shared memory
//            Async       cp.async: 16 bytes from global to shared memory, past the registers
//   Layout   Plain       rows of 128 bytes, one after the other
//            Skewed      16 unused bytes at the end of each row
//            Swizzled    the eight 16-byte chunks of a row permuted by the row's number
//
// Where the banks come in: neighbouring threads read the same chunk of neighbouring rows of B.
// Plain rows start in the same bank, so the eight threads that are served together meet in four
// banks: 8 wavefronts instead of 1. Skewed and Swizzled rows have their chunks in different banks.
// Of A a warp reads only two rows, each with half of its threads, and A may lie as it likes.

#include <cassert>

// ---- how 16 bytes get from global to shared memory ----

struct Sync {
    static __device__ void copy16(void *shared, const void *global) {
        *static_cast<int4 *>(shared) = *static_cast<const int4 *>(global);
    }
    static __device__ void wait() {
    }
};

struct Async {
    static __device__ void copy16(void *shared, const void *global) {
        unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
    }
    static __device__ void wait() {
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
};

// ---- where a row's chunks lie ----

struct Plain {
    static constexpr int skew = 0; // unused chunks at the end of a row
    static __device__ int place(int, int chunk) {
        return chunk;
    }
};

struct Skewed {
    static constexpr int skew = 1;
    static __device__ int place(int, int chunk) {
        return chunk;
    }
};

struct Swizzled {
    static constexpr int skew = 0;
    static __device__ int place(int row, int chunk) {
        return chunk ^ (row % 8);
    }
};

// ---- a tile of one operand and how it is loaded ----

constexpr int CHUNK_BYTES = 16;

template <typename T> struct alignas(CHUNK_BYTES) Chunk {
    static constexpr int size = CHUNK_BYTES / sizeof(T);
    T element[size];
};

template <class Copy_, class Layout> struct Loader {
    using Copy = Copy_;

    template <typename T, int ROWS, int COLUMNS> struct Tile {
        static constexpr int chunks = COLUMNS / Chunk<T>::size; // in a row
        static_assert(chunks == 8, "a row is 128 bytes, all 32 banks once: what Swizzled permutes");

        Chunk<T> rows[ROWS][chunks + Layout::skew];

        __device__ Chunk<T> &at(int row, int chunk) {
            return rows[row][Layout::place(row, chunk)];
        }

        // The tile whose first element is *from, in a matrix with `pitch` elements per row.
        __device__ void load(const T *from, int pitch, int thread, int threads) {
            for (int i = thread; i < ROWS * chunks; i += threads) {
                int row = i / chunks, chunk = i % chunks;
                const T *source = from + static_cast<size_t>(row) * pitch + chunk * Chunk<T>::size;
                Copy::copy16(&at(row, chunk), source);
            }
        }
    };
};

// ---- the kernel ----

constexpr int SIDE = 16; // blockDim is (SIDE, SIDE)

// Grid: (n / BN, m / BM).
template <typename T, int BM, int BN, int BK, int TM, int TN, class LoaderA, class LoaderB>
__global__ void gemm(const T *A, const T *B, T *C, int m, int n, int k, T alpha, T beta) {
    static_assert(BM == SIDE * TM && BN == SIDE * TN, "each thread computes TM x TN elements");
    assert(blockDim.x == SIDE && blockDim.y == SIDE);
    assert(m % BM == 0 && n % BN == 0 && k % BK == 0);

    using TileA = typename LoaderA::template Tile<T, BM, BK>;
    using TileB = typename LoaderB::template Tile<T, BN, BK>;
    __shared__ TileA tileA;
    __shared__ TileB tileB;

    const int x = threadIdx.x, y = threadIdx.y;
    const int thread = y * SIDE + x, threads = SIDE * SIDE;
    const int row = blockIdx.y * BM, column = blockIdx.x * BN; // of the block's part of C

    T sum[TM][TN] = {};
    for (int step = 0; step < k; step += BK) {
        tileA.load(A + static_cast<size_t>(row) * k + step, k, thread, threads);
        tileB.load(B + static_cast<size_t>(column) * k + step, k, thread, threads);
        LoaderA::Copy::wait();
        LoaderB::Copy::wait();
        __syncthreads();

#pragma unroll 1
        for (int i = 0; i < TileA::chunks; i++) {
            Chunk<T> a[TM], b[TN];
#pragma unroll
            for (int r = 0; r < TM; r++)
                a[r] = tileA.at(y + r * SIDE, i); // a warp: two rows
#pragma unroll
            for (int c = 0; c < TN; c++)
                b[c] = tileB.at(x + c * SIDE, i); // a warp: sixteen rows
#pragma unroll
            for (int r = 0; r < TM; r++)
#pragma unroll
                for (int c = 0; c < TN; c++)
#pragma unroll
                    for (int e = 0; e < Chunk<T>::size; e++)
                        sum[r][c] += a[r].element[e] * b[c].element[e];
        }
        __syncthreads();
    }

    for (int r = 0; r < TM; r++)
        for (int c = 0; c < TN; c++) {
            T *element = C + static_cast<size_t>(row + y + r * SIDE) * n + column + x + c * SIDE;
            *element = alpha * sum[r][c] + beta * *element;
        }
}

#define GEMM(T, BM, BN, BK, TM, TN, LOADER_A, LOADER_B)                                            \
    template __global__ void gemm<T, BM, BN, BK, TM, TN, LOADER_A, LOADER_B>(                      \
        const T *, const T *, T *, int, int, int, T, T)

using SyncPlain = Loader<Sync, Plain>;
using SyncSkewed = Loader<Sync, Skewed>;
using AsyncPlain = Loader<Async, Plain>;
using AsyncSkewed = Loader<Async, Skewed>;
using AsyncSwizzled = Loader<Async, Swizzled>;
GEMM(float, 128, 128, 32, 8, 8, SyncPlain, SyncPlain);
GEMM(float, 128, 128, 32, 8, 8, SyncPlain, SyncSkewed);
GEMM(float, 128, 128, 32, 8, 8, AsyncPlain, AsyncPlain);
GEMM(float, 128, 128, 32, 8, 8, AsyncPlain, AsyncSkewed);
GEMM(float, 128, 128, 32, 8, 8, AsyncPlain, AsyncSwizzled);
GEMM(double, 64, 64, 16, 4, 4, SyncPlain, SyncPlain);
GEMM(double, 64, 64, 16, 4, 4, SyncPlain, SyncSkewed);

// ---- what the two faster kernels share ----

constexpr int BLOCK = 256; // blockDim.x: 4 x 2 warps of 4 x 8 threads, each with 8 x 8 elements
constexpr int SPAN = 128;  // rows of A, and of B, that a block multiplies: 4 * 4 * 8 = 2 * 8 * 8
constexpr int PER_SIDE = 8;
constexpr int GROUP = 8;

// Where a thread stands among those that share a block's part of C.
//
// A warp is 4 rows of 8 threads. Threads of a row read the same of A, and those of a column the
// same of B. Which lanes make up a row is not free of cost: a 16-byte read is served by half-warps
// instead of quarter-warps if lanes t and t ^ 1 read the same for all t, or lanes t and t ^ 2 do.
// So bit 0 of the lane selects a column only (then t and t ^ 1 read the same of A), and bit 1 a row
// only (t and t ^ 2, the same of B): both reads take 2 wavefronts and not 4.
struct Place {
    int row, column;

    __device__ Place() {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        row = warp / 2 * 32 + ((lane >> 1 & 1) | (lane >> 3 & 2));
        column = warp % 2 * 64 + ((lane & 1) | (lane >> 1 & 6));
    }
};

// Which part of C a block computes: the grid, one-dimensional, goes down GROUP parts before it goes
// right. Blocks that run at the same time then share rows of A and B in the second-level cache.
struct Part {
    int row, column; // of its first element

    __device__ Part(int m, int n) {
        const int down = m / SPAN, right = n / SPAN, id = blockIdx.x;
        const int first = id / (GROUP * right) * GROUP, rows = min(down - first, GROUP);
        row = (first + id % (GROUP * right) % rows) * SPAN;
        column = id % (GROUP * right) / rows * SPAN;
    }
};

// An assertion without a message: assert() calls a function, and a kernel that calls one has eight
// registers less to itself (gemmTurned needs them).
__device__ __forceinline__ void require(bool condition) {
    if (!condition)
        __trap();
}

// As BLAS has it, C is not read where beta is 0.
__device__ __forceinline__ float scaled(float alpha, float sum, float beta, const float *c) {
    return fmaf(alpha, sum, beta == 0 ? 0 : beta * *c);
}

// ---- several stages of asynchronous copies ----

// While one tile is multiplied, the next ones are on their way: STAGES tiles of each operand lie in
// shared memory, and cp.async.wait_group waits for the oldest copies only. Likewise in registers:
// chunk i + 1 is read while chunk i is multiplied.
//
// Grid: m / SPAN * n / SPAN blocks. Shared memory: STAGES * sizeof(Stage), which is dynamic.
struct Stage {
    static constexpr int K = 32;
    static constexpr int chunks = K / 4;
    static constexpr int step = BLOCK / chunks; // rows that the block copies at a time
    using Rows = float4[SPAN][chunks];
    Rows a, b; // chunk c of row r lies at place c ^ r % 8

    // A thread's first chunk, among those that it copies from a matrix with k elements in a row.
    static __device__ size_t source(int k) {
        return static_cast<size_t>(threadIdx.x / chunks) * k + threadIdx.x % chunks * 4;
    }
    static __device__ __forceinline__ void copy(Rows &to, const float *from, int k) {
        const int row = threadIdx.x / chunks, place = threadIdx.x % chunks ^ row % 8;
#pragma unroll
        for (int i = 0; i < SPAN; i += step)
            Async::copy16(&to[row + i][place], from + static_cast<size_t>(i) * k);
    }
};

// One k: element K of each of a thread's chunks of A with those of its chunks of B.
template <float float4::*K>
__device__ __forceinline__ void multiply(float (&sum)[PER_SIDE][PER_SIDE],
                                         const float4 (&a)[PER_SIDE], const float4 (&b)[PER_SIDE]) {
#pragma unroll
    for (int r = 0; r < PER_SIDE; r++)
#pragma unroll
        for (int c = 0; c < PER_SIDE; c++)
            sum[r][c] += a[r].*K * b[c].*K;
}

template <int STAGES>
__global__ void __launch_bounds__(BLOCK, 1)
    gemmStages(const float *A, const float *B, float *C, int m, int n, int k, float alpha,
               float beta) {
    require(blockDim.x == BLOCK && m % SPAN == 0 && n % SPAN == 0 && k % Stage::K == 0);
    extern __shared__ __align__(128) unsigned char sharedMemory[];
    Stage *const stages = reinterpret_cast<Stage *>(sharedMemory);

    const Place place;
    const Part part(m, n);
    const float *nextA = A + static_cast<size_t>(part.row) * k + Stage::source(k);
    const float *nextB = B + static_cast<size_t>(part.column) * k + Stage::source(k);
    const float *const endA = nextA + k;
    const auto copy = [&](Stage &to) {
        if (nextA < endA) {
            Stage::copy(to.a, nextA, k);
            Stage::copy(to.b, nextB, k);
            nextA += Stage::K;
            nextB += Stage::K;
        }
        asm volatile("cp.async.commit_group;" ::: "memory"); // one group per step, also if empty
    };
    const auto arrive = [] { // of all groups but the newest STAGES - 2
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
    };

    float4 a[2][PER_SIDE], b[2][PER_SIDE];
    const auto read = [&](int into, const Stage &from, int chunk) {
#pragma unroll
        for (int r = 0; r < PER_SIDE; r++)
            a[into][r] = from.a[place.row + 4 * r][chunk ^ (place.row + 4 * r) % 8];
#pragma unroll
        for (int c = 0; c < PER_SIDE; c++)
            b[into][c] = from.b[place.column + 8 * c][chunk ^ place.column % 8];
    };

#pragma unroll
    for (int i = 0; i < STAGES - 1; i++)
        copy(stages[i]);
    arrive();
    read(0, stages[0], 0);

    float sum[PER_SIDE][PER_SIDE] = {};
    int now = 0;
    for (int step = 0; step < k; step += Stage::K) {
        const int next = now + 1 < STAGES ? now + 1 : 0;
        const int before = now > 0 ? now - 1 : STAGES - 1;
#pragma unroll
        for (int i = 0; i < Stage::chunks; i++) {
            if (i + 1 == Stage::chunks)
                arrive();
            read((i + 1) % 2, stages[i + 1 == Stage::chunks ? next : now], (i + 1) % Stage::chunks);
            if (i == 0)
                copy(stages[before]); // all have left it: they have arrived at this step
            multiply<&float4::x>(sum, a[i % 2], b[i % 2]);
            multiply<&float4::y>(sum, a[i % 2], b[i % 2]);
            multiply<&float4::z>(sum, a[i % 2], b[i % 2]);
            multiply<&float4::w>(sum, a[i % 2], b[i % 2]);
        }
        now = next;
    }

#pragma unroll
    for (int r = 0; r < PER_SIDE; r++)
#pragma unroll
        for (int c = 0; c < PER_SIDE; c++) {
            const size_t row = part.row + place.row + 4 * r;
            float *to = C + row * n + part.column + place.column + 8 * c;
            *to = scaled(alpha, sum[r][c], beta, to);
        }
}

template __global__ void gemmStages<3>(const float *, const float *, float *, int, int, int, float,
                                       float);

// ---- turned on the way through the registers ----

// gemmStages reads four elements along k at a time, so that a thread holds 4 * (8 + 8) of them,
// twice, beside its 64 sums: 254 registers, and only one block fits on a multiprocessor. Here the
// tiles are turned: element (row, k) lies at [k][row], and for one k a thread reads its 8 + 8
// elements with four reads of 16 bytes. 120 registers suffice, two blocks fit, and one computes
// while the other waits. cp.async cannot turn (it copies 16 bytes as they are), so the copies go
// through registers: loaded at the start of a step, stored into the other buffer at its end.
//
// Banks: a warp loads 32 bytes of each of 16 rows, two threads to a row, and stores 4 words each:
// words k and k + 4 of 16 rows. With 4 unused words behind each row of the turned tile, k + 4 lies
// 4 * 132 words on, in the other half of the banks: one wavefront a store. The reads are of 16
// bytes side by side.
struct TurnedTile {
    static constexpr int K = 8;
    static_assert(SPAN * K == 4 * BLOCK, "each thread copies 16 bytes, two threads a row");
    float at[K][SPAN + 4];

    // The thread's 16 bytes among those of the tile's rows.
    static __device__ int source(int k) {
        return threadIdx.x / 2 * k + threadIdx.x % 2 * 4;
    }
    static __device__ __forceinline__ float4 load(const float *from) {
        return *reinterpret_cast<const float4 *>(from);
    }
    __device__ __forceinline__ void store(float4 piece) {
        float(*to)[SPAN + 4] = at + threadIdx.x % 2 * 4;
        const int row = threadIdx.x / 2;
        to[0][row] = piece.x;
        to[1][row] = piece.y;
        to[2][row] = piece.z;
        to[3][row] = piece.w;
    }
    // Of one k: four elements from `row` on and four from `row + distance` on.
    __device__ __forceinline__ void read(float (&eight)[PER_SIDE], int k, int row, int distance) {
        float4 *to = reinterpret_cast<float4 *>(eight);
        to[0] = *reinterpret_cast<const float4 *>(&at[k][row]);
        to[1] = *reinterpret_cast<const float4 *>(&at[k][row + distance]);
    }
};

// Grid: m / SPAN * n / SPAN blocks.
__global__ void __launch_bounds__(BLOCK, 2)
    gemmTurned(const float *A, const float *B, float *C, int m, int n, int k, float alpha,
               float beta) {
    require(blockDim.x == BLOCK && m % SPAN == 0 && n % SPAN == 0 && k % TurnedTile::K == 0);
    __shared__ __align__(16) TurnedTile tilesA[2], tilesB[2];

    // A thread's rows of the part of C: four from `row` on and four from row + 16 on. Columns alike.
    const Place place;
    const int row = place.row / 32 * 32 + place.row % 32 * 4;
    const int column = place.column / 64 * 64 + place.column % 64 * 4;
    const Part part(m, n);
    A += static_cast<size_t>(part.row) * k; // the same for all threads, and so in uniform registers
    B += static_cast<size_t>(part.column) * k;
    const int source = TurnedTile::source(k);

    constexpr int K = TurnedTile::K;
    float a[2][PER_SIDE], b[2][PER_SIDE];
    const auto read = [&](int into, int tile, int i) {
        tilesA[tile].read(a[into], i, row, 16);
        tilesB[tile].read(b[into], i, column, 32);
    };
    tilesA[0].store(TurnedTile::load(A + source));
    tilesB[0].store(TurnedTile::load(B + source));
    __syncthreads();
    read(0, 0, 0);

    float sum[PER_SIDE][PER_SIDE] = {};
    const int steps = k / K;
#pragma unroll 2
    for (int step = 0; step < steps; step++) {
        const int now = step % 2;
        const bool more = step + 1 < steps;
        float4 pieceA, pieceB;
        if (more) {
            pieceA = TurnedTile::load(A + (source + (step + 1) * K));
            pieceB = TurnedTile::load(B + (source + (step + 1) * K));
        }
#pragma unroll
        for (int i = 0; i < K; i++) {
            if (i + 1 == K) {
                if (more) {
                    tilesA[1 - now].store(pieceA);
                    tilesB[1 - now].store(pieceB);
                }
                __syncthreads();
            }
            read((i + 1) % 2, i + 1 == K ? 1 - now : now, (i + 1) % K);
            // Down one column, up the next: neighbouring multiplications share an operand, which
            // then comes from the operand cache and not from the register file.
#pragma unroll
            for (int c = 0; c < PER_SIDE; c++)
#pragma unroll
                for (int j = 0; j < PER_SIDE; j++) {
                    const int r = c % 2 ? PER_SIDE - 1 - j : j;
                    sum[r][c] += a[i % 2][r] * b[i % 2][c];
                }
        }
    }

#pragma unroll
    for (int r = 0; r < PER_SIDE; r++)
#pragma unroll
        for (int c = 0; c < PER_SIDE; c += 4) {
            float *to = C + static_cast<size_t>(part.row + row + r / 4 * 16 + r % 4) * n +
                        part.column + column + c / 4 * 32;
            float4 four = {0, 0, 0, 0};
            if (beta != 0)
                four = *reinterpret_cast<const float4 *>(to);
            four = {fmaf(alpha, sum[r][c], beta * four.x),
                    fmaf(alpha, sum[r][c + 1], beta * four.y),
                    fmaf(alpha, sum[r][c + 2], beta * four.z),
                    fmaf(alpha, sum[r][c + 3], beta * four.w)};
            *reinterpret_cast<float4 *>(to) = four;
        }
}

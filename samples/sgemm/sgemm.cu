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

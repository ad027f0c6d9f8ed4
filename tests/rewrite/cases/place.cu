//! tried
//! padded 128 4 | 4096 | macros(int const*, int*)::alone
//! padded 128 4 | 4096 | macros(int const*, int*)::one
//! padded 64 4 | 2048 | macros(int const*, int*)::named
//! padded 128 4 | 4096 | functions(int const*, int*)::tile
//! padded 128 4 | 4096 | functions(int const*, int*)::shared
//! padded 128 4 | 4096 | others(int const*, int*)::twice
//! padded 128 4 | 4096 | others(int const*, int*)::itself
//! padded 128 4 | 4096 | others(int const*, int*)::inner
// Macros and functions that compute the place of an element: changed where the array alone uses them, else copied.
#define W 16
#define OWN(r, c) ((r) * 32 + (c))
#define IDX(r, c) (32 * (r) + (c))
#define NAMED(r, c) \
    ((r) * W + (c))
#define NAMED_PADDED 1

__device__ int place(int r, int c) { return r * 32 + c; }
static __device__ __forceinline__ int position(int r, int c) {
    return r * 32 + c;
}

#ifdef NEVER
#define TWICE(r, c) ((c) * 32 + (r))
#else
#define TWICE(r, c) ((r) * 32 + (c))
#endif
#define ITSELF(r, c) ITSELF(r, c)
#define INNER(r, c) inner[IDX(r, c)]

__global__ void macros(const int *in, int *out) {
    __shared__ int alone[32 * 32], one[32 * 32], named[32 * W];
    alone[OWN(threadIdx.y, threadIdx.x)] = in[0];
    one[IDX(threadIdx.y, threadIdx.x) + 1] = in[IDX(threadIdx.y, threadIdx.x)];
    named[NAMED(threadIdx.y, threadIdx.x)] = in[NAMED(0, 1)];
    out[0] = alone[OWN(threadIdx.x, threadIdx.y)] + one[IDX(threadIdx.x, threadIdx.y)] +
             named[NAMED(threadIdx.x, threadIdx.y)];
}

__global__ void functions(const int *in, int *out) {
    __shared__ int tile[32 * 32], shared[1024];
    tile[place(threadIdx.y, threadIdx.x)] = in[0];
    shared[position(threadIdx.y, threadIdx.x)] = in[position(0, 1)];
    out[0] = tile[place(threadIdx.x, threadIdx.y)] + shared[position(threadIdx.x, 0)];
}

__global__ void others(const int *in, int *out) {
    __shared__ int twice[32 * 32], itself[32 * 32], inner[32 * 32];
    twice[TWICE(threadIdx.y, threadIdx.x)] = in[0];
    itself[32 * 4] = 1;
    out[0] = itself[ITSELF(0, 1)];
    INNER(threadIdx.y, threadIdx.x) = in[0];
    out[1] = INNER(threadIdx.x, 0);
}

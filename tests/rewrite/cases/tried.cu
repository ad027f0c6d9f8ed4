//! tried
//! padded 128 16 | 4096 | use(half_t const*, float*)::tile
//! padded 128 16 | 4096 | use(half_t const*, float*)::passed
//! padded 128 16 | 4096 | use(half_t const*, float*)::named
//! padded 128 16 | 4096 | use(half_t const*, float*)::referred
//! swizzled 3 4 3 | 4096 | use(half_t const*, float*)::turned
// What is written will be compiled and run: rows, parameters, macros and addresses are followed.
struct half_t {
    unsigned short bits;
};
template <typename T> struct Fragment {};
__device__ void load_matrix_sync(Fragment<half_t> &, const half_t *, unsigned ldm);
__device__ unsigned address_of(const void *);

__device__ half_t pick(half_t (*rows)[64], int y) {
    return rows[y][0];
}
#define NAMED(y, x) named[(y)][(x)]

__global__ void use(const half_t *in, float *out) {
    __shared__ half_t tile[32][64], passed[32][64];
    __shared__ half_t named[32][64], referred[32][64];
    half_t(&row)[64] = referred[threadIdx.x];
    __shared__ half_t turned[32][64];
    Fragment<half_t> a;
    tile[threadIdx.y][threadIdx.x] = in[0];
    load_matrix_sync(a, &tile[16][16], 64);
    load_matrix_sync(a, tile[0], 32 + 32);
    out[0] = pick(passed, threadIdx.x).bits;
    NAMED(threadIdx.y, threadIdx.x) = in[1];
    row[threadIdx.y] = in[2];
    out[1] = address_of(&turned[threadIdx.y][threadIdx.x]);
}

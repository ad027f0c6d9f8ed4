//! tried
//! padded 128 4 | 4096 | less(int const*, int*, int)::back
//! padded 128 4 | 4096 | less(int const*, int*, int)::shifted
//! padded 128 4 | 4096 | less(int const*, int*, int)::masked
//! padded 128 4 | 4096 | less(int const*, int*, int)::signs
//! padded 128 4 | 4096 | less(int const*, int*, int)::scaled
//! padded 128 4 | 4096 | less(int const*, int*, int)::braced
//! padded 128 4 | 4096 | less(int const*, int*, int)::zero
//! padded 128 4 | 4096 | less(int const*, int*, int)::called
//! padded 128 4 | 4096 | less(int const*, int*, int)::odd
//! padded 128 4 | 4096 | less(int const*, int*, int)::referred
// Operators of an index that a loop's variable moves.
struct Where {
    int row, column;
};
__device__ int moved(int i);
__device__ void skip(int &i);

__global__ void less(const int *in, int *out, int n) {
    __shared__ int back[1024], shifted[1024], masked[1024], signs[1024], scaled[1024], braced[1024];
    __shared__ int zero[1024], called[1024], odd[1024], referred[1024];
    Where at = {n, n};
    for (int i = threadIdx.x; i < 1024; i += 64)
        back[1023 - i] = in[i];
    for (int i = threadIdx.x; i < 32; i += 16)
        shifted[i << 5] = in[i];
    for (int i = threadIdx.x; i < 1024; i += 64)
        masked[(i >> 5) * 32 + (i & 31)] = in[i];
    for (int i = threadIdx.x; i < 1024; i += 64)
        signs[(i - 8) / 32 * 32 + 8] = in[i];
    for (int i = threadIdx.x; i < 16; i += 8)
        scaled[4 * 16 * i] = in[i];
    for (int i = threadIdx.x; i < 512; i += 64)
        braced[((i) + (n + at.row)) * 2] = in[i];
    for (int i = threadIdx.x; i < 1024; i += 64)
        zero[0 + i * n / n + 0 * i] = in[i];
    for (int i = threadIdx.x; i < 1024; i += 64)
        called[moved(i)] = in[i];
    for (int i = threadIdx.x; i < 1024; i += 48)
        odd[i / 32 * 32 + i % 32] = in[i] + odd[(i & 27) + (i << n) + (i / n)];
    for (int i = threadIdx.x; i < 1024; i += 64) {
        referred[i] = in[i];
        skip(i);
    }
    out[0] = back[n] + shifted[n] + masked[n] + signs[n] + scaled[n] + braced[n] + zero[n] + called[n] + odd[n] + referred[n];
}

//! padded 128 4 | 4096 | scan(float*)::a
//! padded 64 8 | 4096 | scan(float*)::b
//! padded 128 4 | 4096 | nested(int*)::next
//! padded 128 4 | 4096 | nested(int*)::value
//! padded 136 4 | 4096 | odd(float*)::tile
//! padded 128 4 | 4000 | rest(float*)::a
//! transposed 32 128 4 | 4096 | turned(float*)::a
//! padded 128 4 1024 8 | 4096 | twice(float*)::a
//! padded 128 4 1024 8 | 4096 | twice(float*)::tile
//! swizzled 5 2 5 | 4000 | rounded(float*)::a
//! swizzled 5 2 5 | 400 | rounded(float*)::b
// A function of the index: its extent grows with the number of elements.
#define N 1024
#define pad_2_per_16 taken

/* The helper
 * goes above this comment. */
__global__ void scan(float *out) {
    __shared__ float a[N];
    __shared__ float b[N / 2 + N / 2];
    a[threadIdx.x] = b[2 * threadIdx.x + 1, threadIdx.x] = out[threadIdx.x];
    for (int d = 1; d < N; d *= 2)
        a[threadIdx.x + d] += a[threadIdx.x];
}

namespace deep {
template <class T> struct Box {
    // Of a class.
    __device__ void nested(int *out) {
        __shared__ int next[1024], value[1024];
        value[next[next[threadIdx.x]]] = next[value[0] + 1];
        out[threadIdx.x] = value[threadIdx.x];
    }
};
} // namespace deep

extern "C" __global__ void nested(int *out) {
    __shared__ int next[1024], value[1024];
    value[next[next[threadIdx.x]]] = next[value[0] + 1];
    out[threadIdx.x] = (value)[(int)threadIdx.x];
    deep::Box<int>().nested(out);
}

__global__ void odd(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x ? 1 : 2] = out[threadIdx.x];
}

__global__ void rest(float *out) {
    __shared__ float a[N - 24];
    a[threadIdx.x] = out[threadIdx.x];
}

__global__ void turned(float *out) {
    __shared__ float a[N];
    a[threadIdx.x] = out[threadIdx.x];
}

__global__ void twice(float *out) {
    __shared__ float a[1000 + 24], tile[N / 32][32];
    a[threadIdx.x] = tile[threadIdx.y][threadIdx.x] + out[threadIdx.x];
}

__global__ void rounded(float *out) {
    __shared__ float a[N - 24], b[100];
    a[threadIdx.x] = b[threadIdx.x] + out[threadIdx.x];
}

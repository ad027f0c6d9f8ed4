//! tried
//! padded 128 4 | 4096 | rows(float const*, float*)::plain
//! padded 128 8 | 4096 | rows(float const*, float*)::named
//! padded 72 4 | 1296 | rows(float const*, float*)::halo
//! padded 128 4 | 8192 | rows(float const*, float*)::planes
//! padded 128 4 | 4096 | rows(float const*, float*)::macro
//! padded 128 4 | 4096 | rows(float const*, float*)::mixed
//! padded 128 4 | 4096 | rows(float const*, float*)::none
//! padded 128 4 | 4096 | rows(float const*, float*)::nested
//! padded 128 4 | 4096 | tile<32>(float*)::own
//! instantiate tile<32>
//! padded 128 4 | 4096 | sides<32>(float*)::own
//! instantiate sides<32>
//! instantiate sides<16>
//! split
//! padded 128 8 | 2048 | rows(float const*, float*)::own
//! padded 128 8 | 2048 | rows(float const*, float*)::turned
// Rows that are written into indices get a longer pitch where what is written will be tried.
#define WIDTH 32
#define MACRO(y, x) macro[(y) * WIDTH + (x)]
constexpr int BLOCK = 16;
enum { SIDE = 32 };

__global__ void rows(const float *in, float *out) {
    __shared__ float plain[32 * 32], named[SIDE * SIDE], halo[(BLOCK + 2) * (BLOCK + 2)];
    __shared__ float planes[2 * 32 * 32], macro[WIDTH * WIDTH], mixed[1024], none[1024];
    __shared__ float nested[1024], own[512], turned[512];
    int x = threadIdx.x, y = threadIdx.y, n = blockDim.x;
    const int late = 32;
    plain[y * 32 + x] = plain[(y + 1) * 32 + x - 1] + plain[(x * 32 + y)] + plain[x + 32 * y + 32];
    plain[x / 32 * 32 + x % 32] = plain[32 * y / 2 + x] + plain[y * 8 * 4 + x];
    named[y * SIDE + x] = named[SIDE * x + y];
    halo[(y + 1) * (BLOCK + 2) + x + 1] = halo[y * (BLOCK + 2) + x] + halo[(BLOCK + 2) * x];
    planes[(y & 1) * 1024 + x * 32 + y] = planes[1024 + x];
    MACRO(y, x) = MACRO(x, y);
    mixed[y * 32 + x] = mixed[x + y] + mixed[y << 5 | x] + mixed[y * n + x];
    none[y * late + x] = none[y * n + x];
    nested[int(nested[x * 32]) * 32 + int(plain[y * 32])] = nested[x & 31];
    own[x * 8 + 3] = own[x] + own[x * 8 - y] + own[y - x * 8] + own[x * 8 + 2 * y + 1];
    turned[x + 64 * y] = turned[64 - x] + turned[x + y] + turned[int(own[x * 8]) + 32 * y];
    out[x] = in[x];
}

template <int PITCH> __global__ void tile(float *out) {
    __shared__ float own[PITCH * PITCH];
    own[threadIdx.y * PITCH + threadIdx.x] = out[threadIdx.x];
    out[threadIdx.x] = own[threadIdx.x * PITCH + threadIdx.y];
}

// Another pitch in another instance.
template <int PITCH> __global__ void sides(float *out) {
    __shared__ float own[PITCH * PITCH];
    own[threadIdx.y * PITCH + threadIdx.x] = out[threadIdx.x];
    out[threadIdx.x] = own[threadIdx.x * PITCH + threadIdx.y];
}

// A function that calls itself once or twice, as deep as each lane's data say: lanes wait at one place in calls of different
// depth, in barriers of one number.
static __device__ __noinline__ unsigned again(unsigned a, unsigned b, int depth) {
    if (depth <= 0)
        return a ^ b;
    const unsigned u = a * 3u + b, v = a * 5u + (b >> 1), w = a * 7u + (b >> 2);
    b += again(a * 7u + 1u, b ^ (unsigned)depth, depth - 1);
    if ((a & 3u) == 1u)
        b += again(b * 5u, a, depth - 2);
    return (u ^ 1u) + (v ^ w) + b;
}

// launch recursive grid=64 block=128
// arg u32[8192]=0
extern "C" __global__ void recursive(unsigned *out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = (i + 1u) * 2654435761u;
    x ^= x >> 15;
    out[i] = again(x, i, (int)(x % 7u));
}

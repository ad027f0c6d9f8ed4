// Stack frames: alloca, arrays indexed by a variable in functions, switches that jump through a list.
#include <cassert>

__device__ __noinline__ int mirrored(int n) {
    int *items = static_cast<int *>(alloca(n * sizeof(int)));
    for (int i = 0; i < n; i++)
        items[i] = i * i;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += items[n - 1 - i] * i;
    return sum;
}

extern "C" __global__ void allocas(int *out) {
    int i = static_cast<int>(threadIdx.x);
    int first = mirrored(i % 7), second = mirrored(i);
    out[i] = first * 100000 + second;
}

__device__ __noinline__ int nested_allocas(int n) {
    if (n == 0)
        return 0;
    int *mine = static_cast<int *>(alloca((n % 3 + 1) * sizeof(int)));
    mine[n % 3] = n;
    return nested_allocas(n - 1) + mine[n % 3];
}

extern "C" __global__ void deep_allocas(int *out) {
    out[threadIdx.x] = nested_allocas(static_cast<int>(threadIdx.x));
}

__device__ __noinline__ int choose(int which, int value) {
    switch (which) {
    case 0:
        return value + 11;
    case 1:
        return value * 3;
    case 2:
        value ^= 0x55; // falls through
    case 3:
        return value - 7;
    case 4:
        return value / 2;
    case 5:
        return -value;
    case 6:
        return value * value;
    case 7:
        return value % 5;
    default:
        return 0;
    }
}

extern "C" __global__ void switches(int *out) {
    int i = static_cast<int>(threadIdx.x), value = i;
    for (int k = 0; k < 3; k++)
        value = choose((i + k) % 10, value) & 0xffff;
    out[i] = value;
}

__device__ __noinline__ int endless(int n) {
    int rest = n < 0 ? 0 : endless(n + 1);
    return rest + n;
}

extern "C" __global__ void overflows(int *out) {
    out[threadIdx.x] = endless(static_cast<int>(threadIdx.x));
}

__device__ __noinline__ void check(int value) {
    assert(value < 5);
}

extern "C" __global__ void asserts(int *out) {
    check(static_cast<int>(threadIdx.x));
    out[threadIdx.x] = 1;
}

__device__ __noinline__ void stop(int value) {
    if (value == 3)
        __trap();
}

extern "C" __global__ void traps(int *out) {
    stop(static_cast<int>(threadIdx.x));
    out[threadIdx.x] = 1;
}

// access_patterns: one warp, one store to shared memory, one load from it; only the element's type
// and the distance between neighbouring threads change.
//
//   ownElement<float, 1>        neighbouring words: every bank once
//   ownElement<float, 32>       a distance of 32 words: all 32 threads in bank 0
//   ownElement<float, 33>       the same with one word of padding: every bank once
//   ownElement<__half, 1>       two threads share a word, and a word is delivered once for both
//   ownElement<unsigned char, 1>  four threads share a word
//   ownElement<double, 1>       8 bytes: half a warp fills the banks, two wavefronts are the least
//   ownElement<float4, 1>       16 bytes: a quarter of a warp fills them, so four are
//   broadcast<float>, <double>  all threads read the same element: one wavefront

#include <cuda_fp16.h>

constexpr int WARP = 32; // launched with one block of one warp

// Each thread stores an element of its own and then reads that of the thread at the other end of
// the warp.
template <typename T, int STRIDE> __global__ void ownElement(const T *in, T *out) {
    __shared__ T elements[WARP * STRIDE];
    elements[threadIdx.x * STRIDE] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = elements[(WARP - 1 - threadIdx.x) * STRIDE];
}

// All threads read element 0, then all read element 1, and so on: a bank's word goes to every
// thread that asks for it.
template <typename T> __global__ void broadcast(const T *in, T *out) {
    __shared__ T elements[WARP];
    elements[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    T sum = 0;
#pragma unroll 1
    for (int i = 0; i < WARP; i++)
        sum += elements[i];
    out[threadIdx.x] = sum;
}

template __global__ void ownElement<float, 1>(const float *, float *);
template __global__ void ownElement<float, 32>(const float *, float *);
template __global__ void ownElement<float, 33>(const float *, float *);
template __global__ void ownElement<__half, 1>(const __half *, __half *);
template __global__ void ownElement<unsigned char, 1>(const unsigned char *, unsigned char *);
template __global__ void ownElement<double, 1>(const double *, double *);
template __global__ void ownElement<float4, 1>(const float4 *, float4 *);
template __global__ void broadcast<float>(const float *, float *);
template __global__ void broadcast<double>(const double *, double *);

// The same often enough that it can be timed: the store and the load `times` times, by many blocks
// of one warp, so that others use the banks while one waits.
template <typename T, int STRIDE> __global__ void ownElements(const T *in, T *out, int times) {
    __shared__ T elements[WARP * STRIDE];
    T element = in[threadIdx.x];
#pragma unroll 1
    for (int i = 0; i < times; i++) {
        elements[threadIdx.x * STRIDE] = element;
        __syncwarp();
        element = elements[(WARP - 1 - threadIdx.x) * STRIDE];
        __syncwarp();
    }
    out[blockIdx.x * WARP + threadIdx.x] = element;
}

template __global__ void ownElements<float, 1>(const float *, float *, int);
template __global__ void ownElements<float, 32>(const float *, float *, int);
template __global__ void ownElements<float, 33>(const float *, float *, int);
template __global__ void ownElements<__half, 1>(const __half *, __half *, int);
template __global__ void ownElements<unsigned char, 1>(const unsigned char *, unsigned char *, int);
template __global__ void ownElements<double, 1>(const double *, double *, int);
template __global__ void ownElements<float4, 1>(const float4 *, float4 *, int);

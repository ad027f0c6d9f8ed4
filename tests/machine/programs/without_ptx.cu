// What a program asks of machine code without PTX: parameters of all sizes, variables with addresses in them, constants, shared memory, calls
// by pointers, functions of the driver, textures, attributes. tests/machine/without_ptx builds it twice.
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
struct __align__(64) T {
    char c[128];
};
struct Big {
    int c[1250];
};
struct __align__(16) S {
    double a;
    char c;
};
__device__ __managed__ int mg = 3;
__device__ int vt(int x) {
    return x + 1;
}
__device__ int vt2(int x) {
    return x * 2;
}
typedef int (*fp)(int);
__device__ fp tab[2] = {vt, vt2};
__device__ int counter;
__device__ float table[4] = {1, 2, 3, 4};
__constant__ float cc[8];
__constant__ int c2 = 5;
__device__ int *ptr = &counter;
__device__ float *ptrs[2] = {table + 1, table + 2};
__device__ __noinline__ float f(float x) {
    return x * table[(int)x & 3];
}
__global__ void __launch_bounds__(256) k(const float *a, S s, char c, double d, float *b, int n) {
    __shared__ float t[64];
    extern __shared__ float dyn[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x & 63] = a[i];
    dyn[threadIdx.x] = s.a;
    __syncthreads();
    if (i < n)
        b[i] = a[i] + t[63 - (threadIdx.x & 63)] + dyn[0] + c + d + f(a[i]) + cc[threadIdx.x & 7] +
               c2 + *ptr + *ptrs[i & 1];
    if (i == 0)
        printf("hi %f %d %s\n", b[0], n, "str");
    if (i < 4)
        atomicAdd(&counter, i);
}
__global__ void __cluster_dims__(2, 1, 1) kc(int *a) {
    a[blockIdx.x] = mg;
    mg = 9;
}
__global__ void kt(int *a, const __grid_constant__ T t, char z) {
    a[threadIdx.x] = t.c[threadIdx.x] + z;
}
__global__ void kb(int *a, const __grid_constant__ Big t, char z) {
    a[threadIdx.x] = t.c[1249 - threadIdx.x] + z;
}
__global__ void ki(int *a, int w) {
    a[threadIdx.x] = tab[(w + threadIdx.x) & 1](a[threadIdx.x]);
}
__global__ void km(int **p) {
    int *q = (int *)malloc(16);
    q[0] = threadIdx.x;
    p[threadIdx.x] = q;
}
__global__ void km2(int **p, int *a) {
    a[threadIdx.x] = *p[threadIdx.x];
    free(p[threadIdx.x]);
}
__global__ void ka(const int *p) {
    assert(p[threadIdx.x] < 100);
}
__global__ void kx(cudaTextureObject_t tx, float *o) {
    o[threadIdx.x] = tex1Dfetch<float>(tx, threadIdx.x);
}
template <class Q> __global__ void gen(Q *a, int n) {
    const Q *c = (n & 1) ? (const Q *)cc : (const Q *)table;
    a[threadIdx.x] = c[threadIdx.x & 3];
}
__global__ void kcc(int *o, int i) {
    const int *p = i ? (const int *)cc : &c2;
    o[threadIdx.x] = p[threadIdx.x & 0];
}
__global__ void __launch_bounds__(128, 2) kd(float *a) {
    __shared__ char q[5];
    extern __shared__ __align__(128) float dyn[];
    q[threadIdx.x % 5] = a[1];
    dyn[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = dyn[threadIdx.x ^ 1] + q[0];
}
#define CK(x)                                                                                      \
    do {                                                                                           \
        cudaError_t e = (x);                                                                       \
        if (e) {                                                                                   \
            printf("%s: %s\n", #x, cudaGetErrorString(e));                                         \
            cudaGetLastError();                                                                    \
        }                                                                                          \
    } while (0)
template <class V> void show(const char *n, V *p, int c) {
    printf("%s", n);
    for (int i = 0; i < c; i++)
        printf(" %g", (double)p[i]);
    printf("\n");
}
int main() {
    float *a, *b;
    int *o;
    int **pp;
    CK(cudaMallocManaged(&a, 4096));
    CK(cudaMallocManaged(&b, 4096));
    CK(cudaMallocManaged(&o, 4096));
    CK(cudaMallocManaged(&pp, 4096));
    for (int i = 0; i < 1024; i++) {
        a[i] = i % 7;
        o[i] = i;
    }
    float h[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    CK(cudaMemcpyToSymbol(cc, h, 32));
    int zero = 1;
    CK(cudaMemcpyToSymbol(counter, &zero, 4));
    S s;
    s.a = 2.5;
    s.c = 1;
    k<<<2, 128, 1024>>>(a, s, 3, 0.25, b, 200);
    CK(cudaDeviceSynchronize());
    show("k", b, 200);
    int cn;
    CK(cudaMemcpyFromSymbol(&cn, counter, 4));
    printf("counter %d\n", cn);
    kc<<<4, 1>>>(o);
    CK(cudaDeviceSynchronize());
    printf("mg %d\n", mg);
    show("kc", o, 4);
    T t;
    for (int i = 0; i < 128; i++)
        t.c[i] = i;
    kt<<<1, 128>>>(o, t, 2);
    CK(cudaDeviceSynchronize());
    show("kt", o, 128);
    Big g;
    for (int i = 0; i < 1250; i++)
        g.c[i] = i;
    kb<<<1, 128>>>(o, g, 1);
    CK(cudaDeviceSynchronize());
    show("kb", o, 128);
    ki<<<1, 64>>>(o, 0);
    CK(cudaDeviceSynchronize());
    show("ki", o, 64);
    km<<<1, 32>>>(pp);
    CK(cudaDeviceSynchronize());
    km2<<<1, 32>>>(pp, o);
    CK(cudaDeviceSynchronize());
    show("km", o, 32);
    cudaResourceDesc rd = {};
    rd.resType = cudaResourceTypeLinear;
    rd.res.linear.devPtr = a;
    rd.res.linear.desc = cudaCreateChannelDesc<float>();
    rd.res.linear.sizeInBytes = 4096;
    cudaTextureDesc td = {};
    cudaTextureObject_t tx;
    CK(cudaCreateTextureObject(&tx, &rd, &td, 0));
    kx<<<1, 32>>>(tx, b);
    CK(cudaDeviceSynchronize());
    show("kx", b, 32);
    gen<<<1, 32>>>(b, 1);
    CK(cudaDeviceSynchronize());
    show("gen", b, 32);
    gen<<<1, 32>>>(b, 0);
    CK(cudaDeviceSynchronize());
    show("gen", b, 32);
    kcc<<<1, 32>>>(o, 1);
    CK(cudaDeviceSynchronize());
    show("kcc", o, 4);
    kcc<<<1, 32>>>(o, 0);
    CK(cudaDeviceSynchronize());
    show("kcc", o, 4);
    kd<<<1, 128, 512>>>(a);
    CK(cudaDeviceSynchronize());
    show("kd", a, 128);
    cudaFuncAttributes at;
    CK(cudaFuncGetAttributes(&at, kd));
    printf("%d %d %d\n", at.maxThreadsPerBlock, at.numRegs, at.binaryVersion);
    int nb;
    CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, kd, 128, 512));
    printf("occ %d\n", nb);
    ka<<<1, 32>>>(o);
    CK(cudaDeviceSynchronize());
    o[3] = 1000;
    ka<<<1, 32>>>(o);
    CK(cudaDeviceSynchronize());
    return 0;
}

// Launches from the device: their order, what they see, streams, copies, and the errors of CUDA.
// nvcc: -rdc=true
//
// launch order grid=3 block=2
// arg u32[64]=0
// expect 0: [13] + [10, 100, 11, 110, 20, 200, 21, 210, 30, 300, 31, 310] + [99] + [0] * 50
// launch tree block=1
// arg u32[128]=0
// arg u32=0
// arg u32=1
// expect 0: [0] + [i.bit_length() for i in range(1, 128)]
// launch streams block=1
// arg u32[64]=iota
// expect 0: [0x05050505] * 4 + [i + 1 for i in range(4)] + [8] + [0x05050505] * 2 + [11, 12] + [0x05050505] * 2 + [15] + [0x01010101] * 2 + [18, 19] + [0x01010101] * 2 + list(range(22, 64))
// launch bigParameters block=4
// arg u32[16]=0
// expect 0: [x for i in range(0, 400, 100) for x in (i + 5, i + 9, (i + 14) % 256, i + 32)]
// launch nested block=1
// arg u32[32]=0
// arg u32=0
// expect 0: list(range(1, 26)) + [65] + [0] * 6
// launch pending block=1
// arg u32[4]=0
// expect 0: 2048 69 0 2048
// launch again block=1
// arg u32[2]=0
// arg u32=100
// expect 0: 100 0
// launch refused block=1
// arg u32[16]=0
// expect 0: 9 9 0 1 400 400 0 801 98 1 0 0 0 0 0 0
// launch sizes block=1
// arg u32[8]=0
// expect 0: 9 9 9 9 9 9 0 1
// launch tell block=1
// output
// launch heap block=32
// arg u32[32]=0
// expect 0: [i * i for i in range(32)]
// launch atFault block=1
// arg u32[4]=0
// output
// launch copyBeyond block=1
// arg u32[4]=0
// output

#include <cstdio>

__global__ void note(unsigned *log, unsigned what) {
    log[1 + atomicAdd(log, 1)] = what;
}

__global__ void noteTwice(unsigned *log, unsigned what) {
    note<<<1, 1>>>(log, 10 * what);
    log[1 + atomicAdd(log, 1)] = what;
}

// By blocks, and in each by requests; what a child launches comes before its parent's next one.
extern "C" __global__ void order(unsigned *log) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 99);
    noteTwice<<<1, 1>>>(log, 10 * (blockIdx.x + 1) + threadIdx.x);
}

extern "C" __global__ void tree(unsigned *depths, unsigned depth, unsigned node) {
    depths[node] = depth + 1;
    if (depth == 6)
        return;
    tree<<<1, 1, 0, cudaStreamFireAndForget>>>(depths, depth + 1, 2 * node);
    tree<<<1, 1, 0, cudaStreamFireAndForget>>>(depths, depth + 1, 2 * node + 1);
}

__global__ void addOne(unsigned *to, const unsigned *from) {
    to[threadIdx.x] = from[threadIdx.x] + 1;
}

extern "C" __global__ void streams(unsigned *data) {
    cudaStream_t one, other;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    addOne<<<1, 4, 0, one>>>(data + 4, data);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(other, event);
    cudaMemsetAsync(data, 5, 16, other);
    cudaMemcpy2DAsync(data + 9, 16, data, 8, 8, 2, cudaMemcpyDeviceToDevice, other);
    cudaMemset2DAsync(data + 16, 16, 1, 8, 2, other);
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}

struct Big {
    unsigned words[300];
    unsigned char last;
};

__global__ void takeBig(unsigned *out, Big big, unsigned short other) {
    out[0] = big.words[0];
    out[1] = big.words[299];
    out[2] = big.last;
    out[3] = other;
}

extern "C" __global__ void bigParameters(unsigned *out) {
    Big big = {};
    big.words[0] = 100 * threadIdx.x + 5;
    big.words[299] = 100 * threadIdx.x + 9;
    big.last = 100 * threadIdx.x + 14;
    takeBig<<<1, 1>>>(out + 4 * threadIdx.x, big, 100 * threadIdx.x + 32);
    out[4 * threadIdx.x + 2] = 0; // it is complete before the child begins
}

// 24 levels below the host's launch.
extern "C" __global__ void nested(unsigned *levels, unsigned depth) {
    levels[depth] = depth + 1;
    nested<<<1, 1>>>(levels, depth + 1);
    if (unsigned error = cudaGetLastError())
        levels[depth + 1] = error;
}

__global__ void count(unsigned *counter) {
    atomicAdd(counter, 1);
}

extern "C" __global__ void pending(unsigned *out) {
    for (unsigned i = 0; i < 2500 && out[1] == 0; i++) {
        count<<<1, 1>>>(out + 3);
        out[1] = cudaPeekAtLastError();
        out[0] += out[1] == 0;
    }
    cudaGetLastError();
    out[2] = cudaGetLastError();
}

// It is done when it launches itself: no depth grows.
extern "C" __global__ void again(unsigned *out, unsigned left) {
    out[0]++;
    if (left > 1)
        again<<<1, 1, 0, cudaStreamTailLaunch>>>(out, left - 1);
    out[1] += cudaGetLastError();
}

// Each extent by itself: too large or nothing, beside others that are fine.
extern "C" __global__ void sizes(unsigned *out) {
    count<<<dim3(1, 65536), 1>>>(out + 7);
    out[0] = cudaGetLastError();
    count<<<dim3(1, 1, 65536), 1>>>(out + 7);
    out[1] = cudaGetLastError();
    count<<<dim3(1, 0), 1>>>(out + 7);
    out[2] = cudaGetLastError();
    count<<<1, dim3(1, 0)>>>(out + 7);
    out[3] = cudaGetLastError();
    count<<<1, dim3(1, 1, 65)>>>(out + 7);
    out[4] = cudaGetLastError();
    count<<<dim3(0x80000000), 1>>>(out + 7);
    out[5] = cudaGetLastError();
    count<<<1, 1>>>(out + 7);
    out[6] = cudaGetLastError();
}

extern "C" __global__ void refused(unsigned *out) {
    cudaStream_t stream;
    cudaEvent_t event;
    int value;
    count<<<1, 1025>>>(out + 15);
    out[0] = cudaGetLastError();
    count<<<0, 1>>>(out + 15);
    out[1] = cudaGetLastError();
    count<<<1, 1>>>(out + 14); // an error does not stay
    out[2] = cudaGetLastError();
    out[3] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    out[4] = cudaStreamDestroy((cudaStream_t)12345);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventDestroy(event);
    out[5] = cudaEventRecord(event, 0);
    out[6] = cudaGetDevice(&value) + value;
    out[7] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0);
    cudaFuncAttributes attributes;
    out[8] = cudaFuncGetAttributes(&attributes, (const void *)out);
    cudaGetDeviceCount(&value);
    out[9] = value;
    cudaGetLastError();
    out[14] = 0;
    out[15] = 0;
    cudaMemsetAsync(out + 14, 0, 4);
}

extern "C" __global__ void tell() {
    count<<<1, 1025>>>(nullptr);
    cudaError_t error = cudaGetLastError();
    printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    printf("%s: %s\n", cudaGetErrorName(cudaSuccess), cudaGetErrorString((cudaError_t)12345));
}

__global__ void square(unsigned *out, unsigned *value) {
    *out = *value * *value;
    free(value);
}

extern "C" __global__ void heap(unsigned *out) {
    unsigned *value;
    if (cudaMalloc(&value, sizeof *value) != cudaSuccess)
        return;
    *value = threadIdx.x;
    square<<<1, 1>>>(out + threadIdx.x, value);
    cudaFree(nullptr);
}

__global__ void beyond(unsigned *out) {
    out[2 * threadIdx.x] = 1;
}

__global__ void launchesBeyond(unsigned *out) {
    beyond<<<2, 4>>>(out);
}

extern "C" __global__ void atFault(unsigned *out) {
    launchesBeyond<<<1, 1>>>(out);
}

extern "C" __global__ void copyBeyond(unsigned *out) {
    cudaMemcpyAsync(out + 2, out, 12, cudaMemcpyDeviceToDevice);
}

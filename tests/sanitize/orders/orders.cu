// Kernels whose results depend on the order of blocks, warps or lanes, and mended ones: orders.py.

// Which block writes last.
extern "C" __global__ void blocks(int *out) {
    if (threadIdx.x == 0)
        *out = blockIdx.x;
}

// A barrier is missing between the warps that write and that read.
extern "C" __global__ void warps(int *out) {
    __shared__ int a[64];
    a[threadIdx.x] = threadIdx.x + 1;
    out[threadIdx.x] = *(volatile int *)&a[63 - threadIdx.x];
}

extern "C" __global__ void warpsMended(int *out) {
    __shared__ int a[64];
    a[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x];
}

// Between the read and the write of a basic block another warp may do the same: a sum that is lost.
extern "C" __global__ void lost(volatile int *sum) {
    if (threadIdx.x % 32 == 0)
        *sum = *sum + 1;
}

extern "C" __global__ void lostMended(int *sum) {
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, 1);
}

// Which side of a branch goes first.
extern "C" __global__ void lanes(volatile int *out) {
    if (threadIdx.x & 1)
        *out = 1;
    else
        *out = 2;
}

// Lanes that parted meet as they do without a seed: the sum of votes is that of all of them.
extern "C" __global__ void meet(int *out, const int *in) {
    int x = in[threadIdx.x];
    for (int i = 0; i < (int)(threadIdx.x % 5); i++) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x /= 2;
    }
    out[threadIdx.x] = x + __popc(__activemask());
}

// Right, but for the last bits: floating point sums depend on the order.
extern "C" __global__ void floats(float *sum, const float *in) {
    atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

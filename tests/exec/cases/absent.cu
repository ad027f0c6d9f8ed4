// Lanes that a mask names and that never come: the manual leaves it open what happens, and GPUs do not wait for ever.

// __syncwarp() by two lanes, while the others wait behind the branch for these: numba's reduction does so.
// launch pair block=64
// arg u32[64]=iota
// arg u32[64]
// arg i32=40
// expect 0: [6 if i == 0 else 4 if i == 1 else i for i in range(64)]
// expect 1: [6 if i == 0 else 4 if i == 1 else i for i in range(64)]
extern "C" __global__ void pair(unsigned *x, unsigned *out, int some) {
    __shared__ unsigned part[64];
    int tid = threadIdx.x;
    part[tid] = x[tid];
    __syncthreads();
    if (tid < some) {
        if (tid < 2) {
            part[tid] += part[tid + 2];
            __syncwarp();
        }
        if (tid == 0)
            part[0] += part[1];
    }
    x[tid] = out[tid] = part[tid];
}

// The same at the beginning of a block, whose warps then take turns of a basic block each: those that are let go have several to go.
// launch early block=64
// arg u32[64]=iota
// arg u32[64]
// arg i32=20
// arg i32=3
// expect 1: [6 * 27 if i == 0 else 4 * 27 if i == 1 else i * 27 for i in range(32)] + [0] * 32
extern "C" __global__ void early(unsigned *x, unsigned *out, int some, int times) {
    __shared__ unsigned part[64];
    int tid = threadIdx.x;
    if (tid >= 32) /* the other warp */
        return;
    part[tid] = x[tid];
    __syncwarp();
    if (tid < some) {
        if (tid < 2) {
            part[tid] += part[tid + 2];
            __syncwarp();
        }
        if (tid == 0)
            part[0] += part[1];
    }
    volatile unsigned *to = out + tid;
    *to = part[tid];
#pragma unroll 1
    for (int i = 0; i < times; i++)
        *to = *to * 3;
}

// A sum as a tree whose threads step ever further apart: `fix` sketches the other order. tree.ptx: nvcc -arch=sm_80 -lineinfo -ptx tree.cu
__global__ void tree(const int *in, int *out) {
    __shared__ int s[256];
    int tid = threadIdx.x;
    s[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int at = 2 * step * tid;
        if (at < 256)
            s[at] += s[at + step];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}

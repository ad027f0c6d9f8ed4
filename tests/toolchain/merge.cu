// The source of merge.ptxas.txt and merge.sass.txt: what ptxas changes, one thing a line.
//   nvcc -ptx -lineinfo -arch=sm_90 merge.cu
//   ptxas -arch=sm_90 -lineinfo -v -o merge.cubin merge.ptx 2>merge.ptxas.txt
//   nvdisasm -c -gi merge.cubin >merge.sass.txt    then write its paths as /src/merge.cu and /cuda/…
__global__ void merge(const float *in, float *out, unsigned *bins, const double *wide) {
    __shared__ float tile[128];
    float unused = in[threadIdx.x + 64] * 0; // in the PTX, not in the machine code
    atomicAdd(bins, 1u);                     // an atomic becomes a reduction by one lane
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 2)),
                 "l"(in + threadIdx.x * 2)); // with dummy loads in front
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += tile[i]; // eight loads of one word become two of four
    out[threadIdx.x] = sum + (float)wide[threadIdx.x] + (unused > 0);
}

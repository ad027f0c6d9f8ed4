// Filled by a while loop, then sixteen elements of its own for each thread.
#define OWN 16
__global__ void whileChunks(const float *in, float *out) {
    __shared__ float s[64 * OWN];
    unsigned int tid = threadIdx.x, i = tid;
    while (i < 64 * OWN) {
        s[i] = in[blockIdx.x * 64 * OWN + i];
        i += 64;
    }
    __syncthreads();
    float product = 1;
#pragma unroll
    for (int k = 0; k < OWN; k++)
        product = product * 0.5f + s[tid * OWN + k];
    out[blockIdx.x * 64 + tid] = product;
}

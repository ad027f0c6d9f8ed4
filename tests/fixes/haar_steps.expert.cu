// The same with a word of padding after 32.
#define PAD(i) ((i) + ((i) >> 5))

__global__ void haarSteps(const float *in, float *out, int levels) {
    __shared__ float s[PAD(512)];
    const int t = threadIdx.x;
    s[PAD(t)] = in[blockIdx.x * 512 + t];
    s[PAD(t + 256)] = in[blockIdx.x * 512 + t + 256];
    for (int level = 0; level < levels; ++level) {
        __syncthreads();
        const int i = t << (level + 1);
        if (i < 512) {
            const int j = i + (1 << level);
            const float a = s[PAD(i)], b = s[PAD(j)];
            s[PAD(i)] = 0.5f * (a + b);
            s[PAD(j)] = 0.5f * (a - b);
        }
    }
    __syncthreads();
    out[blockIdx.x * 512 + t] = s[PAD(t)];
    out[blockIdx.x * 512 + t + 256] = s[PAD(t + 256)];
}

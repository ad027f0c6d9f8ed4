// Haar's wavelets in place: averages and differences of places ever further apart.
__global__ void haarSteps(const float *in, float *out, int levels) {
    __shared__ float s[512];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * 512 + t];
    s[t + 256] = in[blockIdx.x * 512 + t + 256];
    for (int level = 0; level < levels; ++level) {
        __syncthreads();
        const int i = t << (level + 1);
        if (i < 512) {
            const int j = i + (1 << level);
            const float a = s[i], b = s[j];
            s[i] = 0.5f * (a + b);
            s[j] = 0.5f * (a - b);
        }
    }
    __syncthreads();
    out[blockIdx.x * 512 + t] = s[t];
    out[blockIdx.x * 512 + t + 256] = s[t + 256];
}

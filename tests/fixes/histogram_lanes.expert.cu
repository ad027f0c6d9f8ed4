// A histogram for each lane, added up at the end: no atomics.
constexpr int BINS = 64;

__global__ void histogramLanes(const unsigned char *in, unsigned *out, int each) {
    __shared__ unsigned bins[BINS][32];
    int lane = threadIdx.x;
    for (int b = 0; b < BINS; b++)
        bins[b][lane] = 0;
    const unsigned char *from = in + blockIdx.x * 32 * each;
    for (int i = 0; i < each; i++)
        bins[from[i * 32 + lane] % BINS][lane]++;
    __syncwarp();
    for (int b = lane; b < BINS; b += 32) {
        unsigned sum = 0;
        for (int l = 0; l < 32; l++)
            sum += bins[b][(l + lane) % 32];
        out[blockIdx.x * BINS + b] = sum;
    }
}

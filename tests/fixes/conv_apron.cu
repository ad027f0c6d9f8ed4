// A convolution in one dimension: four neighbouring results a thread, and an apron on both sides.
constexpr int THREADS = 128;
constexpr int EACH = 4;
constexpr int RADIUS_MAX = 16;

__global__ void convApron(const float *in, const float *weights, float *out, int radius) {
    __shared__ float line[THREADS * EACH + 2 * RADIUS_MAX];
    const int first = blockIdx.x * THREADS * EACH;
    for (int i = threadIdx.x; i < THREADS * EACH + 2 * RADIUS_MAX; i += THREADS)
        line[i] = in[first + i];
    __syncthreads();

    float sum[EACH] = {};
    for (int k = -radius; k <= radius; k++) {
        const float weight = weights[k + radius];
        for (int e = 0; e < EACH; e++)
            sum[e] += weight * line[threadIdx.x * EACH + e + RADIUS_MAX + k];
    }
    for (int e = 0; e < EACH; e++)
        out[first + threadIdx.x * EACH + e] = sum[e];
}

// The same with a word of padding after 32.
__device__ int padded(int i) { return i + (i >> 5); }

__global__ void tridiagonal(const float *lower, const float *middle, const float *right, float *out) {
    __shared__ float a[264], b[264], d[264];
    const int t = threadIdx.x, at = blockIdx.x * 256 + t;
    const int low = padded(t), high = padded(t + 128);
    a[low] = lower[at];
    b[low] = middle[at] + 4.0f;
    d[low] = right[at];
    a[high] = lower[at + 128];
    b[high] = middle[at + 128] + 4.0f;
    d[high] = right[at + 128];
    int stride = 1;
    for (int threads = 128; threads > 0; threads /= 2) {
        __syncthreads();
        if (t < threads) {
            const int place = 2 * stride * t + 2 * stride - 1;
            const int i = padded(place), j = padded(place - stride);
            const float k = a[i] / b[j];
            a[i] = -k * a[j];
            b[i] -= k * a[j];
            d[i] -= k * d[j];
        }
        stride *= 2;
    }
    __syncthreads();
    out[at] = d[low] / b[low];
    out[at + 128] = d[high] / b[high];
}

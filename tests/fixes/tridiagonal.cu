// Cyclic reduction of tridiagonal systems, the forward half: steps of 2, 4, 8 …
__global__ void tridiagonal(const float *lower, const float *middle, const float *right, float *out) {
    __shared__ float a[256], b[256], d[256];
    const int t = threadIdx.x, at = blockIdx.x * 256 + t;
    a[t] = lower[at];
    b[t] = middle[at] + 4.0f;
    d[t] = right[at];
    a[t + 128] = lower[at + 128];
    b[t + 128] = middle[at + 128] + 4.0f;
    d[t + 128] = right[at + 128];
    int stride = 1;
    for (int threads = 128; threads > 0; threads /= 2) {
        __syncthreads();
        if (t < threads) {
            const int i = 2 * stride * t + 2 * stride - 1, j = i - stride;
            const float k = a[i] / b[j];
            a[i] = -k * a[j];
            b[i] -= k * a[j];
            d[i] -= k * d[j];
        }
        stride *= 2;
    }
    __syncthreads();
    out[at] = d[t] / b[t];
    out[at + 128] = d[t + 128] / b[t + 128];
}

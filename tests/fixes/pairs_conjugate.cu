// Differences of complex numbers, which lie as pairs of doubles, and conjugates of others.
__global__ void differences(const double *a, const double *b, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double re = a[2 * i] - b[2 * i];
    double im = a[2 * i + 1] + b[2 * i + 1];
    out[2 * i] = re;
    out[2 * i + 1] = im;
}

// Steps of a Walsh-Hadamard transform of complex numbers, by members.
struct Complex {
    float re, im;
};

__global__ void complexFields(const Complex *in, Complex *out) {
    __shared__ Complex z[256];
    const int tid = threadIdx.x;
    const Complex *from = in + blockIdx.x * 256;
    z[tid] = from[tid];
    z[tid + 128] = from[tid + 128];
    for (int span = 128; span > 0; span /= 2) {
        __syncthreads();
        const int low = tid % span + tid / span * 2 * span, high = low + span;
        const float re = z[high].re, im = z[high].im;
        z[high].re = z[low].re - re;
        z[high].im = z[low].im - im;
        z[low].re += re;
        z[low].im += im;
    }
    __syncthreads();
    out[blockIdx.x * 256 + tid] = z[tid];
    out[blockIdx.x * 256 + tid + 128] = z[tid + 128];
}

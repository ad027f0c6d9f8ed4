// The same with the parts in arrays of their own.
struct Complex {
    float re, im;
};

__global__ void complexFields(const Complex *in, Complex *out) {
    __shared__ float zre[256], zim[256];
    const int tid = threadIdx.x;
    const Complex *from = in + blockIdx.x * 256;
    const Complex first = from[tid], second = from[tid + 128];
    zre[tid] = first.re;
    zim[tid] = first.im;
    zre[tid + 128] = second.re;
    zim[tid + 128] = second.im;
    for (int span = 128; span > 0; span /= 2) {
        __syncthreads();
        const int low = tid % span + tid / span * 2 * span, high = low + span;
        const float re = zre[high], im = zim[high];
        zre[high] = zre[low] - re;
        zim[high] = zim[low] - im;
        zre[low] += re;
        zim[low] += im;
    }
    __syncthreads();
    out[blockIdx.x * 256 + tid] = {zre[tid], zim[tid]};
    out[blockIdx.x * 256 + tid + 128] = {zre[tid + 128], zim[tid + 128]};
}

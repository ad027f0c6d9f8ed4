// Stages of an FFT of radix 4 without its twiddles; real and imaginary parts are arrays of their own.
__global__ void fftRadix4(const float2 *in, float2 *out) {
    __shared__ float re[256];
    __shared__ float im[256];
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < 256; i += 64) {
        const float2 z = in[blockIdx.x * 256 + i];
        re[i] = z.x;
        im[i] = z.y;
    }
    __syncthreads();
    for (unsigned stride = 1; stride < 256; stride *= 4) {
        const unsigned j = t / stride * stride * 4 + t % stride;
        const float r0 = re[j], i0 = im[j];
        const float r1 = re[j + stride], i1 = im[j + stride];
        const float r2 = re[j + 2 * stride], i2 = im[j + 2 * stride];
        const float r3 = re[j + 3 * stride], i3 = im[j + 3 * stride];
        re[j] = r0 + r1 + r2 + r3;
        im[j] = i0 + i1 + i2 + i3;
        re[j + stride] = r0 + i1 - r2 - i3;
        im[j + stride] = i0 - r1 - i2 + r3;
        re[j + 2 * stride] = r0 - r1 + r2 - r3;
        im[j + 2 * stride] = i0 - i1 + i2 - i3;
        re[j + 3 * stride] = r0 - i1 - r2 + i3;
        im[j + 3 * stride] = i0 + r1 - i2 - r3;
        __syncthreads();
    }
    for (unsigned i = t; i < 256; i += 64)
        out[blockIdx.x * 256 + i] = make_float2(re[i], im[i]);
}

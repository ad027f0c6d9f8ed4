// The place of an element: four words after every 32. Where no digit is carried, the places of a sum are a sum of places.
__device__ __forceinline__ constexpr unsigned pad(unsigned i) {
    return i + i / 32 * 4;
}

// Stages of an FFT of radix 4 without its twiddles; real and imaginary parts are arrays of their own.
__global__ void fftRadix4(const float2 *in, float2 *out) {
    __shared__ float re[288];
    __shared__ float im[288];
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < 256; i += 64) {
        const float2 z = in[blockIdx.x * 256 + i];
        re[pad(i)] = z.x;
        im[pad(i)] = z.y;
    }
    __syncthreads();
    for (unsigned stride = 1; stride < 256; stride *= 4) {
        const unsigned j = pad(t / stride * stride * 4 + t % stride);
        const float r0 = re[j], i0 = im[j];
        const float r1 = re[j + pad(stride)], i1 = im[j + pad(stride)];
        const float r2 = re[j + pad(2 * stride)], i2 = im[j + pad(2 * stride)];
        const float r3 = re[j + pad(3 * stride)], i3 = im[j + pad(3 * stride)];
        re[j] = r0 + r1 + r2 + r3;
        im[j] = i0 + i1 + i2 + i3;
        re[j + pad(stride)] = r0 + i1 - r2 - i3;
        im[j + pad(stride)] = i0 - r1 - i2 + r3;
        re[j + pad(2 * stride)] = r0 - r1 + r2 - r3;
        im[j + pad(2 * stride)] = i0 - i1 + i2 - i3;
        re[j + pad(3 * stride)] = r0 - i1 - r2 + i3;
        im[j + pad(3 * stride)] = i0 + r1 - i2 - r3;
        __syncthreads();
    }
    for (unsigned i = t; i < 256; i += 64)
        out[blockIdx.x * 256 + i] = make_float2(re[pad(i)], im[pad(i)]);
}

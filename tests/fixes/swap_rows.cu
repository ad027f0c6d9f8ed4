// Complex numbers as pairs of floats in a flat array: a thread turns its row round.
#define RE(r, i) data[(r)*32 + 2 * (i)]
#define IM(r, i) data[(r)*32 + 2 * (i) + 1]

__global__ void swapRows(const float *in, float *out) {
    __shared__ float data[64 * 32];
    for (int i = threadIdx.x; i < 64 * 32; i += 64)
        data[i] = in[blockIdx.x * 64 * 32 + i];
    __syncthreads();
    const int row = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        const float re = RE(row, i), im = IM(row, i);
        RE(row, i) = RE(row, 15 - i);
        IM(row, i) = -IM(row, 15 - i);
        RE(row, 15 - i) = re;
        IM(row, 15 - i) = -im;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 64 * 32; i += 64)
        out[blockIdx.x * 64 * 32 + i] = data[i];
}

// Complex numbers as pairs of floats in a flat array: a thread turns its row round.
#define RE(r, i) data[(r)*34 + 2 * (i)]
#define IM(r, i) data[(r)*34 + 2 * (i) + 1]

__global__ void swapRows(const float *in, float *out) {
    __shared__ float data[64 * 34];
    const int column = threadIdx.x % 32;
    for (int r = threadIdx.x / 32; r < 64; r += 2)
        data[r * 34 + column] = in[(blockIdx.x * 64 + r) * 32 + column];
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
    for (int r = threadIdx.x / 32; r < 64; r += 2)
        out[(blockIdx.x * 64 + r) * 32 + column] = data[r * 34 + column];
}

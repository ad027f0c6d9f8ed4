// Keys and values in dynamic shared memory, carved out of bytes.
__global__ void carvedBytes(const float *in, const int *keys, float *out) {
    extern __shared__ unsigned char raw[];
    float *values = reinterpret_cast<float *>(raw);
    int *order = reinterpret_cast<int *>(raw + 32 * 33 * sizeof(float));
    int x = threadIdx.x, y = threadIdx.y;
    for (int row = y; row < 32; row += 8) {
        values[row * 33 + x] = in[(blockIdx.x * 32 + row) * 32 + x];
        order[row * 33 + x] = keys[row * 32 + x] & 31;
    }
    __syncthreads();
    for (int row = y; row < 32; row += 8)
        out[(blockIdx.x * 32 + row) * 32 + x] = values[x * 33 + row] * order[x * 33 + row];
}

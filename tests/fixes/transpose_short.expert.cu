// A matrix of 16-bit elements turned round: rows of 64 fill the banks.
__global__ void transposeShort(const unsigned short *in, unsigned short *out, int n) {
    __shared__ unsigned short tile[64][66];
    int x = blockIdx.x * 64, y = blockIdx.y * 64;
    for (int i = threadIdx.y; i < 64; i += 8) {
        tile[i][threadIdx.x] = in[(y + i) * n + x + threadIdx.x];
        tile[i][threadIdx.x + 32] = in[(y + i) * n + x + threadIdx.x + 32];
    }
    __syncthreads();
    for (int i = threadIdx.y; i < 64; i += 8) {
        out[(x + i) * n + y + threadIdx.x] = tile[threadIdx.x][i];
        out[(x + i) * n + y + threadIdx.x + 32] = tile[threadIdx.x + 32][i];
    }
}

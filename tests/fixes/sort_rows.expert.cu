// Each thread sorts 16 long keys by exchanges.
typedef long long Key;

__global__ void sortRows(const Key *in, Key *out) {
    __shared__ Key keys[64][17];
    int tid = threadIdx.x;
    for (int i = tid; i < 1024; i += 64)
        keys[i / 16][i % 16] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    for (int round = 0; round < 16; round++)
        for (int k = round % 2; k < 15; k += 2) {
            Key a = keys[tid][k], b = keys[tid][k + 1];
            keys[tid][k] = a < b ? a : b;
            keys[tid][k + 1] = a < b ? b : a;
        }
    __syncthreads();
    for (int i = tid; i < 1024; i += 64)
        out[blockIdx.x * 1024 + i] = keys[i / 16][i % 16];
}

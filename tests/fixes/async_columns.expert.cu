// A tile filled by cp.async, four bytes a thread, and read by columns.
__global__ void asyncColumns(const int *in, int *out) {
    __shared__ int tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 32; i += 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                     :
                     : "r"((unsigned)__cvta_generic_to_shared(&tile[i][x])),
                       "l"(in + blockIdx.x * 1024 + i * 32 + x));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int i = y; i < 32; i += 8)
        out[blockIdx.x * 1024 + i * 32 + x] = tile[x][i];
}

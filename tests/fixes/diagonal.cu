// A table of alignment, filled along its diagonals.
__global__ void diagonal(const int *in, int *out) {
    __shared__ int t[17][17];
    int tid = threadIdx.x;
    t[tid + 1][0] = -tid - 1;
    t[0][tid + 1] = -tid - 1;
    if (tid == 0)
        t[0][0] = 0;
    for (int m = 0; m < 31; m++) {
        __syncwarp(0xffff);
        int x = m - tid;
        if (x >= 0 && x < 16) {
            int match = t[tid][x] + in[blockIdx.x * 256 + tid * 16 + x] % 4;
            t[tid + 1][x + 1] = max(match, max(t[tid][x + 1], t[tid + 1][x]) - 1);
        }
    }
    __syncwarp(0xffff);
    for (int y = 0; y < 16; y++)
        out[blockIdx.x * 256 + y * 16 + tid] = t[y + 1][tid + 1];
}

// A stencil of 7 points: a block keeps 16 x 4 x 4 points and their neighbours.
constexpr int BX = 16, BY = 4, BZ = 4;

__global__ void stencil3dSlab(const float *in, float *out, int nx, int ny) {
    __shared__ float s[BZ + 2][BX + 2][BY + 2];
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    int z = blockIdx.z * BZ + threadIdx.z;
    int px = nx + 2, plane = px * (ny + 2);
    int sx = threadIdx.x + 1, sy = threadIdx.y + 1, sz = threadIdx.z + 1;
    const float *at = in + (z + 1) * plane + (y + 1) * px + x + 1;
    s[sz][sx][sy] = *at;
    if (threadIdx.x == 0) s[sz][0][sy] = at[-1];
    if (threadIdx.x == BX - 1) s[sz][BX + 1][sy] = at[1];
    if (threadIdx.y == 0) s[sz][sx][0] = at[-px];
    if (threadIdx.y == BY - 1) s[sz][sx][BY + 1] = at[px];
    if (threadIdx.z == 0) s[0][sx][sy] = at[-plane];
    if (threadIdx.z == BZ - 1) s[BZ + 1][sx][sy] = at[plane];
    __syncthreads();
    float sum = s[sz][sx - 1][sy] + s[sz][sx + 1][sy] + s[sz][sx][sy - 1] + s[sz][sx][sy + 1] +
                s[sz - 1][sx][sy] + s[sz + 1][sx][sy];
    out[(z * ny + y) * nx + x] = sum - 6 * s[sz][sx][sy];
}

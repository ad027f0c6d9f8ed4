// A stencil of 7 points: a block keeps 8 x 8 x 8 points and their neighbours.
constexpr int BX = 8, BY = 8, BZ = 8;

__global__ void stencil3dCube(const float *in, float *out, int nx, int ny) {
    __shared__ float s[BX + 2][BZ + 2][BY + 2];
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    int z = blockIdx.z * BZ + threadIdx.z;
    int px = nx + 2, plane = px * (ny + 2);
    int sx = threadIdx.x + 1, sy = threadIdx.y + 1, sz = threadIdx.z + 1;
    const float *at = in + (z + 1) * plane + (y + 1) * px + x + 1;
    s[sx][sz][sy] = *at;
    if (threadIdx.x == 0) s[0][sz][sy] = at[-1];
    if (threadIdx.x == BX - 1) s[BX + 1][sz][sy] = at[1];
    if (threadIdx.y == 0) s[sx][sz][0] = at[-px];
    if (threadIdx.y == BY - 1) s[sx][sz][BY + 1] = at[px];
    if (threadIdx.z == 0) s[sx][0][sy] = at[-plane];
    if (threadIdx.z == BZ - 1) s[sx][BZ + 1][sy] = at[plane];
    __syncthreads();
    float sum = s[sx - 1][sz][sy] + s[sx + 1][sz][sy] + s[sx][sz][sy - 1] + s[sx][sz][sy + 1] +
                s[sx][sz - 1][sy] + s[sx][sz + 1][sy];
    out[(z * ny + y) * nx + x] = sum - 6 * s[sx][sz][sy];
}

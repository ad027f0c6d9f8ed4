// A stencil of 7 points: a block keeps 8 x 8 x 8 points and their neighbours.
constexpr int BX = 8, BY = 8, BZ = 8;

__global__ void stencil3dCube(const float *in, float *out, int nx, int ny) {
    __shared__ float s[BZ + 2][BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    int z = blockIdx.z * BZ + threadIdx.z;
    int px = nx + 2, plane = px * (ny + 2);
    int sx = threadIdx.x + 1, sy = threadIdx.y + 1, sz = threadIdx.z + 1;
    const float *at = in + (z + 1) * plane + (y + 1) * px + x + 1;
    s[sz][sy][sx] = *at;
    if (threadIdx.x == 0) s[sz][sy][0] = at[-1];
    if (threadIdx.x == BX - 1) s[sz][sy][BX + 1] = at[1];
    if (threadIdx.y == 0) s[sz][0][sx] = at[-px];
    if (threadIdx.y == BY - 1) s[sz][BY + 1][sx] = at[px];
    if (threadIdx.z == 0) s[0][sy][sx] = at[-plane];
    if (threadIdx.z == BZ - 1) s[BZ + 1][sy][sx] = at[plane];
    __syncthreads();
    float sum = s[sz][sy][sx - 1] + s[sz][sy][sx + 1] + s[sz][sy - 1][sx] + s[sz][sy + 1][sx] +
                s[sz - 1][sy][sx] + s[sz + 1][sy][sx];
    out[(z * ny + y) * nx + x] = sum - 6 * s[sz][sy][sx];
}

// A stencil of 9 points on blocks of 16 x 16: a warp has two rows.
#define B 16

__global__ void stencil2d(const float *in, float *out, int nx) {
    __shared__ float s[B + 2][B + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, px = nx + 2;
    const float *corner = in + blockIdx.y * B * px + blockIdx.x * B;
    for (int y = threadIdx.y; y < B + 2; y += B)
        for (int x = threadIdx.x; x < B + 2; x += B)
            s[x][y] = corner[y * px + x];
    __syncthreads();
    float sum = 0;
    for (int round = 0; round < 4; round++)
        sum = 0.5f * sum + s[tx - 1][ty - 1] + s[tx][ty - 1] + s[tx + 1][ty - 1] + s[tx - 1][ty] +
              s[tx][ty] * round + s[tx + 1][ty] + s[tx - 1][ty + 1] + s[tx][ty + 1] +
              s[tx + 1][ty + 1];
    out[(blockIdx.y * B + threadIdx.y) * nx + blockIdx.x * B + threadIdx.x] = sum;
}

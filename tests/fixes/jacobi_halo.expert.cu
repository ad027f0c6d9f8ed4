// Steps of Jacobi's method within a block; its halo stays as it is.
#define TX 8
#define TY 16

__global__ void jacobiHalo(const float *__restrict__ u, float *__restrict__ v, int pitch,
                           int steps) {
    __shared__ float s[TY + 2][24];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int i = (blockIdx.y * TY + ty) * pitch + blockIdx.x * TX + tx;

    s[ty][tx] = u[i];
    if (threadIdx.x == 0)
        s[ty][0] = u[i - 1];
    if (threadIdx.x == TX - 1)
        s[ty][TX + 1] = u[i + 1];
    if (threadIdx.y == 0)
        s[0][tx] = u[i - pitch];
    if (threadIdx.y == TY - 1)
        s[TY + 1][tx] = u[i + pitch];

    for (int step = 0; step < steps; ++step) {
        __syncthreads();
        const float next = 0.25f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
        __syncthreads();
        s[ty][tx] = next;
    }
    v[i] = s[ty][tx];
}

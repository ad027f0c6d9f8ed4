// A row for each thread in dynamic shared memory.
#define WIDTH 32
extern __shared__ float rows[];

__global__ void externRows(const float *in, float *out) {
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    for (; y < 64; y += 64 / WIDTH)
        rows[y * (WIDTH + 1) + x] = in[(blockIdx.x * 64 + y) * WIDTH + x];
    __syncthreads();
    float most = 0, sum = 0;
    for (int k = 0; k < WIDTH; k++)
        most = fmaxf(most, rows[threadIdx.x * (WIDTH + 1) + k]);
    for (int k = 0; k < WIDTH; k++)
        sum += rows[threadIdx.x * (WIDTH + 1) + k] / most;
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// A matrix times a vector, a row for each thread.
__global__ void matvecRows(const float *m, const float *v, float *out) {
    __shared__ float rows[64][65], vector[64];
    int tid = threadIdx.x;
    for (int y = 0; y < 64; y++)
        rows[y][tid] = m[(blockIdx.x * 64 + y) * 64 + tid];
    vector[tid] = v[tid];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += rows[tid][k] * vector[k];
    out[blockIdx.x * 64 + tid] = sum;
}

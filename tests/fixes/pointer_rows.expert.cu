// Dynamic shared memory as rows, through a pointer to an array.
__global__ void pointerRows(const float *in, float *out) {
    extern __shared__ float memory[];
    float(*tile)[33] = reinterpret_cast<float(*)[33]>(memory);
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = tile[x][y];
}

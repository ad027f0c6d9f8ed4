// Shared memory as one structure, as templates keep it.
struct Storage {
    float tile[32][32];
};

__global__ void classMember(const float *in, float *out) {
    __shared__ Storage storage;
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        storage.tile[y][x] = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = storage.tile[x][y];
}

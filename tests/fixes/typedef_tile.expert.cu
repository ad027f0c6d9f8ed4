// The same with a column more in the type.
typedef float Tile[32][33];

__global__ void typedefTile(const float *in, float *out) {
    __shared__ Tile tile;
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = tile[x][y];
}

//! padded 128 4 | 4096 | pointers(float*, int)::tile
//! padded 128 4 | 4096 | elements(float*, int)::tile
//! padded 128 4 | 1024 | counted(int*)::count
// What may reach more of an array than one element is refused.
__device__ float first(const float *row) {
    return row[0];
}

__global__ void pointers(float *out, int n) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = out[n];
    out[0] = first(tile[threadIdx.y]);
    out[1] = first(&tile[0][0]);
    float *row = tile[1], *flat = (float *)tile;
    float(*rows)[32];
    rows = tile;
    out[2] = *tile[2] + **tile;
    out[3] = sizeof(tile) / sizeof(tile[0]) + sizeof tile[0][0];
    out[4] = undeclared(tile);
    for (auto &one : tile)
        out[5] += one[0];
    auto lambda = [&](int i) { return tile[i]; };
    decltype(tile) &same = tile;
    asm volatile("" ::"l"(tile));
}

__global__ void elements(float *out, int n) {
    __shared__ float tile[32][32];
    float4 four = *reinterpret_cast<float4 *>(&tile[threadIdx.y][0]);
    int bits = reinterpret_cast<int &>(tile[0][n]);
    int more = (int &)tile[1][n], fine = (int)tile[1][n];
    unsigned address = __cvta_generic_to_shared(&(tile[2][n]));
    float *at = &tile[3][n];
    out[fine] = -tile[4][n] + first(&tile[5][0]);
}

// An atomic function sees one element.
__global__ void counted(int *out) {
    __shared__ int count[256];
    atomicAdd(&count[out[threadIdx.x]], 1);
    atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
    atomicCAS(&(count[3]), 1, 2);
}

// Elements through a lambda.
__global__ void lambdaTile(const float *in, float *out) {
    __shared__ float tile[32 * 33];
    auto at = [&](int y, int x) -> float & { return tile[y * 33 + x]; };
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        at(y, x) = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(blockIdx.x * 32 + y) * 32 + x] = at(x, y);
}

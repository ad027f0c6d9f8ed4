// Scores of attention: 16 queries by 16 keys of D numbers each.
template <typename T, int D, int TILE> struct Tiles {
    T query[TILE][D];
    T key[TILE][D + 4];
};

template <typename T, int D, int TILE>
__global__ void attentionScores(const T *queries, const T *keys, T *scores, T scale) {
    __shared__ Tiles<T, D, TILE> s;
    const int tx = threadIdx.x, ty = threadIdx.y;
    for (int d = tx; d < D; d += TILE) {
        s.query[ty][d] = queries[(blockIdx.y * TILE + ty) * D + d];
        s.key[ty][d] = keys[(blockIdx.x * TILE + ty) * D + d];
    }
    __syncthreads();
    T sum = 0;
#pragma unroll 8
    for (int d = 0; d < D; d++)
        sum += s.query[ty][d] * s.key[tx][d];
    scores[(blockIdx.y * TILE + ty) * gridDim.x * TILE + blockIdx.x * TILE + tx] = scale * sum;
}
template __global__ void attentionScores<float, 64, 16>(const float *, const float *, float *,
                                                        float);

// The same with a column more.
constexpr int kRows = 32;
constexpr int kColumns = 64;

__global__ void softmaxRows(const float *scores, float *weights) {
    __shared__ float s[kRows][kColumns + 1];
    const int tid = threadIdx.x;
    const size_t base = size_t(blockIdx.x) * kRows * kColumns;
    for (int i = tid; i < kRows * kColumns; i += kRows)
        s[i / kColumns][i % kColumns] = scores[base + i];
    __syncthreads();
    float most = s[tid][0];
    for (int c = 1; c < kColumns; ++c)
        most = fmaxf(most, s[tid][c]);
    float sum = 0.0f;
    for (int c = 0; c < kColumns; ++c) {
        s[tid][c] = __expf(s[tid][c] - most);
        sum += s[tid][c];
    }
    const float scale = 1.0f / sum;
    for (int c = 0; c < kColumns; ++c)
        s[tid][c] *= scale;
    __syncthreads();
    for (int i = tid; i < kRows * kColumns; i += kRows)
        weights[base + i] = s[i / kColumns][i % kColumns];
}

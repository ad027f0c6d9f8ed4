// The same with a flat array and hand-made indices, twice over.
constexpr int EACH = 8;

__global__ void reduceFlat(const float *in, float *out) {
    __shared__ float s[128 * (EACH + 1)];
    int tid = threadIdx.x;
    int place = tid % EACH + tid / EACH * (EACH + 1);
    for (int i = tid; i < 128 * EACH; i += 128, place += 128 / EACH * (EACH + 1))
        s[place] = in[blockIdx.x * 128 * EACH + i];
    __syncthreads();
    float most = 0, sum = 0;
    for (int k = 0; k < EACH; k++)
        most = fmaxf(most, s[tid * (EACH + 1) + k]);
    __syncthreads();
    for (int k = 0; k < EACH; k++)
        s[tid * (EACH + 1) + k] -= most;
    __syncthreads();
    for (int k = 0; k < EACH; k++)
        sum += s[tid * (EACH + 1) + k] * k;
    out[blockIdx.x * 128 + tid] = sum;
}

// Blelloch's scan, padded by a macro that was written for GPUs with 32 banks.
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#define N 512

__global__ void scanBanks(const int *in, int *out) {
    __shared__ int temp[N + N / NUM_BANKS];
    int thid = threadIdx.x;
    int offset = 1;
    int ai = thid, bi = thid + N / 2;
    temp[ai + CONFLICT_FREE_OFFSET(ai)] = in[blockIdx.x * N + ai];
    temp[bi + CONFLICT_FREE_OFFSET(bi)] = in[blockIdx.x * N + bi];

    for (int d = N >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0)
        temp[N - 1 + CONFLICT_FREE_OFFSET(N - 1)] = 0;
    for (int d = 1; d < N; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    out[blockIdx.x * N + ai] = temp[ai + CONFLICT_FREE_OFFSET(ai)];
    out[blockIdx.x * N + bi] = temp[bi + CONFLICT_FREE_OFFSET(bi)];
}

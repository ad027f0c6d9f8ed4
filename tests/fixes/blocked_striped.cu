// Items of a thread, neighbours before, become those that are a block apart.
template <int THREADS, int ITEMS, typename T>
__device__ void blockedToStriped(T (&items)[ITEMS], T *exchange) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        exchange[threadIdx.x * ITEMS + i] = items[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        items[i] = exchange[i * THREADS + threadIdx.x];
}

__global__ void blockedStriped(const int *in, int *out) {
    constexpr int THREADS = 128, ITEMS = 8;
    __shared__ int memory[THREADS * ITEMS];
    int items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = in[blockIdx.x * THREADS * ITEMS + i * THREADS + threadIdx.x];
    blockedToStriped<THREADS>(items, memory);
    for (int i = 0; i < ITEMS; i++)
        out[blockIdx.x * THREADS * ITEMS + i * THREADS + threadIdx.x] = items[i];
}

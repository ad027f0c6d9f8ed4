// Bitonic sorting of 512 keys: partners that are near share banks with those of other threads.
__global__ void sortBitonic(const int *in, int *out) {
    __shared__ int key[512];
    int tid = threadIdx.x;
    key[tid] = in[blockIdx.x * 512 + tid];
    key[tid + 256] = in[blockIdx.x * 512 + tid + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int low = 2 * tid - (tid & (step - 1));
            int a = key[low], b = key[low + step];
            if ((a > b) == ((low & size) == 0)) {
                key[low] = b;
                key[low + step] = a;
            }
        }
    __syncthreads();
    out[blockIdx.x * 512 + tid] = key[tid];
    out[blockIdx.x * 512 + tid + 256] = key[tid + 256];
}

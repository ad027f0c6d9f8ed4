// Bitonic sorting of 512 keys: partners that are near share banks with those of other threads.
// An exclusive or of the place in a row with the row's number.
__device__ unsigned at(unsigned i) { return i ^ ((i >> 5 & 1) * 31); }

__global__ void sortBitonic(const int *in, int *out) {
    __shared__ int key[512];
    int tid = threadIdx.x;
    key[at(tid)] = in[blockIdx.x * 512 + tid];
    key[at(tid + 256)] = in[blockIdx.x * 512 + tid + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int low = 2 * tid - (tid & (step - 1));
            unsigned first = at(low), second = at(low + step);
            int a = key[first], b = key[second];
            if ((a > b) == ((low & size) == 0)) {
                key[first] = b;
                key[second] = a;
            }
        }
    __syncthreads();
    out[blockIdx.x * 512 + tid] = key[at(tid)];
    out[blockIdx.x * 512 + tid + 256] = key[at(tid + 256)];
}

//! tried
//! pads 32 fewer()
//! pads 8 fewer()
//! pads 16 more()
//! pads 64 rows()
//! pads 32 counts()
// Padding that is there. `fewer` has no room for padding after fewer elements; what `rows` divides are rows, and `counts` has a name for two things.
#define NUM_BANKS 16
#define LOG_NUM_BANKS 4
#define OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void fewer() {
    __shared__ int s[512 + 512 / NUM_BANKS], fixed[64];
    int at = threadIdx.x * 2 + 1;
    s[threadIdx.x + OFFSET(threadIdx.x)] = fixed[0];
    at += OFFSET(at);
    s[at] = 1;
}

__device__ int padded(int i) {
    return i + i / 32;
}

__global__ void more() {
    __shared__ double s[1024 + 1024 / 32];
    s[padded(threadIdx.x)] = 1;
    s[threadIdx.x * 16 + (threadIdx.x * 16) / 32] = 2;
}

__global__ void rows() {
    __shared__ int s[32 * 33];
    s[threadIdx.x / 32 * 33 + threadIdx.x % 32] = 1;
}

const int STEP = 16;
__global__ void counts() {
    __shared__ int s[512 + 512 / STEP];
    for (int i = 0; i < STEP; i++)
        s[i + i / STEP] = 1;
}

// Calls of functions that are not inlined: scalars, structs, several results, divergence, loops.
struct Pair {
    int first;
    double second;
};

struct Matrix {
    float at[9];
};

__device__ __noinline__ int weigh(int value, int weight) {
    return value * weight + 1;
}

__device__ __noinline__ Pair swap_halves(Pair pair) {
    return {static_cast<int>(pair.second), pair.first * 0.5};
}

__device__ __noinline__ float trace(Matrix matrix, int skip) {
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += i == skip ? 0 : matrix.at[4 * i];
    return sum;
}

__device__ __noinline__ Matrix transposed(Matrix matrix) {
    Matrix result;
    for (int i = 0; i < 9; i++)
        result.at[i] = matrix.at[i % 3 * 3 + i / 3];
    return result;
}

__device__ __noinline__ void count_up(unsigned char *bytes, int n, short step, bool odd) {
    for (int i = odd; i < n; i += 2)
        bytes[i] = static_cast<unsigned char>(bytes[i] + step);
}

extern "C" __global__ void scalars(int *out) {
    out[threadIdx.x] = weigh(static_cast<int>(threadIdx.x), 3) + weigh(7, static_cast<int>(threadIdx.x));
}

extern "C" __global__ void structs(double *out) {
    int i = static_cast<int>(threadIdx.x);
    Pair pair = swap_halves({i, i + 0.75});
    Matrix matrix;
    for (int k = 0; k < 9; k++)
        matrix.at[k] = static_cast<float>(i * 10 + k);
    matrix = transposed(matrix);
    out[i] = pair.first + pair.second + trace(matrix, i % 4) + 1000 * matrix.at[i % 9];
}

extern "C" __global__ void bytes(unsigned char *out) {
    unsigned char local[16];
    for (int i = 0; i < 16; i++)
        local[i] = static_cast<unsigned char>(i);
    count_up(local, 16, static_cast<short>(threadIdx.x - 5), threadIdx.x % 2);
    for (int i = 0; i < 16; i++)
        out[threadIdx.x * 16 + i] = local[i];
}

// Each side calls; only some lanes call; lanes call a different number of times.
extern "C" __global__ void divergent(int *out) {
    int i = static_cast<int>(threadIdx.x), sum = 0;
    if (i % 3 == 0)
        sum = weigh(i, 5);
    else if (i % 3 == 1)
        sum = weigh(i, 7) - weigh(1, i);
    for (int k = 0; k < i % 5; k++)
        sum = weigh(sum, k);
    out[i] = sum;
}

__device__ __noinline__ int neighbour(int value) {
    return __shfl_xor_sync(0xffffffff, value, 1);
}

__device__ __noinline__ int block_sum(int value) {
    __shared__ int partial[128];
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (threadIdx.x < step)
            partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    return partial[0];
}

extern "C" __global__ void together(int *out) {
    int i = static_cast<int>(threadIdx.x);
    int sum = block_sum(i * i);
    out[blockIdx.x * blockDim.x + i] = sum + neighbour(i); // each block's own place: workers must not race
}

__device__ __noinline__ int exchanged(int value) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(value));
    return value * 2;
}

// The same function from two places at once: its shuffle is of all lanes of the warp.
extern "C" __global__ void from_two_places(int *out) {
    int i = static_cast<int>(threadIdx.x), value;
    if (i % 2)
        value = 1000 + exchanged(i);
    else
        value = 2000 + exchanged(i * 10);
    out[i] = value;
}

// Lanes leave the kernel from inside a function.
__device__ __noinline__ int leave_if(int value, bool leaves) {
    if (leaves)
        asm volatile("exit;");
    return value + 1;
}

extern "C" __global__ void leaving(int *out) {
    int i = static_cast<int>(threadIdx.x), value = i;
    for (int k = 0; k < 4; k++)
        value = leave_if(value, i % 7 == k);
    out[i] = value;
}

// Each thread adds up eight neighbours, in a loop.
template <typename T> __device__ T square(T x) { return x * x; }
__global__ void norms(const float *__restrict__ in, float *__restrict__ out) {
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += square(in[group * 8 + k]);
    out[group] = sqrtf(sum);
}

// The same by two float4.
template <typename T> __device__ T square(T x) { return x * x; }
__global__ void norms(const float *__restrict__ in, float *__restrict__ out) {
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    float4 a = reinterpret_cast<const float4 *>(in)[group * 2];
    float4 b = reinterpret_cast<const float4 *>(in)[group * 2 + 1];
    float sum = 0;
    sum += square(a.x);
    sum += square(a.y);
    sum += square(a.z);
    sum += square(a.w);
    sum += square(b.x);
    sum += square(b.y);
    sum += square(b.z);
    sum += square(b.w);
    out[group] = sqrtf(sum);
}

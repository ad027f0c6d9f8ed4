// Rows whose pitch has a name, with two arrays that share it.
namespace shape {
constexpr int ROWS = 32;
constexpr int PITCH = 33;
} // namespace shape

__global__ void namedPitch(const float *in, float *out) {
    using namespace shape;
    __shared__ float a[ROWS * PITCH], b[ROWS * PITCH];
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < ROWS; y += 8) {
        float value = in[(blockIdx.x * ROWS + y) * 32 + x];
        a[y * PITCH + x] = value;
        b[x * PITCH + y] = value * value;
    }
    __syncthreads();
    for (int y = threadIdx.y; y < ROWS; y += 8)
        out[(blockIdx.x * ROWS + y) * 32 + x] = a[x * PITCH + y] - b[y * PITCH + x];
}

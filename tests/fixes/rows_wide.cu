// Differences along the rows of an image, of which blocks of 32 x 8 threads take 32 rows.
__global__ void differences(const float *in, float *out, int width) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    int x = blockIdx.y * blockDim.y + threadIdx.y;
    float right = x + 1 < width ? in[y * width + x + 1] : 0;
    out[y * width + x] = right - in[y * width + x];
}

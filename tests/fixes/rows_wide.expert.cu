// The same with the block's 256 threads numbered along the rows of its part: 8 wide, 32 high.
__global__ void differences(const float *in, float *out, int width) {
    int number = threadIdx.y * blockDim.x + threadIdx.x;
    int y = blockIdx.x * blockDim.x + number / blockDim.y;
    int x = blockIdx.y * blockDim.y + number % blockDim.y;
    float right = x + 1 < width ? in[y * width + x + 1] : 0;
    out[y * width + x] = right - in[y * width + x];
}

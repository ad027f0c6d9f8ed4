// A thread for each row of a matrix, whose elements it takes one by one.
__global__ void rowMeans(const float *matrix, float *means, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float *from = matrix + row * 16;
    float sum = 0.0f;
    for (int c = 0; c < 16; ++c)
        sum += from[c];
    means[row] = sum / 16.0f;
}

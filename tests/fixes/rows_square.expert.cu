// The same with neighbouring threads along the row.
__global__ void scaleRows(float *matrix, const float *factor, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.y;
    int column = blockIdx.y * blockDim.y + threadIdx.x;
    matrix[row * columns + column] *= factor[row];
}

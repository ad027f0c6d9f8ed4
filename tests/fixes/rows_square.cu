// A factor for each row of a matrix: neighbouring threads take neighbouring rows.
__global__ void scaleRows(float *matrix, const float *factor, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    matrix[row * columns + column] *= factor[row];
}

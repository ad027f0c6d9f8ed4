// A flat tile, whose type has a name.
enum { SIDE = 32 };
typedef float Square[SIDE * (SIDE + 1)];

__global__ void typedefFlat(const float *in, float *out) {
    __shared__ Square square;
    const int column = threadIdx.x;
    for (int row = threadIdx.y; row < SIDE; row += 8)
        square[row * (SIDE + 1) + column] = in[(blockIdx.x * SIDE + row) * SIDE + column];
    __syncthreads();
    for (int row = threadIdx.y; row < SIDE; row += 8)
        out[(blockIdx.x * SIDE + row) * SIDE + column] = square[column * (SIDE + 1) + row];
}

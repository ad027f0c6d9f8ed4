//! transposed 80 24 4 | 1920 | turn(float*)::last
//! transposed 8 24 4 | 1920 | turn(float*)::inner
//! transposed 10 192 24 | 1920 | turn(float*)::outer
//! padded 24 4 192 28 | 1920 | turn(float*)::padded
// Dimensions of volumes change places: the last comes first; within each z; z and y. Two extents grow.
__global__ void turn(float *out) {
    __shared__ float last[10][8][6], inner[10][8][6];
    __shared__ float outer[10][8][6];
    __shared__ float padded[10][8][6];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    last[z][y][x] = inner[z][y][x] = outer[z][y + 1][x] = padded[z][y][x] = out[x];
    out[x] = last[x][y][0] + inner[0][x][y] + outer[x][0][y] + padded[x][y][z];
}

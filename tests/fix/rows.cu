// Threads of the first warp each walk along a row of the tile. Rows of a multiple of four floats are
// read with 16-byte loads, which ptxas makes of four loads each; rows of 33 are not.
//   nvcc -arch=sm_90 -lineinfo -ptx rows.cu
template <int PADDING> __global__ void rows(float *data) {
    __shared__ float tile[32][32 + PADDING];
    for (int r = threadIdx.y; r < 32; r += blockDim.y)
        tile[r][threadIdx.x] = data[r * 32 + threadIdx.x];
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 32; k++)
        sum += tile[threadIdx.x][k] * (k + 1);
    data[1024 + threadIdx.x] = sum;
}

template __global__ void rows<0>(float *);
template __global__ void rows<1>(float *);
template __global__ void rows<4>(float *);

// An image of four bytes a pixel is turned by a quarter.
#define TILE 16
#define PIXEL(r, c) shared[(r) * (TILE + 1) + (c)]

__global__ void rotateRgba(const uchar4 *src, uchar4 *dst, int width, int height) {
    extern __shared__ uchar4 shared[];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        PIXEL(threadIdx.y, threadIdx.x) = src[y * width + x];
    __syncthreads();

    int nx = height - (blockIdx.y + 1) * TILE + threadIdx.x;
    int ny = blockIdx.x * TILE + threadIdx.y;
    if (nx >= 0 && ny < width)
        dst[ny * height + nx] = PIXEL(TILE - 1 - threadIdx.x, threadIdx.y);
}

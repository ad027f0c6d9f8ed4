// Gray of interleaved red, green and blue bytes.
__global__ void rgbGray(const unsigned char *rgb, unsigned char *gray) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char r = rgb[3 * i + 0];
    unsigned char g = rgb[3 * i + 1];
    unsigned char b = rgb[3 * i + 2];
    gray[i] = (77 * r + 150 * g + 29 * b) >> 8;
}

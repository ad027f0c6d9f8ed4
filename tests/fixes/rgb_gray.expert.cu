// Gray of interleaved red, green and blue bytes, which a block loads as words.
__global__ void rgbGray(const unsigned char *rgb, unsigned char *gray) {
    int i = blockIdx.x * 256 + threadIdx.x;
    __shared__ unsigned words[192];
    if (threadIdx.x < 192)
        words[threadIdx.x] =
            reinterpret_cast<const unsigned *>(rgb)[blockIdx.x * 192 + threadIdx.x];
    __syncthreads();
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(words);
    unsigned char r = bytes[3 * threadIdx.x + 0];
    unsigned char g = bytes[3 * threadIdx.x + 1];
    unsigned char b = bytes[3 * threadIdx.x + 2];
    gray[i] = (77 * r + 150 * g + 29 * b) >> 8;
}

// Pixels of four bytes to grey.
typedef unsigned char uchar;
__global__ void gray(const uchar *image, uchar *out, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    int red = image[4 * i + 0];
    int green = image[4 * i + 1];
    int blue = image[4 * i + 2];
    int alpha = image[4 * i + 3];
    out[i] = (uchar)((red * 77 + green * 151 + blue * 28) * alpha >> 16);
}

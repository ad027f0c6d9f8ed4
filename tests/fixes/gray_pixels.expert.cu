// The same by uchar4.
typedef unsigned char uchar;
__global__ void gray(const uchar *image, uchar *out, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    uchar4 p = reinterpret_cast<const uchar4 *>(image)[i];
    out[i] = (uchar)((p.x * 77 + p.y * 151 + p.z * 28) * p.w >> 16);
}

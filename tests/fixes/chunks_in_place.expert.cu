// The same by ushort4.
__global__ void brighten(unsigned short *image, int groups, unsigned short by) {
    ushort4 *pixels = reinterpret_cast<ushort4 *>(image);
    for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < groups; g += gridDim.x * blockDim.x) {
        ushort4 p = pixels[g];
        p.x += by;
        p.y += by;
        p.z += by;
        p.w += by;
        pixels[g] = p;
    }
}

// Each lane looks through a line of bytes.
__global__ void bytesColumns(const unsigned char *in, unsigned *out) {
    __shared__ unsigned char line[32][128];
    int lane = threadIdx.x;
    for (int y = 0; y < 32; y++)
        for (int x = lane; x < 128; x += 32)
            line[y][x] = in[(blockIdx.x * 32 + y) * 128 + x];
    __syncwarp();
    unsigned hash = 0;
    for (int x = 0; x < 128; x++)
        hash = hash * 31 + line[lane][x];
    out[blockIdx.x * 32 + lane] = hash;
}

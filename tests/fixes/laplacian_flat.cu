// The Laplacian of a volume; the block's part of it, with its halo, is a flat array.
#define BX 8
#define BY 4
#define BZ 4
#define PX (BX + 2)
#define PY (BY + 2)
#define PZ (BZ + 2)
#define AT(z, y, x) (((z)*PY + (y)) * PX + (x))

__global__ void laplacianFlat(const float *in, float *out, int nx, int ny) {
    __shared__ float s[PZ * PY * PX];
    const int tid = (threadIdx.z * BY + threadIdx.y) * BX + threadIdx.x;
    const float *corner = in + (blockIdx.z * BZ * ny + blockIdx.y * BY) * nx + blockIdx.x * BX;
    for (int i = tid; i < PZ * PY * (BX + 2); i += BX * BY * BZ) {
        const int x = i % (BX + 2), y = i / (BX + 2) % PY, z = i / (BX + 2) / PY;
        s[AT(z, y, x)] = corner[(z * ny + y) * nx + x];
    }
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1, z = threadIdx.z + 1;
    const float sum = s[AT(z, y, x - 1)] + s[AT(z, y, x + 1)] + s[AT(z, y - 1, x)] +
                      s[AT(z, y + 1, x)] + s[AT(z - 1, y, x)] + s[AT(z + 1, y, x)];
    out[((blockIdx.z * BZ + z) * ny + blockIdx.y * BY + y) * nx + blockIdx.x * BX + x] =
        sum - 6.0f * s[AT(z, y, x)];
}

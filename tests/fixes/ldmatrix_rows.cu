// Rows of a tile of halves for tensor cores, by ldmatrix.
typedef unsigned short half_t;

__global__ void ldmatrixRows(const half_t *in, unsigned *out) {
    __shared__ half_t tile[64][64];
    int lane = threadIdx.x, warp = threadIdx.y, tid = warp * 32 + lane;
    for (int i = tid; i < 64 * 8; i += 128)
        *reinterpret_cast<uint4 *>(&tile[i / 8][i % 8 * 8]) =
            reinterpret_cast<const uint4 *>(in)[blockIdx.x * 512 + i];
    __syncthreads();
    for (int k = 0; k < 64; k += 16) {
        unsigned r[4];
        unsigned at = (unsigned)__cvta_generic_to_shared(
            &tile[warp * 16 + lane % 16][k + lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
        for (int i = 0; i < 4; i++)
            out[((blockIdx.x * 4 + k / 16) * 4 + i) * 128 + tid] = r[i];
    }
}

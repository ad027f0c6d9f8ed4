// The same, filled by cp.async, with one address a lane that steps along its row.
__global__ void ldmatrixAsync(const unsigned short *in, unsigned *out) {
    __shared__ alignas(16) unsigned short tile[64 * 64];
    int lane = threadIdx.x, warp = threadIdx.y, tid = warp * 32 + lane;
    for (int i = tid; i < 64 * 8; i += 128) {
        unsigned to = (unsigned)__cvta_generic_to_shared(&tile[i / 8 * 64 + i % 8 * 8]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :
                     : "r"(to), "l"(in + blockIdx.x * 4096 + i * 8));
    }
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int k = 0; k < 64; k += 16) {
        unsigned r[4];
        int row = warp * 16 + lane % 16, column = k + lane / 16 * 8;
        unsigned at = (unsigned)__cvta_generic_to_shared(&tile[row * 64 + column]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
        for (int i = 0; i < 4; i++)
            out[((blockIdx.x * 4 + k / 16) * 4 + i) * 128 + tid] = r[i];
    }
}

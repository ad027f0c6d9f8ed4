// The same, filled by cp.async, with one address a lane that steps along its row.
__global__ void ldmatrixAsync(const unsigned short *in, unsigned *out) {
    __shared__ alignas(128) unsigned short tile[64 * 64];
    int lane = threadIdx.x, warp = threadIdx.y, tid = warp * 32 + lane;
    // 16 bytes each, in the order of an exclusive or with the row's number.
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[tid / 8 * 64 + (tid % 8 ^ tid / 8 % 8) * 8]);
    unsigned from = (unsigned)__cvta_generic_to_shared(
        &tile[(warp * 16 + lane % 16) * 64 + (lane / 16 ^ lane % 8) * 8]);
    for (int i = tid; i < 64 * 8; i += 128, to += 16 * 128) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :
                     : "r"(to), "l"(in + blockIdx.x * 4096 + i * 8));
    }
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int k = 0; k < 64; k += 16) {
        unsigned r[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(from ^ k * 2));
        for (int i = 0; i < 4; i++)
            out[((blockIdx.x * 4 + k / 16) * 4 + i) * 128 + tid] = r[i];
    }
}

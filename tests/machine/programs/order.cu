// Lanes that leave a chain of blocks for one place, each where its masks say: in whose order do they come there, and who
// comes together? masks[8 * warp + k] >> lane & 1: the lane leaves behind block k. One warp a block of the grid.
extern "C" __global__ void order(const unsigned *masks, unsigned *out, unsigned first) {
    const unsigned lane = threadIdx.x;
    unsigned leaves = 0, x = 7 + lane;
    for (int k = 0; k < 8; k++)
        leaves |= (masks[8 * (first + blockIdx.x) + k] >> lane & 1) << k;
    asm volatile("{\n"
                 " .reg .pred p;\n"
                 " .reg .b32 t;\n"
                 " and.b32 t, %1, 1;   setp.ne.u32 p, t, 0; @p bra L; mad.lo.u32 %0, %0, %0, 3;\n"
                 " and.b32 t, %1, 2;   setp.ne.u32 p, t, 0; @p bra L; mad.lo.u32 %0, %0, %0, 5;\n"
                 " and.b32 t, %1, 4;   setp.ne.u32 p, t, 0; @p bra L; mad.lo.u32 %0, %0, %0, 7;\n"
                 " and.b32 t, %1, 8;   setp.ne.u32 p, t, 0; @p bra L; mad.lo.u32 %0, %0, %0, 9;\n"
                 " and.b32 t, %1, 16;  setp.ne.u32 p, t, 0; @p bra L; mad.lo.u32 %0, %0, %0, 11;\n"
                 " and.b32 t, %1, 32;  setp.ne.u32 p, t, 0; @p bra L; mad.lo.u32 %0, %0, %0, 13;\n"
                 " and.b32 t, %1, 64;  setp.ne.u32 p, t, 0; @p bra L; mad.lo.u32 %0, %0, %0, 15;\n"
                 " and.b32 t, %1, 128; setp.ne.u32 p, t, 0; @p bra L; st.global.u32 [%2], %0;\n"
                 "L:\n"
                 "}"
                 : "+r"(x)
                 : "r"(leaves), "l"(out + 64 * (first + blockIdx.x) + lane)
                 : "memory");
    out[64 * (first + blockIdx.x) + 32 + lane] = x;
}

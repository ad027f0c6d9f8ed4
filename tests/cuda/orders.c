/* What comes last decides: blocks store their numbers to one place. argv[1]: "status", the number is the exit status; "fault", a kernel
 * faults where it is not that of the last block; "count", kernels do more or less by it; "launch", more of them are launched. */
#include "check.h"

static const char orders[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry last(.param .u64 place)\n{\n"
    ".reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [place];\nmov.u32 %r1, %ctaid.x;\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
    /* as many loads as the number says; beyond the end where it is 99 */
    ".visible .entry some(.param .u64 place, .param .u32 count)\n{\n"
    ".reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [place];\nld.param.u32 %r1, [count];\n"
    "setp.eq.u32 %p2, %r1, 99;\n@%p2 st.global.u32 [%rd1+4096], %r1;\n@%p2 ret;\n"
    "LOOP:\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\n"
    "ld.volatile.global.u32 %r2, [%rd1];\nsub.u32 %r1, %r1, 1;\nbra LOOP;\nDONE:\nret;\n}\n";

enum { BLOCKS = 4 };

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    unsigned last = 0, count = 1;
    CUdeviceptr place;
    CUmodule module;
    void *one[] = {&place}, *two[] = {&place, &count};
    OK(cuInit(0));
    start();
    OK(cuModuleLoadData(&module, orders));
    OK(cuMemAlloc_v2(&place, 64));
    OK(cuMemsetD32_v2(place, 0, 16));
    OK(cuLaunchKernel(kernel(module, "last"), BLOCKS, 1, 1, 32, 1, 1, 0, NULL, one, NULL));
    OK(cuMemcpyDtoH_v2(&last, place, sizeof last));
    OK(cuMemsetD32_v2(place, 7, 1)); /* nothing of it stays */
    if (strcmp(way, "fault") == 0)
        count = last == BLOCKS - 1 ? 1 : 99;
    else if (strcmp(way, "count") == 0)
        count = 1 + last;
    OK(cuLaunchKernel(kernel(module, "some"), 1, 1, 1, 32, 1, 1, 0, NULL, two, NULL));
    if (strcmp(way, "launch") == 0 && last != BLOCKS - 1)
        OK(cuLaunchKernel(kernel(module, "some"), 1, 1, 1, 32, 1, 1, 0, NULL, two, NULL));
    cuCtxSynchronize();
    return strcmp(way, "status") == 0 ? (int)last : 0;
}

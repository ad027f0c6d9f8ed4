/* The launch calls of before CUDA 4. */
#include "check.h"

enum { N = 96 };

static void show(CUdeviceptr at) {
    unsigned host[N];
    OK(cuMemcpyDtoH_v2(host, at, sizeof host));
    printf("%u %u %u %u\n", host[0], host[31], host[32], host[95]);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    CUfunction fill = kernel(start(), "fill");
    CUdeviceptr at;
    OK(cuMemAlloc_v2(&at, N * 4));
    OK(cuMemsetD32_v2(at, 0, N));
    SAY(cuFuncSetBlockShape(fill, 32, 1, 1));
    SAY(cuParamSetv(fill, 0, &at, sizeof at));
    SAY(cuParamSeti(fill, 8, 5));
    SAY(cuParamSetSize(fill, 12));
    SAY(cuFuncSetSharedSize(fill, 1024));
    SAY(cuLaunch(fill));
    show(at);
    SAY(cuParamSetf(fill, 8, 1.0f)); /* 0x3f800000 */
    SAY(cuLaunchGrid(fill, 2, 1));
    show(at);
    SAY(cuParamSeti(fill, 8, 7));
    SAY(cuLaunchGridAsync(fill, 1, 3, NULL)); /* three blocks with the same %ctaid.x */
    show(at);
    SAY(cuFuncSetBlockShape(fill, 0, 1, 1));
    SAY(cuFuncSetBlockShape(fill, 2048, 1, 1));
    SAY(cuLaunch(fill));
    SAY(cuFuncSetBlockShape(fill, 32, 1, 1));
    SAY(cuParamSetSize(fill, 4100));
    SAY(cuLaunchGrid(fill, 0, 1));
    SAY(cuLaunchGrid(fill, 1, 65536));
    SAY(cuParamSetSize(fill, 8)); /* less than the kernel has */
    SAY(cuLaunch(fill));
    SAY(cuCtxSynchronize());
    return 0;
}

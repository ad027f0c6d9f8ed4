/* A kernel that launches another one: how many a block may have pending is a limit of the context, and
 * what it asks for about the device and the kernel is what the host would be told. "wild": the child
 * stores where it should not. */
#include "check.h"

/* parent: stores the warp size, the limit and the occupancy to c[1 … 6], then launches count<<<2, 32>>>
 * n times; c[7]: the last error. count: adds 1 to c[0] and stores to c[at]. */
static const char launching[] =
    ".version 8.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".file 1 \"children.cu\"\n"
    ".extern .func (.param .b64 result) __cudaCDP2GetParameterBufferV2(.param .b64 kernel,\n"
    "    .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);\n"
    ".extern .func (.param .b32 result) __cudaCDP2LaunchDeviceV2(.param .b64 buffer,\n"
    "    .param .b64 stream);\n"
    ".extern .func (.param .b32 result) __cudaCDP2GetLastError();\n"
    ".extern .func (.param .b32 result) __cudaCDP2DeviceGetAttribute(.param .b64 to,\n"
    "    .param .b32 attribute, .param .b32 device);\n"
    ".extern .func (.param .b32 result) __cudaCDP2DeviceGetLimit(.param .b64 to,\n"
    "    .param .b32 limit);\n"
    ".extern .func (.param .b32 result) __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor(\n"
    "    .param .b64 to, .param .b64 kernel, .param .b32 threads, .param .b64 shared);\n"
    ".visible .entry count(.param .u64 c, .param .u32 at)\n"
    "{\n"
    "    .reg .b32 %r<3>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    .loc 1 4 5\n"
    "    ld.param.u64 %rd1, [c];\n"
    "    ld.param.u32 %r1, [at];\n"
    "    red.global.add.u32 [%rd1], 1;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.s64 %rd3, %rd1, %rd2;\n"
    "    .loc 1 5 5\n"
    "    st.global.u32 [%rd3], %r1;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry parent(.param .u64 c, .param .u32 n, .param .u32 at)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    .param .b64 to; .param .b32 word; .param .b32 other; .param .b64 long; .param .b32 "
    "error;\n"
    "    .param .b64 kernel; .param .align 4 .b8 grid[12]; .param .align 4 .b8 block[12];\n"
    "    .param .b64 buffer;\n"
    "    ld.param.u64 %rd1, [c];\n"
    "    ld.param.u32 %r1, [n];\n"
    "    ld.param.u32 %r2, [at];\n"
    "    add.s64 %rd2, %rd1, 4;\n"
    "    st.param.b64 [to], %rd2; st.param.b32 [word], 10; st.param.b32 [other], 0;\n"
    "    call (error), __cudaCDP2DeviceGetAttribute, (to, word, other);\n"
    "    add.s64 %rd2, %rd1, 8;\n"
    "    st.param.b64 [to], %rd2; st.param.b32 [word], 4;\n"
    "    call (error), __cudaCDP2DeviceGetLimit, (to, word);\n"
    "    add.s64 %rd2, %rd1, 16;\n"
    "    mov.u64 %rd3, count;\n"
    "    st.param.b64 [to], %rd2; st.param.b64 [kernel], %rd3; st.param.b32 [word], 1024;\n"
    "    st.param.b64 [long], 0;\n"
    "    call (error), __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor, (to, kernel, word, "
    "long);\n"
    "LOOP:\n"
    "    st.param.b32 [grid], 2; st.param.b32 [grid+4], 1; st.param.b32 [grid+8], 1;\n"
    "    st.param.b32 [block], 32; st.param.b32 [block+4], 1; st.param.b32 [block+8], 1;\n"
    "    st.param.b32 [word], 0; st.param.b64 [kernel], %rd3;\n"
    "    .loc 1 9 5\n"
    "    call (buffer), __cudaCDP2GetParameterBufferV2, (kernel, grid, block, word);\n"
    "    ld.param.b64 %rd4, [buffer];\n"
    "    st.u64 [%rd4], %rd1;\n"
    "    st.u32 [%rd4+8], %r2;\n"
    "    st.param.b64 [to], %rd4; st.param.b64 [long], 0;\n"
    "    call (error), __cudaCDP2LaunchDeviceV2, (to, long);\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra LOOP;\n"
    "    call (error), __cudaCDP2GetLastError, ();\n"
    "    ld.param.b32 %r3, [error];\n"
    "    st.global.u32 [%rd1+28], %r3;\n"
    "    ret;\n"
    "}\n";

enum { LIMIT_PENDING = 4 };

static CUresult launch(CUfunction parent, CUdeviceptr c, unsigned n, unsigned at) {
    void *params[] = {&c, &n, &at};
    OK(cuMemsetD32_v2(c, 0, 16));
    OK(cuLaunchKernel(parent, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    return cuCtxSynchronize();
}

int main(int argc, char **argv) {
    start();
    CUmodule module;
    CUdeviceptr c;
    unsigned host[16];
    const char *name;
    OK(cuModuleLoadData(&module, launching));
    OK(cuMemAlloc_v2(&c, sizeof host));
    CUfunction parent = kernel(module, "parent");
    if (argc > 1 && strcmp(argv[1], "wild") == 0) {
        OK(cuGetErrorName(launch(parent, c, 1, 16), &name));
        puts(name);
        return 0;
    }
    OK(launch(parent, c, 3, 8));
    OK(cuMemcpyDtoH_v2(host, c, sizeof host));
    CHECK(host[0] == 3 * 64 && host[1] == 32 && host[2] == 2048 && host[4] == 2);
    CHECK(host[7] == 0 && host[8] == 8);
    OK(cuCtxSetLimit(LIMIT_PENDING, 5));
    OK(launch(parent, c, 6, 8));
    OK(cuMemcpyDtoH_v2(host, c, sizeof host));
    CHECK(host[0] == 5 * 64 && host[2] == 5 && host[7] == 69);
    puts("children: fine");
    return 0;
}

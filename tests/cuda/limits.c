/* cuCtxSetLimit reaches kernels: the heap that malloc takes from, and the stack of a thread. */
#include "check.h"

/* obtain: whether malloc gives so many bytes; descend: so many nested calls, each with 1 KB of stack. */
static const char limited[] = ".version 8.0\n"
                              ".target sm_80\n"
                              ".address_size 64\n"
                              ".extern .func (.param .b64 pointer) malloc(.param .b64 bytes);\n"
                              ".visible .entry obtain(.param .u64 out, .param .u64 bytes)\n"
                              "{\n"
                              "    .reg .pred %p<2>;\n"
                              "    .reg .b32 %r<2>;\n"
                              "    .reg .b64 %rd<4>;\n"
                              "    ld.param.u64 %rd1, [out];\n"
                              "    ld.param.u64 %rd2, [bytes];\n"
                              "    {\n"
                              "    .param .b64 x;\n"
                              "    .param .b64 y;\n"
                              "    st.param.b64 [x], %rd2;\n"
                              "    call.uni (y), malloc, (x);\n"
                              "    ld.param.b64 %rd3, [y];\n"
                              "    }\n"
                              "    setp.ne.u64 %p1, %rd3, 0;\n"
                              "    selp.u32 %r1, 1, 0, %p1;\n"
                              "    st.global.u32 [%rd1], %r1;\n"
                              "    ret;\n"
                              "}\n"
                              ".func (.param .b32 r) sum(.param .b32 n)\n"
                              "{\n"
                              "    .local .align 4 .b8 frame[1024];\n"
                              "    .reg .pred %p<2>;\n"
                              "    .reg .b32 %r<6>;\n"
                              "    ld.param.u32 %r1, [n];\n"
                              "    st.local.u32 [frame], %r1;\n"
                              "    mov.u32 %r4, 0;\n"
                              "    setp.eq.u32 %p1, %r1, 0;\n"
                              "    @%p1 bra DONE;\n"
                              "    sub.u32 %r2, %r1, 1;\n"
                              "    {\n"
                              "    .param .b32 x;\n"
                              "    .param .b32 y;\n"
                              "    st.param.b32 [x], %r2;\n"
                              "    call.uni (y), sum, (x);\n"
                              "    ld.param.b32 %r3, [y];\n"
                              "    }\n"
                              "    ld.local.u32 %r5, [frame];\n"
                              "    add.u32 %r4, %r3, %r5;\n"
                              "DONE:\n"
                              "    st.param.b32 [r], %r4;\n"
                              "    ret;\n"
                              "}\n"
                              ".visible .entry descend(.param .u64 out, .param .u64 depth)\n"
                              "{\n"
                              "    .reg .b32 %r<3>;\n"
                              "    .reg .b64 %rd<2>;\n"
                              "    ld.param.u64 %rd1, [out];\n"
                              "    ld.param.u32 %r1, [depth];\n"
                              "    {\n"
                              "    .param .b32 x;\n"
                              "    .param .b32 y;\n"
                              "    st.param.b32 [x], %r1;\n"
                              "    call.uni (y), sum, (x);\n"
                              "    ld.param.b32 %r2, [y];\n"
                              "    }\n"
                              "    st.global.u32 [%rd1], %r2;\n"
                              "    ret;\n"
                              "}\n";

static unsigned run(CUmodule module, const char *name, uint64_t argument) {
    CUdeviceptr out;
    unsigned result = 12345;
    OK(cuMemAlloc_v2(&out, 4));
    void *params[] = {&out, &argument};
    OK(cuLaunchKernel(kernel(module, name), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH_v2(&result, out, 4));
    OK(cuMemFree_v2(out));
    return result;
}

static CUmodule load(void) {
    CUcontext primary;
    CUmodule module;
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxSetCurrent(primary));
    OK(cuModuleLoadData(&module, limited));
    return module;
}

int main(void) {
    enum { STACK, HEAP = 2, MB = 1 << 20, DEEP = 300 };
    OK(cuInit(0));
    CUmodule module = load();
    CHECK(run(module, "obtain", 4 * MB) == 1);
    CHECK(run(module, "obtain", 32 * MB) == 0);
    CHECK(cuCtxSetLimit(HEAP, 64 * MB) == CUDA_ERROR_INVALID_VALUE); /* it is in use */
    OK(cuDevicePrimaryCtxReset_v2(0));
    module = load();
    OK(cuCtxSetLimit(HEAP, 64 * MB));
    CHECK(run(module, "obtain", 32 * MB) == 1);
    OK(cuCtxSetLimit(STACK, 400 << 10));
    CHECK(cuCtxSetLimit(STACK, 2 * MB) == CUDA_ERROR_INVALID_VALUE);
    CHECK(run(module, "descend", DEEP) == DEEP * (DEEP + 1) / 2);
    puts("limits: fine");
    return 0;
}

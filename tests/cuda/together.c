/* Blocks of a grid that wait for each other by functions of NVIDIA's device runtime, which the PTX declares and has not, as Numba's does. */
#include "check.h"

/* Each block adds what all others had after the step before: the sum doubles and more with every step, if all were there. */
static const char text[] =
    ".version 8.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".extern .func (.param .b64 func_retval0) cudaCGGetIntrinsicHandle(.param .b32 p0);\n"
    ".extern .func (.param .b32 func_retval0) cudaCGSynchronize(.param .b64 p0, .param .b32 p1);\n"
    ".visible .entry steps(.param .u64 sums, .param .u64 errors, .param .u32 count)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<16>;\n"
    "    .reg .b64 %d<8>;\n"
    "    ld.param.u64 %d1, [sums];\n"
    "    ld.param.u64 %d5, [errors];\n"
    "    ld.param.u32 %r1, [count];\n"
    "    {\n"
    "    .param .b32 scope;\n"
    "    .param .b64 handle;\n"
    "    st.param.b32 [scope], 1;\n"
    "    call.uni (handle), cudaCGGetIntrinsicHandle, (scope);\n"
    "    ld.param.b64 %d2, [handle];\n"
    "    }\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    mov.u32 %r3, 0;\n"
    "STEP:\n"
    "    mul.wide.u32 %d3, %r3, 4;\n"
    "    add.u64 %d3, %d1, %d3;\n"
    "    mov.u32 %r4, 1;\n"
    "    setp.eq.u32 %p1, %r3, 0;\n"
    "    @!%p1 ld.volatile.global.u32 %r4, [%d3+-4];\n"
    "    setp.eq.u32 %p2, %r2, 0;\n"
    "    @%p2 red.global.add.u32 [%d3], %r4;\n"
    "    {\n"
    "    .param .b64 handle;\n"
    "    .param .b32 flags;\n"
    "    .param .b32 error;\n"
    "    st.param.b64 [handle], %d2;\n"
    "    st.param.b32 [flags], 0;\n"
    "    call.uni (error), cudaCGSynchronize, (handle, flags);\n"
    "    ld.param.b32 %r5, [error];\n"
    "    }\n"
    "    @%p2 red.global.add.u32 [%d5], %r5;\n"
    "    add.u32 %r3, %r3, 1;\n"
    "    setp.lt.u32 %p3, %r3, %r1;\n"
    "    @%p3 bra STEP;\n"
    "    ret;\n"
    "}\n";

int main(void) {
    enum { STEPS = 4 };
    static const unsigned blocks[3] = {3, 2, 5}, threads[3] = {33, 2, 1};
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction steps;
    CUdeviceptr memory, errors;
    unsigned count = STEPS, all = blocks[0] * blocks[1] * blocks[2], expected = 1;
    unsigned sums[STEPS], error;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&steps, module, "steps"));
    OK(cuMemAlloc_v2(&memory, sizeof sums));
    OK(cuMemAlloc_v2(&errors, sizeof error));
    OK(cuMemsetD8_v2(memory, 0, sizeof sums));
    OK(cuMemsetD8_v2(errors, 0, sizeof error));
    void *params[] = {&memory, &errors, &count};
    OK(cuLaunchCooperativeKernel(steps, blocks[0], blocks[1], blocks[2], threads[0], threads[1],
                                 threads[2], 0, NULL, params));
    OK(cuMemcpyDtoH_v2(sums, memory, sizeof sums));
    OK(cuMemcpyDtoH_v2(&error, errors, sizeof error));
    CHECK(error == 0);
    for (int i = 0; i < STEPS; i++) {
        /* by the two threads whose x is 0 */
        expected *= 2 * all;
        CHECK(sums[i] == expected);
    }
    count = 1;
    OK(cuLaunchKernel(steps, 7, 1, 1, 32, 1, 1, 0, NULL, params,
                      NULL)); /* no cooperative launch: an error */
    OK(cuMemcpyDtoH_v2(&error, errors, sizeof error));
    CHECK(error == 7);
    puts("together: fine");
    return 0;
}

/* For the programs of tests/cuda: a driver-API program as people write them, with its kernels as PTX
 * text. A program returns 0 where every check held, and says on stdout which one did not. */
#pragma once

#include "cuda/driver.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
/* What a call returns, for a transcript that was compared with a GPU's. */
#define SAY(call) say(#call, call)
static inline void say(const char *call, CUresult result) {
    const char *name = NULL;
    cuGetErrorName(result, &name);
    printf("%s: %s\n", call, name ? name : "?");
}
#define OK(call) CHECK((call) == CUDA_SUCCESS)

/* c[i] = a[i] + b[i] for i < n; fill: c[i] = value; empty: nothing; wild: stores to c without asking
 * how long it is; counter and table: variables. */
static const char kernels[] =
    ".version 8.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .global .align 4 .u32 counter = 7;\n"
    ".visible .const .align 4 .b8 table[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};\n"
    ".visible .entry empty()\n"
    "{\n"
    "    ret;\n"
    "}\n"
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<8>;\n"
    "    ld.param.u64 %rd1, [a];\n"
    "    ld.param.u64 %rd2, [b];\n"
    "    ld.param.u64 %rd3, [c];\n"
    "    ld.param.u32 %r1, [n];\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.u32 %p1, %r5, %r1;\n"
    "    @%p1 bra DONE;\n"
    "    mul.wide.u32 %rd4, %r5, 4;\n"
    "    add.s64 %rd5, %rd1, %rd4;\n"
    "    add.s64 %rd6, %rd2, %rd4;\n"
    "    add.s64 %rd7, %rd3, %rd4;\n"
    "    ld.global.u32 %r6, [%rd5];\n"
    "    ld.global.u32 %r7, [%rd6];\n"
    "    add.u32 %r8, %r6, %r7;\n"
    "    st.global.u32 [%rd7], %r8;\n"
    "DONE:\n"
    "    ret;\n"
    "}\n"
    ".visible .entry fill(.param .u64 c, .param .u32 value)\n"
    "{\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [c];\n"
    "    ld.param.u32 %r1, [value];\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    mul.wide.u32 %rd2, %r5, 4;\n"
    "    add.s64 %rd3, %rd1, %rd2;\n"
    "    st.global.u32 [%rd3], %r1;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry variables(.param .u64 c)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<3>;\n"
    "    ld.param.u64 %rd1, [c];\n"
    "    ld.global.u32 %r1, [counter];\n"
    "    ld.const.u32 %r2, [table+8];\n"
    "    add.u32 %r3, %r1, %r2;\n"
    "    st.global.u32 [%rd1], %r3;\n"
    "    st.global.u32 [counter], 100;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry shared(.param .u64 c)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<4>;\n"
    "    .shared .align 4 .b8 buffer[4096];\n"
    "    ld.param.u64 %rd1, [c];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    shl.b32 %r2, %r1, 7;\n"
    "    mov.u32 %r3, buffer;\n"
    "    add.u32 %r3, %r3, %r2;\n"
    "    st.shared.u32 [%r3], %r1;\n"
    "    ret;\n"
    "}\n";

/* The module of these kernels, in a context of its own. */
static inline CUmodule start(void) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate_v2(&context, 0, device));
    OK(cuModuleLoadData(&module, kernels));
    return module;
}

static inline CUfunction kernel(CUmodule module, const char *name) {
    CUfunction function;
    OK(cuModuleGetFunction(&function, module, name));
    return function;
}

static inline void launch_fill(CUmodule module, CUdeviceptr at, unsigned value, unsigned blocks,
                               CUstream stream) {
    void *params[] = {&at, &value};
    OK(cuLaunchKernel(kernel(module, "fill"), blocks, 1, 1, 32, 1, 1, 0, stream, params, NULL));
}

static inline bool all_are(const unsigned *values, size_t count, unsigned value) {
    for (size_t i = 0; i < count; i++) {
        if (values[i] != value)
            return false;
    }
    return true;
}

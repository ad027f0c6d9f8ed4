/* Launches that repeat others, and such that only look alike: what they read has changed. Prints how many
 * of each kernel are different ones, which is what `warplens run --once` counts. */
#include "check.h"

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".global .align 4 .u32 factor = 1;\n"
    /* to[i] = from[i] * factor */
    ".visible .entry copy(.param .u64 from, .param .u64 to)\n{\n"
    "    .reg .b32 %r<4>;\n    .reg .b64 %d<4>;\n"
    "    mov.u32 %r0, %tid.x;\n    mul.wide.u32 %d0, %r0, 4;\n"
    "    ld.param.u64 %d1, [from];\n    add.u64 %d1, %d1, %d0;\n    ld.global.u32 %r1, [%d1];\n"
    "    ld.global.u32 %r2, [factor];\n    mul.lo.u32 %r1, %r1, %r2;\n"
    "    ld.param.u64 %d2, [to];\n    add.u64 %d2, %d2, %d0;\n    st.global.u32 [%d2], %r1;\n    "
    "ret;\n}\n"
    /* **to = where `at` points to */
    ".visible .entry chase(.param .u64 at, .param .u64 to)\n{\n"
    "    .reg .b32 %r<2>;\n    .reg .b64 %d<4>;\n"
    "    ld.param.u64 %d1, [at];\n    ld.global.u64 %d1, [%d1];\n    ld.global.u32 %r1, [%d1];\n"
    "    ld.param.u64 %d2, [to];\n    st.global.u32 [%d2], %r1;\n    ret;\n}\n"
    ".visible .entry count(.param .u64 at)\n{\n"
    "    .reg .b64 %d<2>;\n    ld.param.u64 %d1, [at];\n    red.global.add.u32 [%d1], 1;\n    "
    "ret;\n}\n"
    ".visible .entry fetch(.param .u64 object, .param .u64 to)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %d<4>;\n"
    "    mov.u32 %r0, 1;\n    ld.param.u64 %d1, [object];\n"
    "    tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%d1, {%r0}];\n"
    "    ld.param.u64 %d2, [to];\n    st.global.u32 [%d2], %r1;\n    ret;\n}\n";

enum { LANES = 32, BYTES = 4 * LANES };

static CUmodule module;

static void launch(const char *name, CUdeviceptr first, CUdeviceptr second) {
    CUfunction function;
    void *params[] = {&first, &second};
    OK(cuModuleGetFunction(&function, module, name));
    OK(cuLaunchKernel(function, 1, 1, 1, LANES, 1, 1, 0, NULL, params, NULL));
}

static void fill(CUdeviceptr at, unsigned value) {
    OK(cuMemsetD32_v2(at, value, LANES));
}

static CUdeviceptr array_new(void) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, BYTES));
    fill(made, 0);
    return made;
}

static CUtexObject texture_of(CUdeviceptr memory) {
    CUtexObject object;
    CUDA_RESOURCE_DESC resource = {.resType = RESOURCE_TYPE_LINEAR};
    CUDA_TEXTURE_DESC texture = {.flags = TRSF_READ_AS_INTEGER};
    resource.res.linear.devPtr = memory;
    resource.res.linear.format = AD_FORMAT_UNSIGNED_INT32;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = BYTES;
    OK(cuTexObjectCreate(&object, &resource, &texture, NULL));
    return object;
}

int main(void) {
    CUcontext context;
    CUdeviceptr factor;
    size_t bytes;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetGlobal_v2(&factor, &bytes, module, "factor"));
    CUdeviceptr a = array_new(), b = array_new(), pointer = array_new(), to = array_new();
    for (int i = 0; i < 5; i++) /* five are one */
        launch("copy", a, b);
    launch("copy", b, a); /* other arguments */
    fill(a, 7);
    launch("copy", a, b); /* other bytes */
    unsigned two = 2;
    OK(cuMemcpyHtoD_v2(factor, &two, sizeof two));
    launch("copy", a, b); /* another byte that no argument names */
    fill(a, 0);
    unsigned one = 1;
    OK(cuMemcpyHtoD_v2(factor, &one, sizeof one));
    launch("copy", a, b); /* the first again */
    OK(cuMemcpyHtoD_v2(pointer, &a, sizeof a));
    launch("chase", pointer, to);
    launch("chase", pointer, to); /* the same */
    fill(a, 9);
    launch("chase", pointer, to); /* the same pointer, to other bytes */
    for (int i = 0; i < 3; i++)   /* each finds what the one before has left */
        launch("count", to, 0);
    CUtexObject object = texture_of(a);
    launch("fetch", object, to);
    launch("fetch", object, to); /* the same */
    fill(a, 10);
    launch("fetch", object, to); /* other texels */
    puts("different: copy 4, chase 2, count 3, fetch 2");
    return 0;
}

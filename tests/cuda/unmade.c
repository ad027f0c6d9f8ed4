/* unmade WHAT: a kernel whose values `warplens run --counts-only` may not compute, and what the program does with them then. Prints
 * the error that it gets, and the last value where it got it. */
#include "check.h"

#include <string.h>

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".global .align 4 .b8 table[8192];\n"
    /* to[i] = 3 * from[i] */
    ".visible .entry scale(.param .u64 from, .param .u64 to)\n{\n"
    "    .reg .b32 %r<5>;\n    .reg .b64 %d<4>;\n"
    "    mov.u32 %r0, %tid.x;\n    mov.u32 %r1, %ctaid.x;\n    mad.lo.s32 %r0, %r1, 32, %r0;\n"
    "    mul.wide.u32 %d0, %r0, 4;\n    ld.param.u64 %d1, [from];\n    add.u64 %d1, %d1, %d0;\n"
    "    ld.global.u32 %r2, [%d1];\n    mul.lo.u32 %r2, %r2, 3;\n"
    "    ld.param.u64 %d2, [to];\n    add.u64 %d2, %d2, %d0;\n    st.global.u32 [%d2], %r2;\n"
    "    ret;\n}\n"
    /* to[from[i] % 2048] = i */
    ".visible .entry scatter(.param .u64 from, .param .u64 to)\n{\n"
    "    .reg .b32 %r<5>;\n    .reg .b64 %d<4>;\n"
    "    mov.u32 %r0, %tid.x;\n    mov.u32 %r1, %ctaid.x;\n    mad.lo.s32 %r0, %r1, 32, %r0;\n"
    "    mul.wide.u32 %d0, %r0, 4;\n    ld.param.u64 %d1, [from];\n    add.u64 %d1, %d1, %d0;\n"
    "    ld.global.u32 %r2, [%d1];\n    and.b32 %r2, %r2, 2047;\n    mul.wide.u32 %d0, %r2, 4;\n"
    "    ld.param.u64 %d2, [to];\n    add.u64 %d2, %d2, %d0;\n    st.global.u32 [%d2], %r0;\n"
    "    ret;\n}\n";

enum { BLOCKS = 64, LANES = 32, COUNT = BLOCKS * LANES, BYTES = 4 * COUNT };

static CUmodule module;

static void launch(const char *name, CUdeviceptr from, CUdeviceptr to) {
    CUfunction function;
    void *params[] = {&from, &to};
    OK(cuModuleGetFunction(&function, module, name));
    OK(cuLaunchKernel(function, BLOCKS, 1, 1, LANES, 1, 1, 0, NULL, params, NULL));
}

static CUdeviceptr array_of(unsigned value) {
    CUdeviceptr made;
    OK(cuMemAlloc_v2(&made, BYTES));
    OK(cuMemsetD32_v2(made, value, COUNT));
    return made;
}

static void copy(CUdeviceptr from) {
    unsigned values[COUNT] = {0};
    CUresult result = cuMemcpyDtoH_v2(values, from, BYTES);
    printf("copy: error %d, last %u\n", (int)result, values[COUNT - 1]);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    CUcontext context;
    CUdeviceptr table;
    size_t bytes;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetGlobal_v2(&table, &bytes, module, "table"));
    CUdeviceptr from = array_of(5), to = array_of(7), other = array_of(9);
    if (strcmp(what, "host") == 0) {
        void *seen;
        OK(cuMemHostAlloc(&seen, BYTES, 2));
        OK(cuMemHostGetDevicePointer_v2(&to, seen, 0));
        launch("scale", from, to);
        printf("host: last %u\n", ((unsigned *)seen)[COUNT - 1]);
        return 0;
    }
    launch("scale", from, strcmp(what, "variable") == 0 ? table : to);
    if (strcmp(what, "copy") == 0)
        copy(to);
    if (strcmp(what, "variable") == 0)
        copy(table);
    if (strcmp(what, "part") == 0)
        OK(cuMemsetD32_v2(to, 1, COUNT - 1));
    if (strcmp(what, "filled") == 0)
        OK(cuMemsetD32_v2(to, 1, COUNT));
    if (strcmp(what, "copied") == 0)
        OK(cuMemcpyDtoD_v2(to, from, BYTES));
    if (strcmp(what, "released") == 0) {
        OK(cuMemFree_v2(to));
        to = array_of(2);
    }
    if (strcmp(what, "chain") == 0)
        launch("scale", to, other);
    if (strcmp(what, "decides") == 0)
        launch("scatter", to, other);
    if (strcmp(what, "aside") == 0) {
        launch("scatter", from, other);
        copy(other);
    }
    if (strstr("part filled copied released", what) && *what)
        copy(to);
    printf("%s: then %d\n", what, (int)cuCtxSynchronize());
    return 0;
}

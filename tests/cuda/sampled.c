/* Launches that `--sample` counts in some of their blocks, and others: all blocks run once, and the results
 * are those of a program that nobody watches. Each kernel adds to memory, so that a block too many shows:
 * by way of a parameter, of a pointer within a structure, and of a variable that it names. */
#include "check.h"

enum { BLOCKS = 1000, THREADS = 64, TIMES = 3 };

#define HEAD                                                                                       \
    "    .reg .pred %p<3>;\n"                                                                      \
    "    .reg .b32 %r<9>;\n"                                                                       \
    "    .reg .b64 %rd<9>;\n"                                                                      \
    "    mov.u32 %r1, %ctaid.x;\n"                                                                 \
    "    mov.u32 %r2, %tid.x;\n"                                                                   \
    "    mad.lo.u32 %r3, %r1, 64, %r2;\n"                                                          \
    "    mul.wide.u32 %rd3, %r3, 4;\n"

static const char text[] =
    ".version 8.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .global .align 8 .u64 total = 0;\n"
    /* Blocks behave alike. */
    ".visible .entry alike(.param .u64 data, .param .u64 sum)\n"
    "{\n" HEAD "    ld.param.u64 %rd1, [data];\n"
    "    ld.param.u64 %rd2, [sum];\n"
    "    add.u64 %rd4, %rd1, %rd3;\n"
    "    ld.global.u32 %r4, [%rd4];\n"
    "    atom.global.add.u32 %r5, [%rd2], %r4;\n"
    "    st.global.u32 [%rd4], %r4;\n"
    "    ret;\n"
    "}\n"
    /* One block in the middle does more; the pointer lies in a structure, not where pointers do. */
    ".visible .entry odd(.param .align 1 .b8 packed[20])\n"
    "{\n" HEAD "    .reg .b16 %h<9>;\n"
    "    ld.param.u32 %r4, [packed+4];\n"
    "    ld.param.u32 %r5, [packed+8];\n"
    "    mov.b64 %rd2, {%r4, %r5};\n"
    "    mov.u32 %r6, 1;\n"
    "    setp.eq.u32 %p1, %r1, 777;\n"
    "    @%p1 mov.u32 %r6, 9;\n"
    "MORE:\n"
    "    red.global.add.u32 [%rd2], 1;\n"
    "    red.global.add.u64 [total], 1;\n"
    "    sub.u32 %r6, %r6, 1;\n"
    "    setp.ne.u32 %p2, %r6, 0;\n"
    "    @%p2 bra MORE;\n"
    "    ret;\n"
    "}\n";

typedef struct Packed {
    uint32_t before;
    uint32_t pointer[2];
    uint32_t after[2];
} Packed;

int main(void) {
    CUcontext context;
    CUmodule module;
    CUfunction alike, odd;
    CUdeviceptr data, sum, total;
    size_t bytes;
    unsigned sums[2];
    uint64_t added;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&alike, module, "alike"));
    OK(cuModuleGetFunction(&odd, module, "odd"));
    OK(cuModuleGetGlobal_v2(&total, &bytes, module, "total"));
    OK(cuMemAlloc_v2(&data, BLOCKS * THREADS * 4));
    OK(cuMemAlloc_v2(&sum, sizeof sums));
    OK(cuMemsetD32_v2(data, 2, BLOCKS * THREADS));
    OK(cuMemsetD32_v2(sum, 0, 2));
    CUdeviceptr second = sum + 4;
    Packed packed = {.before = 1};
    memcpy(packed.pointer, &second, sizeof second);
    void *params[] = {&data, &sum}, *structure[] = {&packed};
    for (int i = 0; i < TIMES; i++) {
        OK(cuLaunchKernel(alike, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL));
        OK(cuLaunchKernel(odd, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, structure, NULL));
    }
    OK(cuMemcpyDtoH_v2(sums, sum, sizeof sums));
    OK(cuMemcpyDtoH_v2(&added, total, sizeof added));
    CHECK(sums[0] == TIMES * BLOCKS * THREADS * 2);
    CHECK(sums[1] == TIMES * (BLOCKS + 8) * THREADS);
    CHECK(added == sums[1]);
    puts("sampled: fine");
    return 0;
}

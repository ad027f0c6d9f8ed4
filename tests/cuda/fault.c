/* A kernel that stores beyond its memory: the program gets CUDA_ERROR_ILLEGAL_ADDRESS, from then on. argv[1]:
 * "host", it stores to memory of the host; "freed", to memory that was freed. "refused": launches that
 * no GPU takes, whose reasons are told. "ignored": looks at no error and says that all is well. "reads": it
 * reads so many bytes behind the first 64 (argv[2]) that a GPU notices, or not, and prints what is there. */
#include "check.h"

static const char faulty[] = ".version 8.0\n"
                             ".target sm_80\n"
                             ".address_size 64\n"
                             ".file 1 \"wild.cu\"\n"
                             ".visible .entry wild(.param .u64 c)\n"
                             "{\n"
                             "    .reg .b32 %r<2>;\n"
                             "    .reg .b64 %rd<4>;\n"
                             "    .loc 1 3 5\n"
                             "    ld.param.u64 %rd1, [c];\n"
                             "    mov.u32 %r1, %tid.x;\n"
                             "    mul.wide.u32 %rd2, %r1, 4;\n"
                             "    add.s64 %rd3, %rd1, %rd2;\n"
                             "    .loc 1 4 9\n"
                             "    st.global.u32 [%rd3], %r1;\n"
                             "    ret;\n"
                             "}\n";

static const char peeking[] = ".version 8.0\n"
                              ".target sm_80\n"
                              ".address_size 64\n"
                              ".file 1 \"peek.cu\"\n"
                              ".visible .entry peek(.param .u64 a, .param .u64 behind)\n"
                              "{\n"
                              "    .reg .b32 %r<4>;\n"
                              "    .reg .b64 %rd<6>;\n"
                              "    .loc 1 3 5\n"
                              "    ld.param.u64 %rd1, [a];\n"
                              "    ld.param.u64 %rd2, [behind];\n"
                              "    mov.u32 %r1, %tid.x;\n"
                              "    mul.wide.u32 %rd3, %r1, 4;\n"
                              "    add.s64 %rd4, %rd1, %rd3;\n"
                              "    add.s64 %rd5, %rd4, %rd2;\n"
                              "    .loc 1 4 9\n"
                              "    ld.global.u32 %r2, [%rd5];\n"
                              "    add.u32 %r3, %r2, 7;\n"
                              "    st.global.u32 [%rd4], %r3;\n"
                              "    ret;\n"
                              "}\n";

static int reads(unsigned long long behind) {
    CUmodule module;
    CUdeviceptr a;
    unsigned host[16];
    for (unsigned i = 0; i < 16; i++)
        host[i] = i;
    OK(cuModuleLoadData(&module, peeking));
    OK(cuMemAlloc_v2(&a, sizeof host));
    OK(cuMemcpyHtoD_v2(a, host, sizeof host));
    void *params[] = {&a, &behind};
    CUfunction peek = kernel(module, "peek");
    for (int i = 0; i < 2; i++)
        if (cuLaunchKernel(peek, 1, 1, 1, 16, 1, 1, 0, NULL, params, NULL) != CUDA_SUCCESS)
            return 5;
    if (cuMemcpyDtoH_v2(host, a, sizeof host) != CUDA_SUCCESS)
        return 5;
    for (unsigned i = 0; i < 16; i++)
        printf("%u%c", host[i], i < 15 ? ' ' : '\n');
    return 0;
}

static int refused(CUmodule module) {
    CUfunction empty = kernel(module, "empty"), add = kernel(module, "fill");
    CHECK(cuLaunchKernel(empty, 1, 1, 1, 2048, 1, 1, 0, NULL, NULL, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 102400, NULL, NULL, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    return 0;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "beyond";
    CUmodule module = start(), wild;
    CUdeviceptr a;
    const char *name;
    unsigned host;
    OK(cuModuleLoadData(&wild, faulty));
    if (strcmp(way, "refused") == 0)
        return refused(module);
    if (strcmp(way, "reads") == 0)
        return reads(strtoull(argv[2], NULL, 10));
    OK(cuMemAlloc_v2(&a, strcmp(way, "freed") == 0 ? 65536 : 16 * 4));
    if (strcmp(way, "freed") == 0)
        OK(cuMemFree_v2(a));
    if (strcmp(way, "host") == 0)
        a = (CUdeviceptr)(uintptr_t)malloc(128);
    void *params[] = {&a};
    OK(cuLaunchKernel(kernel(module, "empty"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchKernel(kernel(wild, "wild"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    if (strcmp(way, "ignored") == 0)
        return puts("PASS") < 0;
    CUresult result = cuCtxSynchronize();
    OK(cuGetErrorName(result, &name));
    puts(name);
    fflush(stdout);
    CHECK(result == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuMemcpyDtoH_v2(&host, a, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuLaunchKernel(kernel(module, "empty"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) ==
          CUDA_ERROR_ILLEGAL_ADDRESS);
    return 5;
}

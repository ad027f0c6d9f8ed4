/* Modules, libraries, functions, variables, the linker's calls, entry points by name. */
#include "check.h"

static void variables(CUmodule module) {
    CUdeviceptr counter, table, out;
    size_t bytes;
    unsigned value, entries[4] = {10, 20, 30, 40};
    OK(cuModuleGetGlobal_v2(&counter, &bytes, module, "counter"));
    CHECK(bytes == 4);
    OK(cuModuleGetGlobal_v2(&table, NULL, module, "table"));
    OK(cuModuleGetGlobal_v2(NULL, &bytes, module, "table"));
    CHECK(bytes == 16);
    CHECK(cuModuleGetGlobal_v2(&out, &bytes, module, "nothing") == CUDA_ERROR_NOT_FOUND);
    OK(cuMemcpyDtoH_v2(&value, counter, 4));
    CHECK(value == 7);
    OK(cuMemcpyHtoD_v2(table, entries, sizeof entries)); /* the host may write constants */
    OK(cuMemAlloc_v2(&out, 4));
    void *params[] = {&out};
    OK(cuLaunchKernel(kernel(module, "variables"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH_v2(&value, out, 4));
    CHECK(value == 7 + 30);
    OK(cuMemcpyDtoH_v2(&value, counter, 4));
    CHECK(value == 100);
}

static void functions(CUmodule module) {
    CUfunction add = kernel(module, "add"), missing;
    CUmodule owner;
    const char *name;
    int value;
    size_t offset, bytes;
    CHECK(cuModuleGetFunction(&missing, module, "nothing") == CUDA_ERROR_NOT_FOUND);
    OK(cuFuncGetName(&name, add));
    CHECK(strcmp(name, "add") == 0);
    OK(cuFuncGetModule(&owner, add));
    CHECK(owner == module);
    OK(cuFuncGetParamInfo(add, 3, &offset, &bytes));
    CHECK(offset == 24 && bytes == 4);
    CHECK(cuFuncGetParamInfo(add, 4, &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncGetAttribute(&value, 0, add));
    CHECK(value == 1024);
    OK(cuFuncGetAttribute(&value, 5, add));
    CHECK(value == 80);
    OK(cuFuncGetAttribute(&value, 1, kernel(module, "shared")));
    CHECK(value == 4096);
    OK(cuFuncGetAttribute(&value, 4, add));
    CHECK(value >= 8 && value <= 255);
    OK(cuFuncGetAttribute(&value, 8, add));
    CHECK(value == 48 << 10);
    OK(cuFuncSetAttribute(add, 8, 100 << 10));
    OK(cuFuncGetAttribute(&value, 8, add));
    CHECK(value == 100 << 10);
    CHECK(cuFuncSetAttribute(add, 8, 1 << 20) == CUDA_ERROR_INVALID_VALUE);
    unsigned count;
    CUfunction all[8];
    OK(cuModuleGetFunctionCount(&count, module));
    CHECK(count == 5);
    OK(cuModuleEnumerateFunctions(all, count, module));
    CHECK(all[1] == add);
}

static void libraries(void) {
    CUlibrary library;
    CUkernel found;
    CUfunction function;
    CUmodule module;
    CUdeviceptr counter;
    size_t bytes;
    unsigned count;
    int value;
    OK(cuLibraryLoadData(&library, kernels, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernelCount(&count, library));
    CHECK(count == 5);
    OK(cuLibraryGetKernel(&found, library, "empty"));
    OK(cuKernelGetFunction(&function, found));
    OK(cuLibraryGetModule(&module, library));
    OK(cuKernelGetAttribute(&value, 0, found, 0));
    OK(cuLibraryGetGlobal(&counter, &bytes, library, "counter"));
    OK(cuLaunchKernel((CUfunction)found, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLibraryUnload(library));
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) ==
          CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuMemFree_v2(counter) == CUDA_ERROR_INVALID_VALUE);
}

static void linker(void) {
    CUlinkState state;
    CUmodule module;
    void *image;
    size_t size;
    OK(cuLinkCreate_v2(0, NULL, NULL, &state));
    OK(cuLinkAddData_v2(state, 1, (void *)(uintptr_t)kernels, sizeof kernels, "k", 0, NULL, NULL));
    OK(cuLinkComplete(state, &image, &size));
    OK(cuModuleLoadData(&module, image));
    OK(cuLinkDestroy(state));
    kernel(module, "add");
    OK(cuModuleUnload(module));
}

/* Two texts: a kernel, and the function that it calls; and what the linker is asked to tell. */
static void linker_of_two(void) {
    static char caller[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".extern .func (.param .b32 r) triple(.param .b32 x);\n"
                           ".visible .entry calls(.param .u64 out)\n"
                           "{\n"
                           "    .reg .b32 %r<2>;\n"
                           "    .reg .b64 %rd<2>;\n"
                           "    ld.param.u64 %rd1, [out];\n"
                           "    {\n"
                           "    .param .b32 x;\n"
                           "    .param .b32 y;\n"
                           "    st.param.b32 [x], 14;\n"
                           "    call.uni (y), triple, (x);\n"
                           "    ld.param.b32 %r1, [y];\n"
                           "    }\n"
                           "    st.global.u32 [%rd1], %r1;\n"
                           "    ret;\n"
                           "}\n",
                called[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .func (.param .b32 r) triple(.param .b32 x)\n"
                           "{\n"
                           "    .reg .b32 %r<3>;\n"
                           "    ld.param.b32 %r1, [x];\n"
                           "    mul.lo.u32 %r2, %r1, 3;\n"
                           "    st.param.b32 [r], %r2;\n"
                           "    ret;\n"
                           "}\n";
    char info[64] = "not told", error[64] = "not told";
    int options[] = {3, 4, 5, 6};
    void *values[] = {info, (void *)sizeof info, error, (void *)sizeof error};
    CUlinkState state;
    CUmodule module;
    CUdeviceptr out;
    unsigned result = 0;
    void *image;
    size_t size;
    OK(cuLinkCreate_v2(4, options, values, &state));
    CHECK(cuLinkComplete(state, &image, &size) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLinkAddData_v2(state, 9, caller, sizeof caller, "x", 0, NULL, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    OK(cuLinkAddData_v2(state, 1, caller, sizeof caller, "caller.ptx", 0, NULL, NULL));
    OK(cuLinkAddData_v2(state, 1, called, sizeof called, NULL, 0, NULL, NULL));
    OK(cuLinkComplete(state, &image, &size));
    CHECK(*info == 0 && *error == 0 && !values[1] && !values[3]);
    OK(cuModuleLoadData(&module, image));
    OK(cuLinkDestroy(state));
    OK(cuMemAlloc_v2(&out, 4));
    void *params[] = {&out};
    OK(cuLaunchKernel(kernel(module, "calls"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH_v2(&result, out, 4));
    CHECK(result == 42);
    OK(cuModuleUnload(module));
    OK(cuMemFree_v2(out));
}

static void entry_points(void) {
    CUresult (*find)(const char *, void **, int, uint64_t, int *),
        (*allocate)(CUdeviceptr *, size_t);
    CUdeviceptr a;
    int status;
    OK(cuGetProcAddress_v2("cuGetProcAddress", (void **)&find, 12000, 0, &status));
    CHECK(find == cuGetProcAddress_v2 && status == 0);
    OK(find("cuMemAlloc", (void **)&allocate, 12000, 0, &status));
    CHECK(allocate == cuMemAlloc_v2);
    OK(allocate(&a, 4));
    void *old = NULL, *now = NULL, *thread = NULL, *nothing;
    OK(find("cuCtxCreate", &old, 11000, 0, &status));
    OK(find("cuCtxCreate", &now, 13000, 0, &status));
    CHECK(old != now);
    OK(find("cuLaunchKernel", &thread, 12000, 2, &status));
    OK(find("cuLaunchKernel", &now, 12000, 1, &status));
    CHECK(thread && thread != now);
    OK(find("cuNothing", &nothing, 13000, 0, &status));
    CHECK(!nothing && status == 1);
    OK(find("cuGreenCtxCreate", &nothing, 11000, 0, &status));
    CHECK(!nothing && status == 2);
    CHECK(cuGetProcAddress("cuNothing", &nothing, 13000, 0) == CUDA_ERROR_NOT_FOUND);
}

static void errors(void) {
    const char *text;
    CUmodule module;
    OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    CHECK(strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
    OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    CHECK(strcmp(text, "an illegal memory access was encountered") == 0);
    CHECK(cuGetErrorName((CUresult)12345, &text) == CUDA_ERROR_INVALID_VALUE && !text);
    CHECK(cuModuleLoad(&module, "nothing.ptx") == CUDA_ERROR_FILE_NOT_FOUND);
}

int main(void) {
    CUmodule module = start();
    variables(module);
    functions(module);
    libraries();
    linker();
    linker_of_two();
    entry_points();
    errors();
    puts("modules: fine");
    return 0;
}

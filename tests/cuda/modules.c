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
    entry_points();
    errors();
    puts("modules: fine");
    return 0;
}

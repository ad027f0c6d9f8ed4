/* A launch through the driver API, for the sweep: prints what the kernel wrote; or says which error a call returned, which the next launch
 * returns, too, and ends with status 3. DRIVER: the library. Allocations count from the first module on. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int (*Call)();

static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry copy(.param .u64 to)\n{\n"
                          ".reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
                          "ld.param.u64 %rd1, [to];\nmov.u32 %r1, %tid.x;\n"
                          "mov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 32, %r1;\n"
                          "mul.wide.u32 %rd2, %r3, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
                          "st.global.u32 [%rd3], %r3;\nret;\n}\n";
enum { BLOCKS = 64, BYTES = BLOCKS * 32 * 4 };

static Call call(void *library, const char *name) {
    Call found;
    *(void **)&found = dlsym(library, name);
    if (!found)
        exit(6);
    return found;
}

int main(void) {
    void *driver = dlopen(getenv("DRIVER"), RTLD_NOW), *module = NULL, *function = NULL,
         *context = NULL, *counter = dlsym(RTLD_DEFAULT, "fail_malloc_begin");
    static unsigned values[BYTES / 4];
    unsigned long long memory = 0;
    void *arguments[] = {&memory};
    if (!driver || call(driver, "cuInit")(0) ||
        call(driver, "cuDevicePrimaryCtxRetain")(&context, 0) ||
        call(driver, "cuCtxSetCurrent")(context))
        return 6;
    Call load = call(driver, "cuModuleLoadData"), find = call(driver, "cuModuleGetFunction"),
         allocate = call(driver, "cuMemAlloc_v2"), launch = call(driver, "cuLaunchKernel"),
         copy = call(driver, "cuMemcpyDtoH_v2");
    alarm(30);
    if (counter)
        ((void (*)(void))(unsigned long)counter)();
    int error = load(&module, ptx);
    error = error ? error : find(&function, module, "copy");
    error = error ? error : allocate(&memory, (size_t)BYTES);
    for (int i = 0; !error && i < 3; i++)
        error = launch(function, BLOCKS, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
    error = error ? error : copy(values, memory, (size_t)BYTES);
    if (error) {
        int again = function ? launch(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL) : 0;
        fprintf(stderr, "CUDA error %d, then %d\n", error, again);
        return error == 2 ? 3 : 5;
    }
    for (unsigned i = 0; i < BYTES / 4; i += 100)
        printf("%u ", values[i]);
    return 0;
}

/* A program that compiles for machine code with NVRTC and runs what it gets. Built twice: linked with
 * libnvrtc, and, with OPENED its path, opening it. */
#include "check.h"

#include <dlfcn.h>

typedef struct FakeProgram *Program;
typedef int Create(Program *program, const char *source, const char *name, int count,
                   const char *const *headers, const char *const *names);
typedef int Compile(Program program, int count, const char *const *options);
typedef int GetSize(Program program, size_t *bytes);
typedef int GetText(Program program, char *text);
typedef int Destroy(Program *program);

#ifdef OPENED
static void (*call(const char *name))(void) {
    void *library = dlopen(OPENED, RTLD_NOW), *found = library ? dlsym(library, name) : NULL;
    void (*function)(void);
    CHECK(found);
    memcpy(&function, &found, sizeof function);
    return function;
}
#define CALL(Type, name) Type *name = (Type *)call(#name)
#else
Create nvrtcCreateProgram;
Compile nvrtcCompileProgram;
GetText nvrtcGetProgramLog, nvrtcGetCUBIN, nvrtcGetPTX;
GetSize nvrtcGetCUBINSize, nvrtcGetPTXSize;
Destroy nvrtcDestroyProgram;
#define CALL(Type, name)
#endif

/* What NVRTC was asked for goes to stdout. */
static char *compile(int count, const char *const *options) {
    CALL(Create, nvrtcCreateProgram);
    CALL(Compile, nvrtcCompileProgram);
    CALL(GetText, nvrtcGetProgramLog);
    CALL(GetSize, nvrtcGetCUBINSize);
    CALL(GetText, nvrtcGetCUBIN);
    CALL(Destroy, nvrtcDestroyProgram);
    Program program;
    size_t bytes = 12345;
    char log[256];
    CHECK(nvrtcCreateProgram(&program, kernels, "kernels.cu", 0, NULL, NULL) == 0);
    CHECK(nvrtcCompileProgram(program, count, options) == 0);
    CHECK(nvrtcGetProgramLog(program, log) == 0);
    puts(log);
    CHECK(nvrtcGetCUBINSize(program, &bytes) == 0);
    char *cubin = calloc(1, bytes + 1);
    CHECK(nvrtcGetCUBIN(program, cubin) == 0);
    CHECK(nvrtcDestroyProgram(&program) == 0);
    return cubin;
}

static void run(const char *image) {
    CUmodule module;
    CUdeviceptr memory;
    unsigned values[64];
    OK(cuModuleLoadData(&module, image));
    OK(cuMemAlloc_v2(&memory, sizeof values));
    launch_fill(module, memory, 42, 2, NULL);
    OK(cuMemcpyDtoH_v2(values, memory, sizeof values));
    CHECK(all_are(values, 64, 42));
    OK(cuMemFree_v2(memory));
}

int main(void) {
    static const char *const machine_code[][3] = {
        {"--gpu-architecture=sm_80", "-lineinfo", "-DX=sm_80"},
        {"-I/", "-arch=sm_90a", "-DY"},
        {"-lineinfo", "-arch", "sm_75"},
        {"-DZ", "--gpu-architecture", "sm_86"},
        {"-arch sm_80", "-DZ", "-DY"},
    };
    static const char *const ptx[] = {"-arch=compute_80", "-lineinfo"};
    start();
    for (int i = 0; i < 5; i++) {
        char *cubin = compile(3, machine_code[i]);
        run(cubin);
        free(cubin);
    }
    char *none = compile(2, ptx); /* for a virtual architecture there is no cubin */
    CHECK(*none == 0);
    free(none);
    free(compile(0, NULL));
    puts("nvrtc: fine");
    return 0;
}

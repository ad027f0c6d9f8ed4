/* Makes answers.txt on a GPU: reads its lines (instructions), prints them with the digests of what this
 * GPU gives. With a second argument it executes each wmma.load and .store once with each stride instead, for
 * a profiler to count (wmma.csv). Not part of the build:
 *   cc -D_GNU_SOURCE -Isrc tests/tensor/{probe,subject,operands}.c build/libwl_{isa,base}.a -lcuda */
#include "tensor.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_BYTES = 1 << 20, LINE_BYTES_MOST = 1024 };

static void check(CUresult result, const char *what) {
    const char *text = "";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}

static void answer(const Subject *subject, Arena *arena, CUdeviceptr in, CUdeviceptr out,
                   bool once) {
    static uint32_t words[MEMORY_BYTES / 4];
    CUmodule module;
    CUfunction kernel;
    check(cuModuleLoadData(&module, subject_ptx(arena, subject)), subject->spelling);
    check(cuModuleGetFunction(&kernel, module, "k"), subject->spelling);
    size_t count = (size_t)subject->warps * subject->words_out * WARP_LANES;
    for (uint32_t kind = 0; kind < subject->kinds; kind++) {
        uint32_t stride = subject_stride(subject, kind);
        subject_operands(subject, kind, words);
        check(cuMemcpyHtoD(in, words, sizeof words), "copy");
        check(cuMemsetD8(out, 0, MEMORY_BYTES), "clear");
        void *arguments[] = {&in, &out, &stride};
        check(cuLaunchKernel(kernel, once ? 1 : subject->warps, 1, 1, WARP_LANES, 1, 1, 0, NULL,
                             arguments, NULL),
              subject->spelling);
        check(cuMemcpyDtoH(words, out, sizeof words), subject->spelling);
        if (!once)
            printf(" %08x", subject_digest(words, count));
    }
    check(cuModuleUnload(module), "unload");
}

int main(int argc, char **argv) {
    char line[LINE_BYTES_MOST];
    CUcontext context;
    CUdevice device;
    CUdeviceptr in, out;
    FILE *file = argc >= 2 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 2;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    check(cuMemAlloc(&in, MEMORY_BYTES), "memory");
    check(cuMemAlloc(&out, MEMORY_BYTES), "memory");
    while (fgets(line, sizeof line, file)) {
        Arena *arena = arena_new();
        Subject subject;
        if (line[0] == '#' || line[0] == '\n') {
            fputs(line, stdout);
            continue;
        }
        line[strcspn(line, " \n")] = 0;
        if (!subject_read(arena, line, &subject) || (argc > 2 && !subject.moves))
            continue;
        if (argc == 2)
            printf("%s", line);
        answer(&subject, arena, in, out, argc > 2);
        if (argc == 2)
            printf("\n");
        arena_free(arena);
    }
    return 0;
}

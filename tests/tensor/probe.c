/* Makes answers.txt on a GPU: reads its lines (instructions), prints them with the digests of what this
 * GPU gives. With "costs" behind the file it executes each wmma.load and .store once with each stride
 * instead, for a profiler to count (wmma.csv); with another name the results themselves go there, to be looked at
 * where they are not what was expected. Not part of the build:
 *   cc -D_GNU_SOURCE -Isrc tests/tensor/{probe,subject,operands,group}.c build/libwl_{isa,base}.a -lcuda */
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

typedef enum Mode { DIGESTS, COSTS, RESULTS } Mode;

static void answer(const Subject *subject, Arena *arena, CUdeviceptr in, CUdeviceptr out, Mode mode,
                   FILE *results) {
    static uint32_t words[MEMORY_BYTES / 4];
    CUmodule module;
    CUfunction kernel;
    check(cuModuleLoadData(&module, subject_ptx(arena, subject)), subject->spelling);
    check(cuModuleGetFunction(&kernel, module, "k"), subject->spelling);
    size_t count = (size_t)subject->warps * subject->words_out * subject->threads;
    for (uint32_t kind = 0; kind < subject->kinds; kind++) {
        Arguments values = subject_arguments(subject, kind, in, out);
        subject_operands(subject, kind, words);
        check(cuMemcpyHtoD(in, words, sizeof words), "copy");
        check(cuMemsetD8(out, 0, MEMORY_BYTES), "clear");
        void *arguments[] = {&values.in,   &values.out, &values.stride,
                             &values.adds, &values.a,   &values.b};
        check(cuLaunchKernel(kernel, mode == COSTS ? 1 : subject->warps, 1, 1, subject->threads, 1,
                             1, 0, NULL, arguments, NULL),
              subject->spelling);
        check(cuMemcpyDtoH(words, out, sizeof words), subject->spelling);
        if (mode == RESULTS)
            fwrite(words, sizeof *words, count, results);
        else if (mode == DIGESTS)
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
    Mode mode = argc == 2 ? DIGESTS : strcmp(argv[2], "costs") == 0 ? COSTS : RESULTS;
    FILE *results = mode == RESULTS ? fopen(argv[2], "w") : NULL;
    if (!file || (mode == RESULTS && !results))
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
        if (!subject_read(arena, line, &subject) || (mode == COSTS && !subject.moves))
            continue;
        if (mode == DIGESTS)
            printf("%s", line);
        answer(&subject, arena, in, out, mode, results);
        fflush(stdout);
        if (mode == DIGESTS)
            printf("\n");
        arena_free(arena);
    }
    return 0;
}

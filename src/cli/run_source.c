/* A source in place of a program: see run_source.h. */
#include "cli/run_source.h"

#include "toolchain/toolchain.h"

#include <string.h>
#include <unistd.h>

bool is_cuda_source(const char *path) {
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".cu") == 0 && access(path, R_OK) == 0;
}

/* "scan" of "src/scan.cu" */
static const char *program_name(Arena *arena, const char *source) {
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    return arena_copy(arena, name, strlen(name) - strlen(".cu"));
}

const char *source_compile(Arena *arena, const char *source, const Gpu *gpu, const char *folder,
                           Diags *diags) {
    const char *name = program_name(arena, source), *nvcc = toolchain_find(arena, "nvcc");
    const char *program = arena_printf(arena, "%s/%s", folder, name);
    if (!nvcc) {
        diags_error(diags,
                    "%s is a source, and there is no nvcc on PATH or under CUDA_HOME. Where there "
                    "is one: nvcc -lineinfo -o %s %s && warplens run ./%s",
                    source, name, source, name);
        return NULL;
    }
    const char *arch = arena_printf(arena, "-arch=%s", arch_name(arena, "sm", gpu_arch(gpu)));
    const char *const words[] = {nvcc, "-lineinfo", "-o", program, source, arch, NULL};
    ProcessResult result = process_run(arena, words, folder, NULL);
    if (result.status == 0)
        return program;
    diags_error(diags, "%s does not compile; nvcc -lineinfo says\n%s", source,
                result.output ? result.output : "nothing");
    return NULL;
}

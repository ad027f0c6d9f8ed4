/* lower_dump GPU FILE.ptx: what `warplens kernel --print=lowered` prints of each kernel of the text, behind a line with its name. One
 * process for hundreds of kernels: under a sanitizer it takes longer to begin than to lower one. */
#include "lower/lower.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

static bool print_kernels(Arena *arena, const Gpu *gpu, PtxIndex *index, Diags *diags) {
    uint32_t count;
    const PtxEntry *entries = ptx_index_entries(index, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Module *module = ptx_parse_kernel(arena, index, entries[i].name, diags);
        if (!module)
            return false;
        printf("== %s\n", entries[i].name);
        lower_print(module_function(module, str_of(entries[i].name)), gpu, stdout);
    }
    return count > 0;
}

int main(int argc, char **argv) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    size_t size;
    const Gpu *gpu = argc == 3 ? gpu_named(str_of(argv[1])) : NULL;
    const char *text = gpu ? file_read(arena, argv[2], &size) : NULL;
    PtxIndex *index = text ? ptx_index(arena, argv[2], text, size) : NULL;
    bool good = index && print_kernels(arena, gpu, index, diags);
    diags_print(diags, stderr, false);
    arena_free(arena);
    return good ? 0 : 2;
}

/* Fuzzing what is read of cubins without PTX: any bytes give declarations that the parser takes or refuses, or a diagnostic
 * that says what is malformed. */
#include "fuzz.h"
#include "image/image.h"

#include <stdlib.h>
#include <string.h>

static void look_at(Arena *arena, const void *cubin, size_t size, const Function *kernel) {
    CubinResources resources;
    uint32_t kernels = 0;
    cubin_resources(cubin, size, kernel->name, &resources);
    const char *numbers = cubin_functions(arena, cubin, size, kernel->name, &kernels);
    if (numbers && kernels == 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    Arch arch = {90, 0};
    PtxText text = {0};
    if (size > 0)
        cubin_arch(data, size, &arch);
    const bool declared = size > 0 && cubin_declare(arena, "fuzz", data, size, arch, &text, diags);
    if (size > 0 && declared == (diags->errors != 0))
        abort();
    const Module *module =
        declared ? ptx_parse(arena, "fuzz", text.text, text.length, NULL, diags) : NULL;
    for (uint32_t i = 0; module && i < module->functions.count; i++)
        look_at(arena, data, size, module->functions.at[i]);
    arena_free(arena);
    return 0;
}

/* Fuzzing the readers of fat binaries and ELF files: any bytes give PTX or diagnostics. */
#include "fuzz.h"
#include "image/image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const ArchChoice choice = {.gpu = gpu_named(STR("h100"))};
    PtxTexts texts = {0};
    Object object;
    if (size > 0 &&
        image_ptx(arena, "fuzz", data, size, &choice, &texts, diags) != (diags->errors == 0))
        abort();
    if (object_read(arena, "fuzz", data, size, &object, diags)) {
        object_runnable(&object, &choice, diags);
        object_ptx(arena, &object, &choice, &texts, diags);
    }
    arena_free(arena);
    return 0;
}

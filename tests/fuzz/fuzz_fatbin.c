/* Fuzzing the readers of fat binaries and ELF files: any bytes give PTX or diagnostics.
 *
 * With WARPLENS_FUZZ (clang) this is a libFuzzer target; otherwise FUZZ_MAIN gives it a main that
 * runs the files of a corpus, so that every build checks what the fuzzer found. */
#include "image/image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const ArchChoice choice = {.gpu = 90};
    PtxTexts texts = {0};
    Object object;
    if (size > 0 &&
        image_ptx(arena, "fuzz", data, size, &choice, &texts, diags) != (diags->errors == 0))
        abort();
    if (object_read(arena, "fuzz", data, size, &object, diags)) {
        object_runnable(&object, diags);
        object_ptx(arena, &object, &choice, &texts, diags);
    }
    arena_free(arena);
    return 0;
}

#ifdef FUZZ_MAIN
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        Arena *arena = arena_new();
        size_t size = 0;
        const char *data = file_read(arena, argv[i], &size);
        if (!data) {
            perror(argv[i]);
            return 1;
        }
        LLVMFuzzerTestOneInput((const uint8_t *)data, size);
        arena_free(arena);
    }
    printf("%d files\n", argc - 1);
    return argc < 2;
}
#endif

/* Runs the files of a corpus through a fuzz target, so that every build checks what the fuzzer found. */
#include "fuzz.h"

#include "base/base.h"

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

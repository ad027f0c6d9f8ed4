/* Fuzzing the reader of NumPy's files: any bytes give an array, whole and of the size that is said, or a message. An array that
 * was read can be written, and reads as the same. */
#include "fuzz.h"
#include "fuzz_file.h"
#include "session/npy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = FUZZ_FILE;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    Npy read, again;
    fuzz_file_write(path, data, size);
    if (npy_read(arena, path, &read, diags)) {
        uint64_t bytes = read.count * type_bytes(read.type);
        void *copy = malloc(bytes + 1); /* reads all of it */
        must(copy && bytes <= size, "an array that is larger than its file");
        memcpy(copy, read.data, bytes);
        must(npy_write(path, read.type, copy, read.count, diags), "write");
        must(npy_read(arena, path, &again, diags) && again.type == read.type &&
                 again.count == read.count && memcmp(again.data, copy, bytes) == 0,
             "what was written");
        free(copy);
    } else {
        must(diags->errors, "a reason");
    }
    unlink(path);
    arena_free(arena);
    return 0;
}

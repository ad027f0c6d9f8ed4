/* agree PROGRAM STRIPPED: whether a CUDA runtime that is linked in is found in the stripped copy as the symbols
 * of the other say: at least LEAST entry points, and none where another one is. */
#include "image/image.h"

#include <stdio.h>
#include <string.h>

enum { LEAST = 405 };

static bool read_runtime(Arena *arena, const char *path, LinkedRuntime *runtime) {
    size_t size;
    Elf elf;
    char *data = file_read(arena, path, &size);
    return data && elf_open(&elf, data, size) && linked_runtime(arena, &elf, runtime);
}

/* The two calls that register variables are one to us. */
static bool is_same(Str symbol, Str found) {
    return str_equal(symbol, found) ||
           (str_is(symbol, "__cudaRegisterManagedVar") && str_is(found, "__cudaRegisterVar"));
}

static bool is_right(const LinkedRuntime *symbols, const RuntimeEntry *found) {
    for (uint32_t i = 0; i < symbols->entries.count; i++)
        if (symbols->entries.at[i].address == found->address &&
            is_same(symbols->entries.at[i].name, found->name))
            return true;
    return false;
}

int main(int argc, char **argv) {
    Arena *arena = arena_new();
    LinkedRuntime symbols, found;
    if (argc != 3 || !read_runtime(arena, argv[1], &symbols) ||
        !read_runtime(arena, argv[2], &found)) {
        puts("no runtime found");
        return 1;
    }
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < found.entries.count; i++) {
        const RuntimeEntry *entry = &found.entries.at[i];
        if (is_right(&symbols, entry))
            continue;
        printf("wrong: %.*s\n", (int)entry->name.length, entry->name.at);
        wrong++;
    }
    bool good = !wrong && !found.missing.count && found.entries.count >= LEAST;
    if (!good)
        printf("%u of %u found, %u wrong; missing: %s\n", found.entries.count,
               symbols.entries.count, wrong, linked_missing(arena, &found));
    arena_free(arena);
    return good ? 0 : 1;
}

/* Loads libclang: the library that WARPLENS_LIBCLANG names, which alone counts if set, else the newest that
 * the dynamic loader finds. It stays loaded; its C interface is the same in all versions that are tried. */
#include "rewrite/libclang.h"
#include "base/library.h"
#include "rewrite/rewrite.h"

#include <stdlib.h>

enum { NEWEST = 22, OLDEST = 13 };

static void *find_library(Arena *arena, const char **tried) {
    const char *given = getenv("WARPLENS_LIBCLANG");
    *tried = given ? given
                   : arena_printf(arena, "libclang.so.1 and libclang-%d.so.1 to libclang-%d.so.1",
                                  OLDEST, NEWEST);
    if (given)
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (int version = NEWEST; version >= OLDEST; version--) {
        void *library = dlopen(arena_printf(arena, "libclang-%d.so.1", version), RTLD_NOW);
        if (library)
            return library;
    }
    return dlopen("libclang.so.1", RTLD_NOW | RTLD_LOCAL);
}

bool libclang_load(Arena *arena, Libclang *lib, Diags *diags) {
    const char *tried;
    void *library = find_library(arena, &tried);
    if (!library) {
        diags_error(diags,
                    "rewriting source needs libclang, and there is none (tried %s): install it "
                    "(Debian: apt-get install libclang1-14), or name it in WARPLENS_LIBCLANG",
                    tried);
        return false;
    }
    const LibraryFunction wanted[] = {
#define FUNCTION(name) {"clang_" #name, &lib->name},
#include "rewrite/libclang.def"
    };
    const char *missing = LIBRARY_FUNCTIONS(library, wanted);
    if (missing)
        diags_error(diags,
                    "the libclang that was found has no function %s; version %d to %d is "
                    "expected (WARPLENS_LIBCLANG names another)",
                    missing, OLDEST, NEWEST);
    return !missing;
}

bool rewrite_possible(Arena *arena) {
    Libclang lib;
    return libclang_load(arena, &lib, diags_new(arena));
}

/* Loads libclang: the library that WARPLENS_LIBCLANG names, which alone counts if set, else the newest that
 * the dynamic loader finds. It stays loaded; its C interface is the same in all versions that are tried. */
#include "rewrite/libclang.h"
#include "rewrite/rewrite.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NEWEST = 22, OLDEST = 13 };

static void *find_library(Arena *arena, const char **tried) {
    const char *given = getenv("WARPLENS_LIBCLANG");
    *tried = given ? given : "libclang.so.1 and libclang-13.so.1 to libclang-22.so.1";
    if (given)
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (int version = NEWEST; version >= OLDEST; version--) {
        void *library = dlopen(arena_printf(arena, "libclang-%d.so.1", version), RTLD_NOW);
        if (library)
            return library;
    }
    return dlopen("libclang.so.1", RTLD_NOW | RTLD_LOCAL);
}

static const struct {
    const char *name;
    size_t at; /* of the pointer to it, in Libclang */
} functions[] = {
#define FUNCTION(name) {"clang_" #name, offsetof(Libclang, name)},
#include "rewrite/libclang.def"
};

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
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        memcpy((char *)lib + functions[i].at, &function, sizeof function);
        if (!function)
            missing = functions[i].name;
    }
    if (missing)
        diags_error(diags,
                    "the libclang that was found has no function %s; version 13 to 22 is "
                    "expected (WARPLENS_LIBCLANG names another)",
                    missing);
    return !missing;
}

bool rewrite_possible(Arena *arena) {
    Libclang lib;
    return libclang_load(arena, &lib, diags_new(arena));
}

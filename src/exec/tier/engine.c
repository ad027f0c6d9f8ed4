/* The plug-in that compiles kernels, loaded when it is first asked for: libLLVM would take more time at
 * each start than most kernels. */
#include "exec/tier/compiled.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool parse_after(const char *text, uint64_t *after) {
    char *end;
    errno = 0;
    *after = strtoull(text, &end, 10);
    return isdigit((unsigned char)*text) && !*end && !errno && *after > 0;
}

static const char *const names[] = {"interp", "jit", "auto", "plan"};

const char *engine_name(EngineKind kind) {
    return names[kind];
}

bool engine_named(const char *name, Engine *engine) {
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) != length || memcmp(name, names[i], length) != 0)
            continue;
        *engine = (Engine){.kind = (EngineKind)i};
        return !equals || (i != ENGINE_INTERP && parse_after(equals + 1, &engine->after));
    }
    return false;
}

const char *plugin_find(Arena *arena, const char *folder, const char *below) {
    const char *path = arena_printf(arena, "%s/%s/libwarplens-jit.so", folder, below);
    return access(path, R_OK) == 0 ? path : NULL;
}

const Plugin *plugin_load(const char *path, const char **why) {
    /* Lazily: of LLVM's 100,000 references few are followed, and all would take 15 to 25 ms. */
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const Plugin *plugin = library ? dlsym(library, "warplens_jit") : NULL;
    if (why)
        *why = plugin ? "it belongs to another version of warplens" : dlerror();
    return plugin && plugin->version == PLUGIN_VERSION ? plugin : NULL;
}

const char *plugin_llvm(const Plugin *plugin) {
    return plugin->llvm;
}

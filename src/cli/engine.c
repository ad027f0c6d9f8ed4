/* The JIT's plug-in lies in the folder of the libraries that `warplens run` uses. It is loaded only when a
 * kernel is to be compiled (exec/tier/engine.c); where `--engine jit` asks for it, at once. */
#include "cli/engine.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of the plug-in; NULL: it was not built, or not installed. */
static const char *find_plugin(Arena *arena) {
    static const char *const folders[] = {"lib/warplens", "../" WARPLENS_LIBRARIES};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return NULL;
    self[length] = 0;
    *strrchr(self, '/') = 0;
    const char *path = NULL;
    for (size_t i = 0; !path && i < sizeof folders / sizeof folders[0]; i++)
        path = plugin_find(arena, self, folders[i]);
    return path;
}

bool engine_choose(Arena *arena, const char *wanted, Engine *engine, Diags *diags) {
    const char *variable = getenv("WARPLENS_ENGINE"), *why = NULL;
    bool given = wanted || (variable && *variable);
    const char *name = wanted ? wanted : given ? variable : "auto";
    if (!engine_named(name, engine)) {
        diags_error(diags, "%s %s: expected interp, jit or auto",
                    wanted ? "--engine" : "WARPLENS_ENGINE", name);
        return false;
    }
    if (engine->kind == ENGINE_INTERP)
        return true;
    engine->plugin = find_plugin(arena);
    if (engine->kind == ENGINE_AUTO || (engine->plugin && plugin_load(engine->plugin, &why)))
        return true;
    if (engine->plugin)
        diags_error(diags, "--engine jit: %s cannot be loaded: %s", engine->plugin, why);
    else
        diags_error(diags, "--engine jit: this warplens was built without the JIT's plug-in, which "
                           "needs LLVM (Debian: llvm-14-dev and clang-14, then build again)");
    return false;
}

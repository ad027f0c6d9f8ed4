/* The JIT's plug-in lies in the folder of the libraries that `warplens run` uses, or where WARPLENS_PLUGIN says, as the Python package
 * does, whose plug-in is a wheel of its own. */
#include "cli/engine.h"

#include "session/session.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of the plug-in; NULL: it was not built, or not installed. */
static const char *find_plugin(Arena *arena) {
    static const char *const folders[] = {"lib/warplens", "../" WARPLENS_LIBRARIES};
    char self[PATH_MAX];
    const char *path = getenv("WARPLENS_PLUGIN");
    if (path && access(path, R_OK) == 0)
        return path;
    path = NULL;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return NULL;
    self[length] = 0;
    *strrchr(self, '/') = 0;
    for (size_t i = 0; !path && i < sizeof folders / sizeof folders[0]; i++)
        path = plugin_find(arena, self, folders[i]);
    return path;
}

const char *engine_llvm(Arena *arena, const char **why) {
    const Plugin *plugin = engine_plugin(arena, find_plugin(arena), why);
    return plugin ? plugin_llvm(plugin) : NULL;
}

bool engine_wanted(Arena *arena, const char *wanted, Engine *engine, Diags *diags) {
    const char *variable = getenv("WARPLENS_ENGINE");
    const char *name = wanted ? wanted : variable && *variable ? variable : "auto";
    bool good = engine_choose(wanted ? "--engine" : "WARPLENS_ENGINE", name, find_plugin(arena),
                              engine, diags);
    engine->behind = good;
    return good;
}

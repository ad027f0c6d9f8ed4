/* Which engine executes a launch, and where its plug-in is: beside the library. */
#include "api/api.h"

#include <dlfcn.h>
#include <string.h>

/* The path of the plug-in; NULL: it was not built, or not installed. */
static const char *find_plugin(Arena *arena) {
    static const char here = 0;
    Dl_info library;
    if (!dladdr(&here, &library))
        return NULL;
    const char *slash = strrchr(library.dli_fname, '/');
    const char *folder =
        slash ? arena_copy(arena, library.dli_fname, (size_t)(slash - library.dli_fname)) : ".";
    const char *installed = plugin_find(arena, folder, "warplens");
    return installed ? installed : plugin_find(arena, folder, "lib/warplens");
}

bool engine_of(WarplensModule *module, const char *name, Engine *engine, WarplensError *error) {
    Diags *diags = diags_new(module->arena);
    if (!module->sought)
        module->plugin = find_plugin(module->arena);
    module->sought = true;
    if (engine_choose("engine", name ? name : "auto", module->plugin, engine, diags))
        return true;
    error_diags(error, WARPLENS_BAD_ARGUMENT, diags);
    return false;
}

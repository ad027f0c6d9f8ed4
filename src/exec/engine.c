/* The plug-in that compiles kernels, loaded when it is first asked for: libLLVM would take more time at
 * each start than most kernels. */
#include "exec/compiled.h"

#include <dlfcn.h>
#include <string.h>

bool engine_named(const char *name, EngineKind *kind) {
    static const char *const names[] = {"interp", "jit", "auto"};
    for (uint32_t i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (EngineKind)i;
            return true;
        }
    }
    return false;
}

const Plugin *plugin_load(const char *path, const char **why) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const Plugin *plugin = library ? dlsym(library, "warplens_jit") : NULL;
    if (why)
        *why = plugin ? "it belongs to another version of warplens" : dlerror();
    return plugin && plugin->version == PLUGIN_VERSION ? plugin : NULL;
}

/* Which engine executes a launch. The JIT's plug-in is loaded only when a kernel is to be compiled
 * (exec/tier/engine.c); where the JIT alone is asked for, at once. */
#include "session/session.h"

bool engine_choose(const char *what, const char *name, const char *plugin, Engine *engine,
                   Diags *diags) {
    const char *why = NULL;
    if (!engine_named(name, engine)) {
        diags_error(diags, "%s %s: expected interp, jit or auto", what, name);
        return false;
    }
    if (engine->kind == ENGINE_INTERP)
        return true;
    engine->aside = true;
    engine->plugin = plugin;
    if (engine->kind == ENGINE_AUTO || (plugin && plugin_load(plugin, &why)))
        return true;
    if (plugin)
        diags_error(diags, "%s %s: %s cannot be loaded: %s", what, name, plugin, why);
    else
        diags_error(diags,
                    "%s %s: the JIT's plug-in, libwarplens-jit.so, is not there: it needs LLVM "
                    "(Debian: llvm-14-dev and clang-14, then build again)",
                    what, name);
    return false;
}

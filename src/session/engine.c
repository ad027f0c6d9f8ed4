/* Which engine executes a launch. The JIT's plug-in is loaded only when a kernel is to be compiled
 * (exec/tier/engine.c); where the JIT alone is asked for, at once. */
#include "session/session.h"

#if defined __x86_64__ || defined __aarch64__
static const char no_plugin[] =
    "the JIT's plug-in, libwarplens-jit.so, is not there: it needs LLVM (Debian: "
    "llvm-14-dev and clang-14, then build again)";
#else
static const char no_plugin[] =
    "kernels are compiled on x86-64 and 64-bit ARM, and not on this processor; --engine interp, or "
    "auto, interprets them";
#endif

const Plugin *engine_plugin(Arena *arena, const char *path, const char **why) {
    if (!path) {
        *why = no_plugin;
        return NULL;
    }
    const char *error;
    const Plugin *plugin = plugin_load(path, &error);
    if (!plugin)
        *why = arena_printf(arena, "%s cannot be loaded: %s", path, error);
    return plugin;
}

bool engine_choose(const char *what, const char *name, const char *plugin, Engine *engine,
                   Diags *diags) {
    const char *why;
    if (!engine_named(name, engine)) {
        diags_error(diags, "%s %s: expected interp, plan, jit or auto", what, name);
        return false;
    }
    if (engine->kind == ENGINE_INTERP || engine->kind == ENGINE_PLAN)
        return true;
    engine->aside = true;
    engine->plugin = plugin;
    if (engine->kind == ENGINE_AUTO || engine_plugin(diags->arena, plugin, &why))
        return true;
    diags_error(diags, "%s %s: %s", what, name, why);
    return false;
}

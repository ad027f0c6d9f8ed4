/* Which kernels are counted. */
#include "base/kernel_name.h"
#include "ir/ir.h"
#include "probe/inject/inject.h"

bool kernel_is_selected(const Probe *probe, const char *mangled) {
    if (!probe->settings.kernels)
        return true;
    Arena *arena = arena_new();
    const char *name = name_demangled(arena, mangled, true);
    bool fits = kernel_name_fit(mangled, name, probe->settings.kernels) != NAME_OTHER;
    arena_free(arena);
    return fits;
}

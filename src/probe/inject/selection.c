/* Which kernels are counted. */
#include "base/kernel_name.h"
#include "ir/ir.h"
#include "probe/inject/inject.h"

#include <string.h>

bool kernel_is_collective(const char *mangled) {
    return strstr(mangled, "ncclDevKernel") || strstr(mangled, "ncclKernel") ||
           strstr(mangled, "ncclSymDevKernel") || strstr(mangled, "ncclSymkDevKernel");
}

bool kernel_is_selected(const Probe *probe, const char *mangled) {
    if (kernel_is_collective(mangled))
        return false;
    if (!probe->settings.kernels)
        return true;
    Arena *arena = arena_new();
    const char *name = name_demangled(arena, mangled, true);
    bool fits = kernel_name_fit(mangled, name, probe->settings.kernels) != NAME_OTHER;
    arena_free(arena);
    return fits;
}

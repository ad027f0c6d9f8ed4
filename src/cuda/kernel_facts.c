/* What is known of a kernel as soon as its body is parsed. */
#include "base/kernel_name.h"
#include "cuda/objects.h"

enum { SHARED_WITHOUT_ASKING = 48 << 10 };

/* --kernel */
static bool is_selected(const Kernel *kernel) {
    const char *wanted = core_settings()->kernels;
    if (!wanted)
        return true;
    Arena *arena = arena_new();
    const char *name = name_demangled(arena, kernel->name, true);
    bool found = kernel_name_fit(kernel->name, name, wanted) != NAME_OTHER;
    arena_free(arena);
    return found;
}

static void settle_cluster(Kernel *kernel) {
    const Function *function = kernel->function;
    kernel->cluster[0] = function->explicit_cluster && !function->required_cluster[0];
    for (uint32_t i = 0; i < 3; i++)
        kernel->cluster[1 + i] = (int)function->required_cluster[i];
}

void kernel_settle(Kernel *kernel) {
    kernel->registers = kernel_registers(kernel->function);
    kernel->selected = is_selected(kernel);
    kernel_find_layouts(kernel);
    int left = SHARED_WITHOUT_ASKING - (int)kernel->function->shared_bytes;
    if (kernel->max_dynamic_shared < left)
        kernel->max_dynamic_shared = left;
    settle_cluster(kernel);
}

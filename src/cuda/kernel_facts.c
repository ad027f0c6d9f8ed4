/* What is known of a kernel as soon as its body is parsed. */
#include "base/kernel_name.h"
#include "cuda/library.h"
#include "cuda/state.h"
#include "toolchain/toolchain.h"

#include <string.h>

enum { SHARED_WITHOUT_ASKING = 48 << 10 };

/* --kernel, --counts-only */
static bool is_named(const Kernel *kernel, const char *wanted) {
    Arena *arena = arena_new();
    const char *name = name_demangled(arena, kernel->name, true);
    bool found = kernel_name_fit(kernel->name, name, wanted) != NAME_OTHER;
    arena_free(arena);
    return found;
}

static void settle_cluster(Kernel *kernel) {
    const Function *function = kernel->function;
    kernel->cluster[0] = function->explicit_cluster;
    for (uint32_t i = 0; i < 3; i++)
        kernel->cluster[1 + i] = (int)function->required_cluster[i];
}

void kernel_settle(Kernel *kernel) {
    kernel->resources = (KernelResources){.registers = kernel_registers(kernel->function),
                                          .local_bytes = kernel->function->local_bytes};
    const Settings *settings = core_settings();
    kernel->selected = !settings->kernels || is_named(kernel, settings->kernels);
    kernel->counts_only = settings->counts_only && is_named(kernel, settings->counts_only);
    kernel_find_layouts(kernel);
    int left = SHARED_WITHOUT_ASKING - (int)kernel->function->shared_bytes;
    if (kernel->max_dynamic_shared < left)
        kernel->max_dynamic_shared = left;
    settle_cluster(kernel);
}

/* ---- what machine code takes ---- */

static void ask(Kernel *kernel, Arena *arena) {
    const Unit *unit = &kernel->library->units.at[kernel->unit];
    const PtxOrigin *origin = &unit->ptx.origin;
    CubinResources known;
    if (origin->cubin) {
        if (cubin_resources(origin->cubin, origin->cubin_bytes, kernel->name, &known))
            kernel->resources =
                (KernelResources){.registers = known.registers, .local_bytes = known.stack_bytes};
        return;
    }
    SassQuestion question = {.entry = kernel->name,
                             .arch = machine_arch(arena, unit->ptx.origin.machine,
                                                  kernel->function->module->target,
                                                  core_settings()->gpu),
                             .options = unit->ptx.origin.options,
                             .relocatable = kernel->library->units.count > 1,
                             .resources = true};
    question.ptx = ptx_slice(arena, unit->index, kernel->name, &question.length);
    const Sass *sass = toolchain_sass(arena, &question, diags_new(arena));
    for (uint32_t i = 0; sass && i < sass->kernels.count; i++) {
        const SassKernel *found = &sass->kernels.at[i];
        if (strcmp(found->name, kernel->name) == 0 && found->registers)
            kernel->resources =
                (KernelResources){.registers = found->registers, .local_bytes = found->stack_bytes};
    }
}

const KernelResources *kernel_resources(Kernel *kernel) {
    core_lock();
    if (!kernel->resources.asked) {
        Arena *arena = arena_new();
        ask(kernel, arena);
        arena_free(arena);
        kernel->resources.asked = true;
    }
    core_unlock();
    return &kernel->resources;
}

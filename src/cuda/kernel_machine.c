/* Which code of a kernel is executed: its PTX, or the machine code that ptxas makes of it (--machine-code). */
#include "cuda/objects.h"

#include "machine/machine.h"

static bool is_asked(const Kernel *kernel) {
    return core_settings()->machine != MACHINE_OFF && kernel->selected && !kernel->relayout_count;
}

bool kernel_take_machine_code(Kernel *kernel, const char **why) {
    *why = NULL;
    if (kernel->decided || !is_asked(kernel))
        return true;
    kernel->decided = true;
    const PtxIndex *index = kernel->library->units.at[kernel->unit].index;
    const Function *machine =
        machine_kernel(kernel->library->arena, index, kernel->function, core_settings()->gpu, why);
    if (machine) {
        kernel->function = machine;
        return true;
    }
    bool required = core_settings()->machine == MACHINE_REQUIRED;
    core_message_once(kernel->name, "%s is %s: %s",
                      name_demangled(kernel->library->arena, kernel->name, false),
                      required ? "not executed" : "executed as PTX", *why);
    return !required;
}

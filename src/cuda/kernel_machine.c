/* Which code of a kernel is executed: its PTX, or the machine code that ptxas makes of it (--machine-code). */
#include "cuda/library.h"
#include "cuda/state.h"

#include "machine/machine.h"

#include <string.h>

/* Where there is no PTX there is no choice. */
static bool is_asked(const Kernel *kernel) {
    return machine_is_all(kernel->function) ||
           (kernel->selected && !kernel->counts_only && !kernel->relayout_count &&
            machine_is_asked(core_settings()->machine));
}

/* Its machine code, while a terminal says what is waited for: ptxas takes seconds for some kernels. */
static const Function *make_machine_code(const Kernel *kernel, const char *name, const char **why) {
    Core *core = core_get();
    const Library *library = kernel->library;
    const RunningLaunch waiting = {.number = core->launches + 1, .kernel = name};
    if (core->settings.progress)
        recorder_running(core->recorder, &waiting);
    const Function *machine = machine_kernel(library->arena, library->units.at[kernel->unit].index,
                                             kernel->function, core->settings.gpu, why);
    if (core->settings.progress)
        recorder_ran(core->recorder);
    return machine;
}

void kernel_decide(Kernel *kernel) {
    if (kernel->decided)
        return;
    kernel->decided = !is_asked(kernel);
    for (uint32_t i = 0; !kernel->decided && i < device_count(); i++) {
        prepared_free(kernel->prepared[i]);
        kernel->prepared[i] = NULL;
    }
}

bool kernel_take_machine_code(Kernel *kernel, const char **why) {
    *why = NULL;
    if (kernel->decided || !is_asked(kernel))
        return true;
    kernel->decided = true;
    const char *name = name_demangled(kernel->library->arena, kernel->name, false);
    const Function *machine = make_machine_code(kernel, name, why);
    if (machine) {
        kernel->function = machine;
        return true;
    }
    const bool all = machine_is_all(kernel->function);
    const bool required = all || core_settings()->machine == MACHINE_REQUIRED;
    const bool is_torchs = all && strstr(name, "at::native::");
    core_message_once(kernel->name, "%s is %s: %s%s%s", name,
                      required ? "not executed" : "executed as PTX",
                      all ? "there is no PTX of it, and of its machine code: " : "", *why,
                      is_torchs ? "; with 'import warplens' before 'import torch' PyTorch's "
                                  "operators on dense tensors are done on the host"
                                : "");
    return !required;
}

/* Where a kernel's code comes from. */
#include "machine/machine.h"

bool machine_is_all(const Function *kernel) {
    return kernel->module->origin.cubin != NULL;
}

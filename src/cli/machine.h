/* machine: a kernel's machine code, and the memory instructions of its lines beside those in the
 * PTX. */
#pragma once

#include "isa/isa.h"
#include "machine/machine.h"
#include "prof/prof.h"

/* Which code is executed, into *use. wanted: the word of --machine-code; NULL: that of the variable WARPLENS_MACHINE_CODE, else
 * machine code where its tools are installed; `without`: not even there, for those who keep ptxas out, count nothing, or look for
 * defects of the source. false: there is no such word, diags says so. */
bool machine_wanted(const char *wanted, bool without, MachineUse *use, Diags *diags);

/* Sets the kernel's registers per thread and its machine code, and adds profile->sass_lines, as far
 * as ptxas and nvdisasm are installed and take the kernel's module; notes in diags say what was left
 * out. false: ptxas did not assemble it.
 * The paths of the profile's files must still be those of the PTX (before --source-map). */
bool machine_compare(Profile *profile, uint32_t kernel, const Gpu *gpu, Diags *diags);

/* The same of every kernel that was launched, for the GPU of its first launch, several at once; nothing
 * without ptxas. Of several kernels' notes diags gets the first one's. */
void machine_compare_all(Profile *profile, Diags *diags);

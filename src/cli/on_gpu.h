/* on_gpu: what must be there before a program is watched on the machine's GPU. */
#pragma once

#include "cli/run_program.h"

/* Whether launches can be counted on this machine's GPU, with what is needed for it in *run; else diags says what is missing.
 * sure: the driver was asked (probe_gpus). */
bool gpu_ready(RunSettings *run, bool sure, Diags *diags);

/* kernel_run: what `warplens kernel` and `warplens fix` have in common. */
#pragma once

#include "cli/arguments.h"
#include "cli/kernel_options.h"
#include "ptx/ptx.h"

typedef VEC(PtxInput) Inputs;

/* Is the GPU known (it is NULL otherwise), and is there a file? false: diags. */
bool kernel_ready(Options *given, const Gpu *gpu);
/* Asked for last, so that without it the kernels are listed. */
bool kernel_has_block(Options *given);
/* The PTX of the given files, compiled where it must be. false: diags. */
bool kernel_inputs(Options *given, const Gpu *gpu, Inputs *inputs);

/* One run. The caller makes the profile, and frees it and the memory. */
typedef struct Session {
    Options *given;
    Profile *profile;
    Memory *memory; /* of the device, made by session_run */
    Arguments *arguments;
    const char *arch;          /* "sm_90" */
    const Relayout *relayouts; /* of shared variables */
    uint32_t relayout_count;
    uint64_t evidence_period; /* see Launch */
    LaunchResult result;
} Session;

/* Runs the kernel `name` of the input; false: it did not start, diags says why. */
bool session_run(Session *session, const PtxInput *input, const char *name, const Gpu *gpu);
/* Reads the source files that the profile speaks of. */
void session_sources(Session *session);

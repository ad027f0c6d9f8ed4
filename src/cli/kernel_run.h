/* kernel_run: what `warplens kernel` and `warplens fix` have in common. */
#pragma once

#include "cli/kernel_options.h"
#include "session/session.h"

/* The kernel that was asked for. */
typedef struct Chosen {
    const Gpu *gpu;
    Inputs inputs;
    uint32_t input;   /* that it is from */
    const char *name; /* mangled */
} Chosen;

/* Reads the files. false: diags. */
bool kernel_read(Options *given, Chosen *chosen);
/* … and finds the kernel. */
bool kernel_choose(Options *given, Chosen *chosen);

/* One run. */
typedef struct KernelRun {
    Session *session; /* the caller frees it; NULL: it did not begin */
    Arguments *arguments;
    Engine engine;
    LaunchResult result;
} KernelRun;

/* How a run differs from what was asked for. */
typedef struct Otherwise {
    const Relayout *relayouts;
    uint32_t relayout_count;
    uint64_t evidence_period; /* see Launch */
} Otherwise;

/* false: it did not start, diags says why. */
bool kernel_run(Options *given, const Chosen *chosen, const Otherwise *otherwise, KernelRun *run);
/* Reads the source files that the profile speaks of. */
void kernel_sources(Options *given, Profile *profile);

/* ---- kernel_list.c ---- */

/* Prints the kernels as JSON: of all files, or the one that was asked for. false: diags. */
bool kernel_list(Options *given);

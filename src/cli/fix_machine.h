/* fix_machine: what a change of the source costs as machine code. Layouts are searched, and proven by moved addresses, in the PTX,
 * whose arrays have names; a source that has changed is there to be compiled, before and after, and both can be executed as what
 * ptxas makes of them. */
#pragma once

#include "cli/fix_program.h"
#include "cli/fix_threads.h"

struct MachineCounts {
    bool wanted;     /* asked for, or its tools are there and nobody asked for anything else */
    bool required;   /* counts that are not there are an error */
    const char *why; /* they are not there; NULL: they are */
    FixCost was, is;
    /* Of the results: those of the one run, and bytes of them that the other has not. */
    uint64_t bytes, differ;
};

/* As --machine-code, else the environment says; false: diags. Before anything is run. */
bool machine_counts_begin(const Options *given, MachineCounts *counts);
/* Runs the kernel as it is and with the changed source as machine code. fix: NULL: the source does not change. After
 * fix_keep. */
void machine_counts(FixSession *fixing, const SourceFix *fix, MachineCounts *counts);
/* Machine code says that the change is none to be kept: results differ, or nothing is saved. NULL: it does not. */
const char *machine_counts_refuse(const MachineCounts *counts);
void machine_counts_print(Arena *arena, const MachineCounts *counts);
/* --machine-code require, and there are none: diags, and false. */
bool machine_counts_suffice(const MachineCounts *counts, Diags *diags);

/* ---- of a program that is built anew ---- */

/* Runs the program as machine code. false: diags. Ends with program_run_end in any case. */
bool machine_program_run(const Options *given, ProgramRun *run);
/* Of a kernel of both runs. */
void machine_program_counts(Arena *arena, const ProgramRun *before, const ProgramRun *after,
                            const char *kernel, MachineCounts *counts);

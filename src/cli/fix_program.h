/* fix_program: what the parts of `warplens fix -- PROGRAM` share. */
#pragma once

#include "cli/fix_patch.h"
#include "cli/run_program.h"

#include <stdio.h>

typedef struct ProgramRun {
    RunResult result;
    FILE *output;
} ProgramRun;

/* ---- fix_runs.c ---- */

/* Runs the program that stands behind --; layouts: "KERNEL SYMBOL LAYOUT;…", or NULL. false: diags. Ends with
 * program_run_end in any case. */
bool program_run(const Options *given, const char *layouts, ProgramRun *run);
void program_run_end(ProgramRun *run);
/* How many results of one run the other has not. */
uint64_t program_results_differ(RunResult *a, RunResult *b);
uint64_t program_result_bytes(const RunResult *result);
/* Of all launches of a kernel. */
uint64_t program_wavefronts(const Profile *profile, const char *kernel);
/* What all launches of a kernel took. */
FixCost program_cost(const Profile *profile, const char *kernel);
/* Says whether what the program prints is the same. */
void program_print_output(const ProgramRun *before, const ProgramRun *after);

/* ---- fix_storages.c ---- */

/* Prices other storages of arrays in global memory by a run that tells more offsets apart, and proves them by one with the arrays stored
 * so. false: diags. */
bool program_storages(const Options *given, const FixPlans *plans, ProgramRun *before);
/* Whether results that differ with a change do so without it, too: runs the program once more. */
bool program_varies(const Options *given, ProgramRun *before);

/* ---- fix_gpu.c ---- */

/* The program on this machine's GPU, before and after the change. */
typedef struct GpuTrial {
    const Options *given;
    RunSettings settings;
    const char *original; /* the program as it was, beside that which is built */
} GpuTrial;
/* false: diags says what is missing. */
bool gpu_trial_possible(GpuTrial *trial, const Options *given);
/* Before it is built anew: keeps the program. false: diags. Ends with gpu_trial_end in any case. */
bool gpu_trial_begin(GpuTrial *trial);
/* Runs both in turns, prints times and counts. NULL: the change is faster; else why it is not kept. */
const char *gpu_trial_judge(GpuTrial *trial, const FixPlans *plans);
void gpu_trial_end(GpuTrial *trial);

/* ---- fix_build.c ---- */

/* --apply: before anything is run, says what is missing for it. */
bool fix_build_possible(const Options *given);
/* Puts the new sources in the place of the old ones, builds, runs, compares; where the promise does not hold, the old ones come back.
 * Returns the exit status. */
int fix_build(const Options *given, const FixPlans *plans, const SourceFixes *fixes,
              ProgramRun *before);

/* A change of what the threads of a kernel do: as above, and the kernel must take fewer cycles than it did in `before`. kernel: mangled;
 * was, is: what it took and takes, where that is kept. */
int fix_build_threads(const Options *given, const SourceFix *fix, const char *kernel,
                      ProgramRun *before, FixCost *was, FixCost *is);

/* ---- fix_program_threads.c ---- */

/* Changes of what threads do in the sources of a program, kernel by kernel: each that holds stays, and is added to the summary. changed:
 * its sources have new layouts already. EXIT_FINE: something was kept. */
int program_threads(Options *given, const FixPlans *plans, ProgramRun *before, bool changed,
                    FixSummary *summary);

/* ---- fix_branch.c ---- */

/* Whether the changed files can be committed to a new branch: diags. */
bool branch_possible(Arena *arena, const char *branch, const char *const *paths, uint32_t count,
                     Diags *diags);
/* Commits the files as they are now to a new branch, beside what is checked out. Returns the commit; NULL: diags. */
const char *branch_commit(Arena *arena, const char *branch, const char *const *paths,
                          uint32_t count, const char *message, Diags *diags);

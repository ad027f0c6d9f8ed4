/* fix_trial: a changed source that is compiled and run, for --apply and for what a change costs. */
#pragma once

#include "cli/fix_patch.h"

typedef struct PatchTrial {
    FixSession *fixing;
    const SourceFix *fix;
    const RewrittenFile *file;
    uint32_t given_index; /* of the file, among those of the command line */
    const char *scratch, *copy;
    Options options; /* of the copy's compilation */
    KernelRun after;
} PatchTrial;

/* One .cu file of the command line changes, and nothing else; false: diags says why not. */
bool trial_possible(PatchTrial *trial);
/* Compiles and runs the copy; false: diags. Ends with trial_end in any case. */
bool trial_run(PatchTrial *trial);
void trial_end(PatchTrial *trial);
/* ---- fix_cost.c ---- */

/* What a run took: of the kernel as it is, or changed. */
FixCost fix_figures(const KernelRun *run, const Diags *diags);
/* The source with what is chosen; false: nothing was tried, or changes. */
bool fix_cost_source(const FixSession *fixing, const FixPlan *plan, SourceFixes *fixes);
double fix_cycles(const FixCost *cost);          /* instruction issue, and wavefronts */
const char *fix_input(const FixSession *fixing); /* the file that the kernel is from */

bool same_file(const char *a, const char *b);

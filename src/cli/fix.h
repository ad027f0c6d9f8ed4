/* fix: what the parts of `warplens fix` share.
 *
 *   fix.c: the command --run--> session's fix_plan: what to change --> fix_print.c: the tables
 *                                    |
 *                                    +--> fix_prove.c: run again, compare --> fix_print.c: the verdict
 *                                    |
 *                                    +--> fix_patch.c: the source changed --> fix_apply.c: compile, run, compare
 *
 * Whoever adds another kind of fix adds a step to fix.c's `show` and a file of its own. */
#pragma once

#include "cli/kernel_run.h"

/* ---- fix_kernels.c: several kernels at once ---- */

typedef struct GlobalPlan GlobalPlan;
typedef struct FixPlans {
    VEC(FixPlan) list; /* of kernels that were launched and have shared arrays, in their order */
    VEC(Proof) proofs; /* of each of these, where it was run again; else none */
    /* of kernels that waste sectors of global memory, each by its worst launch */
    VEC(GlobalPlan *) global;
} FixPlans;
/* Of the chosen kernels of a profile: --kernel, --launch. */
void fix_plans(const Options *given, const Profile *profile, FixPlans *plans);
uint32_t fix_print_plans(Arena *arena, const FixPlans *plans); /* how many have a fix */
void fix_print_global(Arena *arena, const FixPlans *plans);    /* kernel by kernel */

/* ---- fix_prove.c ---- */

typedef struct FixSession {
    Options *given;
    Chosen chosen;
    KernelRun before, after;
    Snapshot results; /* of `before`, from fix_keep on */
} FixSession;

/* fix_cost.c: tries the plan's layouts in the source, where that is a .cu file, and chooses by what they cost
 * as a whole; after fix_keep. */
void fix_costs(FixSession *fixing, FixPlan *plan);
/* The source with what is chosen then, as a diff; NULL: nothing was tried, or changes. */
const char *fix_cost_patch(FixSession *fixing, const FixPlan *plan);
/* Takes what the device's memory holds after the first run, and gives it back: one after another
 * the runs have it at the same addresses, which they may store. */
void fix_keep(FixSession *fixing);
/* Runs the kernel with the plan's layouts. false: diags. */
bool fix_prove(FixSession *fixing, const FixPlan *plan, Proof *proof);
/* The same for any change: `space` is the memory that it is about, proof->promised what it is to
 * cost. */
bool fix_prove_as(FixSession *fixing, const Otherwise *otherwise, SiteSpace space, Proof *proof);
uint64_t fix_cost(const KernelRun *run, SiteSpace space); /* wavefronts or sectors */

/* ---- fix_patch.c, fix_apply.c: the source with the plan's layouts ---- */

/* Before anything is printed: with a patch that goes to standard output, all else goes to standard
 * error. */
void fix_patch_begin(Options *given);
/* Says that nothing is written, and why, if something was to be. */
void fix_no_patch(const Options *given, const char *why);
#define NOTHING_REWRITTEN "no array could be rewritten"
#define NOTHING_BETTER "there is no better layout"
#define NOTHING_WRITTEN                                                                            \
    "nothing that can be written into the source is better; without --patch and --apply, fix "     \
    "says what else helps"
/* --patch: writes the patch; --apply: tries the changed source, and puts it in the place of the old
 * one. Returns the exit status. */
int fix_patch(FixSession *fixing, const FixPlan *plan);

/* ---- the other forms of the command: fix_profile.c; fix_program.c, with fix_runs.c, fix_build.c and fix_branch.c ---- */

bool fix_is_profile(const Options *given);
int fix_profile(Options *given); /* `warplens fix x.wlp`; returns the exit status */
int fix_program(Options *given); /* `warplens fix -- PROGRAM ARGUMENT...` */

/* ---- fix_summary.c ---- */

typedef struct FixSummaryRow {
    uint64_t before, then;   /* of `unit` */
    const char *unit, *kind; /* "wavefronts"; "layout", "storage" */
    const char *id;
    const char *array, *change; /* "tile in turn(float*)"; "1 float of padding after every 32" */
    const char *instructions;   /* "+1.2 %"; NULL: they are not known */
    FixTime time;               /* of a launch of the kernel, with all changes of it */
    const char *proven;         /* "yes", "no"; "-": nothing was run */
    uint32_t number;
} FixSummaryRow;
typedef struct FixSummary {
    VEC(FixSummaryRow) rows;
} FixSummary;
/* kernel/array/layout: the same in every run. */
const char *fix_layout_id(Arena *arena, const FixPlan *plan, uint32_t array, const Candidate *one);
/* Adds the changes of shared arrays. */
void fix_summarize(Arena *arena, const FixPlans *plans, const char *proven, FixSummary *summary);
void fix_order_summary(FixSummary *summary);       /* the largest saving first */
bool fix_summary_timed(const FixSummary *summary); /* a row has a time */
/* Where there are several. */
void fix_print_summary(Arena *arena, FixSummary *summary);

/* ---- fix_global.c ---- */

/* Looks at the first run. */
GlobalPlan *global_begin(FixSession *fixing);
/* Prices and proves other storages of the arrays by running the kernel again; false: diags. */
bool global_settle(FixSession *fixing, GlobalPlan *plan);
bool global_holds(const GlobalPlan *plan); /* nothing was run that did not keep its promise */
void global_summarize(Arena *arena, const GlobalPlan *plan, FixSummary *summary);
void global_print_plan(Arena *arena, const GlobalPlan *plan); /* fix_global_print.c */

/* ---- fix_json.c, fix_global_json.c ---- */

/* What `warplens fix --format json` writes, besides the plans. */
typedef struct MachineCounts MachineCounts; /* fix_machine.h */
typedef struct FixData {
    const FixPlans *plans;
    const FixSummary *summary;
    const char *patch;            /* a unified diff, or NULL */
    const MachineCounts *machine; /* NULL: none, of a program or a profile */
    const char *applied;          /* "yes", "no"; NULL: it was not to be */
} FixData;
/* Of programs: what is printed besides goes to standard error. */
void fix_json_begin(Options *given);
/* Writes them to standard output as docs/fix.schema.json describes. */
void fix_json(const Options *given, const FixData *data);

/* ---- fix_print.c ---- */

const char *percent_words(Arena *arena, uint64_t is, uint64_t was); /* "+12.3 %" */

/* What layouts are chosen by, where it is not all that launches did. others: launch.evidence_others. */
void fix_print_evidence(Arena *arena, uint64_t recorded, uint64_t blocks, uint64_t others);
void fix_print_plan(Arena *arena, const FixPlan *plan);
/* Lines of C++ that are shown and neither written nor tried; NULL: none. */
void fix_print_sketch(const char *lines);
/* How a proof speaks of what was changed, and of what that is to cost. */
typedef struct ProofWords {
    const char *changed, *equal, *unit, *memory; /* equal: with the end of the line */
    bool of_program;                             /* what differs are results of it, and not bytes */
} ProofWords;
/* Of shared arrays; of arrays in global memory, of a kernel or a program. */
extern const ProofWords proof_of_layouts, proof_of_storage, proof_of_programs;
void fix_print_proof(Arena *arena, const Proof *proof, const ProofWords *words);

/* fix: what the parts of `warplens fix` share.
 *
 *   fix.c: the command --run--> fix_plan: what to change --> fix_print.c: the tables
 *                                    |
 *                                    +--> fix_proof.c: run again, compare --> fix_print.c: the verdict
 *                                    |
 *                                    +--> fix_patch.c: the source changed --> fix_apply.c: compile, run, compare
 *
 * Whoever adds another kind of fix adds a step to fix.c's `show` and a file of its own. */
#pragma once

#include "cli/kernel_run.h"
#include "fix/fix.h"

/* What to change in a kernel. */
typedef struct FixPlan {
    FixScope scope;   /* the launches that were looked at */
    ArrayFix *arrays; /* of each shared array that was accessed */
    uint32_t array_count;
    const Candidate **chosen; /* for each array, NULL: it stays as it is */
    Relayout *relayouts;      /* those that are chosen */
    uint32_t relayout_count;
    uint64_t now, promised; /* wavefronts of the recorded accesses to these arrays */
} FixPlan;

/* ---- fix_kernels.c: several kernels at once ---- */

typedef struct FixPlans {
    VEC(FixPlan) list; /* of kernels that were launched and have shared arrays, in their order */
} FixPlans;
/* Of the chosen kernels of a profile: --kernel, --launch. */
void fix_plans(const Options *given, const Profile *profile, FixPlans *plans);
uint32_t fix_print_plans(Arena *arena, const FixPlans *plans); /* how many have a fix */

/* What came out of running the kernel with the plan's layouts. */
typedef struct Proof {
    bool faulted;
    const char *fault;                /* its message */
    uint64_t bytes, differ;           /* of the device's memory */
    uint64_t before, promised, after; /* wavefronts of shared memory */
    bool complete;                    /* all accesses are in the evidence: `promised` is exact */
} Proof;

/* ---- fix_plan.c ---- */

/* The best layout of each array, as far as a block has room for all of them. */
FixPlan fix_plan(Arena *arena, const FixScope *scope);
const ProfKernel *fix_kernel(const FixPlan *plan);

/* ---- fix_proof.c ---- */

/* What the device's memory held after a run. */
typedef struct Snapshot {
    Arena *arena;
    VEC(Str) blocks;
    uint64_t bytes;
} Snapshot;

void snapshot_take(Snapshot *to, const Memory *memory);
/* Bytes that differ from what memory held. */
uint64_t snapshot_differ(const Snapshot *first, const Memory *memory);

typedef struct Fixing {
    Options *given;
    const Gpu *gpu;
    const PtxInput *input;
    const char *kernel;
    Session before, after;
    Snapshot results; /* of `before`, from fix_prove on */
    uint64_t period;  /* evidence_period of the next run */
} Fixing;

bool fix_run(Fixing *fixing, Session *session, const Relayout *relayouts, uint32_t count);
void fix_end(Session *session);
/* Runs the kernel with the plan's layouts; the memory of `before` is given back. false: diags. */
bool fix_prove(Fixing *fixing, const FixPlan *plan, Proof *proof);
bool proof_holds(const Proof *proof);
uint64_t fix_wavefronts(const Session *session); /* of shared memory */

/* ---- fix_patch.c, fix_apply.c: the source with the plan's layouts ---- */

/* Before anything is printed: with a patch that goes to standard output, all else goes to standard error. */
void fix_patch_begin(Options *given);
/* --patch: writes the patch; --apply: tries the changed source, and puts it in the place of the old one.
 * Returns the exit status. */
int fix_patch(Fixing *fixing, const FixPlan *plan);

/* ---- the other forms of the command: fix_profile.c, fix_program.c ---- */

bool fix_is_profile(const Options *given);
int fix_profile(Options *given); /* `warplens fix x.wlp`; returns the exit status */
int fix_program(Options *given); /* `warplens fix -- PROGRAM ARGUMENT...` */

/* ---- fix_global.c ---- */

typedef struct GlobalPlan GlobalPlan;
/* Looks at the first run, while its memory is there. */
GlobalPlan *global_begin(Fixing *fixing);
/* Prints the plan and its proof; false: diags. */
bool global_end(Fixing *fixing, GlobalPlan *plan, bool *proven);

/* ---- fix_print.c ---- */

void fix_print_plan(Arena *arena, const FixPlan *plan);
void fix_print_proof(Arena *arena, const Proof *proof);

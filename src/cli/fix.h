/* fix: what the parts of `warplens fix` share.
 *
 *   fix.c: the command --run--> fix_plan: what to change --> fix_print.c: the tables
 *                                    |
 *                                    +--> fix_proof.c: run again, compare --> fix_print.c: the verdict
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

typedef struct Fixing {
    Options *given;
    const Gpu *gpu;
    const PtxInput *input;
    const char *kernel;
    Session before, after;
} Fixing;

bool fix_run(Fixing *fixing, Session *session, const Relayout *relayouts, uint32_t count);
void fix_end(Session *session);
/* Runs the kernel with the plan's layouts; the memory of `before` is given back. false: diags. */
bool fix_prove(Fixing *fixing, const FixPlan *plan, Proof *proof);
bool proof_holds(const Proof *proof);

/* ---- fix_print.c ---- */

void fix_print_plan(Arena *arena, const FixPlan *plan);
void fix_print_proof(Arena *arena, const Proof *proof);

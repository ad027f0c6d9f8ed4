/* fix_threads: changes of what the threads of a kernel do, written into its source, compiled, run and compared. */
#pragma once

#include "cli/fix_global.h"
#include "cli/fix_trial.h"

typedef struct ThreadFix {
    const char *name, *words; /* "swap"; "threadIdx.x and .y change places" */
    const char *array;        /* whose accesses it is for */
    bool shared;              /* which is a shared one: wavefronts are to become fewer */
    bool written;             /* the source can be written so: `fix` has it */
    SourceFix fix;
    FixCost cost;
} ThreadFix;
typedef struct ThreadFixes {
    VEC(ThreadFix) list;
    const ThreadFix *chosen; /* NULL: none pays */
    FixCost as_it_is;
} ThreadFixes;

/* Adds what the shapes of a kernel's accesses to global memory suggest, written into the source at `path`; flags: those of the command line are
 * the compiler's. */
void thread_candidates(const Options *given, const GlobalPlan *global, const char *path, bool flags,
                       ThreadFixes *fixes);
/* Adds other numbers for padding that a kernel has by itself, where a shared array of it loses wavefronts; the likeliest comes last. */
void padding_candidates(const Options *given, const FixPlan *plan, const char *path, bool flags,
                        ThreadFixes *fixes);
double thread_cycles(const FixCost *cost); /* issue, the data stage, and two sectors a clock */
/* After fix_keep: tries what the shapes of the accesses to global memory suggest, and other numbers for padding that the kernel has, where
 * the source is a .cu file. */
void thread_fixes(FixSession *fixing, const GlobalPlan *global, const FixPlan *plan,
                  ThreadFixes *fixes);
void thread_print(Arena *arena, const ThreadFixes *fixes);
void thread_summarize(FixSession *fixing, const ThreadFixes *fixes, FixSummary *summary);
/* Adds a change that was built, run and found good: what the kernel took, and what it takes. */
void thread_add_row(Arena *arena, const ProfKernel *kernel, const ThreadFix *one,
                    const FixCost *was, const FixCost *is, FixSummary *summary);
/* Is what is chosen better than the layouts of the plan? Only one of the two is written at a time. */
bool thread_wins(const ThreadFixes *fixes, const FixPlan *plan);
/* --patch, --apply. Returns the exit status. */
int thread_patch(FixSession *fixing, const ThreadFixes *fixes);

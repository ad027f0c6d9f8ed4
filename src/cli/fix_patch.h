/* fix_patch: what fix_patch.c and fix_apply.c share. */
#pragma once

#include "cli/fix.h"
#include "rewrite/rewrite.h"

/* What changes in a source. */
typedef struct SourceFix {
    Arena *arena;
    const char *path;
    VEC(RewriteArray) arrays; /* all shared arrays of the kernels that get another layout */
    uint32_t wanted;          /* of them get one */
    Rewrite rewrite;
} SourceFix;

typedef struct SourceFixes {
    VEC(SourceFix) list;
    uint32_t wanted, done;
    bool tried; /* what is written will be compiled, run and compared */
} SourceFixes;

/* The layout that an array has in the new source; NULL: that which it had. */
static inline const Layout *source_fix_layout(const SourceFix *fix, uint32_t array) {
    const RewriteOutcome *outcome = &fix->rewrite.outcomes[array];
    return outcome->done ? &fix->arrays.at[outcome->shares].layout : NULL;
}

/* Where a kernel is defined, as its PTX says, from the working directory; NULL: it does not. */
const char *fix_kernel_source(Arena *arena, const Profile *profile, const ProfKernel *kernel);
const char *fix_diff(Arena *arena, const SourceFixes *fixes);   /* of all files that change */
bool fix_is_source(const char *name);                           /* a .cu file */
bool fix_write_patch(Options *given, const SourceFixes *fixes); /* false: diags */
/* flags: those behind -- are the compiler's. */
RewriteOptions fix_rewrite_options(const Options *given, bool flags, bool tried);
/* Rewrites the sources of the plans' kernels in memory. false: diags. */
bool fix_rewrite(Options *given, const FixPlans *plans, const char *input, SourceFixes *fixes);
/* Rewrites the sources of the plans' kernels, of a profile with kernel_sources, and writes the patch, if it was asked for; input: the file that
 * was compiled. Returns the exit status. */
int fix_patch_plans(Options *given, const FixPlans *plans, const char *input, SourceFixes *fixes);

/* ---- fix_apply.c ---- */

/* Compiles and runs the new source, compares, and puts it in the place of the old one. Returns the exit
 * status. */
int fix_apply(FixSession *fixing, const SourceFix *fix);

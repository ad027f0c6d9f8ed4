/* fix_patch: what fix_patch.c and fix_apply.c share. */
#pragma once

#include "cli/fix.h"
#include "rewrite/rewrite.h"

/* A plan in the source. */
typedef struct SourceFix {
    Arena *arena;
    const char *path;     /* of the source */
    RewriteArray *arrays; /* all shared arrays of the kernel */
    uint32_t count;
    Rewrite rewrite;
} SourceFix;

/* The layout that an array has in the new source; NULL: that which it had. */
const Layout *source_fix_layout(const SourceFix *fix, uint32_t array);

/* ---- fix_apply.c ---- */

/* Compiles and runs the new source, compares, and puts it in the place of the old one. Returns the exit
 * status. */
int fix_apply(Fixing *fixing, const SourceFix *fix);

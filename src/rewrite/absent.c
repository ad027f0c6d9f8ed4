/* In place of the rest of rewrite/ where libclang's headers were missing when warplens was built. */
#include "rewrite/rewrite.h"

bool rewrite_source(Arena *arena, const char *path, const RewriteArray *arrays, uint32_t count,
                    const RewriteOptions *options, Rewrite *rewrite, Diags *diags) {
    (void)arena, (void)path, (void)arrays, (void)count, (void)options, (void)rewrite;
    diags_error(diags, "this warplens was built without libclang's headers, which rewriting source "
                       "needs (Debian: apt-get install libclang-14-dev, and build again)");
    return false;
}

bool rewrite_possible(Arena *arena) {
    (void)arena;
    return false;
}

bool rewrite_threads(Arena *arena, const char *path, const char *kernel, const ThreadChange *change,
                     const RewriteOptions *options, Rewrite *rewrite, Diags *diags) {
    (void)kernel, (void)change;
    return rewrite_source(arena, path, NULL, 0, options, rewrite, diags);
}

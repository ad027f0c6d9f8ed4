/* A changed source on trial: a copy of it is compiled as the original was, and run with the same arguments. */
#include "cli/fix_trial.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what can be tried ---- */

bool same_file(const char *a, const char *b) {
    char *x = realpath(a, NULL), *y = realpath(b, NULL);
    bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

bool trial_possible(PatchTrial *trial) {
    Options *given = trial->fixing->given;
    const Rewrite *rewrite = &trial->fix->rewrite;
    trial->file = &rewrite->files.at[0];
    if (rewrite->files.count > 1) {
        diags_error(given->diags, "--apply: several files change (%s, %s); write a --patch",
                    rewrite->files.at[0].path, rewrite->files.at[1].path);
        return false;
    }
    for (uint32_t i = 0; i < given->files.count; i++) {
        size_t length = strlen(given->files.at[i]);
        bool is_source = length > 3 && strcmp(given->files.at[i] + length - 3, ".cu") == 0;
        trial->given_index = i;
        if (is_source && same_file(given->files.at[i], trial->file->path))
            return true;
    }
    diags_error(given->diags,
                "--apply compiles what it changes, so it needs the .cu file that changes: name %s "
                "in place of %s, with the compiler's flags behind --; or write a --patch",
                trial->file->path, given->files.at[0]);
    return false;
}

/* ---- compiling and running ---- */

static const char *directory_of(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_copy(arena, path, (size_t)(slash - path) + (slash == path)) : ".";
}

/* What the launch asks for with the layouts that the new source has. */
static uint32_t dynamic_bytes(const SourceFix *fix, uint32_t bytes) {
    for (uint32_t i = 0; i < fix->arrays.count; i++) {
        const Layout *layout = source_fix_layout(fix, i);
        if (fix->arrays.at[i].dynamic && layout && layout_bytes(layout, bytes) > bytes)
            return (uint32_t)layout_bytes(layout, bytes);
    }
    return bytes;
}

/* The options of the original, for the copy: includes are looked for where the original is. */
static void copy_options(PatchTrial *trial) {
    const Options *given = trial->fixing->given;
    Options *options = &trial->options;
    const char *original = given->files.at[trial->given_index], *slash = strrchr(original, '/');
    *options = *given;
    options->launch.dynamic_shared = dynamic_bytes(trial->fix, given->launch.dynamic_shared);
    options->files = (Texts){0};
    options->flags = (Texts){0};
    trial->copy = arena_printf(given->arena, "%s/%s", trial->scratch, slash ? slash + 1 : original);
    for (uint32_t i = 0; i < given->files.count; i++)
        *vec_add(given->arena, &options->files) =
            i == trial->given_index ? trial->copy : given->files.at[i];
    *vec_add(given->arena, &options->flags) =
        arena_printf(given->arena, "-I%s", directory_of(given->arena, original));
    for (uint32_t i = 0; i < given->flags.count; i++)
        *vec_add(given->arena, &options->flags) = given->flags.at[i];
}

/* "a\b": in a #line. */
static const char *quoted(Arena *arena, const char *path) {
    char *text = arena_alloc(arena, 2 * strlen(path) + 1), *to = text;
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            *to++ = '\\';
        *to++ = *path;
    }
    return text;
}

/* The copy says that it is the original: the profile then speaks of that, and __FILE__ is the same. */
static bool run_copy(PatchTrial *trial) {
    FixSession *fixing = trial->fixing;
    Chosen chosen;
    const Otherwise as_it_is = {0};
    const char *original = fixing->given->files.at[trial->given_index];
    const char *text = arena_printf(fixing->given->arena, "#line 1 \"%s\"\n%s",
                                    quoted(fixing->given->arena, original), trial->file->after);
    copy_options(trial);
    if (!file_write(trial->copy, text, strlen(text))) {
        diags_error(fixing->given->diags, "%s: %s", trial->copy, strerror(errno));
        return false;
    }
    return kernel_choose(&trial->options, &chosen) &&
           kernel_run(&trial->options, &chosen, &as_it_is, &trial->after);
}

bool trial_run(PatchTrial *trial) {
    trial->scratch = scratch_new(trial->fix->arena);
    if (!trial->scratch)
        diags_error(trial->fixing->given->diags, "no temporary directory: %s", strerror(errno));
    return trial->scratch && run_copy(trial);
}

void trial_end(PatchTrial *trial) {
    session_free(trial->after.session);
    if (trial->scratch)
        scratch_remove(trial->scratch);
}

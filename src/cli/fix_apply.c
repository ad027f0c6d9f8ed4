/* warplens fix --apply: the changed source proves itself. A copy of it is compiled and run as the original was;
 * all memory of the device must hold the same bytes then, and the wavefronts must be those that the run with
 * moved addresses has counted. Only then it takes the place of the original, in one step. */
#include "cli/commands.h"
#include "cli/fix_patch.h"
#include "cli/pages.h"
#include "report/report.h"
#include "rules/rules.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct PatchTrial {
    FixSession *fixing;
    const SourceFix *fix;
    const RewrittenFile *file;
    uint32_t given_index; /* of the file, among those of the command line */
    const char *scratch, *copy;
    Options options; /* of the copy's compilation */
    KernelRun after;
} PatchTrial;

/* ---- what can be applied ---- */

static bool same_file(const char *a, const char *b) {
    char *x = realpath(a, NULL), *y = realpath(b, NULL);
    bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* One .cu file of the command line changes, and nothing else; false: diags says why not. */
static bool can_apply(PatchTrial *apply) {
    Options *given = apply->fixing->given;
    const Rewrite *rewrite = &apply->fix->rewrite;
    apply->file = &rewrite->files.at[0];
    if (rewrite->files.count > 1) {
        diags_error(given->diags, "--apply: several files change (%s, %s); write a --patch",
                    rewrite->files.at[0].path, rewrite->files.at[1].path);
        return false;
    }
    for (uint32_t i = 0; i < given->files.count; i++) {
        size_t length = strlen(given->files.at[i]);
        bool is_source = length > 3 && strcmp(given->files.at[i] + length - 3, ".cu") == 0;
        apply->given_index = i;
        if (is_source && same_file(given->files.at[i], apply->file->path))
            return true;
    }
    diags_error(given->diags,
                "--apply compiles what it changes, so it needs the .cu file that changes: name %s "
                "in place of %s, with the compiler's flags behind --; or write a --patch",
                apply->file->path, given->files.at[0]);
    return false;
}

/* ---- compiling and running ---- */

static const char *directory_of(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_copy(arena, path, (size_t)(slash - path) + (slash == path)) : ".";
}

/* The options of the original, for the copy: includes are looked for where the original is. */
static void copy_options(PatchTrial *apply) {
    const Options *given = apply->fixing->given;
    Options *options = &apply->options;
    const char *original = given->files.at[apply->given_index], *slash = strrchr(original, '/');
    *options = *given;
    options->files = (Texts){0};
    options->flags = (Texts){0};
    apply->copy = arena_printf(given->arena, "%s/%s", apply->scratch, slash ? slash + 1 : original);
    for (uint32_t i = 0; i < given->files.count; i++)
        *vec_add(given->arena, &options->files) =
            i == apply->given_index ? apply->copy : given->files.at[i];
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
static bool run_copy(PatchTrial *apply) {
    FixSession *fixing = apply->fixing;
    Chosen chosen;
    const Otherwise as_it_is = {0};
    const char *original = fixing->given->files.at[apply->given_index];
    const char *text = arena_printf(fixing->given->arena, "#line 1 \"%s\"\n%s",
                                    quoted(fixing->given->arena, original), apply->file->after);
    copy_options(apply);
    if (!file_write(apply->copy, text, strlen(text))) {
        diags_error(fixing->given->diags, "%s: %s", apply->copy, strerror(errno));
        return false;
    }
    return kernel_choose(&apply->options, &chosen) &&
           kernel_run(&apply->options, &chosen, &as_it_is, &apply->after);
}

/* Wavefronts of the kernel with the layouts that the new source has. Not all of the plan could be rewritten,
 * perhaps, and arrays of the same class change together. */
static bool promise(PatchTrial *apply, uint64_t *wavefronts) {
    const SourceFix *fix = apply->fix;
    Relayout *relayouts = NEW_ARRAY(fix->arena, Relayout, fix->arrays.count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < fix->arrays.count; i++) {
        const Layout *layout = source_fix_layout(fix, i);
        if (layout)
            relayouts[count++] = (Relayout){.symbol = fix->arrays.at[i].symbol, .layout = *layout};
    }
    const Otherwise otherwise = {.relayouts = relayouts, .relayout_count = count};
    Proof proof;
    if (!fix_prove_as(apply->fixing, &otherwise, SITE_SHARED, &proof))
        return false;
    *wavefronts = proof.after;
    return !proof.faulted;
}

/* ---- what came out ---- */

/* Of the file that has changed the profile gets the text that was compiled. */
static void read_sources(PatchTrial *apply) {
    Profile *profile = apply->after.session->profile;
    const char *text = apply->file->after;
    kernel_sources(apply->fixing->given, profile);
    for (uint32_t i = 0; i < profile->files.count; i++) {
        SourceFile *file = &profile->files.at[i];
        if (!same_file(file->path, apply->file->path))
            continue;
        file->size = strlen(text);
        file->text = arena_copy(profile->arena, text, file->size);
        file->hash = bytes_hash(text, file->size, 0);
    }
}

static bool show_profiles(PatchTrial *apply) {
    ReportOptions options = REPORT_DEFAULTS;
    Options *given = apply->fixing->given;
    options.colour = given->colour;
    if (given->colour)
        options.width = pages_width();
    read_sources(apply);
    putchar('\n');
    return report_diff(apply->fixing->before.session->profile, apply->after.session->profile,
                       &diff_formats[0], &options, stdout, given->diags);
}

static int left(const PatchTrial *apply, const char *why) {
    plain_printf(stdout, "\nNOT applied, %s is as it was: %s\n", apply->file->path, why);
    return EXIT_DIFFERS;
}

static uint64_t shared_requests(const KernelRun *run) {
    return launch_counters(run->session->profile, run->result.record, SITE_SHARED).requests;
}

/* The compiler may make other accesses of the new source: it no longer sees that two of them are neighbours, or
 * that they differ. */
static const char *broken_promise(const PatchTrial *apply, uint64_t promised, uint64_t after) {
    Arena *arena = apply->fix->arena;
    uint64_t was = shared_requests(&apply->fixing->before), is = shared_requests(&apply->after);
    const char *why = arena_printf(arena, "%s wavefronts were promised, and %s counted",
                                   words_count(arena, promised), words_count(arena, after));
    return was == is ? why
                     : arena_printf(arena,
                                    "%s\n(the compiler makes %s requests of the new source, and %s "
                                    "of the old one; --patch writes it all the same)",
                                    why, words_count(arena, is), words_count(arena, was));
}

/* Nobody else has changed the file meanwhile. */
static bool is_unchanged(const PatchTrial *apply) {
    size_t size;
    const char *why;
    const char *now = source_read(apply->fix->arena, apply->file->path, NULL, &size, &why);
    return now && strcmp(now, apply->file->before) == 0;
}

static int judge(PatchTrial *apply, uint64_t promised) {
    Arena *arena = apply->fix->arena;
    const Snapshot *results = &apply->fixing->results;
    uint64_t differ = snapshot_differ(results, apply->after.session->memory);
    uint64_t after = fix_cost(&apply->after, SITE_SHARED);
    if (differ)
        return left(apply,
                    arena_printf(arena, "%s of %s bytes of the results differ",
                                 words_count(arena, differ), words_count(arena, results->bytes)));
    if (after != promised)
        return left(apply, broken_promise(apply, promised, after));
    if (!is_unchanged(apply))
        return left(apply, "somebody else has changed it meanwhile");
    if (!file_write(apply->file->path, apply->file->after, strlen(apply->file->after))) {
        diags_error(apply->fixing->given->diags, "%s: %s", apply->file->path, strerror(errno));
        return EXIT_UNUSABLE;
    }
    plain_printf(stdout,
                 "\napplied: %s is changed. Compiled and run, all %s bytes of its results are\n"
                 "equal, and the kernel has %s wavefronts of shared memory, as promised.\n",
                 apply->file->path, words_count(arena, results->bytes), words_count(arena, after));
    return EXIT_FINE;
}

static int prove(PatchTrial *apply) {
    uint64_t promised;
    if (!promise(apply, &promised) || !run_copy(apply))
        return EXIT_UNUSABLE;
    if (apply->after.result.status == LAUNCH_FAULT) {
        plain_printf(stderr, "warplens: fault: %s\n", apply->after.result.fault.message);
        return left(apply, "the kernel faults");
    }
    return show_profiles(apply) ? judge(apply, promised) : EXIT_UNUSABLE;
}

int fix_apply(FixSession *fixing, const SourceFix *fix) {
    PatchTrial apply = {.fixing = fixing, .fix = fix};
    if (!can_apply(&apply))
        return EXIT_UNUSABLE;
    apply.scratch = scratch_new(fix->arena);
    if (!apply.scratch) {
        diags_error(fixing->given->diags, "no temporary directory: %s", strerror(errno));
        return EXIT_UNUSABLE;
    }
    int status = prove(&apply);
    session_free(apply.after.session);
    scratch_remove(apply.scratch);
    return status;
}

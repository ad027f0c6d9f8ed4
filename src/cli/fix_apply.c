/* warplens fix --apply: the changed source proves itself. A copy of it is compiled and run as the original was;
 * all memory of the device must hold the same bytes then, and the wavefronts must be those that the run with
 * moved addresses has counted. Only then it takes the place of the original, in one step. */
#include "cli/commands.h"
#include "cli/fix_trial.h"
#include "cli/pages.h"
#include "report/report.h"
#include "rules/rules.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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
    options.colour = colour_shown(given->colour, STDOUT_FILENO);
    if (options.colour)
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
    if (!file_keep(apply->file->path, apply->file->after, strlen(apply->file->after))) {
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
    if (!promise(apply, &promised) || !trial_run(apply))
        return EXIT_UNUSABLE;
    if (apply->after.result.status == LAUNCH_FAULT) {
        plain_printf(stderr, "warplens: fault: %s\n", apply->after.result.fault.message);
        return left(apply, "the kernel faults");
    }
    return show_profiles(apply) ? judge(apply, promised) : EXIT_UNUSABLE;
}

int fix_apply(FixSession *fixing, const SourceFix *fix) {
    PatchTrial apply = {.fixing = fixing, .fix = fix};
    if (!trial_possible(&apply))
        return EXIT_UNUSABLE;
    int status = prove(&apply);
    trial_end(&apply);
    return status;
}

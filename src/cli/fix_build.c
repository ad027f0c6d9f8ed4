/* warplens fix --build COMMAND --apply -- PROGRAM: the changed sources of a program prove themselves. They take the place of the
 * originals, the command builds the program, and it runs as it is: its results must be those of the first run, and the wavefronts of
 * its kernels those of a run with moved addresses. Else, and after Ctrl-C, the originals come back, and it is built from them again. */
#include "cli/commands.h"
#include "cli/fix_machine.h"
#include "cli/fix_trial.h"
#include "cli/progress.h"
#include "rules/rules.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct Build {
    const Options *given;
    const FixPlans *plans;
    const SourceFixes *fixes;
    const char *kernel; /* that does something else, or pads otherwise; NULL: layouts change */
    VEC(const RewrittenFile *) files;
    const char **paths; /* of these */
    const char *scratch;
    volatile const int *stop;
    uint32_t placed; /* files that have the new text */
    bool built;      /* the command has run */
    ProgramRun promised, after;
    FixCost was, is; /* of `kernel`, before and after */
    MachineCounts machine;
    ProgramRun machine_was, machine_is; /* as machine code, where that is wanted */
    GpuTrial *gpu;                      /* NULL: nothing is measured */
} Build;

bool fix_build_possible(const Options *given) {
    if (given->apply && !given->build)
        diags_error(given->diags,
                    "--apply for a program needs --build COMMAND, which builds it from "
                    "its sources; or write a --patch, build, and compare");
    else if (given->build && !given->apply && !given->on)
        diags_error(given->diags, "--build is of --apply or --on gpu");
    else if (given->on && strcmp(given->on, "gpu") != 0 && strcmp(given->on, "cpu") != 0)
        diags_error(given->diags, "--on %s: expected cpu or gpu", given->on);
    else if (given->on && strcmp(given->on, "gpu") == 0 && !given->build)
        diags_error(given->diags, "--on gpu needs --build COMMAND: what is measured is the program "
                                  "that it makes of the changed sources");
    else if (given->branch && !given->apply)
        diags_error(given->diags, "--branch is of --build COMMAND --apply");
    return given->diags->errors == 0;
}

/* ---- sources ---- */

static bool collect(Build *build) {
    Arena *arena = build->given->arena;
    for (uint32_t f = 0; f < build->fixes->list.count; f++) {
        const Rewrite *rewrite = &build->fixes->list.at[f].rewrite;
        for (uint32_t i = 0; i < rewrite->files.count; i++) {
            const RewrittenFile *file = &rewrite->files.at[i];
            for (uint32_t k = 0; k < build->files.count; k++)
                if (same_file(build->files.at[k]->path, file->path)) {
                    diags_error(build->given->diags,
                                "--apply: %s changes for two sources; write a --patch", file->path);
                    return false;
                }
            *vec_add(arena, &build->files) = file;
        }
    }
    build->paths = NEW_ARRAY(arena, const char *, build->files.count + 1);
    for (uint32_t i = 0; i < build->files.count; i++)
        build->paths[i] = build->files.at[i]->path;
    return true;
}

static bool put(const Build *build, const char *path, const char *text) {
    if (file_write(path, text, strlen(text)))
        return true;
    diags_error(build->given->diags, "%s: %s", path, strerror(errno));
    return false;
}

/* Where it still has the text that was read. */
static bool place(Build *build) {
    for (uint32_t i = 0; i < build->files.count; i++) {
        const RewrittenFile *file = build->files.at[i];
        size_t size;
        const char *why;
        const char *now = source_read(build->given->arena, file->path, NULL, &size, &why);
        if (!now || strcmp(now, file->before) != 0) {
            diags_error(build->given->diags, "--apply: somebody else has changed %s meanwhile",
                        file->path);
            return false;
        }
        if (!put(build, file->path, file->after))
            return false;
        build->placed++;
    }
    return true;
}

/* ---- building ---- */

static const char *last_lines(const char *text) {
    enum { LINES = 12 };
    const char *from = text + strlen(text);
    for (int lines = 0; from > text && lines < LINES; from--)
        lines += from[-1] == '\n';
    return from + (from > text && *from == '\n');
}

static bool run_build(Build *build, volatile const int *stop) {
    const char *const argv[] = {"/bin/sh", "-c", build->given->build, NULL};
    plain_printf(stdout, "\nbuilds: %s\n", build->given->build);
    fflush(stdout);
    build->built = true;
    ProcessResult result = process_run_until(build->given->arena, argv, build->scratch, NULL, stop);
    if (result.status != 0 && !(stop && *stop))
        plain_printf(stdout, "%s\nit ends with status %d\n", last_lines(result.output),
                     result.status);
    return result.status == 0;
}

static void take_back(Build *build) {
    while (build->placed > 0) {
        const RewrittenFile *file = build->files.at[--build->placed];
        put(build, file->path, file->before);
    }
    if (build->built && !run_build(build, NULL))
        diags_error(build->given->diags, "the program is not built from its sources as they were");
}

static int left(Build *build, const char *why) {
    plain_printf(stdout, "\nNOT applied, the sources are as they were: %s\n", why);
    take_back(build);
    return EXIT_DIFFERS;
}

/* ---- the promise ---- */

/* The layouts that the new sources have: not all of the plan could be rewritten, perhaps, and arrays of one declaration change
 * together. */
static const Layout *new_layout(const SourceFixes *fixes, const char *symbol) {
    for (uint32_t f = 0; f < fixes->list.count; f++) {
        const SourceFix *fix = &fixes->list.at[f];
        for (uint32_t i = 0; i < fix->arrays.count; i++)
            if (strcmp(fix->arrays.at[i].symbol, symbol) == 0 && source_fix_layout(fix, i))
                return source_fix_layout(fix, i);
    }
    return NULL;
}

static const char *new_layouts(const Build *build) {
    Arena *arena = build->given->arena;
    const char *text = "";
    for (uint32_t p = 0; p < build->plans->list.count; p++) {
        const ProfKernel *kernel = fix_kernel(&build->plans->list.at[p]);
        for (uint32_t v = 0; v < kernel->shared.count; v++) {
            const Layout *layout = new_layout(build->fixes, kernel->shared.at[v].symbol);
            if (layout && layout->kind != LAYOUT_PLAIN)
                text = arena_printf(arena, "%s%s %s %s;", text, kernel->name,
                                    kernel->shared.at[v].symbol, layout_text(arena, layout));
        }
    }
    return text;
}

/* NULL: it is kept; else what is not. */
static const char *broken(Build *build, ProgramRun *before) {
    Arena *arena = build->given->arena;
    RunResult *after = &build->after.result;
    const uint64_t differ = program_results_differ(&before->result, after);
    if (after->status != before->result.status)
        return arena_printf(arena, "the program's exit status becomes %d", after->status);
    if (differ)
        return arena_printf(arena, "%s results of the program differ", words_count(arena, differ));
    if (build->kernel)
        return thread_cycles(&build->is) < thread_cycles(&build->was)
                   ? NULL
                   : "it takes no fewer cycles (instructions, wavefronts and sectors)";
    for (uint32_t p = 0; p < build->plans->list.count; p++) {
        const ProfKernel *kernel = fix_kernel(&build->plans->list.at[p]);
        const uint64_t is = program_wavefronts(after->profile, kernel->name),
                       was = program_wavefronts(build->promised.result.profile, kernel->name);
        if (is != was)
            return arena_printf(arena, "%s: %s wavefronts were promised, and %s counted",
                                kernel->demangled, words_count(arena, was), words_count(arena, is));
    }
    return NULL;
}

/* The same as machine code: printed, and NULL: nothing speaks against it. */
static const char *broken_as_machine(Build *build) {
    Arena *arena = build->given->arena;
    const uint32_t kernels = build->kernel ? 1 : build->plans->list.count;
    const char *why = NULL;
    const uint64_t differ =
        program_results_differ(&build->machine_was.result, &build->machine_is.result);
    if (build->machine_is.result.status != build->machine_was.result.status || differ)
        why = "executed as machine code, its results differ";
    for (uint32_t k = 0; k < kernels; k++) {
        const ProfKernel *one = build->kernel ? NULL : fix_kernel(&build->plans->list.at[k]);
        if (one && !build->plans->list.at[k].relayout_count)
            continue;
        machine_program_counts(arena, &build->machine_was, &build->machine_is,
                               one ? one->name : build->kernel, &build->machine);
        plain_printf(stdout, "\n%s\n", one ? one->demangled : build->kernel);
        machine_counts_print(arena, &build->machine);
        why = why ? why : machine_counts_refuse(&build->machine);
    }
    return why;
}

static uint64_t all_wavefronts(const Profile *profile) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < profile->launches.count; i++)
        sum += profile_total(profile, i, NULL).wavefronts;
    return sum;
}

/* Did sectors become fewer? Else wavefronts did. */
static bool saves_sectors(const Build *build) {
    return build->is.sectors < build->was.sectors;
}

static const char *thread_figures(const Build *build, ProgramRun *before) {
    Arena *arena = build->given->arena;
    const FixCost *was = &build->was, *is = &build->is;
    const bool sectors = saves_sectors(build);
    return arena_printf(arena,
                        "%s %s become %s,\nthread instructions %s; all %s results of the "
                        "program (%s bytes) are equal.",
                        words_count(arena, sectors ? was->sectors : was->wavefronts),
                        sectors ? "sectors of global memory" : "wavefronts of shared memory",
                        words_count(arena, sectors ? is->sectors : is->wavefronts),
                        percent_words(arena, is->thread_insts, was->thread_insts),
                        words_count(arena, before->result.results.count),
                        words_count(arena, program_result_bytes(&before->result)));
}

static const char *figures(const Build *build, ProgramRun *before) {
    Arena *arena = build->given->arena;
    if (build->kernel)
        return thread_figures(build, before);
    return arena_printf(
        arena,
        "%s wavefronts of shared memory become %s,\nas promised; all %s results of the program "
        "(%s bytes) are equal.",
        words_count(arena, all_wavefronts(before->result.profile)),
        words_count(arena, all_wavefronts(build->after.result.profile)),
        words_count(arena, before->result.results.count),
        words_count(arena, program_result_bytes(&before->result)));
}

/* ---- the end ---- */

/* The files come back: the change is on the branch. */
static int to_branch(Build *build, ProgramRun *before) {
    const Options *given = build->given;
    const char *message = arena_printf(given->arena,
                                       "%s\n\n%s\n\n"
                                       "Found, built and compared by warplens fix.\n",
                                       build->kernel && saves_sectors(build)
                                           ? "Access global memory in fewer sectors"
                                           : "Lay shared arrays out without bank conflicts",
                                       figures(build, before));
    const char *commit = branch_commit(given->arena, given->branch, build->paths,
                                       build->files.count, message, given->diags);
    if (!commit)
        return left(build, "it could not be committed");
    plain_printf(stdout, "\ncommitted to the branch %s (%.12s): %s\n", given->branch, commit,
                 figures(build, before));
    puts("The working tree is as it was.");
    take_back(build);
    return given->diags->errors ? EXIT_UNUSABLE : EXIT_FINE;
}

/* --on gpu without --apply: it was to be measured only. */
static int measured(Build *build, ProgramRun *before) {
    plain_printf(stdout,
                 "\n%s: %s\n"
                 "The sources are as they were; --apply keeps the change.\n",
                 build->gpu ? "faster on this GPU, with the same results" : "it holds",
                 figures(build, before));
    take_back(build);
    return build->given->diags->errors ? EXIT_UNUSABLE : EXIT_FINE;
}

static int finish(Build *build, ProgramRun *before) {
    if (build->kernel) {
        build->was = program_cost(before->result.profile, build->kernel);
        build->is = program_cost(build->after.result.profile, build->kernel);
    }
    const char *why = broken(build, before);
    if (!why && build->machine.wanted)
        why = broken_as_machine(build);
    program_print_output(before, &build->after);
    if (!why && build->gpu)
        why = gpu_trial_judge(build->gpu, build->plans);
    if (why)
        return left(build, why);
    if (!build->given->apply)
        return measured(build, before);
    if (build->given->branch)
        return to_branch(build, before);
    plain_printf(stdout, "\napplied:");
    for (uint32_t i = 0; i < build->files.count; i++)
        plain_printf(stdout, " %s", build->paths[i]);
    plain_printf(stdout, ". %s\n", figures(build, before));
    return EXIT_FINE;
}

static int try_sources(Build *build, ProgramRun *before) {
    const Options *given = build->given;
    if (!place(build)) {
        take_back(build);
        return EXIT_UNUSABLE;
    }
    if (!run_build(build, build->stop)) {
        left(build, *build->stop ? "interrupted" : "the build fails");
        return *build->stop ? EXIT_INTERRUPTED : EXIT_DIFFERS;
    }
    if (!program_run(given, NULL, &build->after)) {
        left(build, "the program could not be run");
        return EXIT_UNUSABLE;
    }
    if (build->machine.wanted && !machine_program_run(given, &build->machine_is)) {
        left(build, "the program could not be run as machine code");
        return EXIT_UNUSABLE;
    }
    if (build->after.result.interrupted || build->machine_is.result.interrupted) {
        left(build, "interrupted");
        return EXIT_INTERRUPTED;
    }
    return finish(build, before);
}

static int build_all(Build *build, ProgramRun *before) {
    const Options *given = build->given;
    int status = EXIT_UNUSABLE;
    build->promised.result.profile = build->after.result.profile = NULL;
    if (!machine_counts_begin(given, &build->machine) || !collect(build) ||
        (given->branch && !branch_possible(given->arena, given->branch, build->paths,
                                           build->files.count, given->diags)))
        return EXIT_UNUSABLE;
    build->scratch = scratch_new(given->arena);
    GpuTrial trial = {0};
    bool on_gpu = given->on && strcmp(given->on, "gpu") == 0;
    build->gpu = on_gpu ? &trial : NULL;
    if (!build->scratch)
        diags_error(given->diags, "no temporary directory: %s", strerror(errno));
    else if (on_gpu && !(gpu_trial_possible(&trial, given) && gpu_trial_begin(&trial)))
        status = EXIT_UNUSABLE;
    else if ((build->kernel || program_run(given, new_layouts(build), &build->promised)) &&
             (!build->machine.wanted || machine_program_run(given, &build->machine_was)))
        status = try_sources(build, before);
    program_run_end(&build->promised);
    program_run_end(&build->after);
    program_run_end(&build->machine_was);
    program_run_end(&build->machine_is);
    gpu_trial_end(&trial);
    if (build->scratch)
        scratch_remove(build->scratch);
    return status;
}

int fix_build(const Options *given, const FixPlans *plans, const SourceFixes *fixes,
              ProgramRun *before) {
    Build build = {.given = given, .plans = plans, .fixes = fixes, .stop = interrupt_catch()};
    return build_all(&build, before);
}

int fix_build_threads(const Options *given, const SourceFix *fix, const char *kernel,
                      ProgramRun *before, FixCost *was, FixCost *is) {
    static const FixPlans none;
    SourceFixes fixes = {0};
    *vec_add(given->arena, &fixes.list) = *fix;
    Build build = {.given = given,
                   .plans = &none,
                   .fixes = &fixes,
                   .kernel = kernel,
                   .stop = interrupt_catch()};
    const int status = build_all(&build, before);
    *was = build.was;
    *is = build.is;
    return status;
}

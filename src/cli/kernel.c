/* warplens kernel: compiles what needs compiling, finds the kernel, makes its arguments, runs it, saves
 * the profile and shows it. */
#include "cli/commands.h"
#include "cli/defects.h"
#include "cli/kernel_run.h"
#include "cli/machine.h"
#include "cli/origin.h"
#include "cli/suppress.h"
#include "lower/lower.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what came out ---- */

/* "2=file" of --dump or --check: the number of an argument, and the file. */
static bool split(Options *given, const char *option, const char *text, uint32_t *number,
                  const char **path) {
    char *end;
    *number = (uint32_t)strtoul(text, &end, 10);
    *path = end + 1;
    bool good = end != text && *end == '=' && end[1];
    if (!good)
        diags_error(given->diags, "%s %s: expected the number of an argument and a file: 2=out.npy",
                    option, text);
    return good;
}

static void dump(Options *given, const KernelRun *run) {
    for (uint32_t i = 0; i < given->dumps.count; i++) {
        uint32_t number;
        const char *path;
        if (split(given, "--dump", given->dumps.at[i], &number, &path) &&
            result_spares(given->arena, run->session->profile, &path, 1, given->diags))
            arguments_dump(run->arguments, number, run->session->memory, path, given->diags);
    }
}

static bool compare_one(Options *given, const KernelRun *run, const char *text) {
    Comparison result;
    uint32_t number;
    const char *path;
    if (!split(given, "--check", text, &number, &path) ||
        !arguments_compare(given->arena, run->arguments, number, run->session->memory, path,
                           given->rtol, given->atol, &result, given->diags))
        return true; /* diags */
    if (result.differ == 0)
        plain_printf(stderr, "check %s: %llu elements agree\n", text,
                     (unsigned long long)result.count);
    else
        fprintf(
            stderr,
            "check %s: %llu of %llu elements differ; the first is [%llu]: %.9g, expected %.9g\n",
            text, (unsigned long long)result.differ, (unsigned long long)result.count,
            (unsigned long long)result.first, result.got, result.expected);
    return result.differ == 0;
}

static bool compare(Options *given, const KernelRun *run) {
    bool same = true;
    for (uint32_t i = 0; i < given->checks.count; i++)
        same &= compare_one(given, run, given->checks.at[i]);
    return same;
}

static void show(const Options *given, const Profile *profile, const char *saved) {
    ReportOptions report = REPORT_DEFAULTS;
    report.colour = colour_shown(given->colour, STDOUT_FILENO);
    report.width = pages_width();
    report.brief = true;
    result_show(&given->result, profile, saved, report, stdout, given->diags);
}

static void tell_sample(const LaunchResult *result, const LaunchRecord *record) {
    if (result->all_because)
        plain_printf(stderr, "warplens: sample: analysed all blocks: %s\n", result->all_because);
    else
        plain_printf(stderr, "warplens: sample: analysed %llu of %llu blocks, of %u kind%s\n",
                     (unsigned long long)result->analysed, (unsigned long long)record->blocks,
                     result->kinds, result->kinds == 1 ? "" : "s");
}

static void tell_counts_only(const LaunchResult *result, const LaunchRecord *record) {
    if (result->representatives)
        plain_printf(stderr, "warplens: counts only: %llu blocks by %llu that ran\n",
                     (unsigned long long)record->blocks,
                     (unsigned long long)result->representatives);
    else
        plain_printf(stderr, "warplens: counts only: all blocks ran: %s\n",
                     result->executed_because);
}

static void tell_use(const EngineUse *use, const LaunchRecord *record) {
    double all = (double)(record->warp_insts ? record->warp_insts : 1);
    plain_printf(stderr,
                 "warplens: stats: code compiled %u time%s in %.1f ms of a CPU, taken from disk %u "
                 "time%s; %.1f %% of %llu warp instructions interpreted, %.1f %% by one of %u "
                 "plans, made in %.2f ms\n",
                 use->compiled, use->compiled == 1 ? "" : "s", 1e3 * use->compile_seconds,
                 use->recalled, use->recalled == 1 ? "" : "s", 100 * (double)use->interpreted / all,
                 (unsigned long long)record->warp_insts, 100 * (double)use->by_plan / all,
                 use->plans, 1e3 * use->plan_seconds);
    plain_printf(
        stderr,
        "warplens: stats: compiled code stopped %llu times where lanes part, %llu before "
        "accesses that lie elsewhere, %llu to wait, %llu for another turn\n",
        (unsigned long long)use->stops[STOP_PARTED], (unsigned long long)use->stops[STOP_ACCESS],
        (unsigned long long)use->stops[STOP_WAIT], (unsigned long long)use->stops[STOP_TURN]);
}

static int finish(Options *given, const KernelRun *run) {
    Profile *profile = run->session->profile;
    const LaunchResult *result = &run->result;
    const LaunchRecord *record = &profile->launches.at[result->record];
    Diags *notes = given->result.quiet ? diags_new(given->arena) : given->diags;
    if (!given->no_sass)
        machine_compare(profile, record->kernel, run->session->gpu, notes);
    origin_tools(profile);
    kernel_sources(given, profile);
    const char *saved =
        result_save(given->arena, &given->result, given->files.at[0], profile, given->diags);
    dump(given, run);
    if (given->launch.sample && !given->result.quiet)
        tell_sample(result, record);
    if (given->launch.counts_only && !given->result.quiet)
        tell_counts_only(result, record);
    if (given->stats)
        tell_use(&result->use, record);
    show(given, profile, saved);
    bool same = compare(given, run);
    if (result->status == LAUNCH_FAULT) {
        plain_printf(stderr, "warplens: fault: %s\n", result->fault.message);
        return EXIT_FAULTED;
    }
    if (result->status == LAUNCH_INTERRUPTED) {
        fprintf(stderr, "warplens: interrupted: %llu of %llu blocks ran\n",
                (unsigned long long)record->blocks_run, (unsigned long long)record->blocks);
        return EXIT_INTERRUPTED;
    }
    if (given->diags->errors)
        return EXIT_UNUSABLE;
    if (tell_defects(profile))
        return EXIT_DIFFERS;
    return same ? EXIT_FINE : EXIT_DIFFERS;
}

static bool prints(const Options *given, const char *what) {
    return given->print && strcmp(given->print, what) == 0;
}

/* --print=lowered, --print=machine */
static int print_kernel(Options *given, const Chosen *chosen) {
    bool machine = prints(given, "machine");
    const PtxIndex *index = chosen->inputs.indexes.at[chosen->input];
    const Module *module = ptx_parse_kernel(given->arena, chosen->inputs.indexes.at[chosen->input],
                                            chosen->name, given->diags);
    if (!module)
        return EXIT_UNUSABLE;
    const Function *kernel = module_function(module, str_of(chosen->name));
    const char *why;
    if (!machine && machine_is_all(kernel)) {
        diags_error(given->diags, "there is no PTX of %s; --print machine shows its machine code",
                    kernel->name);
        return EXIT_UNUSABLE;
    }
    if (!machine) {
        lower_print(kernel, chosen->gpu, stdout);
    } else if (!machine_print(given->arena, index, kernel, chosen->gpu, stdout, &why)) {
        diags_error(given->diags, "the machine code of %s cannot be executed: %s", kernel->name,
                    why);
        return EXIT_UNUSABLE;
    }
    return EXIT_FINE;
}

/* All files that are read, and texts that are none: an array is filled from what stands behind the '='. */
static Texts inputs_of(const Options *given) {
    Texts inputs = {0};
    for (uint32_t i = 0; i < given->files.count; i++)
        *vec_add(given->arena, &inputs) = given->files.at[i];
    const Texts *lists[] = {&given->arguments, &given->checks};
    for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (uint32_t j = 0; j < lists[i]->count; j++) {
            const char *equals = strrchr(lists[i]->at[j], '=');
            if (equals)
                *vec_add(given->arena, &inputs) = equals[1] == '@' ? equals + 2 : equals + 1;
        }
    }
    *vec_add(given->arena, &inputs) = given->result.suppress;
    return inputs;
}

/* Outputs of a run that may take long are looked at before it begins. */
static bool all_usable(Options *given) {
    uint32_t number;
    const char *path, *known = given->result.suppress;
    if (known && !suppress_apply(given->arena, known, NULL, given->diags))
        return false;
    Texts inputs = inputs_of(given), outputs = {0};
    *vec_add(given->arena, &outputs) = given->result.suppress_new;
    *vec_add(given->arena, &outputs) = given->result.output;
    bool usable = true;
    for (uint32_t i = 0; i < given->dumps.count; i++) {
        usable &= split(given, "--dump", given->dumps.at[i], &number, &path);
        *vec_add(given->arena, &outputs) = path;
    }
    return usable &&
           outputs_usable(outputs.at, outputs.count, inputs.at, inputs.count, given->diags);
}

/* What cannot be had together. */
static bool options_agree(const Options *given) {
    const bool results = given->dumps.count || given->checks.count;
    if (given->launch.counts_only && (results || given->no_counts || given->launch.sample))
        diags_error(given->diags, "--counts-only and %s: %s",
                    given->dumps.count    ? "--dump"
                    : given->checks.count ? "--check"
                    : given->no_counts    ? "--no-profile"
                                          : "--sample",
                    results            ? "there are no results then"
                    : given->no_counts ? "nothing would be left"
                                       : "its counts are exact, and need no sample");
    if (given->launch.shard.parts && (results || given->no_counts))
        diags_error(given->diags, "--shard and %s: %s",
                    given->dumps.count    ? "--dump"
                    : given->checks.count ? "--check"
                                          : "--no-profile",
                    results ? "a part has not all results" : "nothing would be left to merge");
    if (given->print && !prints(given, "kernels") && !prints(given, "lowered") &&
        !prints(given, "machine"))
        diags_error(given->diags, "--print %s: expected kernels, lowered or machine", given->print);
    return given->diags->errors == 0;
}

static int command(Options *given) {
    Chosen chosen;
    KernelRun run;
    const Otherwise as_it_is = {0};
    if (!options_agree(given) || !all_usable(given))
        return EXIT_UNUSABLE;
    if (prints(given, "kernels"))
        return kernel_list(given) ? EXIT_FINE : EXIT_UNUSABLE;
    if (!kernel_choose(given, &chosen))
        return EXIT_UNUSABLE;
    if (given->print)
        return print_kernel(given, &chosen);
    given->result.no_save |= given->no_counts;
    given->result.pages |= given->no_counts ? PAGES_NONE : 0;
    int status = EXIT_UNUSABLE;
    if (kernel_run(given, &chosen, &as_it_is, &run)) {
        Profile *profile = run.session->profile;
        origin_set(profile, given->files.at[0], given->command, origin_engine(&run.engine));
        status = finish(given, &run);
    }
    session_free(run.session);
    return status;
}

int command_kernel(int argc, char **argv) {
    Arena *arena = arena_new();
    Options given = {.arena = arena, .diags = diags_new(arena)};
    int status = kernel_options(&kernel_argp, argc, argv, &given) ? command(&given) : EXIT_UNUSABLE;
    fflush(stdout);
    diags_print(given.diags, stderr, colour_shown(given.colour, STDERR_FILENO));
    arena_free(arena);
    return status;
}

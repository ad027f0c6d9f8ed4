/* warplens fix -- PROGRAM: runs a program, finds the best layouts for the shared arrays of each of its
 * kernels, and runs it again with them. The results must be equal bit for bit: every copy from the device,
 * and all memory as it is when it is released or the program ends; and the wavefronts as promised.
 *
 * What programs print is not shown. It may differ in times, so that it is compared, and said, and proves
 * nothing. Where results differ, a third run without the layouts tells whether they do so by themselves. */
#include "cli/fix_program.h"
#include "cli/commands.h"
#include "cli/fix_combine.h"
#include "cli/fix_machine.h"
#include "rules/rules.h"

#include <string.h>

/* "KERNEL SYMBOL LAYOUT;…": see cuda/layouts.c. */
static const char *layouts_of(Arena *arena, const FixPlans *plans) {
    const char *text = "";
    for (uint32_t p = 0; p < plans->list.count; p++) {
        const FixPlan *plan = &plans->list.at[p];
        for (uint32_t i = 0; i < plan->relayout_count; i++)
            text = arena_printf(arena, "%s%s %s %s;", text, fix_kernel(plan)->name,
                                plan->relayouts[i].symbol,
                                layout_text(arena, &plan->relayouts[i].layout));
    }
    return text;
}

/* ---- wavefronts ---- */

/* Each kernel that has changed; false: one does not keep the promise. proof: what all have in common */
static bool print_wavefronts(Arena *arena, FixPlans *plans, const Profile *after,
                             const Proof *proof) {
    bool kept = true;
    for (uint32_t i = 0; i < plans->list.count; i++) {
        const FixPlan *plan = &plans->list.at[i];
        const ProfKernel *kernel = fix_kernel(plan);
        uint64_t was = program_wavefronts(plan->scope.profile, kernel->name);
        uint64_t is = program_wavefronts(after, kernel->name),
                 promised = was - plan->now + plan->promised;
        Proof *one = vec_add(arena, &plans->proofs);
        *one = *proof;
        one->before = was;
        one->promised = promised;
        one->after = is;
        if (plan->relayout_count == 0)
            continue;
        plain_printf(stdout, "  %s: %s wavefronts become %s, ", kernel->demangled,
                     words_count(arena, was), words_count(arena, is));
        if (is == promised)
            puts("as promised");
        else
            plain_printf(stdout, "NOT the %s that were promised\n", words_count(arena, promised));
        kept &= is == promised;
    }
    return kept;
}

/* ---- the proof ---- */

/* Results differ: do they without the layouts, too? */
static void print_differing(const Options *given, ProgramRun *before, uint64_t differ) {
    if (!program_varies(given, before))
        plain_printf(stdout,
                     "NOT proven: with the layouts marked *, %llu results of the program differ\n",
                     (unsigned long long)differ);
    else
        puts(
            "NOT proven: the program's results differ from run to run, with the same layouts, too");
}

static int prove(const Options *given, FixPlans *plans, ProgramRun *before) {
    Arena *arena = given->arena;
    ProgramRun after;
    bool holds = false;
    fflush(stdout);
    bool ran = program_run(given, layouts_of(arena, plans), &after);
    const bool interrupted = ran && after.result.interrupted;
    if (interrupted) {
        puts("NOT proven: interrupted");
    } else if (ran) {
        uint64_t differ = program_results_differ(&before->result, &after.result);
        holds = differ == 0 && after.result.status == before->result.status;
        if (differ)
            print_differing(given, before, differ);
        else if (!holds)
            plain_printf(stdout, "NOT proven: the program's exit status becomes %d\n",
                         after.result.status);
        else
            plain_printf(
                stdout,
                "proven: run again with the layouts marked *, all %s results of the program "
                "(copies from the\ndevice, memory when it is released; %s bytes) are equal, and\n",
                words_count(arena, before->result.results.count),
                words_count(arena, program_result_bytes(&before->result)));
        const Proof proof = {
            .bytes = program_result_bytes(&before->result), .differ = differ, .complete = true};
        holds &= print_wavefronts(arena, plans, after.result.profile, &proof);
        program_print_output(before, &after);
    }
    program_run_end(&after);
    return !ran ? EXIT_UNUSABLE : interrupted ? EXIT_INTERRUPTED : holds ? EXIT_FINE : EXIT_DIFFERS;
}

/* All changes together do not hold: one after another, the largest saving first, each built and judged with those before it that
 * were kept. Then those are applied. */
static int one_by_one(Options *given, const FixPlans *plans, const FixSteps *steps,
                      ProgramRun *before) {
    Options trial = *given;
    FixPlans kept;
    SourceFixes fixes = {.tried = true};
    int status = EXIT_DIFFERS;
    trial.apply = false;
    trial.branch = NULL;
    fix_plans_copy(given->arena, plans, &kept);
    for (uint32_t i = 0; i < steps->list.count && status != EXIT_INTERRUPTED; i++) {
        const FixStep *step = &steps->list.at[i];
        FixPlan *plan = &kept.list.at[step->plan];
        if (!step->kept)
            continue;
        fix_plan_choose(given->arena, plan, step->array, step->chosen);
        fixes = (SourceFixes){.tried = true};
        plain_printf(stdout, "\nby itself%s: %s\n", i ? ", with what was kept" : "",
                     fix_layout_id(given->arena, plan, step->array, step->chosen));
        status = fix_rewrite(&trial, &kept, given->flags.at[0], &fixes) &&
                         *fix_diff(given->arena, &fixes)
                     ? fix_build(&trial, &kept, &fixes, before)
                     : EXIT_DIFFERS;
        if (status != EXIT_FINE)
            fix_plan_choose(given->arena, plan, step->array, NULL);
    }
    fixes = (SourceFixes){.tried = true};
    if (status == EXIT_INTERRUPTED || !given->apply ||
        !fix_rewrite(given, &kept, given->flags.at[0], &fixes) || !*fix_diff(given->arena, &fixes))
        return status == EXIT_INTERRUPTED ? status : EXIT_DIFFERS;
    puts("\nwhat was kept:");
    return fix_build(given, &kept, &fixes, before);
}

/* Writes the patch, or has the sources try themselves. why: why not, where nothing is tried. */
static int patch(Options *given, const FixPlans *plans, const FixSteps *steps, ProgramRun *before,
                 const char **why) {
    SourceFixes fixes = {.tried = given->build != NULL};
    int status = fix_patch_plans(given, plans, given->flags.at[0], &fixes);
    if (status != EXIT_UNUSABLE && fixes.done == 0)
        *why = NOTHING_REWRITTEN;
    if (status == EXIT_UNUSABLE || !given->build || fixes.done == 0)
        return status;
    int applied = fix_build(given, plans, &fixes, before);
    if (applied == EXIT_DIFFERS && fixes.done > 1 && !given->diags->errors)
        applied = one_by_one(given, plans, steps, before);
    return applied == EXIT_FINE ? status : applied;
}

/* --on gpu: said before anything runs for long. */
static bool has_gpu(const Options *given) {
    GpuTrial trial = {0};
    if (!given->on || strcmp(given->on, "gpu") != 0)
        return true;
    bool good = gpu_trial_possible(&trial, given);
    gpu_trial_end(&trial);
    return good;
}

/* The diff of the sources, where it can be written; for data. */
static const char *diff_of(const Options *given, const FixPlans *plans) {
    Options quiet = *given;
    SourceFixes fixes = {.tried = given->build != NULL};
    quiet.diags = diags_new(given->arena);
    if (!fix_rewrite(&quiet, plans, given->flags.at[0], &fixes))
        return NULL;
    const char *text = fix_diff(given->arena, &fixes);
    return *text ? text : NULL;
}

/* All changes in one table; false: a storage does not keep its promise. */
static bool summarize(const Options *given, const FixPlans *plans, bool proven,
                      FixSummary *summary) {
    bool holds = true;
    fix_summarize(given->arena, plans, proven ? "yes" : "no", summary);
    for (uint32_t i = 0; i < plans->global.count; i++) {
        global_summarize(given->arena, plans->global.at[i], summary);
        holds &= global_holds(plans->global.at[i]);
    }
    fix_print_summary(given->arena, summary);
    return holds;
}

/* Once more, with what was measured on a GPU. */
static void summarize_times(const Options *given, const FixPlans *plans, FixSummary *summary) {
    FixSummary timed = {0};
    fix_summarize(given->arena, plans, "yes", &timed);
    for (uint32_t i = 0; i < plans->global.count; i++)
        global_summarize(given->arena, plans->global.at[i], &timed);
    if (!fix_summary_timed(&timed))
        return;
    fix_print_summary(given->arena, &timed);
    *summary = timed;
}

/* What was found in the first run: shown, proven, written. Returns the exit status. */
static int show(Options *given, ProgramRun *before) {
    FixPlans plans = {0};
    FixSummary summary = {0};
    FixSteps steps;
    int status = EXIT_FINE;
    fix_plans(given, before->result.profile, &plans);
    if (given->diags->errors)
        return EXIT_UNUSABLE;
    fix_combine(given->arena, given->until, &plans, &steps);
    bool better = fix_print_plans(given->arena, &plans) > 0;
    fix_print_left(given, &plans, &steps);
    if (better)
        status = prove(given, &plans, before);
    if (status == EXIT_INTERRUPTED)
        return status;
    if (!program_storages(given, &plans, before))
        return EXIT_UNUSABLE;
    fix_print_global(given->arena, &plans);
    MachineCounts counts;
    if (!machine_counts_begin(given, &counts))
        return EXIT_UNUSABLE;
    if (better && !given->build)
        machine_counts_print(given->arena, &counts);
    const bool stored = summarize(given, &plans, status == EXIT_FINE, &summary);
    FixData data = {.plans = &plans, .summary = &summary};
    if (given->json && better && status == EXIT_FINE)
        data.patch = diff_of(given, &plans);
    const bool proven = better && status == EXIT_FINE;
    const char *why = !better ? NOTHING_BETTER : proven ? NULL : "the layouts are not proven";
    if (proven && (given->patch || given->build))
        status = patch(given, &plans, &steps, before, &why);
    const bool applied = proven && status == EXIT_FINE;
    const int threads = better && !proven
                            ? EXIT_DIFFERS
                            : program_threads(given, &plans, before, applied, &summary);
    if (threads != EXIT_DIFFERS)
        status = threads;
    else if (why)
        fix_no_patch(given, why);
    summarize_times(given, &plans, &summary);
    fix_order_summary(&summary);
    if (given->apply)
        data.applied = applied || threads == EXIT_FINE ? "yes" : "no";
    if (given->json)
        fix_json(given, &data);
    return status == EXIT_FINE && !stored ? EXIT_DIFFERS : status;
}

int fix_program(Options *given) {
    ProgramRun before = {0};
    int status = EXIT_UNUSABLE;
    if (given->json)
        fix_json_begin(given);
    bool ran = fix_build_possible(given) && has_gpu(given) && program_run(given, NULL, &before);
    if (ran && before.result.interrupted) {
        status = EXIT_INTERRUPTED;
    } else if (ran) {
        if (before.result.status)
            plain_printf(stdout, "the program ended with status %d\n\n", before.result.status);
        kernel_sources(given, before.result.profile);
        status = show(given, &before);
    }
    program_run_end(&before);
    return status;
}

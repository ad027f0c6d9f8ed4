/* warplens fix: runs a kernel, finds for each of its shared arrays the layout that costs the fewest
 * wavefronts, and proves it by running the kernel again with that layout: the same results, bit for bit,
 * and as many wavefronts as promised. The same for a program: fix_program.c; without running: fix_profile.c. */
#include "cli/commands.h"
#include "cli/fix_combine.h"
#include "cli/fix_machine.h"

#include <string.h>
#include <unistd.h>

/* The plan, its proof and its patch as data. */
static int show_data(FixSession *fixing, const FixPlan *plan, GlobalPlan *global,
                     const ThreadFixes *threads, const MachineCounts *counts) {
    Arena *arena = fixing->given->arena;
    FixPlans plans = {0};
    FixSummary summary = {0};
    Proof proof = {0};
    bool changes = plan->relayout_count > 0;
    if ((changes && !fix_prove(fixing, plan, &proof)) || !global_settle(fixing, global))
        return EXIT_UNUSABLE;
    const bool holds = !changes || proof_holds(&proof);
    *vec_add(arena, &plans.list) = *plan;
    *vec_add(arena, &plans.proofs) = proof;
    *vec_add(arena, &plans.global) = global;
    fix_summarize(arena, &plans, holds ? "yes" : "no", &summary);
    global_summarize(arena, global, &summary);
    thread_summarize(fixing, threads, &summary);
    fix_order_summary(&summary);
    const FixData data = {.plans = &plans,
                          .summary = &summary,
                          .machine = counts,
                          .patch = thread_wins(threads, plan)
                                       ? threads->chosen->fix.rewrite.files.at[0].diff
                                       : fix_cost_patch(fixing, plan)};
    fix_json(fixing->given, &data);
    return holds && global_holds(global) && !machine_counts_refuse(counts) ? EXIT_FINE
                                                                           : EXIT_DIFFERS;
}

/* --patch, --apply: of what is chosen the better one changes the source. */
static int write_source(FixSession *fixing, const FixPlan *plan, const GlobalPlan *global,
                        const ThreadFixes *threads, const MachineCounts *counts, bool holds) {
    if (machine_counts_refuse(counts)) {
        fix_no_patch(fixing->given, machine_counts_refuse(counts));
        return EXIT_DIFFERS;
    }
    const bool refused = plan->costs && plan->relayout_count == 0;
    bool says = false; /* what could be changed by hand */
    for (uint32_t i = 0; i < global->count; i++)
        says |= global_says_something(&global->fixes[i]);
    if (thread_wins(threads, plan)) {
        thread_print(fixing->given->arena, threads);
        if (plan->relayout_count)
            puts("that is written, and not the layouts: fix the changed source again for those");
        return thread_patch(fixing, threads);
    }
    if (holds && plan->relayout_count)
        return fix_patch(fixing, plan);
    thread_print(fixing->given->arena, threads);
    fix_no_patch(fixing->given, !holds    ? "the layouts are not proven"
                                : refused ? "no layout that was tried in the source is offered"
                                : says    ? NOTHING_WRITTEN
                                          : NOTHING_BETTER);
    return holds && !refused ? EXIT_FINE : EXIT_DIFFERS;
}

/* Shared arrays, and the proof of their layouts; false: diags. */
static bool show_layouts(FixSession *fixing, const FixPlan *plan, bool *holds) {
    Proof proof;
    fix_print_plan(fixing->given->arena, plan);
    fflush(stdout);
    *holds = true;
    if (plan->relayout_count == 0)
        return true;
    if (!fix_prove(fixing, plan, &proof))
        return false;
    fix_print_proof(fixing->given->arena, &proof, &proof_of_layouts);
    if (proof.faulted) {
        fflush(stdout);
        plain_printf(stderr, "warplens: fault: %s\n", proof.fault);
    }
    *holds = proof_holds(&proof);
    return true;
}

/* What is chosen as machine code, if it was written. false: diags. */
static bool count_machine(FixSession *fixing, const FixPlan *plan, const ThreadFixes *threads,
                          MachineCounts *counts) {
    const bool by_threads = thread_wins(threads, plan);
    SourceFixes fixes = {0};
    const SourceFix *fix = by_threads ? &threads->chosen->fix : NULL;
    counts->wanted &= by_threads || plan->relayout_count > 0; /* something changes */
    if (!by_threads && fix_cost_source(fixing, plan, &fixes) && fixes.list.count == 1)
        fix = &fixes.list.at[0];
    machine_counts(fixing, fix, counts);
    return !counts->wanted || machine_counts_suffice(counts, fixing->given->diags);
}

/* The steps after the kernel has run. */
static int show(FixSession *fixing, MachineCounts *counts) {
    Arena *arena = fixing->given->arena;
    bool holds;
    bool rewrite = fixing->given->patch || fixing->given->apply;
    GlobalPlan *global = global_begin(fixing);
    kernel_sources(fixing->given, fixing->before.session->profile);
    if (fixing->given->diags->errors)
        return EXIT_UNUSABLE;
    FixScope scope = {.profile = fixing->before.session->profile,
                      .launches = &fixing->before.result.record,
                      .count = 1,
                      .prefer = fixing->given->prefer};
    FixPlan plan = fix_plan(arena, &scope);
    ThreadFixes threads;
    FixPlans plans = {0};
    FixSteps steps = {0};
    *vec_add(arena, &plans.list) = plan;
    if (!fix_is_source(fix_input(fixing)))
        fix_combine(arena, fixing->given->until, &plans, &steps);
    plan = plans.list.at[0];
    fix_keep(fixing);
    fix_costs(fixing, &plan);
    plans.list.at[0] = plan;
    thread_fixes(fixing, global, &plan, &threads);
    if (!count_machine(fixing, &plan, &threads, counts))
        return EXIT_UNUSABLE;
    if (fixing->given->json)
        return show_data(fixing, &plan, global, &threads, counts);
    if (!show_layouts(fixing, &plan, &holds))
        return EXIT_UNUSABLE;
    fix_print_left(fixing->given, &plans, &steps);
    FixSummary summary = {0};
    fix_summarize(arena, &plans, holds ? "yes" : "no", &summary);
    if (rewrite) {
        machine_counts_print(arena, counts);
        fix_print_summary(arena, &summary);
        return write_source(fixing, &plan, global, &threads, counts, holds);
    }
    if (plan.relayout_count > 0 || plan.array_count == 0)
        putchar('\n');
    if (!global_settle(fixing, global))
        return EXIT_UNUSABLE;
    global_print_plan(arena, global);
    thread_print(arena, &threads);
    machine_counts_print(arena, counts);
    global_summarize(arena, global, &summary);
    thread_summarize(fixing, &threads, &summary);
    fix_print_summary(arena, &summary);
    return holds && global_holds(global) && !machine_counts_refuse(counts) ? EXIT_FINE
                                                                           : EXIT_DIFFERS;
}

static int fix_one(Options *given) {
    FixSession fixing = {.given = given};
    const Otherwise as_it_is = {0};
    MachineCounts counts;
    if (!machine_counts_begin(given, &counts))
        return EXIT_UNUSABLE;
    if (!kernel_choose(given, &fixing.chosen))
        return EXIT_UNUSABLE;
    int status = EXIT_UNUSABLE;
    if (kernel_run(given, &fixing.chosen, &as_it_is, &fixing.before)) {
        const LaunchResult *result = &fixing.before.result;
        status = result->status == LAUNCH_FAULT         ? EXIT_FAULTED
                 : result->status == LAUNCH_INTERRUPTED ? EXIT_INTERRUPTED
                                                        : show(&fixing, &counts);
        if (status == EXIT_FAULTED)
            plain_printf(stderr, "warplens: fault: %s\n", result->fault.message);
    }
    session_free(fixing.before.session);
    session_free(fixing.after.session);
    return status;
}

static int command(Options *given) {
    bool profile = fix_is_profile(given), program = given->files.count == 0 && given->flags.count;
    if (profile && given->apply) {
        diags_error(given->diags, "--apply compiles and runs: it takes a .cu file, a launch and "
                                  "arguments, or a program; from a profile write a --patch, build, "
                                  "and compare");
        return EXIT_UNUSABLE;
    }
    if (!program && (given->build || given->branch || given->on)) {
        diags_error(given->diags, "--%s is of a program: -- PROGRAM",
                    given->build    ? "build"
                    : given->branch ? "branch"
                                    : "on");
        return EXIT_UNUSABLE;
    }
    if (given->json && !program && (given->patch || given->apply)) {
        diags_error(given->diags, "--format=json of a kernel or a profile has the patch: without "
                                  "--patch and --apply");
        return EXIT_UNUSABLE;
    }
    if (given->json && given->patch && strcmp(given->patch, "-") == 0) {
        diags_error(given->diags, "--format=json goes to standard output, as --patch does: "
                                  "--patch=FILE");
        return EXIT_UNUSABLE;
    }
    bool to_file = given->patch && strcmp(given->patch, "-") != 0;
    if (to_file && !output_usable(given->patch, given->files.at, given->files.count, given->diags))
        return EXIT_UNUSABLE;
    return profile ? fix_profile(given) : program ? fix_program(given) : fix_one(given);
}

int command_fix(int argc, char **argv) {
    Arena *arena = arena_new();
    Options given = {.arena = arena, .diags = diags_new(arena)};
    int status = EXIT_UNUSABLE;
    if (kernel_options(&fix_argp, argc, argv, &given)) {
        given.launch.evidence_blocks = UINT32_MAX;
        given.machine_counts = given.machine_code;
        given.machine_code = "off"; /* arrays are moved by their names, which the PTX has */
        fix_patch_begin(&given);
        if (given.launch.workers == 0)
            given.launch.workers = 1; /* the same order of atomics in both runs */
        status = command(&given);
    }
    fflush(stdout);
    diags_print(given.diags, stderr, colour_shown(given.colour, STDERR_FILENO));
    arena_free(arena);
    return status;
}

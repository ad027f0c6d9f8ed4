/* Counts of a change as machine code (fix_machine.h). Both runs are of what nvcc makes of the source, the one as it is and the other
 * as it would be written: nothing that ptxas does is modelled in either. */
#include "cli/fix_machine.h"
#include "cli/machine.h"
#include "rules/rules.h"

#include <string.h>

/* ---- whether ---- */

bool machine_counts_begin(const Options *given, MachineCounts *counts) {
    MachineUse use;
    *counts = (MachineCounts){
        .why = "layouts are proven by moved addresses, and no changed source is compiled"};
    if (!machine_wanted(given->machine_counts, given->no_sass, &use, given->diags))
        return false;
    counts->wanted = machine_is_asked(use);
    counts->required = use == MACHINE_REQUIRED;
    return true;
}

bool machine_counts_suffice(const MachineCounts *counts, Diags *diags) {
    if (!counts->required || !counts->why)
        return true;
    diags_error(diags, "--machine-code require: the change is not counted as machine code: %s",
                counts->why);
    return false;
}

/* ---- a kernel ---- */

static Options as_machine_code(const Options *given) {
    Options options = *given;
    options.machine_code = "on";
    options.diags = diags_new(given->arena);
    options.launch.evidence_blocks = 1; /* counts are wanted, and no layouts */
    return options;
}

/* What came of a run. NULL: it counts. */
static const char *why_not(Arena *arena, const KernelRun *run, bool ran) {
    if (!ran)
        return "it could not be run";
    for (const SessionKernel *one = run->session->kernels; one; one = one->next)
        if (one->not_machine)
            return arena_copy(arena, one->not_machine, strlen(one->not_machine));
    if (run->result.status == LAUNCH_FAULT)
        return arena_printf(arena, "it faults: %s", run->result.fault.message);
    return run->result.status == LAUNCH_INTERRUPTED ? "it was interrupted" : NULL;
}

static void count_after(FixSession *fixing, const SourceFix *fix, const Snapshot *results,
                        MachineCounts *counts) {
    PatchTrial trial = {.fixing = fixing, .fix = fix};
    const bool ran = trial_possible(&trial) && trial_run(&trial);
    counts->why = why_not(fixing->given->arena, &trial.after, ran);
    if (!counts->why) {
        counts->is = fix_figures(&trial.after, fixing->given->diags);
        counts->bytes = results->bytes;
        counts->differ = snapshot_differ(results, trial.after.session->memory);
    }
    trial_end(&trial);
}

void machine_counts(FixSession *fixing, const SourceFix *fix, MachineCounts *counts) {
    if (!counts->wanted || !fix)
        return;
    Options given = as_machine_code(fixing->given);
    FixSession as_machine = {.given = &given, .chosen = fixing->chosen};
    const Otherwise as_it_is = {0};
    KernelRun before;
    const bool ran = kernel_run(&given, &fixing->chosen, &as_it_is, &before);
    counts->why = why_not(given.arena, &before, ran);
    if (!counts->why) {
        Snapshot results = {.arena = given.arena};
        counts->was = fix_figures(&before, given.diags);
        snapshot_take(&results, before.session->memory);
        session_end(before.session); /* the next run has the same addresses */
        count_after(&as_machine, fix, &results, counts);
    }
    session_free(before.session);
}

/* ---- a program ---- */

bool machine_program_run(const Options *given, ProgramRun *run) {
    Options options = *given;
    options.machine_code = "on";
    return program_run(&options, NULL, run);
}

/* Why a kernel of the run was executed as PTX; NULL: it was not. */
static const char *modelled(const Profile *profile, const char *kernel) {
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        const ProfKernel *one = profile_kernel(profile, i);
        if (strcmp(one->name, kernel) == 0)
            return one->modelled;
    }
    return "it is not launched";
}

void machine_program_counts(Arena *arena, const ProgramRun *before, const ProgramRun *after,
                            const char *kernel, MachineCounts *counts) {
    const Profile *was = before->result.profile, *is = after->result.profile;
    const char *why = modelled(was, kernel);
    why = why ? why : modelled(is, kernel);
    counts->why = why ? arena_copy(arena, why, strlen(why)) : NULL;
    counts->was = program_cost(was, kernel);
    counts->is = program_cost(is, kernel);
}

/* ---- what they say ---- */

const char *machine_counts_refuse(const MachineCounts *counts) {
    if (!counts->wanted || counts->why)
        return NULL;
    return counts->differ ? "executed as machine code, its results differ"
           : thread_cycles(&counts->is) < thread_cycles(&counts->was)
               ? NULL
               : "executed as machine code, it takes no fewer cycles (instructions, wavefronts and "
                 "sectors)";
}

static void print_row(Arena *arena, const char *what, const FixCost *cost, const FixCost *was) {
    plain_printf(stdout, "    %-36s %14s %14s %14s %9s %10s\n", what,
                 words_count(arena, cost->wavefronts), words_count(arena, cost->sectors),
                 words_count(arena, cost->thread_insts),
                 was ? percent_words(arena, cost->thread_insts, was->thread_insts) : "",
                 cost->registers ? words_count(arena, cost->registers) : "-");
}

void machine_counts_print(Arena *arena, const MachineCounts *counts) {
    if (!counts->wanted)
        return;
    if (counts->why) {
        plain_printf(stdout,
                     "counted as PTX, with what ptxas makes of its accesses as modelled; not as "
                     "machine code:\n  %s\n",
                     counts->why);
        return;
    }
    plain_printf(stdout, "%-40s %14s %14s %14s %9s %10s\n", "as machine code, compiled and run",
                 "wavefronts", "sectors", "instructions", "", "registers");
    print_row(arena, "as it is", &counts->was, NULL);
    print_row(arena, "with the change", &counts->is, &counts->was);
    if (counts->bytes)
        plain_printf(stdout, "    %s of the %s bytes of its results differ\n",
                     counts->differ ? words_count(arena, counts->differ) : "none",
                     words_count(arena, counts->bytes));
    const char *refused = machine_counts_refuse(counts);
    if (refused)
        plain_printf(stdout, "    %s\n", refused);
}

/* warplens fix -- PROGRAM, of arrays in global memory: what it would cost to store them otherwise is priced by a run that tells more of
 * their offsets apart, and proven by one with the arrays stored so wherever the kernel is launched with them. */
#include "cli/fix_global.h"
#include "cli/fix_program.h"

#include <string.h>

bool program_varies(const Options *given, ProgramRun *before) {
    ProgramRun again;
    bool varies = program_run(given, NULL, &again) &&
                  program_results_differ(&before->result, &again.result) != 0;
    program_run_end(&again);
    return varies;
}

static const char *kernel_name(const GlobalPlan *plan) {
    return profile_kernel(plan->profile, plan->launch)->name;
}

/* Is it the same launch in another run? Programs may do other things each time. */
static bool is_again(const GlobalPlan *plan, const Profile *again) {
    return plan->launch < again->launches.count &&
           strcmp(profile_kernel(again, plan->launch)->name, kernel_name(plan)) == 0;
}

/* And with the same arrays. */
static bool has_again(const GlobalPlan *plan, const Profile *again) {
    const LaunchRecord *was = &plan->profile->launches.at[plan->launch],
                       *is = &again->launches.at[plan->launch];
    bool same = is_again(plan, again) && is->allocations.count == was->allocations.count;
    for (uint32_t i = 0; same && i < was->allocations.count; i++)
        same = strcmp(was->allocations.at[i].name, is->allocations.at[i].name) == 0 &&
               was->allocations.at[i].bytes == is->allocations.at[i].bytes;
    return same;
}

/* ---- prices ---- */

static const char *periods_of(Arena *arena, const FixPlans *plans) {
    const char *text = "";
    for (uint32_t i = 0; i < plans->global.count; i++) {
        const GlobalPlan *plan = plans->global.at[i];
        if (plan->period)
            text = arena_printf(arena, "%s%s . period:%llu;", text, kernel_name(plan),
                                (unsigned long long)plan->period);
    }
    return text;
}

static bool price(const Options *given, const FixPlans *plans, const char *periods) {
    ProgramRun finer;
    bool ran = program_run(given, periods, &finer) && !finer.result.interrupted;
    for (uint32_t i = 0; ran && i < plans->global.count; i++) {
        GlobalPlan *plan = plans->global.at[i];
        if (plan->period && has_again(plan, finer.result.profile))
            global_choose(given->arena, plan, finer.result.profile, plan->launch);
        else if (plan->period)
            global_unpriced(given->arena, plan);
    }
    program_run_end(&finer);
    return ran;
}

/* ---- the proof ---- */

/* "device memory 3": "@device+memory+3". */
static const char *allocation_word(Arena *arena, const char *name) {
    char *word = arena_printf(arena, "@%s", name);
    for (char *at = word; *at; at++)
        *at = *at == ' ' ? '+' : *at;
    return word;
}

static const char *storages_of(Arena *arena, const FixPlans *plans) {
    const char *text = "";
    for (uint32_t i = 0; i < plans->global.count; i++) {
        const GlobalPlan *plan = plans->global.at[i];
        for (uint32_t r = 0; r < plan->relayout_count; r++)
            text = arena_printf(arena, "%s%s %s %s;", text, kernel_name(plan),
                                allocation_word(arena, plan->relayouts[r].symbol),
                                storage_text(arena, plan->relayouts[r].storage));
    }
    return text;
}

static uint64_t sectors_of(const Profile *profile, uint32_t launch) {
    return launch_counters(profile, launch, SITE_GLOBAL).sectors;
}

/* Of one kernel: results are the program's. */
static void judge(GlobalPlan *plan, const Profile *after, uint64_t bytes, uint64_t differ) {
    Proof *proof = &plan->proof;
    plan->tried = plan->of_program = true;
    *proof = (Proof){.complete = plan->complete,
                     .bytes = bytes,
                     .differ = differ,
                     .before = sectors_of(plan->profile, plan->launch)};
    proof->promised = proof->before;
    for (uint32_t i = 0; i < plan->relayout_count; i++)
        proof->promised -= plan->chosen[i]->before - plan->chosen[i]->after;
    proof->after = is_again(plan, after) ? sectors_of(after, plan->launch) : 0;
}

static bool prove(const Options *given, const FixPlans *plans, const char *storages,
                  ProgramRun *before) {
    ProgramRun after;
    bool ran = program_run(given, storages, &after) && !after.result.interrupted;
    if (ran) {
        uint64_t differ = program_results_differ(&before->result, &after.result);
        differ += after.result.status != before->result.status;
        const bool varies = differ && program_varies(given, before);
        for (uint32_t i = 0; i < plans->global.count; i++)
            plans->global.at[i]->varies = varies;
        for (uint32_t i = 0; i < plans->global.count; i++)
            if (plans->global.at[i]->relayout_count)
                judge(plans->global.at[i], after.result.profile,
                      program_result_bytes(&before->result), differ);
    }
    program_run_end(&after);
    return ran;
}

bool program_storages(const Options *given, const FixPlans *plans, ProgramRun *before) {
    const char *periods = periods_of(given->arena, plans);
    if (*periods && !price(given, plans, periods))
        return false;
    const char *storages = storages_of(given->arena, plans);
    return !*storages || prove(given, plans, storages, before);
}

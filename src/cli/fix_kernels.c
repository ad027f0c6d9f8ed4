/* Plans for the kernels of a profile, each from the evidence of all its launches. */
#include "cli/fix_global.h"

static bool is_looked_at(const Options *given, uint32_t launch) {
    return given->only == NONE || given->only == launch;
}

/* For each kernel its launches that are looked at. */
static FixScope *scopes_of(const Options *given, const Profile *profile) {
    uint32_t kernels = profile->kernels.count, launches = profile->launches.count, first = 0;
    FixScope *scopes = NEW_ARRAY(given->arena, FixScope, kernels);
    uint32_t *list = NEW_ARRAY(given->arena, uint32_t, launches);
    uint32_t *end = NEW_ARRAY(given->arena, uint32_t, kernels);
    for (uint32_t i = 0; i < launches; i++)
        scopes[profile->launches.at[i].kernel].count += is_looked_at(given, i);
    for (uint32_t k = 0; k < kernels; first += scopes[k++].count) {
        scopes[k] =
            (FixScope){.profile = profile, .launches = list + first, .count = scopes[k].count};
        end[k] = first;
    }
    for (uint32_t i = 0; i < launches; i++)
        if (is_looked_at(given, i))
            list[end[profile->launches.at[i].kernel]++] = i;
    return scopes;
}

/* The launch of the scope whose accesses to global memory waste most; NONE: none wastes any. */
static uint32_t worst_launch(const FixScope *scope) {
    uint64_t most = 0;
    uint32_t worst = NONE;
    for (uint32_t i = 0; i < scope->count; i++) {
        Counters global = launch_counters(scope->profile, scope->launches[i], SITE_GLOBAL);
        uint64_t excess = counters_excess_sectors(&global);
        if (excess <= most)
            continue;
        most = excess;
        worst = scope->launches[i];
    }
    return worst;
}

void fix_plans(const Options *given, const Profile *profile, FixPlans *plans) {
    const ReportOptions chosen = {.kernel = given->kernel};
    FixScope *scopes = scopes_of(given, profile);
    bool some = !given->kernel;
    for (uint32_t k = 0; k < profile->kernels.count; k++) {
        if (!scopes[k].count || !kernel_chosen(&chosen, &profile->kernels.at[k]))
            continue;
        some = true;
        const uint32_t worst = worst_launch(&scopes[k]);
        if (worst != NONE)
            *vec_add(given->arena, &plans->global) = global_look(given->arena, profile, worst);
        scopes[k].prefer = given->prefer;
        FixPlan plan = fix_plan(given->arena, &scopes[k]);
        if (plan.array_count)
            *vec_add(given->arena, &plans->list) = plan;
    }
    if (!some)
        kernel_none(profile, given->kernel, given->diags);
}

void fix_print_global(Arena *arena, const FixPlans *plans) {
    if (plans->global.count == 0)
        puts("no kernel wastes sectors of global memory");
    for (uint32_t i = 0; i < plans->global.count; i++) {
        const GlobalPlan *plan = plans->global.at[i];
        const LaunchRecord *record = &plan->profile->launches.at[plan->launch];
        plain_printf(stdout, "\n%s\n", plan->profile->kernels.at[record->kernel].demangled);
        fix_print_evidence(arena, record->evidence_blocks, record->blocks, record->evidence_others);
        global_print_plan(arena, plan);
    }
}

static bool has_excess(const FixPlan *plan) {
    for (uint32_t i = 0; i < plan->array_count; i++)
        if (plan->arrays[i].wavefronts > plan->arrays[i].ideal)
            return true;
    return false;
}

uint32_t fix_print_plans(Arena *arena, const FixPlans *plans) {
    uint32_t fixes = 0, fine = 0;
    for (uint32_t i = 0; i < plans->list.count; i++) {
        const FixPlan *plan = &plans->list.at[i];
        fixes += plan->relayout_count > 0;
        fine += !has_excess(plan);
        if (has_excess(plan))
            fix_print_plan(arena, plan);
    }
    if (fine)
        puts("no conflicts in shared memory:");
    for (uint32_t i = 0; i < plans->list.count; i++)
        if (!has_excess(&plans->list.at[i]))
            plain_printf(stdout, "  %s\n", fix_kernel(&plans->list.at[i])->demangled);
    if (fine)
        putchar('\n');
    if (plans->list.count == 0)
        puts("no kernel that was launched accesses a shared array");
    return fixes;
}

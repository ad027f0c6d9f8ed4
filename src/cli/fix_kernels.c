/* Plans for the kernels of a profile, each from the evidence of all its launches. */
#include "cli/fix.h"

/* The launches of a kernel that are looked at. */
static FixScope scope_of(Arena *arena, const Profile *profile, uint32_t kernel, uint32_t only) {
    uint32_t *launches = NEW_ARRAY(arena, uint32_t, profile->launches.count + 1), count = 0;
    for (uint32_t i = 0; i < profile->launches.count; i++)
        if (profile->launches.at[i].kernel == kernel && (only == NONE || only == i))
            launches[count++] = i;
    return (FixScope){profile, launches, count};
}

void fix_plans(const Options *given, const Profile *profile, FixPlans *plans) {
    const ReportOptions chosen = {.kernel = given->kernel};
    for (uint32_t k = 0; k < profile->kernels.count; k++) {
        if (!kernel_chosen(&chosen, &profile->kernels.at[k]))
            continue;
        FixScope scope = scope_of(given->arena, profile, k, given->only);
        if (scope.count == 0)
            continue;
        FixPlan plan = fix_plan(given->arena, &scope);
        if (plan.array_count)
            *vec_add(given->arena, &plans->list) = plan;
    }
}

static bool wastes_sectors(const Options *given, const Profile *profile, uint32_t kernel) {
    uint64_t excess = 0;
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        Counters global = launch_counters(profile, i, SITE_GLOBAL);
        if (profile->launches.at[i].kernel == kernel && (given->only == NONE || given->only == i))
            excess += counters_excess_sectors(&global);
    }
    return excess > 0;
}

void fix_note_global(const Options *given, const Profile *profile) {
    const ReportOptions chosen = {.kernel = given->kernel};
    bool any = false;
    for (uint32_t k = 0; k < profile->kernels.count; k++) {
        const ProfKernel *kernel = &profile->kernels.at[k];
        if (!kernel_chosen(&chosen, kernel) || !wastes_sectors(given, profile, k))
            continue;
        plain_printf(stdout, "%s  %s\n", any ? "" : "\nglobal memory costs more than it must in\n",
                     kernel->demangled);
        any = true;
    }
    if (any)
        puts("warplens fix FILE -k KERNEL, with its --grid, --block and --arg, says what to write "
             "instead");
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

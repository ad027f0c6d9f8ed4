/* Which layouts `warplens fix` changes to in a kernel, all arrays together. */
#include "session/session.h"

const ProfKernel *fix_kernel(const FixPlan *plan) {
    const Profile *profile = plan->scope.profile;
    return &profile->kernels.at[profile->launches.at[plan->scope.launches[0]].kernel];
}

/* The preferred one that fits: arrays before it may have taken the room. */
static const Candidate *choose(const ArrayFix *array, FixPreference prefer, uint64_t *grown) {
    const Candidate *chosen = NULL;
    for (uint32_t i = 0; i < array->count; i++) {
        const Candidate *one = &array->best[i];
        bool fits = *grown + one->bytes - array->bytes <= array->spare;
        if (fits && (!chosen || fix_preferred(array, prefer, one, chosen)))
            chosen = one;
    }
    *grown += chosen ? chosen->bytes - array->bytes : 0;
    return chosen;
}

/* The relayouts and the promise, from what is chosen. */
static void finish(Arena *arena, FixPlan *plan) {
    static const Layout plain = {.kind = LAYOUT_PLAIN};
    const Layout **layouts = NEW_ARRAY(arena, const Layout *, plan->array_count + 1);
    plan->relayout_count = 0;
    for (uint32_t i = 0; i < plan->array_count; i++) {
        const Candidate *chosen = plan->chosen[i];
        layouts[i] = chosen ? &chosen->layout : &plain;
        if (chosen)
            plan->relayouts[plan->relayout_count++] =
                (Relayout){.symbol = fix_kernel(plan)->shared.at[plan->arrays[i].variable].symbol,
                           .layout = chosen->layout};
    }
    plan->promised = fix_promise(arena, &plan->scope, plan->arrays, plan->array_count, layouts);
}

void fix_plan_choose(Arena *arena, FixPlan *plan, uint32_t array, const Candidate *chosen) {
    plan->chosen[array] = chosen;
    finish(arena, plan);
}

FixPlan fix_plan(Arena *arena, const FixScope *scope) {
    FixPlan plan = {.scope = *scope, .time = NEW(arena, FixTime)};
    plan.arrays = fix_arrays(arena, scope, &plan.array_count);
    plan.chosen = NEW_ARRAY(arena, const Candidate *, plan.array_count + 1);
    plan.relayouts = NEW_ARRAY(arena, Relayout, plan.array_count + 1);
    uint64_t grown = 0;
    for (uint32_t i = 0; i < plan.array_count; i++) {
        plan.chosen[i] = choose(&plan.arrays[i], scope->prefer, &grown);
        plan.now += plan.arrays[i].wavefronts;
    }
    finish(arena, &plan);
    return plan;
}

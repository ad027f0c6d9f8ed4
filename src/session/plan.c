/* Which layouts `warplens fix` changes to in a kernel, all arrays together. */
#include "session/session.h"

const ProfKernel *fix_kernel(const FixPlan *plan) {
    const Profile *profile = plan->scope.profile;
    return &profile->kernels.at[profile->launches.at[plan->scope.launches[0]].kernel];
}

/* The cheapest that fits: arrays before it may have taken the room. */
static const Candidate *choose(const ArrayFix *array, uint64_t *grown) {
    for (uint32_t i = 0; i < array->count; i++) {
        uint64_t more = array->best[i].bytes - array->bytes;
        if (*grown + more > array->spare)
            continue;
        *grown += more;
        return &array->best[i];
    }
    return NULL;
}

FixPlan fix_plan(Arena *arena, const FixScope *scope) {
    static const Layout plain = {.kind = LAYOUT_PLAIN};
    FixPlan plan = {.scope = *scope};
    plan.arrays = fix_arrays(arena, scope, &plan.array_count);
    plan.chosen = NEW_ARRAY(arena, const Candidate *, plan.array_count + 1);
    plan.relayouts = NEW_ARRAY(arena, Relayout, plan.array_count + 1);
    const Layout **layouts = NEW_ARRAY(arena, const Layout *, plan.array_count + 1);
    uint64_t grown = 0;
    for (uint32_t i = 0; i < plan.array_count; i++) {
        const ArrayFix *array = &plan.arrays[i];
        const Candidate *chosen = plan.chosen[i] = choose(array, &grown);
        layouts[i] = chosen ? &chosen->layout : &plain;
        if (chosen)
            plan.relayouts[plan.relayout_count++] =
                (Relayout){.symbol = fix_kernel(&plan)->shared.at[array->variable].symbol,
                           .layout = chosen->layout};
        plan.now += array->wavefronts;
    }
    plan.promised = fix_promise(arena, scope, plan.arrays, plan.array_count, layouts);
    return plan;
}

/* All sites at once: the changes of a kernel's or a program's shared arrays are taken one after another, the largest saving first, each
 * priced with those before it in place, until what is left is below the limit (--until). */
#include "cli/fix_combine.h"

#include <stdlib.h>

void fix_plans_copy(Arena *arena, const FixPlans *plans, FixPlans *copy) {
    *copy = (FixPlans){0};
    for (uint32_t p = 0; p < plans->list.count; p++) {
        FixPlan *plan = vec_add(arena, &copy->list);
        *plan = plans->list.at[p];
        plan->chosen = NEW_ARRAY(arena, const Candidate *, plan->array_count + 1);
        plan->relayouts = NEW_ARRAY(arena, Relayout, plan->array_count + 1);
        plan->relayout_count = 0;
        plan->promised = plan->now;
    }
}

static int by_saving(const void *left, const void *right) {
    const FixStep *a = left, *b = right;
    const uint64_t saved = a->before - a->then, other = b->before - b->then;
    if (saved != other)
        return saved > other ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Those that are chosen, the largest saving first. */
static void steps_of(Arena *arena, const FixPlans *plans, FixSteps *steps) {
    for (uint32_t p = 0; p < plans->list.count; p++) {
        const FixPlan *plan = &plans->list.at[p];
        for (uint32_t i = 0; i < plan->array_count; i++)
            if (plan->chosen[i])
                *vec_add(arena, &steps->list) = (FixStep){.plan = p,
                                                          .array = i,
                                                          .chosen = plan->chosen[i],
                                                          .before = plan->arrays[i].wavefronts,
                                                          .then = plan->chosen[i]->wavefronts,
                                                          .number = steps->list.count};
    }
    if (steps->list.count)
        qsort(steps->list.at, steps->list.count, sizeof *steps->list.at, by_saving);
}

/* Wavefronts beyond the ideal, of all recorded accesses to shared arrays; *all: with the ideal ones, as it is. */
static uint64_t left_of(const FixPlans *plans, uint64_t *all) {
    uint64_t left = 0;
    *all = 0;
    for (uint32_t p = 0; p < plans->list.count; p++) {
        const FixPlan *plan = &plans->list.at[p];
        uint64_t ideal = 0;
        for (uint32_t i = 0; i < plan->array_count; i++)
            ideal += plan->arrays[i].ideal;
        left += plan->promised > ideal ? plan->promised - ideal : 0;
        *all += plan->now;
    }
    return left;
}

/* Is what is left beyond the ideal at most so many percent of the wavefronts as they are? */
static bool is_enough(const FixPlans *plans, uint32_t until) {
    uint64_t all, left = left_of(plans, &all);
    return left * 100 <= all * until;
}

void fix_combine(Arena *arena, uint32_t until, FixPlans *plans, FixSteps *steps) {
    *steps = (FixSteps){0};
    steps_of(arena, plans, steps);
    for (uint32_t i = 0; i < steps->list.count; i++)
        fix_plan_choose(arena, &plans->list.at[steps->list.at[i].plan], steps->list.at[i].array,
                        NULL);
    for (uint32_t i = 0; i < steps->list.count; i++) {
        FixStep *step = &steps->list.at[i];
        FixPlan *plan = &plans->list.at[step->plan];
        const uint64_t before = plan->promised;
        if (until && is_enough(plans, until))
            return;
        fix_plan_choose(arena, plan, step->array, step->chosen);
        step->kept = plan->promised < before;
        if (!step->kept)
            fix_plan_choose(arena, plan, step->array, NULL);
    }
}

void fix_print_left(const Options *given, const FixPlans *plans, const FixSteps *steps) {
    Arena *arena = given->arena;
    uint64_t all, left = left_of(plans, &all);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < steps->list.count; i++)
        kept += steps->list.at[i].kept;
    if (kept < steps->list.count)
        plain_printf(stdout,
                     "%u of %u changes are enough: %s wavefronts beyond the ideal are left, at "
                     "most %u %% of the %s as it is\n\n",
                     kept, steps->list.count, words_count(arena, left), given->until,
                     words_count(arena, all));
}

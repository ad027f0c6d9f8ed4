/* fix_combine: the changes of all shared arrays, one after another. */
#pragma once

#include "cli/fix.h"

/* A change of an array of a plan. */
typedef struct FixStep {
    uint32_t plan, array;
    const Candidate *chosen;
    uint64_t before, then; /* wavefronts */
    uint32_t number;
    bool kept;
} FixStep;
typedef struct FixSteps {
    VEC(FixStep) list; /* the largest saving first */
} FixSteps;

/* The same plans, with nothing chosen. */
void fix_plans_copy(Arena *arena, const FixPlans *plans, FixPlans *copy);
/* Of what is chosen keeps the largest savings, each with those before it in place, until that is enough; 0: all that save anything. */
void fix_combine(Arena *arena, uint32_t until, FixPlans *plans, FixSteps *steps);
/* Where not all were needed, says what is left. */
void fix_print_left(const Options *given, const FixPlans *plans, const FixSteps *steps);

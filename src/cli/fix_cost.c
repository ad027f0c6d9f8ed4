/* What each layout costs as a whole: the source is rewritten for it, compiled and run, and instructions are
 * weighed against wavefronts. Then the choice is made: what saves most as a whole, and of equals what changes
 * the source least.
 *
 * Only from a .cu file, where the compiler is known. What is counted are instructions of the PTX. */
#include "cli/fix_trial.h"
#include "cli/machine.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRIED_MOST = 6, /* layouts of an array that the source is rewritten for */
    RUN_MOST = 4    /* that are compiled and run */
};

typedef struct CostWork {
    FixSession *fixing;
    FixPlan *plan;
    uint32_t array;
    bool *settled; /* arrays whose change is in place */
    FixCost now;   /* with these */
    Diags *quiet;  /* what does not compile is no error of the user's */
} CostWork;

/* ---- figures ---- */

/* Warp instructions that four schedulers issue in a clock, and wavefronts, one in a clock. */
double fix_cycles(const FixCost *cost) {
    enum { SCHEDULERS = 4 };
    return (double)cost->warp_insts / SCHEDULERS + (double)cost->wavefronts;
}

FixCost fix_figures(const KernelRun *run, const Diags *diags) {
    Profile *profile = run->session->profile;
    const LaunchRecord *record = &profile->launches.at[run->result.record];
    Diags *unheard = diags_new(diags->arena);
    machine_compare(profile, record->kernel, run->session->gpu, unheard);
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    FixCost cost = {.offer = OFFER_FINE,
                    .thread_insts = record->thread_insts,
                    .warp_insts = record->warp_insts,
                    .wavefronts = fix_cost(run, SITE_SHARED),
                    .sectors = launch_counters(profile, run->result.record, SITE_GLOBAL).sectors,
                    .shared = record->dynamic_shared,
                    .registers = kernel->registers};
    for (uint32_t v = 0; v < kernel->shared.count; v++)
        cost.shared += kernel->shared.at[v].dynamic ? 0 : kernel->shared.at[v].bytes;
    cost.blocks_per_sm =
        gpu_blocks_per_sm(run->session->gpu, record->block[0] * record->block[1] * record->block[2],
                          cost.shared, kernel->registers);
    return cost;
}

/* ---- a layout ---- */

/* The plan with one array changed, and those that are settled as they are chosen. */
static FixPlan plan_with(const CostWork *work, const Candidate *candidate) {
    Arena *arena = work->fixing->given->arena;
    FixPlan plan = *work->plan;
    plan.chosen = NEW_ARRAY(arena, const Candidate *, plan.array_count + 1);
    plan.relayouts = NEW_ARRAY(arena, Relayout, plan.array_count + 1);
    for (uint32_t i = 0; i < plan.array_count; i++)
        plan.chosen[i] = work->settled[i] ? work->plan->chosen[i] : NULL;
    fix_plan_choose(arena, &plan, work->array, candidate);
    return plan;
}

const char *fix_input(const FixSession *fixing) {
    return fixing->chosen.inputs.list.at[fixing->chosen.input].name;
}

/* A text for one of the array's candidates. */
typedef struct Written {
    uint32_t candidate, form, index;
    SourceFixes fixes;
} Written;

/* The source for the plan; false: the array cannot be rewritten so. */
static bool write(const CostWork *work, const FixPlan *plan, Written *written) {
    SourceFixes *fixes = &written->fixes;
    Options given = *work->fixing->given;
    FixPlans plans = {0};
    given.diags = diags_new(given.arena); /* an error of a text before it is none of this one */
    *fixes = (SourceFixes){.tried = true};
    *vec_add(given.arena, &plans.list) = *plan;
    if (!fix_rewrite(&given, &plans, fix_input(work->fixing), fixes) || fixes->list.count != 1)
        return false;
    const SourceFix *fix = &fixes->list.at[0];
    const uint32_t variable = plan->arrays[work->array].variable;
    const char *symbol = fix_kernel(plan)->shared.at[variable].symbol;
    for (uint32_t i = 0; i < fix->arrays.count; i++) {
        if (strcmp(fix->arrays.at[i].symbol, symbol) != 0)
            continue;
        written->form = fix->rewrite.outcomes[i].form;
        written->index = fix->rewrite.outcomes[i].index;
        return fix->rewrite.outcomes[i].done;
    }
    return false;
}

static FixCost run_text(const CostWork *work, const SourceFix *fix, uint32_t form) {
    Options given = *work->fixing->given;
    FixSession fixing = *work->fixing;
    fixing.given = &given;
    given.diags = diags_new(given.arena);
    PatchTrial trial = {.fixing = &fixing, .fix = fix};
    FixCost cost = {.offer = OFFER_UNWRITTEN, .form = form};
    if (trial_possible(&trial) && trial_run(&trial)) {
        cost = fix_figures(&trial.after, work->quiet);
        cost.form = form;
        bool same = trial.after.result.status != LAUNCH_FAULT &&
                    snapshot_differ(&fixing.results, trial.after.session->memory) == 0;
        bool pays = fix_cycles(&cost) < fix_cycles(&work->now);
        cost.offer = !same ? OFFER_DIFFERS : !pays ? OFFER_SLOWER : OFFER_FINE;
    }
    trial_end(&trial);
    return cost;
}

/* ---- the choice ---- */

/* Is `a` to be chosen before `b`? Both pay. */
static bool is_better(const CostWork *work, uint32_t a, uint32_t b) {
    enum { ALIKE_PERCENT = 2 };
    const FixPreference prefer = work->plan->scope.prefer;
    const ArrayFix *array = &work->plan->arrays[work->array];
    const FixCost *x = &work->plan->costs[work->array][a], *y = &work->plan->costs[work->array][b];
    const bool wanted = fix_wanted(prefer, &array->best[a].layout);
    uint32_t now = work->plan->as_it_is.blocks_per_sm;
    bool crowded = x->blocks_per_sm * 4 < now * 3, other = y->blocks_per_sm * 4 < now * 3;
    double cycles = fix_cycles(x), others = fix_cycles(y);
    if (wanted != fix_wanted(prefer, &array->best[b].layout))
        return wanted;
    if (prefer == PREFER_NONE)
        return x->wavefronts != y->wavefronts ? x->wavefronts < y->wavefronts : cycles < others;
    if (crowded != other)
        return other;
    if (cycles * 100 < others * (100 - ALIKE_PERCENT) ||
        others * 100 < cycles * (100 - ALIKE_PERCENT))
        return cycles < others;
    if (x->form != y->form)
        return x->form < y->form;
    if (x->thread_insts != y->thread_insts)
        return x->thread_insts < y->thread_insts;
    return array->best[a].bytes < array->best[b].bytes;
}

static void choose(CostWork *work) {
    Arena *arena = work->fixing->given->arena;
    const ArrayFix *array = &work->plan->arrays[work->array];
    const FixCost *costs = work->plan->costs[work->array];
    uint32_t best = NONE, refused = 0;
    for (uint32_t c = 0; c < array->count; c++) {
        refused += costs[c].offer == OFFER_SLOWER || costs[c].offer == OFFER_DIFFERS;
        if (costs[c].offer == OFFER_FINE && (best == NONE || is_better(work, c, best)))
            best = c;
    }
    if (best != NONE)
        work->now = costs[best];
    work->settled[work->array] = best != NONE;
    if (best != NONE)
        fix_plan_choose(arena, work->plan, work->array, &array->best[best]);
    else if (refused)
        fix_plan_choose(arena, work->plan, work->array, NULL);
}

/* ---- an array ---- */

static int by_form(const void *left, const void *right) {
    const Written *a = left, *b = right;
    if (a->form != b->form)
        return a->form < b->form ? -1 : 1;
    return a->candidate < b->candidate ? -1 : 1;
}

/* The candidates in the order in which they are tried. */
static uint32_t tried(const CostWork *work, uint32_t order[CANDIDATES]) {
    const ArrayFix *array = &work->plan->arrays[work->array];
    for (uint32_t i = 0; i < array->count; i++) {
        uint32_t at = i;
        for (; at > 0 && fix_preferred(array, work->plan->scope.prefer, &array->best[i],
                                       &array->best[order[at - 1]]);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return array->count < TRIED_MOST ? array->count : TRIED_MOST;
}

/* As little of each index is changed as holds. */
static void run(CostWork *work, Written *written) {
    const ArrayFix *array = &work->plan->arrays[work->array];
    FixCost *cost = &work->plan->costs[work->array][written->candidate];
    for (;;) {
        *cost = run_text(work, &written->fixes.list.at[0], written->form);
        cost->index = written->index;
        cost->written = true;
        if (cost->offer == OFFER_FINE || cost->offer == OFFER_SLOWER ||
            written->index == INDEX_WHOLE)
            return;
        cost->index++;
        const FixPlan plan = plan_with(work, &array->best[written->candidate]);
        if (!write(work, &plan, written))
            return;
    }
}

static void cost_array(CostWork *work) {
    FixCost *costs = work->plan->costs[work->array];
    Written written[TRIED_MOST];
    uint32_t order[CANDIDATES], count = 0, all = tried(work, order);
    for (uint32_t i = 0; i < all; i++) {
        const ArrayFix *array = &work->plan->arrays[work->array];
        const FixPlan plan = plan_with(work, &array->best[order[i]]);
        written[count] = (Written){.candidate = order[i]};
        if (write(work, &plan, &written[count]))
            count++;
        else
            costs[order[i]].offer = OFFER_UNWRITTEN;
    }
    qsort(written, count, sizeof *written, by_form);
    for (uint32_t i = 0; i < count && i < RUN_MOST; i++)
        run(work, &written[i]);
    choose(work);
}

bool fix_cost_source(const FixSession *fixing, const FixPlan *plan, SourceFixes *fixes) {
    Options given = *fixing->given;
    FixPlans plans = {0};
    *fixes = (SourceFixes){0};
    given.diags = diags_new(given.arena);
    *vec_add(given.arena, &plans.list) = *plan;
    return plan->costs && plan->relayout_count > 0 &&
           fix_rewrite(&given, &plans, fix_input(fixing), fixes);
}

const char *fix_cost_patch(FixSession *fixing, const FixPlan *plan) {
    SourceFixes fixes;
    if (!fix_cost_source(fixing, plan, &fixes))
        return NULL;
    const char *text = fix_diff(fixing->given->arena, &fixes);
    return *text ? text : NULL;
}

/* Arrays that a function of both gets can change at once alone: those of which no layout could be tried by itself are written together, as
 * they are chosen. */
static void cost_together(CostWork *work) {
    Arena *arena = work->fixing->given->arena;
    FixPlan plan = *work->plan;
    Written written = {0};
    uint32_t count = 0;
    plan.chosen = NEW_ARRAY(arena, const Candidate *, plan.array_count + 1);
    plan.relayouts = NEW_ARRAY(arena, Relayout, plan.array_count + 1);
    for (uint32_t i = 0; i < plan.array_count; i++) {
        const bool untried = !work->settled[i] && work->plan->chosen[i];
        plan.chosen[i] = work->settled[i] || untried ? work->plan->chosen[i] : NULL;
        work->array = untried ? i : work->array;
        count += untried;
    }
    if (count < 2)
        return;
    fix_plan_choose(arena, &plan, work->array, plan.chosen[work->array]);
    if (!write(work, &plan, &written))
        return;
    FixCost cost = run_text(work, &written.fixes.list.at[0], written.form);
    cost.index = written.index;
    cost.written = true;
    for (uint32_t i = 0; i < plan.array_count && cost.offer == OFFER_FINE; i++) {
        if (work->settled[i] || !plan.chosen[i])
            continue;
        work->plan->costs[i][plan.chosen[i] - plan.arrays[i].best] = cost;
        work->settled[i] = true;
    }
    if (cost.offer == OFFER_FINE)
        work->now = cost;
}

/* The array whose change is to save most, of those that have not been tried; NONE: there is none. */
static uint32_t next_array(const FixPlan *plan, const bool *tried) {
    uint32_t next = NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < plan->array_count; i++) {
        const Candidate *chosen = plan->chosen[i];
        const uint64_t saved = chosen ? plan->arrays[i].wavefronts - chosen->wavefronts : 0;
        if (chosen && !tried[i] && (next == NONE || saved > most)) {
            next = i;
            most = saved;
        }
    }
    return next;
}

/* Is what is in place enough? Of the wavefronts beyond the ideal so much may be left. */
static bool is_enough(const CostWork *work, uint32_t until) {
    uint64_t ideal = 0;
    for (uint32_t i = 0; i < work->plan->array_count; i++)
        ideal += work->plan->arrays[i].ideal;
    const uint64_t left = work->now.wavefronts > ideal ? work->now.wavefronts - ideal : 0;
    return until && left * 100 <= work->plan->as_it_is.wavefronts * until;
}

void fix_costs(FixSession *fixing, FixPlan *plan) {
    Arena *arena = fixing->given->arena;
    CostWork work = {.fixing = fixing, .plan = plan, .quiet = diags_new(arena)};
    if (plan->relayout_count == 0 || !fix_is_source(fix_input(fixing)) || !rewrite_possible(arena))
        return;
    bool *tried = NEW_ARRAY(arena, bool, plan->array_count);
    work.settled = NEW_ARRAY(arena, bool, plan->array_count);
    plan->costs = (FixCost(*)[CANDIDATES])NEW_ARRAY(arena, FixCost, plan->array_count * CANDIDATES);
    plan->as_it_is = work.now = fix_figures(&fixing->before, work.quiet);
    while ((work.array = next_array(plan, tried)) != NONE) {
        tried[work.array] = true;
        if (is_enough(&work, fixing->given->until))
            fix_plan_choose(arena, plan, work.array, NULL);
        else
            cost_array(&work);
    }
    cost_together(&work);
}

/* The global memory's part of `warplens fix`: names what accesses have in common, prices what could be
 * changed, and runs the kernel again with the arrays stored otherwise where that is the change. */
#include "cli/fix_global.h"

#include <string.h>

GlobalPlan *global_look(Arena *arena, const Profile *profile, uint32_t launch) {
    GlobalPlan *plan = NEW(arena, GlobalPlan);
    plan->profile = profile;
    plan->launch = launch;
    plan->fixes = global_fixes(arena, plan->profile, plan->launch, &plan->count);
    plan->period = global_period(plan->fixes, plan->count);
    return plan;
}

GlobalPlan *global_begin(FixSession *fixing) {
    return global_look(fixing->given->arena, fixing->before.session->profile,
                       fixing->before.result.record);
}

bool global_says_something(const GlobalFix *fix) {
    return fix->shape.kind != SHAPE_IDEAL && (fix->count || fix->shape.sectors > fix->shape.ideal);
}

/* ---- the storages ---- */

const Allocation *global_array(const GlobalPlan *plan, const Shape *shape) {
    return &plan->profile->launches.at[plan->launch].allocations.at[shape->variable];
}

/* The change of an array that saves most, of all its shapes. */
static void choose(Arena *arena, GlobalPlan *plan) {
    plan->relayouts = NEW_ARRAY(arena, Relayout, plan->count + 1);
    plan->chosen = NEW_ARRAY(arena, const Change *, plan->count + 1);
    for (uint32_t i = 0; i < plan->count; i++) {
        const GlobalFix *fix = &plan->fixes[i];
        const char *name = global_array(plan, &fix->shape)->name;
        for (uint32_t c = 0; c < fix->count; c++) {
            const Change *change = &fix->changes[c];
            uint32_t at = 0;
            while (at < plan->relayout_count && strcmp(plan->relayouts[at].symbol, name) != 0)
                at++;
            bool better = at == plan->relayout_count || change->after < plan->chosen[at]->after;
            if (!change->stores || !better)
                continue;
            plan->relayouts[at] = (Relayout){.symbol = name, .storage = &change->storage};
            plan->chosen[at] = change;
            plan->relayout_count += at == plan->relayout_count;
        }
    }
}

bool global_is_chosen(const GlobalPlan *plan, const Change *change) {
    for (uint32_t i = 0; i < plan->relayout_count; i++)
        if (plan->chosen[i] == change)
            return true;
    return false;
}

void global_choose(Arena *arena, GlobalPlan *plan, const Profile *finer, uint32_t launch) {
    plan->complete = launch_is_complete(finer, launch, SITE_GLOBAL);
    global_price(finer, launch, plan->fixes, plan->count);
    choose(arena, plan);
}

void global_unpriced(Arena *arena, GlobalPlan *plan) {
    plan->unpriced = "";
    plan->elsewhere = NEW_ARRAY(arena, bool, plan->count + 1);
    for (uint32_t i = 0; i < plan->count; i++) {
        GlobalFix *fix = &plan->fixes[i];
        uint32_t kept = 0;
        for (uint32_t c = 0; c < fix->count; c++) {
            Change one = fix->changes[c];
            plan->elsewhere[i] |= one.stores;
            if (!one.stores)
                fix->changes[kept++] = one;
            else
                plan->unpriced =
                    arena_printf(arena, "%s%s%s: %s", plan->unpriced, *plan->unpriced ? "; " : "",
                                 global_array(plan, &fix->shape)->name, change_words(arena, &one));
        }
        fix->count = kept;
    }
}

/* ---- a kernel by itself ---- */

/* Runs the kernel once more, to tell the offsets apart that storages treat differently. */
static bool price(FixSession *fixing, GlobalPlan *plan) {
    const Otherwise finer = {.evidence_period = plan->period};
    KernelRun run;
    bool ran = kernel_run(fixing->given, &fixing->chosen, &finer, &run);
    if (ran)
        global_choose(fixing->given->arena, plan, run.session->profile, run.result.record);
    session_free(run.session);
    return ran;
}

static bool prove(FixSession *fixing, GlobalPlan *plan) {
    const Otherwise otherwise = {.relayouts = plan->relayouts,
                                 .relayout_count = plan->relayout_count};
    plan->tried = true;
    plan->proof =
        (Proof){.complete = plan->complete, .promised = fix_cost(&fixing->before, SITE_GLOBAL)};
    for (uint32_t i = 0; i < plan->relayout_count; i++)
        plan->proof.promised -= plan->chosen[i]->before - plan->chosen[i]->after;
    return fix_prove_as(fixing, &otherwise, SITE_GLOBAL, &plan->proof);
}

bool global_settle(FixSession *fixing, GlobalPlan *plan) {
    if (plan->period && !price(fixing, plan))
        return false;
    return plan->relayout_count == 0 || prove(fixing, plan);
}

bool global_holds(const GlobalPlan *plan) {
    return !plan->tried || proof_holds(&plan->proof);
}

void global_summarize(Arena *arena, const GlobalPlan *plan, FixSummary *summary) {
    for (uint32_t i = 0; i < plan->relayout_count; i++) {
        const Change *change = plan->chosen[i];
        const ProfKernel *kernel = profile_kernel(plan->profile, plan->launch);
        *vec_add(arena, &summary->rows) = (FixSummaryRow){
            .before = change->before,
            .then = change->after,
            .unit = "sectors",
            .proven = !plan->tried         ? "-"
                      : global_holds(plan) ? "yes"
                                           : "no",
            .kind = "storage",
            .id = arena_printf(arena, "%s/%s/%s", kernel->name, plan->relayouts[i].symbol,
                               storage_text(arena, &change->storage)),
            .array = arena_printf(arena, "%s in %s", plan->relayouts[i].symbol, kernel->demangled),
            .change = change_words(arena, change)};
    }
}

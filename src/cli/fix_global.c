/* The global memory's part of `warplens fix`: names what accesses have in common, prices what could be
 * changed, and runs the kernel again with the arrays stored otherwise where that is the change. */
#include "cli/fix.h"
#include "fix/global.h"

#include <stdlib.h>
#include <string.h>

struct GlobalPlan {
    const Profile *profile;
    uint32_t launch;
    GlobalFix *fixes;
    uint32_t count;
    uint64_t period;     /* of the second run's offsets; 0: no storage is to be priced */
    Relayout *relayouts; /* the best storage of each array that has one */
    const Change **proven;
    uint32_t relayout_count;
    bool *elsewhere; /* of each fix: it has changes that are named and not priced; NULL: none has */
    bool complete;   /* all accesses to global memory are in the evidence: promises are exact */
};

GlobalPlan *global_begin(FixSession *fixing) {
    Arena *arena = fixing->given->arena;
    GlobalPlan *plan = NEW(arena, GlobalPlan);
    plan->profile = fixing->before.session->profile;
    plan->launch = fixing->before.result.record;
    plan->fixes = global_fixes(arena, plan->profile, plan->launch, &plan->count);
    plan->period = global_period(plan->fixes, plan->count);
    return plan;
}

/* ---- the storages ---- */

static const Allocation *array_of(const GlobalPlan *plan, const Shape *shape) {
    return &plan->profile->launches.at[plan->launch].allocations.at[shape->variable];
}

/* The change of an array that saves most, of all its shapes. */
static void choose(Arena *arena, GlobalPlan *plan) {
    plan->relayouts = NEW_ARRAY(arena, Relayout, plan->count + 1);
    plan->proven = NEW_ARRAY(arena, const Change *, plan->count + 1);
    for (uint32_t i = 0; i < plan->count; i++) {
        const GlobalFix *fix = &plan->fixes[i];
        const char *name = array_of(plan, &fix->shape)->name;
        for (uint32_t c = 0; c < fix->count; c++) {
            const Change *change = &fix->changes[c];
            uint32_t at = 0;
            while (at < plan->relayout_count && strcmp(plan->relayouts[at].symbol, name) != 0)
                at++;
            bool better = at == plan->relayout_count || change->after < plan->proven[at]->after;
            if (!change->stores || !better)
                continue;
            plan->relayouts[at] = (Relayout){.symbol = name, .storage = &change->storage};
            plan->proven[at] = change;
            plan->relayout_count += at == plan->relayout_count;
        }
    }
}

/* Runs the kernel once more, to tell the offsets apart that storages treat differently. */
static bool price(FixSession *fixing, GlobalPlan *plan) {
    const Otherwise finer = {.evidence_period = plan->period};
    KernelRun run;
    bool ran = kernel_run(fixing->given, &fixing->chosen, &finer, &run);
    if (ran) {
        const Profile *profile = run.session->profile;
        plan->complete = launch_is_complete(profile, run.result.record, SITE_GLOBAL);
        global_price(profile, run.result.record, plan->fixes, plan->count);
    }
    session_free(run.session);
    choose(fixing->given->arena, plan);
    return ran;
}

/* ---- the proof ---- */

static bool prove(FixSession *fixing, GlobalPlan *plan, Proof *proof) {
    const Otherwise otherwise = {.relayouts = plan->relayouts,
                                 .relayout_count = plan->relayout_count};
    *proof =
        (Proof){.complete = plan->complete, .promised = fix_cost(&fixing->before, SITE_GLOBAL)};
    for (uint32_t i = 0; i < plan->relayout_count; i++)
        proof->promised -= plan->proven[i]->before - plan->proven[i]->after;
    return fix_prove_as(fixing, &otherwise, SITE_GLOBAL, proof);
}

/* ---- printing ---- */

static void print_row(Arena *arena, const char *mark, const char *what, uint64_t requests,
                      uint64_t sectors, uint64_t were) {
    plain_printf(stdout, "  %s %-46s %14s %14s %12s\n", mark, what, words_count(arena, requests),
                 words_count(arena, sectors), words_ratio(arena, sectors, were));
}

/* Words in lines of up to 100 columns. */
static void print_wrapped(uint32_t indent, const char *text) {
    enum { WIDTH = 100 };
    uint32_t column = 0;
    while (*text) {
        uint32_t length = (uint32_t)strcspn(text, " ");
        if (column == 0)
            column = (uint32_t)plain_printf(stdout, "%*s", (int)indent, "");
        else if (column + 1 + length > WIDTH)
            column = (uint32_t)plain_printf(stdout, "\n%*s", (int)indent + 2, "") - 1;
        else
            column += (uint32_t)plain_printf(stdout, " ");
        column += (uint32_t)plain_printf(stdout, "%.*s", (int)length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

typedef struct SourceLine {
    uint32_t file, line;
} SourceLine;

static int by_line(const void *left, const void *right) {
    const SourceLine *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Where an instruction is, and of an inlined function the line of the kernel that it was called in. */
static SourceLine place_of(const Profile *profile, const Site *site) {
    uint32_t at = site->location;
    while (at != NONE && profile->locations.at[at].inlined_at != NONE)
        at = profile->locations.at[at].inlined_at;
    if (at == NONE)
        return (SourceLine){NONE, site->ptx_line};
    return (SourceLine){profile->locations.at[at].file, profile->locations.at[at].line};
}

static void print_lines(Arena *arena, const GlobalPlan *plan, const Shape *shape) {
    const Profile *profile = plan->profile;
    SourceLine *places = NEW_ARRAY(arena, SourceLine, shape->sites.count + 1);
    for (uint32_t i = 0; i < shape->sites.count; i++)
        places[i] = place_of(profile, &profile->sites.at[shape->sites.at[i].site]);
    qsort(places, shape->sites.count, sizeof *places, by_line);
    fputs("    at ", stdout);
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        bool known = i > 0 && places[i].file == places[i - 1].file;
        if (known && places[i].line == places[i - 1].line)
            continue;
        const char *path = places[i].file == NONE ? "PTX" : profile->files.at[places[i].file].path;
        const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        if (known)
            plain_printf(stdout, ", %u", places[i].line);
        else
            plain_printf(stdout, "%s%s:%u", i ? ", " : "", name, places[i].line);
    }
    putchar('\n');
}

static bool is_proven(const GlobalPlan *plan, const Change *change) {
    for (uint32_t i = 0; i < plan->relayout_count; i++)
        if (plan->proven[i] == change)
            return true;
    return false;
}

/* What the accesses could do with at the least: the counter's ideal, or the change that needs less. */
static uint64_t least_of(const GlobalFix *fix) {
    uint64_t least = fix->shape.ideal;
    for (uint32_t i = 0; i < fix->count; i++)
        if (fix->changes[i].sectors < least)
            least = fix->changes[i].sectors;
    return least;
}

static void print_ideal(Arena *arena, const GlobalFix *fix) {
    const Shape *shape = &fix->shape;
    uint64_t least = least_of(fix);
    print_row(arena, " ", "ideal", shape->requests, least, shape->requests);
    if (least == shape->ideal)
        return;
    print_wrapped(4, arena_printf(arena,
                                  "the ideal that is counted, here and by Nsight Compute, is %s: "
                                  "it has bytes for each lane, and rounds up for each request; "
                                  "lanes that use the same bytes, or fewer requests, need less",
                                  words_count(arena, shape->ideal)));
}

static void print_fix(Arena *arena, const GlobalPlan *plan, const GlobalFix *fix) {
    const Shape *shape = &fix->shape;
    plain_printf(stdout, "%s: %s\n", array_of(plan, shape)->name, shape_name(shape->kind));
    print_wrapped(4, words_shape(arena, plan->profile, shape));
    print_lines(arena, plan, shape);
    plain_printf(stdout, "    %-46s %14s %14s %12s\n", "", "requests", "sectors", "a request");
    print_row(arena, " ", "as it is", shape->requests, shape->sectors, shape->requests);
    for (uint32_t i = 0; i < fix->count; i++) {
        const Change *one = &fix->changes[i];
        print_row(arena, is_proven(plan, one) ? "*" : " ", change_words(arena, one), one->requests,
                  one->sectors, one->requests);
    }
    print_ideal(arena, fix);
    for (uint32_t i = 0; i < fix->count; i++)
        print_wrapped(4, arena_printf(arena, "%s: %s", change_words(arena, &fix->changes[i]),
                                      change_advice(arena, plan->profile, plan->launch, fix,
                                                    &fix->changes[i])));
    for (uint32_t i = 0; i < fix->count; i++)
        fix_print_sketch(sketch_change(arena, plan->profile, plan->launch, fix, &fix->changes[i]));
    const bool elsewhere = plan->elsewhere && plan->elsewhere[fix - plan->fixes];
    if (fix->count == 0)
        print_wrapped(4, elsewhere ? "what helps is to store the array otherwise: below"
                                   : global_why_none(fix));
    putchar('\n');
}

static bool says_something(const GlobalFix *fix) {
    return fix->shape.kind != SHAPE_IDEAL && (fix->count || fix->shape.sectors > fix->shape.ideal);
}

static void print_head(Arena *arena, const GlobalPlan *plan) {
    uint64_t said = 0, all = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        all += plan->fixes[i].shape.requests;
        said += says_something(&plan->fixes[i]) ? plan->fixes[i].shape.requests : 0;
    }
    if (all == 0)
        puts("the kernel accesses no global memory");
    else
        plain_printf(stdout, "global memory: %s%s requests are as they should be\n%s",
                     said ? arena_printf(arena, "%s of ", words_count(arena, all - said)) : "all ",
                     words_count(arena, all), said ? "\n" : "");
}

/* Whether the stages that the changes relieve are those that the kernel waits for. */
static void print_relief(Arena *arena, const GlobalPlan *plan) {
    LaunchCost cost;
    if (!launch_cost(plan->profile, plan->launch, &cost))
        return;
    Relief relief = cost_relief(&cost, rule_stages(&cost, RULE_uncoalesced_global));
    plain_printf(stdout, "%s\n", words_relief(arena, &relief));
}

static void print_all(Arena *arena, const GlobalPlan *plan) {
    bool unproven = false, excess = false;
    print_head(arena, plan);
    for (uint32_t i = 0; i < plan->count; i++) {
        const GlobalFix *fix = &plan->fixes[i];
        if (!says_something(fix))
            continue;
        for (uint32_t c = 0; c < fix->count; c++) {
            unproven |= !is_proven(plan, &fix->changes[c]);
            excess |= fix->changes[c].sectors < fix->shape.sectors;
        }
        print_fix(arena, plan, fix);
    }
    if (excess)
        print_relief(arena, plan);
    if (unproven)
        puts("not proven by running: what is not marked *; it is computed from the recorded "
             "addresses");
}

/* What was run with the arrays stored otherwise. */
static void summarize(Arena *arena, const GlobalPlan *plan, const char *proven,
                      FixSummary *summary) {
    for (uint32_t i = 0; i < plan->relayout_count; i++) {
        const Change *change = plan->proven[i];
        const ProfKernel *kernel =
            &plan->profile->kernels.at[plan->profile->launches.at[plan->launch].kernel];
        *vec_add(arena, &summary->rows) =
            (FixSummaryRow){.before = change->before,
                            .then = change->after,
                            .unit = "sectors",
                            .proven = proven,
                            .what = arena_printf(arena, "%s in %s: %s", plan->relayouts[i].symbol,
                                                 kernel->demangled, change_words(arena, change))};
    }
}

bool global_end(FixSession *fixing, GlobalPlan *plan, FixSummary *summary, bool *proven) {
    Arena *arena = fixing->given->arena;
    Proof proof;
    *proven = true;
    if (plan->period && !price(fixing, plan))
        return false;
    print_all(arena, plan);
    fflush(stdout);
    if (plan->relayout_count == 0)
        return true;
    if (!prove(fixing, plan, &proof))
        return false;
    fix_print_proof(arena, &proof, &proof_of_storage);
    *proven = proof_holds(&proof);
    summarize(arena, plan, *proven ? "yes" : "no", summary);
    return true;
}

/* What other storages cost depends on more of the addresses than evidence has: they lose their rows, and are
 * said in a line. */
static const char *drop_storages(Arena *arena, GlobalPlan *plan) {
    const char *words = "";
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
                words = arena_printf(arena, "%s%s%s: %s", words, *words ? "; " : "",
                                     array_of(plan, &fix->shape)->name, change_words(arena, &one));
        }
        fix->count = kept;
    }
    return words;
}

void global_print(Arena *arena, const Profile *profile, uint32_t launch) {
    const LaunchRecord *record = &profile->launches.at[launch];
    GlobalPlan plan = {.profile = profile, .launch = launch};
    plan.fixes = global_fixes(arena, profile, launch, &plan.count);
    const char *storages = drop_storages(arena, &plan);
    plain_printf(stdout, "\n%s\n", profile->kernels.at[record->kernel].demangled);
    if (record->evidence_blocks < record->blocks)
        plain_printf(stdout, "by the evidence of %s of %s blocks\n",
                     words_count(arena, record->evidence_blocks),
                     words_count(arena, record->blocks));
    print_all(arena, &plan);
    if (*storages)
        print_wrapped(0, arena_printf(arena,
                                      "other storages, which warplens fix FILE -k KERNEL with its "
                                      "launch and arguments prices and proves: %s",
                                      storages));
}

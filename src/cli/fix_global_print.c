/* What `warplens fix` prints of global memory: a table for each shape of accesses. */
#include "cli/fix_global.h"

#include <stdlib.h>
#include <string.h>

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
    plain_printf(stdout, "%s: %s\n", global_array(plan, shape)->name, shape_name(shape->kind));
    print_wrapped(4, words_shape(arena, plan->profile, shape));
    print_lines(arena, plan, shape);
    plain_printf(stdout, "    %-46s %14s %14s %12s\n", "", "requests", "sectors", "a request");
    print_row(arena, " ", "as it is", shape->requests, shape->sectors, shape->requests);
    for (uint32_t i = 0; i < fix->count; i++) {
        const Change *one = &fix->changes[i];
        print_row(arena, global_is_chosen(plan, one) ? "*" : " ", change_words(arena, one),
                  one->requests, one->sectors, one->requests);
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

static void print_head(Arena *arena, const GlobalPlan *plan) {
    uint64_t said = 0, all = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        all += plan->fixes[i].shape.requests;
        said += global_says_something(&plan->fixes[i]) ? plan->fixes[i].shape.requests : 0;
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

static void print_changes(Arena *arena, const GlobalPlan *plan) {
    bool unproven = false, excess = false;
    print_head(arena, plan);
    for (uint32_t i = 0; i < plan->count; i++) {
        const GlobalFix *fix = &plan->fixes[i];
        if (!global_says_something(fix))
            continue;
        for (uint32_t c = 0; c < fix->count; c++) {
            unproven |= !global_is_chosen(plan, &fix->changes[c]);
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

void global_print_plan(Arena *arena, const GlobalPlan *plan) {
    print_changes(arena, plan);
    if (plan->unpriced && *plan->unpriced)
        print_wrapped(
            0, arena_printf(arena, "other storages, which %s prices and proves: %s",
                            profile_of_program(plan->profile)
                                ? "warplens fix -- PROGRAM ARGUMENT..."
                                : "warplens fix FILE -k KERNEL with its launch and arguments",
                            plan->unpriced));
    fflush(stdout);
    if (plan->tried && plan->varies)
        puts("NOT proven: the program's results differ from run to run, with the same storages, "
             "too");
    else if (plan->tried)
        fix_print_proof(arena, &plan->proof,
                        plan->of_program ? &proof_of_programs : &proof_of_storage);
}

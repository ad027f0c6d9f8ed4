/* All changes of a kernel or a program in one table: what they save, what they cost, whether they are proven. */
#include "cli/fix.h"
#include "rules/rules.h"

#include <stdlib.h>

const char *fix_layout_id(Arena *arena, const FixPlan *plan, uint32_t array, const Candidate *one) {
    const ProfKernel *kernel = fix_kernel(plan);
    return arena_printf(arena, "%s/%s/%s", kernel->name,
                        kernel->shared.at[plan->arrays[array].variable].symbol,
                        layout_text(arena, &one->layout));
}

/* Of arrays in shared memory; of these, in the order of the plans. */
static void add_plan(Arena *arena, const FixPlan *plan, const char *proven, FixSummary *summary) {
    for (uint32_t i = 0; i < plan->array_count; i++) {
        const ArrayFix *array = &plan->arrays[i];
        const Candidate *chosen = plan->chosen[i];
        const FixCost *cost = plan->costs && chosen ? &plan->costs[i][chosen - array->best] : NULL;
        if (!chosen)
            continue;
        FixSummaryRow *row = vec_add(arena, &summary->rows);
        *row = (FixSummaryRow){
            .before = array->wavefronts,
            .then = chosen->wavefronts,
            .unit = "wavefronts",
            .proven = proven,
            .time = *plan->time,
            .kind = "layout",
            .id = fix_layout_id(arena, plan, i, chosen),
            .array = arena_printf(arena, "%s in %s",
                                  name_last(fix_kernel(plan)->shared.at[array->variable].name),
                                  fix_kernel(plan)->demangled),
            .change = fix_words(arena, &chosen->layout, &array->declared)};
        if (cost && cost->offer == OFFER_FINE)
            row->instructions =
                percent_words(arena, cost->thread_insts, plan->as_it_is.thread_insts);
    }
}

void fix_summarize(Arena *arena, const FixPlans *plans, const char *proven, FixSummary *summary) {
    for (uint32_t p = 0; p < plans->list.count; p++)
        add_plan(arena, &plans->list.at[p], proven, summary);
}

/* The largest saving first; then in the order in which they came. */
static int by_saving(const void *left, const void *right) {
    const FixSummaryRow *a = left, *b = right;
    uint64_t saved = a->before - a->then, other = b->before - b->then;
    if (saved != other)
        return saved > other ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

void fix_order_summary(FixSummary *summary) {
    for (uint32_t i = 0; i < summary->rows.count; i++)
        summary->rows.at[i].number = i;
    if (summary->rows.count)
        qsort(summary->rows.at, summary->rows.count, sizeof *summary->rows.at, by_saving);
}

bool fix_summary_timed(const FixSummary *summary) {
    bool timed = false;
    for (uint32_t i = 0; i < summary->rows.count; i++)
        timed |= summary->rows.at[i].time.before > 0;
    return timed;
}

static void print_time(Arena *arena, const FixTime *time) {
    enum { MICRO = 1000000 };
    const char *words = time->before > 0 ? arena_printf(arena, "%.2f to %.2f", time->before * MICRO,
                                                        time->after * MICRO)
                                         : "-";
    plain_printf(stdout, " %18s", words);
}

void fix_print_summary(Arena *arena, FixSummary *summary) {
    enum { FEWEST = 2 }; /* one change has been said already */
    bool known = false;
    const bool timed = fix_summary_timed(summary);
    if (summary->rows.count < FEWEST && !timed)
        return;
    for (uint32_t i = 0; i < summary->rows.count; i++)
        known |= summary->rows.at[i].instructions != NULL;
    fix_order_summary(summary);
    plain_printf(stdout,
                 "\nall changes, the largest saving first:\n    %14s %14s %14s %-10s%s%s %6s  %s\n",
                 "before", "then", "saved", "", known ? " instructions" : "",
                 timed ? "   us of the kernel" : "", "proven", "array, change");
    for (uint32_t i = 0; i < summary->rows.count; i++) {
        const FixSummaryRow *row = &summary->rows.at[i];
        plain_printf(stdout, "    %14s %14s %14s %-10s", words_count(arena, row->before),
                     words_count(arena, row->then), words_count(arena, row->before - row->then),
                     row->unit);
        if (known)
            plain_printf(stdout, " %12s", row->instructions ? row->instructions : "-");
        if (timed)
            print_time(arena, &row->time);
        plain_printf(stdout, " %6s  %s: %s\n", row->proven, row->array, row->change);
    }
    putchar('\n');
}

/* Of the details of a launch: what its machine code takes of an SM, and what classes of instructions it issued. */
#include "report/page.h"

static void print_occupancy(const Report *report, const LaunchView *view) {
    Arena *arena = report->arena;
    Occupancy occupancy;
    if (!launch_occupancy(report->profile, view->number, &occupancy))
        return;
    text_wrap(report, 2, STYLE_PLAIN,
              arena_printf(arena, "Occupancy: %u block%s, %u of %u warps of an SM, limited by %s",
                           occupancy.blocks, occupancy.blocks == 1 ? "" : "s", occupancy.warps,
                           occupancy.most_warps, occupancy.limit));
    for (int i = 0; i < OCCUPANCY_LIMITS; i++) {
        const OccupancyStep *step = &occupancy.steps[i];
        if (step->unit)
            text_wrap(report, 2, STYLE_DIM,
                      arena_printf(arena, "with %s %s in place of %s: %u block%s, %u warps",
                                   words_count(arena, step->to), step->unit,
                                   words_count(arena, step->from), step->blocks,
                                   step->blocks == 1 ? "" : "s", step->warps));
    }
}

static void print_stack(const Report *report, const ProfKernel *kernel) {
    Arena *arena = report->arena;
    const char *spills = "";
    if (kernel->spill_store_bytes || kernel->spill_load_bytes)
        spills = arena_printf(arena, "; spills: %s B stored, %s B loaded (ptxas -v)",
                              words_count(arena, kernel->spill_store_bytes),
                              words_count(arena, kernel->spill_load_bytes));
    if (kernel->stack_bytes)
        text_wrap(report, 2, STYLE_PLAIN,
                  arena_printf(arena, "Stack: %s B a thread%s",
                               words_count(arena, kernel->stack_bytes), spills));
}

void print_machine_facts(const Report *report, const LaunchView *view) {
    print_occupancy(report, view);
    print_stack(report, view->kernel);
    if (view->kernel->machine_code && view->record->modelled)
        text_wrap(report, 2, STYLE_WARM,
                  "The order in which parted lanes went on is as modelled: some yielded while "
                  "others could "
                  "go on at several places. A GPU may let others share a request; counts are not "
                  "said to be exact.");
    if (view->kernel->modelled)
        text_wrap(report, 2, STYLE_WARM,
                  arena_printf(report->arena, "Executed as PTX, not as machine code: %s",
                               view->kernel->modelled));
}

void print_mix(const Report *report, const LaunchView *view) {
    static const Column columns[] = {
        {.head = "class", .left = true},
        {.head = "warp insts"},
        {.head = "of all"},
        {.head = "thread insts"},
        {.head = "what they do", .left = true, .flexible = true},
    };
    Arena *arena = report->arena;
    InstMix mix;
    if (!launch_mix(report->profile, view->number, &mix))
        return;
    text_title(report, "Instructions as issued");
    Table *table = table_new(arena, columns, sizeof columns / sizeof *columns);
    for (int c = 0; c < INST_CLASSES; c++) {
        if (!mix.of[c].warps)
            continue;
        table_row(table);
        table_cell(table, STYLE_PLAIN, inst_class_info((InstClass)c)->name);
        table_cell(table, STYLE_PLAIN, words_count(arena, mix.of[c].warps));
        table_cell(table, STYLE_PLAIN,
                   words_percent(arena, mix.of[c].warps, view->record->warp_insts));
        table_cell(table, STYLE_PLAIN, words_count(arena, mix.of[c].threads));
        table_cell(table, STYLE_DIM, inst_class_info((InstClass)c)->text);
    }
    table_print(table, report, 2);
}

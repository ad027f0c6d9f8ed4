/* The summary: a row for each launch. */
#include "report/page.h"

static const char shared_group[] = "shared wavefronts", global_group[] = "global sectors";

enum { KERNEL_LEAST = 22 }; /* columns for names, before numbers are rounded */

static const Column columns[] = {
    {.head = "#"},
    {.head = "kernel", .left = true, .flexible = true, .close = true},
    {.head = "grid", .left = true},
    {.head = "block", .left = true, .close = true},
    {.head = "GPU", .left = true, .optional = true, .close = true},
    {.group = shared_group, .head = "count", .optional = true},
    {.group = shared_group, .head = "ideal", .optional = true, .close = true},
    {.group = shared_group, .head = "N-way", .optional = true, .close = true},
    {.group = shared_group, .head = "excess", .optional = true, .close = true},
    {.group = global_group, .head = "/req", .optional = true},
    {.group = global_group, .head = "ideal", .optional = true, .close = true},
    {.group = global_group, .head = "excess", .optional = true, .close = true},
    {.head = "find"},
    {.head = "insts", .close = true},
};

static bool several_gpus(const Report *report) {
    for (uint32_t i = 1; i < report->views.count; i++)
        if (!str_is(str_of(report->views.at[i].record->gpu), report->views.at[0].record->gpu))
            return true;
    return false;
}

static const char *mark_of(const LaunchView *view) {
    static const char *const marks[] = {"", "s", "i", "!"};
    return marks[view->record->status];
}

typedef const char *(*Number)(Arena *arena, uint64_t value);

static const char *extrapolated(const Report *report, const LaunchView *view, uint64_t value,
                                Number words) {
    uint64_t scaled = (uint64_t)((double)value * view->scale + 0.5);
    if (view->scale == 1)
        return words(report->arena, value);
    return arena_printf(report->arena, "~%s", words(report->arena, scaled));
}

static void shared_cells(const Report *report, Table *table, const LaunchView *view, Style style,
                         Number number) {
    const Counters *shared = &view->shared;
    if (!shared->wavefronts) {
        table_skip(table, 4);
        return;
    }
    table_cell(table, STYLE_PLAIN, extrapolated(report, view, shared->wavefronts, number));
    table_cell(table, STYLE_PLAIN, extrapolated(report, view, shared->wavefronts_ideal, number));
    table_cell(table, style,
               words_ratio(report->arena, shared->wavefronts, shared->wavefronts_ideal));
    table_cell(
        table, style,
        words_percent(report->arena, counters_excess_wavefronts(shared), shared->wavefronts));
}

static void global_cells(const Report *report, Table *table, const LaunchView *view, Style style) {
    const Counters *global = &view->global;
    if (!global->sectors) {
        table_skip(table, 3);
        return;
    }
    table_cell(table, style, words_ratio(report->arena, global->sectors, global->requests));
    table_cell(table, STYLE_PLAIN,
               words_ratio(report->arena, global->sectors_ideal, global->requests));
    table_cell(table, style,
               words_percent(report->arena, counters_excess_sectors(global), global->sectors));
}

/* By the share of excess, as the severity of findings. */
static Style style_of(uint64_t excess, uint64_t total) {
    double share = total ? (double)excess / (double)total : 0;
    return share < 0.1 ? STYLE_PLAIN : share < 0.5 ? STYLE_WARM : STYLE_HOT;
}

static void add_launch(const Report *report, Table *table, const LaunchView *view, bool gpus,
                       Number number) {
    Arena *arena = report->arena;
    const LaunchRecord *record = view->record;
    table_row(table);
    table_cell(table, STYLE_PLAIN, arena_printf(arena, "%s%u", mark_of(view), view->number));
    table_cell(table, STYLE_PLAIN, text_kernel(report, view->kernel, true));
    table_cell(table, STYLE_PLAIN, text_shape(arena, record->grid));
    table_cell(table, STYLE_PLAIN, text_shape(arena, record->block));
    table_cell(table, STYLE_PLAIN, gpus ? record->gpu : NULL);
    shared_cells(report, table, view,
                 style_of(counters_excess_wavefronts(&view->shared), view->shared.wavefronts),
                 number);
    global_cells(report, table, view,
                 style_of(counters_excess_sectors(&view->global), view->global.sectors));
    table_cell(table, STYLE_PLAIN,
               view->finding_count ? arena_printf(arena, "%u", view->finding_count) : "-");
    table_cell(table, STYLE_PLAIN, extrapolated(report, view, record->thread_insts, text_short));
}

static void print_notes(const Report *report) {
    bool seen[4] = {false}, unmeasured = false;
    for (uint32_t i = 0; i < report->views.count; i++) {
        const LaunchView *view = &report->views.at[i];
        seen[view->record->status] = true;
        unmeasured |= !view->record->gpu_measured;
        if (view->scale != 1)
            text_wrap(report, 2, STYLE_DIM,
                      arena_printf(report->arena,
                                   "%s%u: %s of %s blocks ran; ~ marks totals extrapolated to all "
                                   "blocks (x %.1f)",
                                   mark_of(view), view->number,
                                   words_count(report->arena, view->record->blocks_run),
                                   words_count(report->arena, view->record->blocks), view->scale));
    }
    if (seen[LAUNCH_SAMPLED])
        text_wrap(report, 2, STYLE_DIM, "s: sampled, only some blocks were asked for");
    if (seen[LAUNCH_INTERRUPTED])
        text_wrap(report, 2, STYLE_DIM, "i: interrupted");
    if (seen[LAUNCH_FAULT])
        text_wrap(report, 2, STYLE_DIM,
                  "!: ended by a fault; the counts are of what ran before it");
    if (unmeasured)
        text_wrap(report, 2, STYLE_DIM,
                  "The counting rules were measured on an H100; other GPUs are assumed to follow "
                  "them.");
    text_wrap(
        report, 2, STYLE_DIM,
        "N-way: wavefronts / ideal. excess: share of what was counted beyond its ideal. /req: "
        "32-byte sectors per request. find: findings. insts: thread instructions.");
}

static Table *fill(const Report *report, Number number) {
    Table *table = table_new(report->arena, columns, sizeof columns / sizeof *columns);
    bool gpus = several_gpus(report);
    for (uint32_t i = 0; i < report->views.count; i++)
        add_launch(report, table, &report->views.at[i], gpus, number);
    return table;
}

void page_summary(const Report *report) {
    const Profile *profile = report->profile;
    if (profile->command && !report->options->brief)
        text_wrap(report, 0, STYLE_DIM, profile->command);
    const char *gpu = report->views.count && !several_gpus(report)
                          ? arena_printf(report->arena, ", GPU %s", report->views.at[0].record->gpu)
                          : "";
    text_title(report, "Summary: %u of %u launch%s%s", report->views.count, profile->launches.count,
               profile->launches.count == 1 ? "" : "es", gpu);
    if (!report->views.count)
        return;
    Table *table = fill(report, words_count);
    if (!report->options->exact && table_cramped(table, report->options->width, KERNEL_LEAST))
        table = fill(report, text_short);
    table_print(table, report, 0);
    print_notes(report);
}

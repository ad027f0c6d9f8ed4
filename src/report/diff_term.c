/* A comparison for the terminal: a row for each launch, then for each that has changed every counter and
 * the lines whose counters have changed, the largest change first. Of many launches those that have
 * changed most are shown. */
#include "report/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { LINES_SHOWN = 20 };

/* ---- numbers ---- */

static const char *number(const Diff *diff, uint64_t value) {
    return words_count(diff->report.arena, value);
}

/* "-83 %", "+2 %"; "=" without a change, "new" from nothing. */
static const char *change_words(const Diff *diff, uint64_t before, uint64_t after) {
    if (before == after)
        return "=";
    if (!before)
        return "new";
    double percent = 100.0 * ((double)after - (double)before) / (double)before;
    if (fabs(percent) < 1)
        return percent < 0 ? "> -1 %" : "< +1 %";
    return arena_printf(diff->report.arena, "%+.0f %%", percent);
}

static const char *signed_count(const Diff *diff, uint64_t before, uint64_t after) {
    if (before == after)
        return "=";
    uint64_t size = before > after ? before - after : after - before;
    return arena_printf(diff->report.arena, "%c%s", before > after ? '-' : '+', number(diff, size));
}

/* Hot where more is spent, plain else. */
static Style style_of(uint64_t before, uint64_t after) {
    return after > before ? STYLE_HOT : STYLE_PLAIN;
}

static uint64_t whole(const DiffSide *side, uint64_t counted) {
    return view_whole((double)counted * side->scale + 0.5);
}

/* ---- which launches ---- */

typedef struct Shown {
    const DiffView **at;
    uint32_t count;
    uint32_t changed, unchanged; /* those that are left out */
} Shown;

static double distance(uint64_t before, uint64_t after) {
    return fabs((double)before - (double)after);
}

static double view_weight(const DiffView *view) {
    const DiffSide *before = &view->before, *after = &view->after;
    return distance(whole(before, before->shared.wavefronts),
                    whole(after, after->shared.wavefronts)) +
           distance(whole(before, before->global.sectors), whole(after, after->global.sectors));
}

/* The largest change first. */
static int by_view_weight(const void *left, const void *right) {
    const DiffView *const *a = left, *const *b = right;
    double first = view_weight(*a), second = view_weight(*b);
    if (first != second)
        return first > second ? -1 : 1;
    return *a < *b ? -1 : *a > *b; /* as they were */
}

static bool view_changed(const DiffView *view) {
    return !view->before.record || !view->after.record ||
           counters_differ(&view->before.all, &view->after.all);
}

static Shown choose(const Diff *diff) {
    Shown shown = {.at = NEW_ARRAY(diff->report.arena, const DiffView *, diff->views.count)};
    bool all = diff->views.count <= LAUNCHES_MOST;
    for (uint32_t i = 0; i < diff->views.count; i++) {
        const DiffView *view = &diff->views.at[i];
        if (all || view_changed(view))
            shown.at[shown.count++] = view;
        else
            shown.unchanged++;
    }
    if (shown.count > LAUNCHES_MOST) {
        qsort(shown.at, shown.count, sizeof *shown.at, by_view_weight);
        shown.changed = shown.count - LAUNCHES_MOST;
        shown.count = LAUNCHES_MOST;
    }
    return shown;
}

/* ---- the table of launches ---- */

static void cost_cells(const Diff *diff, Table *table, uint64_t before, uint64_t after) {
    if (!before && !after) {
        table_skip(table, 3);
        return;
    }
    table_cell(table, STYLE_PLAIN, number(diff, before));
    table_cell(table, STYLE_PLAIN, number(diff, after));
    table_cell(table, style_of(before, after), change_words(diff, before, after));
}

static const char *launch_number(const Diff *diff, const DiffSide *side, uint32_t number) {
    return side->record
               ? arena_printf(diff->report.arena, "%s%u", status_mark(side->record->status), number)
               : "-";
}

static void launch_row(const Diff *diff, Table *table, const DiffView *view) {
    Arena *arena = diff->report.arena;
    const DiffSide *before = &view->before, *after = &view->after;
    table_row(table);
    table_cell(table, STYLE_PLAIN, launch_number(diff, before, view->change->before));
    table_cell(table, STYLE_PLAIN, launch_number(diff, after, view->change->after));
    table_cell(table, STYLE_PLAIN, diff_name(diff, view));
    if (before->shared.wavefronts || after->shared.wavefronts) {
        table_cell(table, STYLE_PLAIN,
                   words_ratio(arena, before->shared.wavefronts, before->shared.wavefronts_ideal));
        table_cell(table, STYLE_PLAIN,
                   words_ratio(arena, after->shared.wavefronts, after->shared.wavefronts_ideal));
    } else {
        table_skip(table, 2);
    }
    cost_cells(diff, table, whole(before, before->shared.wavefronts),
               whole(after, after->shared.wavefronts));
    cost_cells(diff, table, whole(before, before->global.sectors),
               whole(after, after->global.sectors));
}

static void print_left_out(const Diff *diff, const Shown *shown) {
    Arena *arena = diff->report.arena;
    if (shown->changed)
        text_wrap(&diff->report, 2, STYLE_DIM,
                  arena_printf(arena,
                               "and %s launches more that have changed less (--kernel NAME, or "
                               "--format html or json)",
                               words_count(arena, shown->changed)));
    if (shown->unchanged)
        text_wrap(&diff->report, 2, STYLE_DIM,
                  arena_printf(arena, "%s%s launches without a change", shown->count ? "and " : "",
                               words_count(arena, shown->unchanged)));
}

static void print_launches(const Diff *diff, const Shown *shown) {
    static const char numbers[] = "launch", n_way[] = "N-way", shared[] = "shared wavefronts",
                      global[] = "global sectors";
    static const Column columns[] = {
        {.group = numbers, .head = "was", .left = true},
        {.group = numbers, .head = "is", .left = true, .close = true},
        {.head = "kernel", .left = true, .flexible = true},
        {.group = n_way, .head = "was", .optional = true},
        {.group = n_way, .head = "is", .optional = true, .close = true},
        {.group = shared, .head = "was", .optional = true},
        {.group = shared, .head = "is", .optional = true, .close = true},
        {.group = shared, .head = "change", .optional = true, .close = true},
        {.group = global, .head = "was", .optional = true},
        {.group = global, .head = "is", .optional = true, .close = true},
        {.group = global, .head = "change", .optional = true, .close = true},
    };
    Table *table = table_new(diff->report.arena, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < shown->count; i++)
        launch_row(diff, table, shown->at[i]);
    if (shown->count)
        table_print(table, &diff->report, 0);
    print_left_out(diff, shown);
}

/* ---- a launch ---- */

static void print_counters(const Diff *diff, const DiffView *view) {
    static const Column columns[] = {
        {.head = "counter", .left = true},
        {.head = "was"},
        {.head = "is"},
        {.head = "change"},
    };
    Table *table = table_new(diff->report.arena, columns, sizeof columns / sizeof *columns);
    for (int id = 0; id < COUNTER_COUNT; id++) {
        uint64_t before = view->before.all.at[id];
        uint64_t after = view->after.all.at[id];
        if (!before && !after)
            continue;
        table_row(table);
        table_cell(table, STYLE_PLAIN, counter_info((CounterId)id)->name);
        cost_cells(diff, table, before, after);
    }
    table_print(table, &diff->report, 2);
}

static double weight(const LineChange *change) {
    Counters before = line_counters(change->before), after = line_counters(change->after);
    return fabs((double)after.wavefronts - (double)before.wavefronts) +
           fabs((double)after.sectors - (double)before.sectors);
}

static int by_weight(const void *left, const void *right) {
    const LineChange *const *a = left, *const *b = right;
    double first = weight(*a), second = weight(*b);
    if (first != second)
        return first > second ? -1 : 1;
    return *a < *b ? -1 : *a > *b; /* as they were */
}

typedef struct ChangedLines {
    VEC(const LineChange *) lines;
} ChangedLines;

static ChangedLines changed_lines(const Diff *diff, const DiffView *view) {
    ChangedLines changed = {0};
    uint32_t count;
    const LineChange *changes =
        diff_lines(diff->report.arena, &diff->changes, view->change, &count);
    for (uint32_t i = 0; i < count; i++) {
        const LineChange *change = &changes[i];
        Counters before = line_counters(change->before), after = line_counters(change->after);
        if (counters_differ(&before, &after))
            *vec_add(diff->report.arena, &changed.lines) = change;
    }
    if (changed.lines.count)
        qsort(changed.lines.at, changed.lines.count, sizeof *changed.lines.at, by_weight);
    return changed;
}

static const char *line_number(const Diff *diff, const LineCounts *line) {
    return line ? arena_printf(diff->report.arena, "%" PRIu32, line->line) : "-";
}

static void line_row(const Diff *diff, Table *table, const DiffView *view,
                     const LineChange *change) {
    Arena *arena = diff->report.arena;
    Counters before = line_counters(change->before), after = line_counters(change->after);
    bool shared = before.wavefronts || after.wavefronts, sectors = before.sectors || after.sectors;
    table_row(table);
    table_cell(table, STYLE_PLAIN,
               shared ? words_ratio(arena, before.wavefronts, before.wavefronts_ideal) : NULL);
    table_cell(table, STYLE_PLAIN,
               shared ? words_ratio(arena, after.wavefronts, after.wavefronts_ideal) : NULL);
    table_cell(table, style_of(before.wavefronts, after.wavefronts),
               shared ? signed_count(diff, before.wavefronts, after.wavefronts) : NULL);
    table_cell(table, style_of(before.sectors, after.sectors),
               sectors ? signed_count(diff, before.sectors, after.sectors) : NULL);
    table_cell(table, style_of(before.requests, after.requests),
               signed_count(diff, before.requests, after.requests));
    table_cell(table, STYLE_PLAIN, line_number(diff, change->before));
    table_cell(table, STYLE_PLAIN, line_number(diff, change->after));
    table_cell(table, STYLE_PLAIN, diff_text(diff, view, change));
    table_wrap(table);
}

static void print_lines(const Diff *diff, const DiffView *view, const ChangedLines *changed) {
    static const char n_way[] = "N-way", line[] = "line";
    static const Column columns[] = {
        {.group = n_way, .head = "was", .optional = true},
        {.group = n_way, .head = "is", .optional = true, .close = true},
        {.head = "wavefronts", .optional = true},
        {.head = "sectors", .optional = true},
        {.head = "requests"},
        {.group = line, .head = "was"},
        {.group = line, .head = "is", .close = true},
        {.head = "source", .left = true, .flexible = true, .close = true},
    };
    uint32_t count = changed->lines.count, shown = count < LINES_SHOWN ? count : LINES_SHOWN;
    Table *table = table_new(diff->report.arena, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < shown; i++)
        line_row(diff, table, view, changed->lines.at[i]);
    fputc('\n', diff->report.out);
    table_print(table, &diff->report, 2);
    if (count > shown)
        text_wrap(&diff->report, 2, STYLE_DIM,
                  arena_printf(diff->report.arena, "and %u lines more (--format json has all)",
                               count - shown));
}

/* Whether anything has changed. */
static bool print_launch(const Diff *diff, const DiffView *view) {
    const DiffSide *before = &view->before, *after = &view->after;
    ChangedLines changed = changed_lines(diff, view);
    if (!changed.lines.count && !counters_differ(&before->all, &after->all))
        return false;
    text_title(&diff->report, "%s%s", diff_name(diff, view),
               !before->record  ? " (new)"
               : !after->record ? " (gone)"
                                : "");
    print_counters(diff, view);
    if (before->record && after->record && changed.lines.count)
        print_lines(diff, view, &changed);
    return true;
}

static void print_commands(const Diff *diff) {
    const char *before = diff->before->command, *after = diff->after->command;
    if (before)
        text_wrap(&diff->report, 0, STYLE_DIM, arena_printf(diff->report.arena, "was: %s", before));
    if (after)
        text_wrap(&diff->report, 0, STYLE_DIM, arena_printf(diff->report.arena, "is:  %s", after));
    if (before || after)
        fputc('\n', diff->report.out);
}

/* Launches of which only a part ran are no measure of each other. */
static void print_unfinished(const Diff *diff) {
    bool seen[LAUNCH_FAULT + 1] = {false};
    for (uint32_t i = 0; i < diff->views.count; i++) {
        const DiffView *view = &diff->views.at[i];
        if (view->before.record)
            seen[view->before.record->status] = true;
        if (view->after.record)
            seen[view->after.record->status] = true;
    }
    if (seen[LAUNCH_FAULT])
        text_wrap(&diff->report, 0, STYLE_HOT,
                  "!: the launch ended with a fault; its counts are of what ran before it");
    if (seen[LAUNCH_INTERRUPTED])
        text_wrap(&diff->report, 0, STYLE_WARM, "i: the launch was interrupted");
}

static void print_other_code(const Diff *diff) {
    uint32_t count = diff_other_code(&diff->changes);
    if (count)
        text_wrap(&diff->report, 0, STYLE_WARM,
                  arena_printf(diff->report.arena,
                               "%u launch%s executed as machine code in one profile and as PTX in "
                               "the other: what has changed there may be how it was counted "
                               "(--machine-code says how).\n",
                               count, count == 1 ? " was" : "es were"));
}

static bool is_sampled(const DiffSide *side) {
    return side->record && side->record->blocks_counted;
}

void diff_term(const Diff *diff) {
    bool any = false, extrapolated = false, sampled = false;
    print_unfinished(diff);
    print_commands(diff);
    print_other_code(diff);
    const Shown shown = choose(diff);
    print_launches(diff, &shown);
    for (uint32_t i = 0; i < shown.count; i++) {
        const DiffView *view = shown.at[i];
        any |= print_launch(diff, view);
        extrapolated |= view->before.scale != 1 || view->after.scale != 1;
        sampled |= is_sampled(&view->before) || is_sampled(&view->after);
    }
    if (!any)
        text_wrap(&diff->report, 0, STYLE_PLAIN, "\nNo counter has changed.");
    if (extrapolated)
        text_wrap(&diff->report, 0, STYLE_DIM,
                  "\nThe table of launches is extrapolated to all blocks; what follows it is of "
                  "the blocks that ran.");
    if (sampled)
        text_wrap(&diff->report, 0, STYLE_DIM,
                  "\nCounted with --sample: counters are within 1 %, and so is what has changed.");
}

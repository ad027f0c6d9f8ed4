/* Of the details of a launch: what `--time` estimates of its duration, and what mending each line would save. All of it
 * bears a "~". */
#include "report/page.h"

#include <stdlib.h>

enum { LINES_MOST = 12 };

static const char *about(Arena *arena, double us) {
    return arena_printf(arena, "~%s", words_duration(arena, us / 1e6));
}

/* "~12.3 us (8.61 us to 17.5 us)" */
static const char *words_interval(Arena *arena, const LaunchRecord *record) {
    return arena_printf(arena, "%s (%s to %s)", about(arena, record->time_us),
                        words_duration(arena, record->time_least_us / 1e6),
                        words_duration(arena, record->time_most_us / 1e6));
}

static int by_saving(const void *a, const void *b) {
    double x = ((const SiteTime *)a)->mended_us, y = ((const SiteTime *)b)->mended_us;
    return (x > y) - (x < y);
}

static void print_savings(const Report *report, const LaunchView *view) {
    static const Column columns[] = {
        {.head = "mended", .left = true, .flexible = true},
        {.head = "saves"},
        {.head = "then"},
    };
    const LaunchRecord *record = view->record;
    Arena *arena = report->arena;
    uint32_t count = record->site_times.count;
    SiteTime *rows = NEW_ARRAY(arena, SiteTime, count + 1);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = record->site_times.at[i];
    qsort(rows, count, sizeof *rows, by_saving);
    Table *table = table_new(arena, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < count && i < LINES_MOST; i++) {
        double saved = record->time_us - rows[i].mended_us;
        table_row(table);
        const Site *site = &report->profile->sites.at[rows[i].site];
        SitePlace place = site_place(report->profile, site);
        table_cell(
            table, STYLE_PLAIN,
            arena_printf(arena, "%s, %s", words_place(report, &place), site_words(arena, site)));
        table_cell(table, STYLE_PLAIN, about(arena, saved > 0 ? saved : 0));
        table_cell(table, STYLE_PLAIN, about(arena, rows[i].mended_us));
    }
    if (count > 1) {
        table_row(table);
        table_cell(table, STYLE_PLAIN, "all of them");
        table_cell(table, STYLE_PLAIN, about(arena, record_saves_us(record)));
        table_cell(table, STYLE_PLAIN, about(arena, record->mended_us));
    }
    table_print(table, report, 2);
}

void print_time(const Report *report, const LaunchView *view) {
    const LaunchRecord *record = view->record;
    Arena *arena = report->arena;
    if (record->time_because) {
        text_title(report, "Time");
        text_wrap(report, 2, STYLE_WARM,
                  arena_printf(arena, "Not estimated: %s.", record->time_because));
    }
    if (record->time_us <= 0)
        return;
    text_title(report, "Time, as modelled");
    text_wrap(report, 2, STYLE_PLAIN,
              arena_printf(
                  arena, "%s at %.0f MHz, ~%s cycles. Decided by: %s (busy ~%.0f %% of the time).",
                  words_interval(arena, record), record->time_clock_mhz,
                  words_count(arena, view_whole(record->time_us * record->time_clock_mhz)),
                  record->time_limit, 100 * record->time_busy));
    if (record->site_times.count)
        print_savings(report, view);
    if (!record->time_calibrated)
        text_wrap(
            report, 2, STYLE_WARM,
            arena_printf(arena,
                         "The model was calibrated on H100 and H200, not on this GPU (%s): its own "
                         "clock, SMs, lanes and "
                         "bandwidths in an H200's place.",
                         record->gpu));
    text_wrap(
        report, 2, STYLE_DIM,
        "~: an estimate, of a launch that finds empty caches; nine of ten measured launches took "
        "a time within the interval. docs/time.md says how far it is off.");
}

/* Of the details of a launch: what `--caches` estimates of its hits in L1 and in L2, and of what passes between L2 and
 * DRAM. All of it bears a "~". */
#include "report/page.h"

#include <string.h>

enum { LINES_MOST = 12, KIB = 1024 };

static const char *about(Arena *arena, uint64_t value) {
    return arena_printf(arena, "~%s", words_count(arena, value));
}

/* "~66.7 %" */
const char *words_rate(Arena *arena, uint64_t hits, uint64_t of) {
    return of ? arena_printf(arena, "~%.1f %%", 100.0 * (double)hits / (double)of) : "-";
}

static const char *megabytes(Arena *arena, uint64_t sectors) {
    return arena_printf(arena, "~%.2f MB", (double)sectors * SECTOR_BYTES / 1e6);
}

static void print_sums(const Report *report, const LaunchView *view) {
    static const Column columns[] = {
        {.head = "level", .left = true},
        {.head = "sectors"},
        {.head = "hits"},
        {.head = "rate"},
        {.head = "what is asked", .left = true, .flexible = true},
    };
    Arena *arena = report->arena;
    CacheCount sum = launch_caches(report->profile, view->number);
    struct {
        const char *level, *what;
        uint64_t sectors, hits;
        bool counted;
    } rows[] = {
        {"L1 loads", "a hit may still be on its way", sum.l1_loads, sum.l1_load_hits, true},
        {"L1 stores, atomics", "a hit: the line is there; all go on to L2", sum.l1_others,
         sum.l1_other_hits, true},
        {"L1", "l1tex__t_sectors", sum.l1_loads + sum.l1_others,
         sum.l1_load_hits + sum.l1_other_hits, true},
        {"L2", "lts__t_sectors_srcunit_tex", sum.l2_sectors, sum.l2_hits, false},
    };
    Table *table = table_new(arena, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        table_row(table);
        table_cell(table, STYLE_PLAIN, rows[i].level);
        table_cell(table, STYLE_PLAIN,
                   rows[i].counted ? words_count(arena, rows[i].sectors)
                                   : about(arena, rows[i].sectors));
        table_cell(table, STYLE_PLAIN, about(arena, rows[i].hits));
        table_cell(table, STYLE_PLAIN, words_rate(arena, rows[i].hits, rows[i].sectors));
        table_cell(table, STYLE_DIM, rows[i].what);
    }
    table_print(table, report, 2);
    text_wrap(report, 2, STYLE_PLAIN,
              arena_printf(arena, "DRAM: %s read, %s written. L1: %u KiB of an SM.",
                           megabytes(arena, view->record->dram_read),
                           megabytes(arena, view->record->dram_written),
                           view->record->l1_bytes / KIB));
}

const char *words_place(const Report *report, const SitePlace *place) {
    const Profile *profile = report->profile;
    if (place->file == NONE)
        return arena_printf(report->arena, "PTX:%u", place->line);
    const char *path = profile->files.at[place->file].path, *slash = strrchr(path, '/');
    return arena_printf(report->arena, "%s:%u", slash ? slash + 1 : path, place->line);
}

static void print_lines(const Report *report, const LaunchView *view) {
    static const char l1[] = "L1", l2[] = "L2";
    static const Column columns[] = {
        {.head = "line", .left = true, .flexible = true},
        {.group = l1, .head = "sectors"},
        {.group = l1, .head = "hits"},
        {.group = l2, .head = "sectors"},
        {.group = l2, .head = "hits"},
        {.head = "from DRAM"},
    };
    Arena *arena = report->arena;
    uint32_t count;
    const LineCaches *lines = launch_line_caches(arena, report->profile, view->number, &count);
    Table *table = table_new(arena, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < count && i < LINES_MOST; i++) {
        const CacheCount *sum = &lines[i].sum;
        table_row(table);
        table_cell(table, STYLE_PLAIN, words_place(report, &lines[i].place));
        table_cell(table, STYLE_PLAIN, words_count(arena, sum->l1_loads + sum->l1_others));
        table_cell(table, STYLE_PLAIN,
                   words_rate(arena, sum->l1_load_hits + sum->l1_other_hits,
                              sum->l1_loads + sum->l1_others));
        table_cell(table, STYLE_PLAIN, about(arena, sum->l2_sectors));
        table_cell(table, STYLE_PLAIN, words_rate(arena, sum->l2_hits, sum->l2_sectors));
        table_cell(table, STYLE_PLAIN, megabytes(arena, sum->dram_reads));
    }
    table_print(table, report, 2);
    if (count > LINES_MOST)
        text_wrap(report, 2, STYLE_DIM,
                  arena_printf(arena, "and %u lines that ask for less", count - LINES_MOST));
}

void print_caches(const Report *report, const LaunchView *view) {
    const LaunchRecord *record = view->record;
    if (record->caches_because) {
        text_title(report, "Caches");
        text_wrap(report, 2, STYLE_WARM,
                  arena_printf(report->arena, "Not modelled: %s.", record->caches_because));
    }
    if (!record->l1_bytes)
        return;
    text_title(report, "Caches, as modelled");
    print_sums(report, view);
    if (record->cache_counts.count)
        print_lines(report, view);
    text_wrap(report, 2, STYLE_DIM,
              "~: an estimate, for caches that are empty when the launch begins, as Nsight Compute "
              "measures them. docs/caches.md says how far it is off.");
}

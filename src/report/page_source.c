/* The source page: each line beside what its memory instructions cost. Lines without memory traffic
 * fold away; a line that calls an inlined function has the callee's counts too. */
#include "report/source.h"

#include <string.h>

enum { CONTEXT_LINES = 2, SOURCE_LEAST = 44 };

static const char wavefronts_group[] = "wavefronts", sectors_group[] = "sectors";

static const Column columns[] = {
    {.head = "reqs"},
    {.group = wavefronts_group, .head = "count", .optional = true},
    {.group = wavefronts_group, .head = "excess", .optional = true, .close = true},
    {.group = wavefronts_group, .head = "N-way", .optional = true, .close = true},
    {.group = sectors_group, .head = "count", .optional = true},
    {.group = sectors_group, .head = "/req", .optional = true, .close = true},
    {.group = sectors_group, .head = "excess", .optional = true, .close = true},
    {.head = "access", .left = true},
    {.head = "", .left = true, .optional = true, .close = true},
    {.head = "line", .close = true},
    {.head = "source", .left = true, .flexible = true, .close = true},
};

enum { COUNTER_COLUMNS = 7, COLUMNS = sizeof columns / sizeof *columns };

/* A table is filled as for a wide page; where that leaves too little room for the source, again with
 * accesses as codes, then with rounded numbers as well. */
static void start_table(SourcePage *page, Fit fit) {
    page->fit = fit;
    page->tightest = fit > page->tightest ? fit : page->tightest;
    page->number = fit == FIT_ROUNDED ? text_short : words_count;
    page->table = table_new(page->report->arena, columns, COLUMNS);
}

static bool fits(const SourcePage *page) {
    const ReportOptions *options = page->report->options;
    return page->fit == (options->exact ? FIT_CODES : FIT_ROUNDED) ||
           !table_cramped(page->table, options->width, SOURCE_LEAST);
}

static const char *site_access(const SourcePage *page, const Site *site) {
    return page->fit == FIT_WORDS ? site_words(page->report->arena, site)
                                  : site_code(page->report->arena, site);
}

/* ---- rows ---- */

/* A line into which everything was inlined would always be hot: it is not marked. */
static Style heat(const SourcePage *page, const LineView *line) {
    const Counters *all = &page->view->all, *sum = &line->counts->total;
    uint64_t wavefronts = counters_excess_wavefronts(sum), sectors = counters_excess_sectors(sum);
    if (!line->counts->own.requests && sum->requests == all->requests)
        return STYLE_PLAIN;
    bool hot = wavefronts * 10 >= counters_excess_wavefronts(all) &&
               wavefronts * 100 >= all->wavefronts && wavefronts;
    hot |= sectors * 10 >= counters_excess_sectors(all) && sectors * 100 >= all->sectors && sectors;
    return hot ? STYLE_HOT : STYLE_PLAIN;
}

static void counter_cells(const SourcePage *page, const Counters *counters,
                          uint64_t sector_requests, Style style) {
    Arena *arena = page->report->arena;
    Table *table = page->table;
    if (!counters->requests) {
        table_skip(table, COUNTER_COLUMNS);
        return;
    }
    table_cell(table, STYLE_PLAIN, page->number(arena, counters->requests));
    if (counters->wavefronts) {
        table_cell(table, STYLE_PLAIN, page->number(arena, counters->wavefronts));
        table_cell(table, style, page->number(arena, counters_excess_wavefronts(counters)));
        table_cell(table, style,
                   words_ratio(arena, counters->wavefronts, counters->wavefronts_ideal));
    } else {
        table_skip(table, 3);
    }
    if (counters->sectors) {
        table_cell(table, STYLE_PLAIN, page->number(arena, counters->sectors));
        table_cell(table, style, words_ratio(arena, counters->sectors, sector_requests));
        table_cell(table, style, page->number(arena, counters_excess_sectors(counters)));
    } else {
        table_skip(table, 3);
    }
}

static void sub_row(const SourcePage *page, const Counters *counters, uint64_t sector_requests,
                    const char *access, const char *text) {
    table_row(page->table);
    counter_cells(page, counters, sector_requests, STYLE_PLAIN);
    table_cell(page->table, STYLE_DIM, access);
    table_skip(page->table, 2);
    table_cell(page->table, STYLE_DIM, text);
    table_wrap(page->table);
}

/* A line's memory instructions by kind: those of the same space, operation and size are one. */
typedef struct Kind {
    const char *words;
    uint32_t sites;
    Counters sum;
    uint64_t sector_requests;
} Kind;

static uint32_t kinds_of(const SourcePage *page, const LineView *line, Kind *kinds) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < line->sites.count; i++) {
        const Site *site = &page->report->profile->sites.at[line->sites.at[i]];
        const Counters *counters = source_counters(page, line->sites.at[i]);
        const char *words = site_access(page, site);
        uint32_t at = 0;
        while (at < count && strcmp(kinds[at].words, words) != 0)
            at++;
        if (at == count)
            kinds[count++] = (Kind){.words = words};
        kinds[at].sites++;
        counters_add(&kinds[at].sum, counters);
        kinds[at].sector_requests += counters->sectors ? counters->requests : 0;
    }
    return count;
}

static void kind_rows(const SourcePage *page, const Kind *kinds, uint32_t count) {
    Arena *arena = page->report->arena;
    for (uint32_t i = 0; i < count; i++)
        sub_row(page, &kinds[i].sum, kinds[i].sector_requests, kinds[i].words,
                kinds[i].sites == 1 ? ""
                                    : arena_printf(arena, "  %u instructions", kinds[i].sites));
}

static void ptx_rows(const SourcePage *page, const LineView *line) {
    Arena *arena = page->report->arena;
    for (uint32_t i = 0; i < page->ptx_count; i++) {
        const PtxLine *ptx = &page->ptx[i];
        if (ptx->file != line->counts->file || ptx->line != line->counts->line)
            continue;
        const Counters none = {0};
        const Counters *counters = ptx->site == NONE ? &none : source_counters(page, ptx->site);
        const char *access =
            ptx->site == NONE ? "" : site_access(page, &page->report->profile->sites.at[ptx->site]);
        sub_row(page, counters, counters->requests, access,
                page->view->kernel->machine_code && ptx->site != NONE
                    ? arena_printf(arena, "    %s", ptx->text)
                    : arena_printf(arena, "  %u: %s", ptx->ptx_line, ptx->text));
    }
}

static const char *marks(const SourcePage *page, const LineView *line, Style style) {
    bool differs = source_sass(page, line->counts->file, line->counts->line) != NULL;
    if (style == STYLE_HOT)
        return differs ? ">*" : ">";
    return differs ? "*" : "";
}

static void line_row(const SourcePage *page, const LineView *line, const char *place,
                     const char *text) {
    Style style = heat(page, line);
    Kind *kinds = NEW_ARRAY(page->report->arena, Kind, line->sites.count);
    uint32_t count = kinds_of(page, line, kinds);
    bool ptx = page->report->options->ptx && line->counts->file != NONE;
    table_row(page->table);
    counter_cells(page, &line->counts->total, line->sector_requests, style);
    table_cell(page->table, STYLE_PLAIN,
               count == 1     ? kinds[0].words
               : line->direct ? ""
                              : "inlined");
    table_cell(page->table, style, marks(page, line, style));
    table_cell(page->table, STYLE_PLAIN, place);
    table_cell(page->table, style, text);
    table_wrap(page->table);
    if (count > 1 && !ptx && line->direct)
        kind_rows(page, kinds, count);
    if (page->report->options->inlined)
        source_inlined(page, line, sub_row);
    if (ptx)
        ptx_rows(page, line);
}

/* ---- a file, in order ---- */

static void plain_rows(const SourcePage *page, uint32_t from, uint32_t to, Lines text) {
    Arena *arena = page->report->arena;
    for (uint32_t number = from; number < to; number++) {
        table_row(page->table);
        table_skip(page->table, COUNTER_COLUMNS + 2);
        table_cell(page->table, STYLE_DIM, arena_printf(arena, "%u", number));
        table_cell(page->table, STYLE_DIM, text.at[number - 1]);
        if (page->declared[number - 1])
            table_wrap(page->table);
    }
}

static void fold_row(const SourcePage *page, uint32_t lines) {
    table_row(page->table);
    table_skip(page->table, COUNTER_COLUMNS + 3);
    table_cell(page->table, STYLE_DIM,
               arena_printf(page->report->arena, "… %u line%s …", lines, lines == 1 ? "" : "s"));
}

/* The lines between two that have traffic (or an end of the file): context, declarations, and the rest
 * folded. */
static void gap_rows(const SourcePage *page, uint32_t from, uint32_t to, Lines text, bool first,
                     bool last) {
    uint32_t head = first ? 0 : CONTEXT_LINES, tail = last ? 0 : CONTEXT_LINES, hidden = 0;
    to = to <= text.count ? to : text.count + 1;
    for (uint32_t number = from; number < to; number++) {
        if (number >= from + head && number + tail < to && !page->declared[number - 1]) {
            hidden++;
            continue;
        }
        bool begins = first && hidden == number - from;
        if (hidden == 1 && !begins)
            plain_rows(page, number - 1, number, text);
        else if (hidden && !begins)
            fold_row(page, hidden);
        hidden = 0;
        plain_rows(page, number, number + 1, text);
    }
}

/* The text without the indentation that all its lines with traffic have. */
static Lines outdent(Arena *arena, Lines text, const LineView *lines, uint32_t count) {
    size_t common = SIZE_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = lines[i].counts->line;
        size_t own = number && number <= text.count ? strspn(text.at[number - 1], " ") : common;
        common = own < common ? own : common;
    }
    Lines moved = {NEW_ARRAY(arena, const char *, text.count), text.count};
    for (uint32_t i = 0; i < text.count; i++) {
        size_t own = strspn(text.at[i], " ");
        moved.at[i] = text.at[i] + (own < common ? own : common);
    }
    return moved;
}

static void file_rows(const SourcePage *page, const LineView *lines, uint32_t count, Lines text) {
    Arena *arena = page->report->arena;
    uint32_t next = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = lines[i].counts->line;
        gap_rows(page, next, number, text, i == 0, false);
        line_row(page, &lines[i], arena_printf(arena, "%u", number),
                 number && number <= text.count ? text.at[number - 1] : NULL);
        next = number + 1;
    }
    gap_rows(page, next, text.count + 1, text, false, true);
}

static void print_file_title(const SourcePage *page, uint32_t file, const char *text) {
    const Report *report = page->report;
    const ProfModule *module = &report->profile->modules.at[page->view->kernel->module];
    if (file != NONE) {
        text_title(report, "%s%s", report->profile->files.at[file].path,
                   text ? "" : " (the source was not there: line numbers alone)");
        return;
    }
    const char *origin = text_origin(report, page->view->kernel);
    text_title(report, "%s (%s)", module->name ? module->name : origin, origin);
    text_wrap(report, 2, STYLE_WARM,
              module->has_lines
                  ? "These instructions have no source line."
                  : arena_printf(report->arena,
                                 "The %s has no line information: build it with nvcc -lineinfo to "
                                 "see the source.",
                                 origin));
}

static void print_file(SourcePage *page, const LineView *lines, uint32_t count) {
    const Report *report = page->report;
    uint32_t file = lines[0].counts->file;
    const char *text = file == NONE ? report->profile->modules.at[page->view->kernel->module].text
                                    : report->profile->files.at[file].text;
    Lines split = outdent(report->arena, text_split(report->arena, text), lines, count);
    page->declared = kernel_declarations(report->arena, report->profile, page->view->kernel,
                                         report->options->line ? NONE : file, split);
    print_file_title(page, file, text);
    Fit fit = FIT_WORDS;
    do {
        start_table(page, fit++);
        file_rows(page, lines, count, split);
    } while (!fits(page));
    table_print(page->table, report, 0);
}

/* ---- all lines, sorted ---- */

static const char *line_sort(const Report *report) {
    return launch_sort_key(report->options->sort) ? "worst" : report->options->sort;
}

static void sort_lines(const SourcePage *page, LineView *lines, uint32_t count) {
    const char *key = line_sort(page->report);
    for (uint32_t i = 0; i < count; i++)
        sort_value(key, &lines[i].counts->total, &lines[i].key);
    for (uint32_t i = 1; i < count; i++) { /* stable */
        LineView line = lines[i];
        uint32_t at = i;
        for (; at > 0 && lines[at - 1].key < line.key; at--)
            lines[at] = lines[at - 1];
        lines[at] = line;
    }
}

static void sorted_rows(const SourcePage *page, const LineView *lines, uint32_t count) {
    const Report *report = page->report;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t file = lines[i].counts->file, number = lines[i].counts->line;
        const char *text = file == NONE
                               ? report->profile->modules.at[page->view->kernel->module].text
                               : report->profile->files.at[file].text;
        const char *source = text_line(report->arena, text, number);
        while (source && (*source == ' ' || *source == '\t'))
            source++;
        line_row(page, &lines[i],
                 arena_printf(report->arena, "%s:%u", text_file(report, file, page->view->kernel),
                              number),
                 source);
    }
}

static void print_sorted(SourcePage *page, LineView *lines, uint32_t count) {
    const Report *report = page->report;
    sort_lines(page, lines, count);
    if (report->options->top && report->options->top < count)
        count = report->options->top;
    text_title(report, "Lines by %s", line_sort(report));
    Fit fit = FIT_WORDS;
    do {
        start_table(page, fit++);
        sorted_rows(page, lines, count);
    } while (!fits(page));
    table_print(page->table, report, 0);
}

/* ---- one line ---- */

static void keep_chosen(const SourcePage *page, LineView *lines, uint32_t *count) {
    const Report *report = page->report;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (line_chosen(report->options, report->profile, lines[i].counts))
            lines[kept++] = lines[i];
    *count = kept;
}

/* How the lanes of each instruction lie, where it was recorded. */
static void print_patterns(const SourcePage *page, const LineView *lines, uint32_t count) {
    const Report *report = page->report;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < lines[i].sites.count; k++) {
            uint32_t site = lines[i].sites.at[k];
            const Site *of = &report->profile->sites.at[site];
            const char *words =
                words_pattern(report->arena, report->profile, page->view->number, site);
            if (words)
                text_wrap(report, 2, STYLE_PLAIN,
                          arena_printf(report->arena, "%s line %u, %s: %s.",
                                       text_origin(report, page->view->kernel), of->ptx_line,
                                       site_words(report->arena, of), words));
        }
    }
}

/* ---- the page ---- */

static bool lines_overlap(const LineView *lines, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].counts->own.requests != lines[i].counts->total.requests)
            return true;
    return false;
}

static void print_notes(const SourcePage *page, bool overlap) {
    const Report *report = page->report;
    text_wrap(report, 2, STYLE_DIM, "> marks lines with a tenth or more of the launch's excess.");
    if (overlap)
        text_wrap(report, 2, STYLE_DIM,
                  "A line that calls an inlined function has the callee's counts too (--inline "
                  "shows them apart): lines overlap.");
    if (page->tightest == FIT_ROUNDED)
        text_wrap(report, 2, STYLE_DIM,
                  "Numbers from 100,000 on are rounded to four digits; --exact, --page details and "
                  "--page raw have them all.");
    if (page->tightest >= FIT_CODES)
        text_wrap(
            report, 2, STYLE_DIM,
            "access: S shared, G global, L local, C constant, * generic memory; ld load, st "
            "store, at atomic, rd reduction, lm ldmatrix, sm stmatrix, cp cp.async; bytes per "
            "lane.");
    source_sass_notes(page);
    if (page->view->scale != 1)
        text_wrap(report, 2, STYLE_WARM,
                  arena_printf(report->arena, "Counts of %s of %s blocks.",
                               words_count(report->arena, page->view->record->blocks_run),
                               words_count(report->arena, page->view->record->blocks)));
}

void page_source(const Report *report, const LaunchView *view) {
    SourcePage page = {.report = report, .view = view, .number = words_count};
    uint32_t count;
    LineView *lines = source_lines(&page, &count);
    keep_chosen(&page, lines, &count);
    text_title(report, "Source of launch %u%s: %s%s", view->number,
               view->kernel->machine_code ? ", as machine code"
               : view->kernel->modelled   ? ", as modelled"
                                          : "",
               text_kernel(report, view->kernel, true), status_words(view->record->status));
    if (!count) {
        text_wrap(report, 2, STYLE_PLAIN, "no memory instruction was executed");
        return;
    }
    if (report->options->ptx)
        page.ptx = ptx_lines(report->arena,
                             listed_module(report->arena, report->profile, view->kernel->module),
                             view->kernel, &page.ptx_count);
    if (report->options->sort) {
        print_sorted(&page, lines, count);
    } else {
        for (uint32_t start = 0, end; start < count; start = end) {
            for (end = start; end < count && lines[end].counts->file == lines[start].counts->file;)
                end++;
            print_file(&page, lines + start, end - start);
        }
    }
    if (report->options->line)
        print_patterns(&page, lines, count);
    print_notes(&page, lines_overlap(lines, count));
}

/* The columns of the summary: those that are always there, and those that --columns asks for. */
#include "report/levels.h"
#include "report/summary.h"

#include <string.h>

/* Models; or devices of one. */
bool several_gpus(const Report *report) {
    const LaunchRecord *first = report->views.count ? report->views.at[0].record : NULL;
    for (uint32_t i = 1; i < report->views.count; i++) {
        const LaunchRecord *record = report->views.at[i].record;
        if (!str_is(str_of(record->gpu), first->gpu) || record->device != first->device)
            return true;
    }
    return false;
}

/* ---- cells ---- */

typedef const char *(*Number)(Arena *arena, uint64_t value);

/* What columns need to know beside their row. */
typedef struct Summary {
    const Report *report;
    Arena *arena;
    const Rows *rows;
    Number number;
    bool gpus; /* several */
} Summary;

static const char *total(const Summary *summary, const Row *row, uint64_t value, Number words) {
    return arena_printf(summary->arena, "%s%s", row->extrapolated ? "~" : "",
                        words(summary->arena, value));
}

/* By the share that is too much. */
static Style style_of(double excess, double whole) {
    double share = whole > 0 ? excess / whole : 0;
    return share < 0.1 ? STYLE_PLAIN : share < 0.5 ? STYLE_WARM : STYLE_HOT;
}

static const char *label_text(const Summary *summary, const Row *row) {
    const char *label = summary->rows->kernels
                            ? words_count(summary->arena, row->launches)
                            : arena_printf(summary->arena, "%u", row->first->number);
    return arena_printf(summary->arena, "%s%s", status_mark(row->status), label);
}

static const char *kernel_text(const Summary *summary, const Row *row) {
    const char *name = text_kernel(summary->report, row->first->kernel, true);
    return row->repeats ? arena_printf(summary->arena, "%s ×%s", name,
                                       words_count(summary->arena, row->launches + row->repeats))
                        : name;
}

static const char *grid_text(const Summary *summary, const Row *row) {
    const uint32_t *grid = row->first->record->grid;
    return row->grids ? "several" : text_shape(summary->arena, grid);
}

static const char *block_text(const Summary *summary, const Row *row) {
    const uint32_t *block = row->first->record->block;
    return row->blocks ? "several" : text_shape(summary->arena, block);
}

static const char *row_gpu(const Summary *summary, const Row *row) {
    return row->devices ? "several" : text_gpu(summary->arena, row->first->record);
}

static const char *gpu_text(const Summary *summary, const Row *row) {
    return summary->gpus ? row_gpu(summary, row) : NULL;
}

static Style shared_style(const Row *row) {
    return style_of((double)counters_excess_wavefronts(&row->shared),
                    (double)row->shared.wavefronts);
}

static Style global_style(const Row *row) {
    return style_of((double)counters_excess_sectors(&row->global), (double)row->global.sectors);
}

/* What is said of shared memory is left out where a launch does not use it; likewise of global memory. */
static const char *of_shared(const Row *row, const char *text) {
    return row->shared.wavefronts ? text : NULL;
}

static const char *of_global(const Row *row, const char *text) {
    return row->global.sectors ? text : NULL;
}

static const char *wavefronts_text(const Summary *summary, const Row *row) {
    return of_shared(row, total(summary, row, row->shared.wavefronts, summary->number));
}

static const char *wavefronts_ideal_text(const Summary *summary, const Row *row) {
    uint64_t value = row->shared.wavefronts_ideal;
    return of_shared(row, total(summary, row, value, summary->number));
}

static const char *n_way_text(const Summary *summary, const Row *row) {
    const Counters *of = &row->shared;
    return of_shared(row, words_ratio(summary->arena, of->wavefronts, of->wavefronts_ideal));
}

static const char *excess_wavefronts_text(const Summary *summary, const Row *row) {
    uint64_t excess = counters_excess_wavefronts(&row->shared);
    return of_shared(row, words_percent(summary->arena, excess, row->shared.wavefronts));
}

static const char *sectors_text(const Summary *summary, const Row *row) {
    const Counters *of = &row->global;
    return of_global(row, words_ratio(summary->arena, of->sectors, of->requests));
}

static const char *sectors_ideal_text(const Summary *summary, const Row *row) {
    const Counters *of = &row->global;
    return of_global(row, words_ratio(summary->arena, of->sectors_ideal, of->requests));
}

static const char *excess_sectors_text(const Summary *summary, const Row *row) {
    uint64_t excess = counters_excess_sectors(&row->global);
    return of_global(row, words_percent(summary->arena, excess, row->global.sectors));
}

static const char *findings_text(const Summary *summary, const Row *row) {
    return row->findings ? arena_printf(summary->arena, "%u", row->findings) : "-";
}

/* ---- what --time and --caches estimate, and what machine code says: of single launches, but for times ---- */

static const char *estimate(const Summary *summary, const char *words) {
    return arena_printf(summary->arena, "~%s", words);
}

static const char *of_time(const Summary *summary, const Row *row, double us) {
    return row->timed ? estimate(summary, words_duration(summary->arena, us / 1e6)) : NULL;
}

static const char *time_text(const Summary *summary, const Row *row) {
    return of_time(summary, row, row->time_us);
}

static const char *saves_text(const Summary *summary, const Row *row) {
    return row->saves_us > 0 ? of_time(summary, row, row->saves_us) : NULL;
}

static Style time_style(const Row *row) {
    return style_of(row->saves_us, row->time_us);
}

static const char *cycles_text(const Summary *summary, const Row *row) {
    return row->timed ? estimate(summary, summary->number(summary->arena, (uint64_t)row->cycles))
                      : NULL;
}

static const char *registers_text(const Summary *summary, const Row *row) {
    uint32_t registers = row->first->kernel->registers;
    return registers ? words_count(summary->arena, registers) : NULL;
}

static const char *occupancy_text(const Summary *summary, const Row *row) {
    Occupancy occupancy;
    if (row->blocks || !launch_occupancy(summary->report->profile, row->first->number, &occupancy))
        return NULL;
    return arena_printf(summary->arena, "%.0f %%",
                        100.0 * occupancy.warps / (double)occupancy.most_warps);
}

/* --caches; NULL where it did not run, or the row is not of one launch. */
static const CacheCount *caches_of(const Summary *summary, const Row *row, CacheCount *sum) {
    if (row->launches != 1 || !row->first->record->l1_bytes)
        return NULL;
    *sum = launch_caches(summary->report->profile, row->first->number);
    return sum;
}

static const char *l1_hits_text(const Summary *summary, const Row *row) {
    CacheCount sum;
    return caches_of(summary, row, &sum)
               ? words_rate(summary->arena, sum.l1_load_hits + sum.l1_other_hits,
                            sum.l1_loads + sum.l1_others)
               : NULL;
}

static const char *l2_hits_text(const Summary *summary, const Row *row) {
    CacheCount sum;
    return caches_of(summary, row, &sum) ? words_rate(summary->arena, sum.l2_hits, sum.l2_sectors)
                                         : NULL;
}

/* Read and written; 0: not known. */
static double dram_bytes(const Summary *summary, const Row *row) {
    CacheCount sum;
    const LaunchRecord *record = row->first->record;
    return caches_of(summary, row, &sum)
               ? (double)(record->dram_read + record->dram_written) * SECTOR_BYTES
               : 0;
}

static const char *dram_text(const Summary *summary, const Row *row) {
    double bytes = dram_bytes(summary, row);
    return bytes > 0 ? estimate(summary, text_short(summary->arena, (uint64_t)bytes)) : NULL;
}

/* 10^9 a second. */
static const char *rate_text(const Summary *summary, const Row *row, double amount) {
    return row->timed && amount > 0
               ? arena_printf(summary->arena, "~%.1f", amount / row->time_us / 1e3)
               : NULL;
}

static const char *dram_rate_text(const Summary *summary, const Row *row) {
    return rate_text(summary, row, dram_bytes(summary, row));
}

static double operations(const Summary *summary, const Row *row) {
    Roofline roofline;
    double sum = 0;
    if (row->launches != 1 || !roofline_of(summary->report->profile, row->first, &roofline))
        return 0;
    for (int unit = 0; unit < ROOF_UNITS; unit++)
        sum += roofline.operations[unit];
    return sum;
}

static const char *operations_text(const Summary *summary, const Row *row) {
    double count = operations(summary, row);
    return count > 0 ? text_short(summary->arena, (uint64_t)count) : NULL;
}

static const char *operations_rate_text(const Summary *summary, const Row *row) {
    return rate_text(summary, row, operations(summary, row));
}

static const char *insts_text(const Summary *summary, const Row *row) {
    return row->first->record->ran_on ? "-" : total(summary, row, row->insts, text_short);
}

static const char shared_group[] = "shared wavefronts", global_group[] = "global sectors",
                  time_group[] = "as modelled";

/* A column is a row here. The first two are always there. */
static const struct {
    const char *name; /* for --columns */
    Column head;
    const char *(*text)(const Summary *summary, const Row *row);
    Style (*style)(const Row *row); /* NULL: plain */
    enum {
        USUAL,
        ASKED,
        UNTIMED
    } shown; /* always; only if --columns names it; or where there are no times */
} columns[] = {
    {NULL, {.head = "#"}, label_text, NULL, USUAL},
    {NULL,
     {.head = "kernel", .left = true, .flexible = true, .close = true},
     kernel_text,
     NULL,
     USUAL},
    {"grid", {.head = "grid", .left = true}, grid_text, NULL, USUAL},
    {"block", {.head = "block", .left = true, .close = true}, block_text, NULL, USUAL},
    {"gpu", {.head = "GPU", .left = true, .optional = true, .close = true}, gpu_text, NULL, USUAL},
    {"time", {time_group, "time", .optional = true}, time_text, NULL, USUAL},
    {"saves",
     {time_group, "saves", .optional = true, .close = true},
     saves_text,
     time_style,
     USUAL},
    {"cycles", {time_group, "cycles", .optional = true, .close = true}, cycles_text, NULL, ASKED},
    {"wavefronts", {shared_group, "count", .optional = true}, wavefronts_text, NULL, USUAL},
    {"wavefronts_ideal",
     {shared_group, "ideal", .optional = true, .close = true},
     wavefronts_ideal_text,
     NULL,
     UNTIMED},
    {"n_way",
     {shared_group, "N-way", .optional = true, .close = true},
     n_way_text,
     shared_style,
     USUAL},
    {"excess_wavefronts",
     {shared_group, "excess", .optional = true, .close = true},
     excess_wavefronts_text,
     shared_style,
     USUAL},
    {"sectors_per_request",
     {global_group, "/req", .optional = true},
     sectors_text,
     global_style,
     USUAL},
    {"sectors_per_request_ideal",
     {global_group, "ideal", .optional = true, .close = true},
     sectors_ideal_text,
     NULL,
     UNTIMED},
    {"excess_sectors",
     {global_group, "excess", .optional = true, .close = true},
     excess_sectors_text,
     global_style,
     USUAL},
    {"registers", {.head = "registers"}, registers_text, NULL, ASKED},
    {"occupancy", {.head = "occupancy"}, occupancy_text, NULL, ASKED},
    {"l1_hits", {.head = "L1 hits"}, l1_hits_text, NULL, ASKED},
    {"l2_hits", {.head = "L2 hits"}, l2_hits_text, NULL, ASKED},
    {"dram_bytes", {.head = "DRAM bytes"}, dram_text, NULL, ASKED},
    {"dram_rate", {.head = "DRAM GB/s"}, dram_rate_text, NULL, ASKED},
    {"operations", {.head = "operations"}, operations_text, NULL, ASKED},
    {"operation_rate", {.head = "GFLOP/s"}, operations_rate_text, NULL, ASKED},
    {"findings", {.head = "find"}, findings_text, NULL, USUAL},
    {"insts", {.head = "insts", .close = true}, insts_text, NULL, USUAL},
};

enum { COLUMNS = sizeof columns / sizeof *columns, FIRST = 2 /* that has a name */ };

/* ---- which of them ---- */

/* The name of length bytes: its column; 0: there is none. */
static uint32_t column_named(const char *name, size_t length) {
    for (uint32_t c = FIRST; c < COLUMNS; c++)
        if (strlen(columns[c].name) == length && memcmp(columns[c].name, name, length) == 0)
            return c;
    return 0;
}

/* The columns that a list names, in its order, behind the first two; without a list the usual ones. */
static uint32_t choose(const char *list, bool timed, uint32_t chosen[COLUMNS]) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < COLUMNS; c++)
        if (c < FIRST ||
            (!list && columns[c].shown != ASKED && !(timed && columns[c].shown == UNTIMED)))
            chosen[count++] = c;
    while (list && count < COLUMNS) {
        size_t length = strcspn(list, ",");
        chosen[count] = column_named(list, length);
        for (uint32_t i = FIRST; i < count; i++) /* twice: once is enough */
            if (chosen[i] == chosen[count])
                chosen[count] = 0;
        count += chosen[count] != 0;
        if (!list[length])
            break;
        list += length + 1;
    }
    return count;
}

void summary_check(const char *list, Diags *diags) {
    const char *names = "";
    for (uint32_t c = FIRST; c < COLUMNS; c++)
        names = arena_printf(diags->arena, "%s%s%s", names, c > FIRST ? ", " : "", columns[c].name);
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        if (!column_named(at, length))
            diags_error(diags, "the summary has no column \"%.*s\"; there are: %s", (int)length, at,
                        names);
        at += length;
        if (!*at)
            return;
    }
}

bool rows_timed(const Rows *rows) {
    bool timed = false;
    for (uint32_t i = 0; i < rows->count; i++)
        timed |= rows->at[i].timed;
    return timed;
}

Table *summary_table(const Report *report, const Rows *rows, bool rounded) {
    Arena *arena = report->arena;
    const Summary summary = {report, arena, rows, rounded ? text_short : words_count,
                             several_gpus(report)};
    uint32_t chosen[COLUMNS], count = choose(report->options->columns, rows_timed(rows), chosen);
    Column *heads = NEW_ARRAY(arena, Column, count);
    for (uint32_t i = 0; i < count; i++)
        heads[i] = columns[chosen[i]].head;
    if (rows->kernels)
        heads[0].head = "launches";
    Table *table = table_new(arena, heads, count);
    for (uint32_t r = 0; r < rows->count; r++) {
        table_row(table);
        for (uint32_t i = 0; i < count; i++) {
            const Row *row = &rows->at[r];
            Style (*style)(const Row *) = columns[chosen[i]].style;
            const char *text = columns[chosen[i]].text(&summary, row);
            table_cell(table, style ? style(row) : STYLE_PLAIN,
                       text || columns[chosen[i]].shown != ASKED ? text : "-");
        }
        table_wrap(table); /* cut, names would look alike */
    }
    return table;
}

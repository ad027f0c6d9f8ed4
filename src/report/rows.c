/* Rows of the summary: a launch each, or where there are many, the launches of a kernel, added up. */
#include "report/page.h"

#include <stdlib.h>

enum { KERNELS_MOST = LAUNCHES_MOST }; /* with more, the worst */

uint64_t view_whole(double number) {
    return number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t)number : 0;
}

static uint64_t scaled(const LaunchView *view, uint64_t value) {
    return view->scale == 1 ? value : view_whole((double)value * view->scale + 0.5);
}

static Counters scaled_counters(const LaunchView *view, const Counters *counters) {
    return (Counters){.requests = scaled(view, counters->requests),
                      .wavefronts = scaled(view, counters->wavefronts),
                      .wavefronts_ideal = scaled(view, counters->wavefronts_ideal),
                      .sectors = scaled(view, counters->sectors),
                      .sectors_ideal = scaled(view, counters->sectors_ideal)};
}

static bool same_shape(const uint32_t a[3], const uint32_t b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

double record_saves_us(const LaunchRecord *record) {
    return record->time_us > 0 && record->mended_us > 0 && record->mended_us < record->time_us
               ? record->time_us - record->mended_us
               : 0;
}

static void add_time(Row *row, const LaunchRecord *record) {
    row->timed = record->time_us > 0 && (row->timed || !row->launches);
    row->time_us += record->time_us;
    row->saves_us += record_saves_us(record);
    row->cycles += record->time_us * record->time_clock_mhz;
}

void row_add(Row *row, const LaunchView *view) {
    const LaunchRecord *record = view->record;
    const Counters shared = scaled_counters(view, &view->shared);
    const Counters global = scaled_counters(view, &view->global);
    if (!row->first)
        row->first = view;
    add_time(row, record);
    row->launches += record->launches ? record->launches : 1;
    row->repeats += record->repeats;
    if (record->status > row->status)
        row->status = record->status;
    row->extrapolated |= view->scale != 1;
    row->devices |= record->device != row->first->record->device;
    row->grids |= !same_shape(record->grid, row->first->record->grid);
    row->blocks |= !same_shape(record->block, row->first->record->block);
    counters_add(&row->shared, &shared);
    counters_add(&row->global, &global);
    row->insts += scaled(view, record->thread_insts);
    if (view->findings > row->findings)
        row->findings = view->findings;
}

static uint64_t row_excess(const Row *row) {
    return counters_excess_wavefronts(&row->shared) + counters_excess_sectors(&row->global);
}

static int compare_rows(const void *left, const void *right) {
    const Row *a = left, *b = right;
    uint64_t x = row_excess(a), y = row_excess(b);
    if (a->saves_us != b->saves_us)
        return a->saves_us > b->saves_us ? -1 : 1;
    return x != y ? (x > y ? -1 : 1) : a->first->number < b->first->number ? -1 : 1;
}

static void rows_of_launches(const Report *report, Rows *rows) {
    rows->count = report->views.count;
    rows->at = NEW_ARRAY(report->arena, Row, rows->count);
    for (uint32_t i = 0; i < rows->count; i++)
        row_add(&rows->at[i], &report->views.at[i]);
}

static void rows_of_kernels(const Report *report, Rows *rows) {
    const Profile *profile = report->profile;
    Row *of_kernel = NEW_ARRAY(report->arena, Row, profile->kernels.count);
    for (uint32_t i = 0; i < report->views.count; i++)
        row_add(&of_kernel[report->views.at[i].record->kernel], &report->views.at[i]);
    rows->kernels = true;
    rows->at = of_kernel;
    for (uint32_t i = 0; i < profile->kernels.count; i++)
        if (of_kernel[i].launches)
            rows->at[rows->count++] = of_kernel[i];
    qsort(rows->at, rows->count, sizeof *rows->at, compare_rows);
    if (rows->count > KERNELS_MOST) {
        rows->left_out = rows->count - KERNELS_MOST;
        rows->count = KERNELS_MOST;
    }
}

Rows rows_of(const Report *report) {
    const ReportOptions *options = report->options;
    Rows rows = {0};
    if (report->views.count > LAUNCHES_MOST && !options->each_launch && !options->sort)
        rows_of_kernels(report, &rows);
    else
        rows_of_launches(report, &rows);
    return rows;
}

/* The summary: a row for each launch, or where there are many one for each kernel, its launches added up. */
#include "report/page.h"

enum { KERNEL_LEAST = 22 }; /* columns for names, before numbers are rounded */

/* Models; or devices of one. */
static bool several_gpus(const Report *report) {
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

/* By the share of excess. */
static Style style_of(uint64_t excess, uint64_t total_count) {
    double share = total_count ? (double)excess / (double)total_count : 0;
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
    return style_of(counters_excess_wavefronts(&row->shared), row->shared.wavefronts);
}

static Style global_style(const Row *row) {
    return style_of(counters_excess_sectors(&row->global), row->global.sectors);
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

static const char *insts_text(const Summary *summary, const Row *row) {
    return row->first->record->ran_on ? "-" : total(summary, row, row->insts, text_short);
}

static const char shared_group[] = "shared wavefronts", global_group[] = "global sectors";

/* A column is a row here. */
static const struct {
    Column head;
    const char *(*text)(const Summary *summary, const Row *row);
    Style (*style)(const Row *row); /* NULL: plain */
} columns[] = {
    {{.head = "#"}, label_text, NULL},
    {{.head = "kernel", .left = true, .flexible = true, .close = true}, kernel_text, NULL},
    {{.head = "grid", .left = true}, grid_text, NULL},
    {{.head = "block", .left = true, .close = true}, block_text, NULL},
    {{.head = "GPU", .left = true, .optional = true, .close = true}, gpu_text, NULL},
    {{shared_group, "count", .optional = true}, wavefronts_text, NULL},
    {{shared_group, "ideal", .optional = true, .close = true}, wavefronts_ideal_text, NULL},
    {{shared_group, "N-way", .optional = true, .close = true}, n_way_text, shared_style},
    {{shared_group, "excess", .optional = true, .close = true},
     excess_wavefronts_text,
     shared_style},
    {{global_group, "/req", .optional = true}, sectors_text, global_style},
    {{global_group, "ideal", .optional = true, .close = true}, sectors_ideal_text, NULL},
    {{global_group, "excess", .optional = true, .close = true}, excess_sectors_text, global_style},
    {{.head = "find"}, findings_text, NULL},
    {{.head = "insts", .close = true}, insts_text, NULL},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- notes ---- */

static void note(const Report *report, const char *text) {
    text_wrap(report, 2, STYLE_DIM, text);
}

/* How much of a launch its counts are of. */
static void print_sampled(const Report *report, const Rows *rows) {
    for (uint32_t i = 0; i < rows->count && !rows->kernels; i++) {
        const LaunchView *view = rows->at[i].first;
        if (view->scale == 1)
            continue;
        note(report, arena_printf(report->arena,
                                  "%s%u: %s of %s blocks ran; ~ marks totals extrapolated to all "
                                  "blocks (x %.1f)",
                                  status_mark(view->record->status), view->number,
                                  words_count(report->arena, view->record->blocks_run),
                                  words_count(report->arena, view->record->blocks), view->scale));
    }
}

/* Rows that sum up launches from the device. */
static void print_children(const Report *report, const Rows *rows) {
    Arena *arena = report->arena;
    for (uint32_t i = 0; i < rows->count && !rows->kernels; i++) {
        const LaunchView *view = rows->at[i].first;
        if (view->record->launches)
            note(report, arena_printf(arena, "%s%u: %s", status_mark(view->record->status),
                                      view->number, words_children(arena, view)));
    }
}

/* Launches with --sample whose counters stand for all of their blocks. */
static void print_counted(const Report *report, const Rows *rows) {
    Arena *arena = report->arena;
    uint32_t launches = 0, last = 0;
    for (uint32_t i = 0; i < report->views.count; i++) {
        launches += report->views.at[i].record->blocks_counted > 0;
        last = report->views.at[i].record->blocks_counted ? i : last;
    }
    if (launches == 0)
        return;
    const LaunchRecord *record = report->views.at[last].record;
    const char *which =
        launches > 1 || rows->kernels
            ? arena_printf(arena, "%s of %s launches were counted in some of their blocks",
                           words_count(arena, launches), words_count(arena, report->views.count))
            : arena_printf(
                  arena, "%u was counted in %s of %s blocks", report->views.at[last].number,
                  words_count(arena, record->blocks_counted), words_count(arena, record->blocks));
    note(report, arena_printf(arena,
                              "%s, which behave alike: counters are those of all blocks, "
                              "within 1 %%",
                              which));
}

/* Launches with --counts-only of which some blocks ran. */
static void print_represented(const Report *report) {
    Arena *arena = report->arena;
    for (uint32_t i = 0; i < report->views.count; i++) {
        const LaunchView *view = &report->views.at[i];
        if (view->record->representatives)
            note(report, arena_printf(arena,
                                      "%u: %s blocks by %s that ran: counters are those of all "
                                      "blocks, exactly",
                                      view->number, words_count(arena, view->record->blocks),
                                      words_count(arena, view->record->representatives)));
    }
}

/* --once. */
static void print_repeats(const Report *report, const Rows *rows) {
    bool any = false;
    for (uint32_t i = 0; i < rows->count; i++)
        any |= rows->at[i].repeats > 0;
    if (any)
        note(report, "×N: N launches; those that repeat others were run, and counted once");
}

static void print_kernels(const Report *report, const Rows *rows) {
    if (rows->left_out)
        note(report, arena_printf(report->arena, "… and %u more kernels, with less excess",
                                  rows->left_out));
    note(report, "A row adds up a kernel's launches. warplens report FILE --page summary "
                 "--top N shows the N worst, --each-launch all.");
}

/* What the heads of the columns mean that are there. */
static const char *legend(const Report *report, const Rows *rows) {
    bool shared = false, global = false, machine = false, ptx = false;
    for (uint32_t i = 0; i < rows->count; i++) {
        shared |= rows->at[i].shared.wavefronts != 0;
        global |= rows->at[i].global.sectors != 0;
        machine |= rows->at[i].first->kernel->machine_code;
        ptx |= !rows->at[i].first->kernel->machine_code;
    }
    return arena_printf(report->arena, "%s%s%sfind: findings. insts: %s instructions, by threads.",
                        shared ? "N-way: wavefronts / ideal. " : "",
                        shared || global ? "excess: share of what was counted beyond its ideal. "
                                         : "",
                        global ? "/req: 32-byte sectors per request. " : "",
                        machine && ptx ? "machine (or, of kernels executed as such, PTX)"
                        : machine      ? "machine"
                                       : "PTX");
}

/* Launches alone are counted: "cublasSgemm x12, cublasSdot". */
static void print_host_calls(const Report *report) {
    Arena *arena = report->arena;
    const Profile *profile = report->profile;
    const char *list = "";
    for (uint32_t i = 0; i < profile->host_calls.count; i++) {
        const HostCall *call = &profile->host_calls.at[i];
        list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", call->function);
        if (call->calls > 1)
            list = arena_printf(arena, "%s x%s", list, words_count(arena, call->calls));
    }
    if (*list)
        note(report, arena_printf(arena, "On the host, not counted: %s.", list));
}

static bool counted_on_gpu(const Profile *profile, uint32_t kernel) {
    for (uint32_t i = 0; i < profile->launches.count; i++)
        if (profile->launches.at[i].kernel == kernel)
            return profile->launches.at[i].ran_on;
    return false;
}

/* Kernels of which there is no PTX. */
static void print_no_ptx(const Report *report) {
    const Profile *profile = report->profile;
    uint32_t count = 0, first = 0;
    for (uint32_t i = profile->kernels.count; i-- > 0;) {
        const bool without = profile->modules.at[profile->kernels.at[i].module].no_ptx &&
                             !counted_on_gpu(profile, i);
        count += without;
        first = without ? i : first;
    }
    if (count)
        note(report,
             arena_printf(report->arena,
                          "Without PTX, executed from the machine code that the program has: %s%s.",
                          report->names[first],
                          count > 1 ? arena_printf(report->arena, " and %u more", count - 1) : ""));
}

/* Kernels whose machine code was to be executed and is not known. */
static void print_not_machine(const Report *report) {
    const Profile *profile = report->profile;
    uint32_t count = 0, first = 0;
    for (uint32_t i = profile->kernels.count; i-- > 0;) {
        count += profile->kernels.at[i].modelled != NULL;
        first = profile->kernels.at[i].modelled ? i : first;
    }
    if (!count)
        return;
    const ProfKernel *kernel = &profile->kernels.at[first];
    text_wrap(
        report, 2, STYLE_WARM,
        arena_printf(
            report->arena, "Executed as PTX, not as machine code: %s%s: %s", report->names[first],
            count > 1 ? arena_printf(report->arena, " and %u more (page details)", count - 1) : "",
            kernel->modelled));
}

static void print_notes(const Report *report, const Rows *rows) {
    bool seen[4] = {false}, unmeasured = false, extrapolated = false, unmodelled = false;
    for (uint32_t i = 0; i < report->views.count; i++) {
        const LaunchView *view = &report->views.at[i];
        seen[view->record->status] = true;
        unmeasured |= !view->record->gpu_measured;
        extrapolated |= view->scale != 1;
        unmodelled |= view->all.unmodelled || view->all.remote;
    }
    if (rows->kernels)
        print_kernels(report, rows);
    print_sampled(report, rows);
    print_children(report, rows);
    print_counted(report, rows);
    print_represented(report);
    print_repeats(report, rows);
    if (rows->kernels && extrapolated)
        note(report, "~ marks totals extrapolated to all blocks");
    if (seen[LAUNCH_SAMPLED])
        note(report, "s: sampled, only some blocks were asked for");
    if (seen[LAUNCH_INTERRUPTED])
        note(report, "i: interrupted");
    if (seen[LAUNCH_FAULT])
        note(report, "!: ended by a fault; the counts are of what ran before it");
    if (unmodelled)
        note(report, "Asynchronous copies, wgmma, textures or shared memory of other blocks: "
                     "these are on the page details, and in no column here.");
    if (unmeasured)
        note(report, "The counting rules were measured on an H100; other GPUs are assumed to "
                     "follow them.");
    print_no_ptx(report);
    print_not_machine(report);
    print_host_calls(report);
    note(report, legend(report, rows));
    if (report_lacks_lines(report->profile))
        text_wrap(report, 2, STYLE_WARM,
                  "Some kernels have no line information: build them with nvcc -lineinfo to see "
                  "the lines of their source.");
}

/* ---- the page ---- */

static Table *fill(const Report *report, const Rows *rows, Number number) {
    Arena *arena = report->arena;
    const Summary summary = {report, arena, rows, number, several_gpus(report)};
    Column *heads = NEW_ARRAY(arena, Column, COLUMNS);
    for (uint32_t c = 0; c < COLUMNS; c++)
        heads[c] = columns[c].head;
    if (rows->kernels)
        heads[0].head = "launches";
    Table *table = table_new(arena, heads, COLUMNS);
    for (uint32_t i = 0; i < rows->count; i++) {
        table_row(table);
        for (uint32_t c = 0; c < COLUMNS; c++) {
            const Row *row = &rows->at[i];
            table_cell(table, columns[c].style ? columns[c].style(row) : STYLE_PLAIN,
                       columns[c].text(&summary, row));
        }
        table_wrap(table); /* cut, names would look alike */
    }
    return table;
}

void page_summary(const Report *report) {
    const Profile *profile = report->profile;
    if (profile->command && !report->options->brief)
        text_wrap(report, 0, STYLE_DIM, profile->command);
    const char *gpu = report->views.count && !several_gpus(report)
                          ? arena_printf(report->arena, ", GPU %s", report->views.at[0].record->gpu)
                          : "";
    text_title(report, "Summary: %s of %s launch%s%s",
               words_count(report->arena, report->views.count),
               words_count(report->arena, profile->launches.count),
               profile->launches.count == 1 ? "" : "es", gpu);
    if (!report->views.count) {
        print_host_calls(report);
        return;
    }
    const Rows rows = rows_of(report);
    Table *table = fill(report, &rows, words_count);
    if (!report->options->exact && table_cramped(table, report->options->width, KERNEL_LEAST))
        table = fill(report, &rows, text_short);
    table_print(table, report, 0);
    print_notes(report, &rows);
}

/* The summary: a row for each launch, or where there are many one for each kernel, its launches added up. */
#include "report/summary.h"

enum { KERNEL_LEAST = 22 }; /* columns for names, before numbers are rounded */

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
    bool seen[4] = {false}, unmeasured = false, extrapolated = false, unmodelled = false,
         ordered = false;
    for (uint32_t i = 0; i < report->views.count; i++) {
        const LaunchView *view = &report->views.at[i];
        seen[view->record->status] = true;
        unmeasured |= !view->record->gpu_measured;
        extrapolated |= view->scale != 1;
        unmodelled |= view->all.unmodelled || view->all.remote;
        ordered |= view->kernel->machine_code && view->record->modelled;
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
    if (ordered)
        note(report, "In some launches the order in which parted lanes went on is as modelled, so "
                     "that their "
                     "counts are not said to be exact (page details).");
    if (unmeasured)
        note(report,
             "The counting rules were measured on an H100 and an H200; other GPUs are assumed to "
             "follow them.");
    print_no_ptx(report);
    print_not_machine(report);
    print_host_calls(report);
    if (rows_timed(rows))
        note(report, "~: estimates, with an interval on the page details. saves: if no access had "
                     "more wavefronts and "
                     "sectors than its lanes need (docs/time.md).");
    if (!report->options->columns)
        note(report, legend(report, rows));
    if (report_lacks_lines(report->profile))
        text_wrap(report, 2, STYLE_WARM,
                  "Some kernels have no line information: build them with nvcc -lineinfo to see "
                  "the lines of their source.");
}

/* ---- the page ---- */

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
    Table *table = summary_table(report, &rows, false);
    if (!report->options->exact && table_cramped(table, report->options->width, KERNEL_LEAST))
        table = summary_table(report, &rows, true);
    table_print(table, report, 0);
    print_notes(report, &rows);
}

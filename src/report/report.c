/* The launches that are asked for, and what pages need to know of them. */
#include "base/kernel_name.h"
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

/* ---- launches ---- */

void view_sums(const Profile *profile, const LaunchRecord *record, Counters *shared,
               Counters *global, Counters *all) {
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        const Site *site = &profile->sites.at[kernel->first_site + i];
        const Counters *counters = &record->counters[i];
        counters_add(all, counters);
        if (site_in(site, counters, SITE_SHARED))
            counters_add(shared, counters);
        if (site_in(site, counters, SITE_GLOBAL))
            counters_add(global, counters);
    }
}

double view_scale(const LaunchRecord *record) {
    bool some = record->status == LAUNCH_SAMPLED || record->status == LAUNCH_INTERRUPTED;
    return some && record->blocks_run ? (double)record->blocks / (double)record->blocks_run : 1;
}

/* Those that are no parts of others; nothing of them is kept. */
static uint32_t count_findings(Arena *scratch, const Profile *profile, uint32_t launch) {
    uint32_t count, whole = 0;
    const Finding *findings = rules_run(scratch, profile, launch, &count);
    for (uint32_t i = 0; i < count; i++)
        whole += !findings[i].part;
    arena_clear(scratch);
    return whole;
}

static LaunchView view_of(Arena *scratch, const Profile *profile, uint32_t launch) {
    const LaunchRecord *record = &profile->launches.at[launch];
    LaunchView view = {.number = launch,
                       .record = record,
                       .kernel = &profile->kernels.at[record->kernel],
                       .scale = view_scale(record)};
    view_sums(profile, record, &view.shared, &view.global, &view.all);
    view.findings = count_findings(scratch, profile, launch);
    return view;
}

bool report_lacks_lines(const Profile *profile) {
    for (uint32_t i = 0; i < profile->kernels.count; i++)
        if (!profile->modules.at[profile->kernels.at[i].module].has_lines)
            return true;
    return false;
}

bool kernel_chosen(const ReportOptions *options, const ProfKernel *kernel) {
    return !options->kernel ||
           kernel_name_fit(kernel->name, kernel->demangled, options->kernel) != NAME_OTHER;
}

static bool place_chosen(const ReportOptions *options, const Profile *profile, uint32_t file,
                         uint32_t line) {
    if (options->line == 0)
        return true;
    if (line != options->line || (options->file && file == NONE))
        return false;
    if (!options->file)
        return true;
    const char *path = profile->files.at[file].path;
    size_t whole = strlen(path), part = strlen(options->file);
    return part <= whole && strcmp(path + whole - part, options->file) == 0 &&
           (part == whole || path[whole - part - 1] == '/');
}

bool line_chosen(const ReportOptions *options, const Profile *profile, const LineCounts *line) {
    return place_chosen(options, profile, line->file, line->line);
}

bool site_chosen(const ReportOptions *options, const Profile *profile, const Site *site) {
    if (site->location == NONE)
        return place_chosen(options, profile, NONE, site->ptx_line);
    for (uint32_t at = site->location; at != NONE; at = profile->locations.at[at].inlined_at) {
        const Location *place = &profile->locations.at[at];
        if (place_chosen(options, profile, place->file, place->line))
            return true;
    }
    return false;
}

static bool executed_line(const Report *report, Arena *scratch, uint32_t launch) {
    uint32_t count;
    bool executed = false;
    LineCounts *lines = profile_lines(scratch, report->profile, launch, &count);
    for (uint32_t i = 0; i < count && !executed; i++)
        executed =
            lines[i].total.requests && line_chosen(report->options, report->profile, &lines[i]);
    arena_clear(scratch);
    return executed;
}

static bool chosen(const Report *report, Arena *scratch, uint32_t launch) {
    const ReportOptions *options = report->options;
    const ProfKernel *kernel = profile_kernel(report->profile, launch);
    return (options->launch == NONE || options->launch == launch) &&
           kernel_chosen(options, kernel) &&
           (options->line == 0 || executed_line(report, scratch, launch));
}

static double view_value(const char *sort, const LaunchView *view) {
    const LaunchSortKey *of_launch = launch_sort_key(sort);
    double value = 0;
    if (of_launch)
        return of_launch->value(view->record);
    sort_value(sort, &view->all, &value);
    return value * view->scale;
}

typedef struct RankedView {
    LaunchView view;
    double value;
} RankedView;

/* The largest first; equal launches stay in order. */
static int compare_ranked(const void *left, const void *right) {
    const RankedView *a = left, *b = right;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->view.number < b->view.number ? -1 : 1;
}

static void sort_views(Report *report, const char *key) {
    uint32_t count = report->views.count;
    RankedView *ranked = NEW_ARRAY(report->arena, RankedView, count);
    for (uint32_t i = 0; i < count; i++)
        ranked[i] = (RankedView){report->views.at[i], view_value(key, &report->views.at[i])};
    if (count)
        qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (uint32_t i = 0; i < count; i++)
        report->views.at[i] = ranked[i].view;
}

/* By what mending would save, where that is estimated, else by what is too much. */
static bool is_worse(const LaunchView *view, const LaunchView *than) {
    double saves = record_saves_us(view->record), then = record_saves_us(than->record);
    return saves != then ? saves > then : view_value("worst", view) > view_value("worst", than);
}

static void choose_launches(Report *report) {
    Arena *scratch = arena_new();
    uint32_t launches = report->profile->launches.count;
    report->views.at = NEW_ARRAY(report->arena, LaunchView, launches);
    report->views.capacity = launches;
    for (uint32_t i = 0; i < launches; i++)
        if (chosen(report, scratch, i))
            *vec_add(report->arena, &report->views) = view_of(scratch, report->profile, i);
    arena_free(scratch);
    if (report->options->sort)
        sort_views(report, report->options->sort);
    if (report->options->top && report->views.count > report->options->top)
        report->views.count = report->options->top;
    for (uint32_t i = 0; i < report->views.count; i++)
        if (!report->worst || is_worse(&report->views.at[i], report->worst))
            report->worst = &report->views.at[i];
}

/* ---- options ---- */

void kernel_none(const Profile *profile, const char *wanted, Diags *diags) {
    diags_error(diags, "no launch of a kernel whose name matches \"%s\"; kernels:", wanted);
    for (uint32_t i = 0; i < profile->kernels.count; i++)
        diags_add(diags, DIAG_NOTE, (Place){0}, "%s", profile->kernels.at[i].demangled);
}

static void check_sort(const char *sort, Diags *diags) {
    Counters none = {0};
    double value;
    if (launch_sort_key(sort) || sort_value(sort, &none, &value))
        return;
    char *names = arena_printf(diags->arena, "%s", report_sort_keys[0].name);
    for (const SortKey *key = report_sort_keys + 1; key->name; key++)
        names = arena_printf(diags->arena, "%s, %s", names, key->name);
    for (const LaunchSortKey *key = launch_sort_keys; key->name; key++)
        names = arena_printf(diags->arena, "%s, %s", names, key->name);
    for (int id = 0; id < COUNTER_COUNT; id++)
        names = arena_printf(diags->arena, "%s, %s", names, counter_info((CounterId)id)->name);
    diags_error(diags, "cannot sort by \"%s\"; there are: %s", sort, names);
}

static void no_line(const ReportOptions *options, Diags *diags) {
    diags_error(diags, "no launch that is asked for accessed memory in line %s%s%u",
                options->file ? options->file : "", options->file ? ":" : "", options->line);
}

bool report_print(const Profile *profile, const ReportFormat *format, const ReportOptions *given,
                  FILE *out, Diags *diags) {
    ReportOptions with_sort = *given, *options = &with_sort;
    if (options->top && !options->sort)
        options->sort = "worst";
    if (options->line)
        options->ptx = options->inlined = true;
    uint32_t errors = diags->errors, launches = profile->launches.count;
    if (options->sort)
        check_sort(options->sort, diags);
    if (options->columns)
        summary_check(options->columns, diags);
    if (options->launch != NONE && options->launch >= launches)
        diags_error(diags, "there is no launch %u: the profile has %u, counted from 0",
                    options->launch, launches);
    if (diags->errors > errors)
        return false;
    Report report = {.arena = arena_new(), .profile = profile, .options = options, .out = out};
    bool whole = options->width == 0 || options->mangled;
    report.names = text_names(report.arena, profile, options, whole ? 0 : NAME_WIDTH);
    choose_launches(&report);
    report.chosen =
        options->launch != NONE || (options->kernel && report.views.count <= LAUNCHES_MOST);
    if (options->line && !report.views.count)
        no_line(options, diags);
    else if (options->kernel && !report.views.count)
        kernel_none(profile, options->kernel, diags);
    else
        format->write(&report);
    arena_free(report.arena);
    return diags->errors == errors;
}

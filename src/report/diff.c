/* Two profiles side by side: the launches asked for, and what all formats want to know of them. */
#include "report/diff.h"

#include <string.h>

/* ---- names and places ---- */

static const char *whole_name(const Diff *diff, const ProfKernel *kernel) {
    return diff->report.options->mangled ? kernel->name : kernel->demangled;
}

/* A kernel of both profiles has one name. */
static void add_names(const Diff *diff, const Profile *profile, const char **names,
                      uint32_t *count) {
    for (uint32_t i = 0; i < profile->kernels.count; i++) {
        uint64_t known;
        const char *name = whole_name(diff, &profile->kernels.at[i]);
        if (map_get(diff->rows, str_of(name), &known))
            continue;
        map_put(diff->rows, str_of(name), *count);
        names[(*count)++] = name;
    }
}

static void find_names(Diff *diff) {
    Arena *arena = diff->report.arena;
    const ReportOptions *options = diff->report.options;
    uint32_t count = 0, most = diff->before->kernels.count + diff->after->kernels.count;
    const char **names = NEW_ARRAY(arena, const char *, most + 1);
    diff->rows = map_new(arena);
    add_names(diff, diff->after, names, &count);
    add_names(diff, diff->before, names, &count);
    diff->names =
        names_short(arena, names, count, options->width && !options->mangled ? NAME_WIDTH : 0);
}

static const char *short_name(const Diff *diff, const ProfKernel *kernel) {
    uint64_t row = 0;
    map_get(diff->rows, str_of(whole_name(diff, kernel)), &row);
    return diff->names[row];
}

static const char *both(const Diff *diff, const DiffView *view,
                        const char *(*name)(const Diff *diff, const ProfKernel *kernel)) {
    const ProfKernel *before = view->before.kernel, *after = view->after.kernel;
    if (!before || !after || strcmp(whole_name(diff, before), whole_name(diff, after)) == 0)
        return name(diff, after ? after : before);
    return arena_printf(diff->report.arena, "%s -> %s", name(diff, before), name(diff, after));
}

const char *diff_name(const Diff *diff, const DiffView *view) {
    return both(diff, view, short_name);
}

const char *diff_whole_name(const Diff *diff, const DiffView *view) {
    return both(diff, view, whole_name);
}

/* The side that shows a line: after, if it is there. */
static const DiffSide *side_of(const DiffView *view, const LineChange *change,
                               const LineCounts **line) {
    *line = change->after ? change->after : change->before;
    return change->after ? &view->after : &view->before;
}

const char *diff_path(const Diff *diff, const DiffView *view, const LineChange *change) {
    const LineCounts *line;
    const DiffSide *side = side_of(view, change, &line);
    (void)diff;
    return line->file == NONE ? side->profile->modules.at[side->kernel->module].name
                              : side->profile->files.at[line->file].path;
}

const char *diff_text(const Diff *diff, const DiffView *view, const LineChange *change) {
    const LineCounts *line;
    const DiffSide *side = side_of(view, change, &line);
    const char *text = line->file == NONE ? side->profile->modules.at[side->kernel->module].text
                                          : side->profile->files.at[line->file].text;
    const char *found = text_line(diff->report.arena, text, line->line);
    while (found && (*found == ' ' || *found == '\t'))
        found++;
    return found;
}

Counters line_counters(const LineCounts *line) {
    return line ? line->own : (Counters){0};
}

bool counters_differ(const Counters *before, const Counters *after) {
    return memcmp(before, after, sizeof *before) != 0;
}

/* ---- views ---- */

static DiffSide side_new(const Profile *profile, uint32_t launch) {
    DiffSide side = {.profile = profile, .scale = 1};
    if (launch == NONE)
        return side;
    side.record = &profile->launches.at[launch];
    side.kernel = &profile->kernels.at[side.record->kernel];
    view_sums(profile, side.record, &side.shared, &side.global, &side.all);
    side.scale = view_scale(side.record);
    return side;
}

static bool asked_for(const ReportOptions *options, const DiffSide *side) {
    return side->kernel && kernel_chosen(options, side->kernel);
}

bool report_diff(const Profile *before, const Profile *after, const DiffFormat *format,
                 const ReportOptions *options, FILE *out, Diags *diags) {
    Arena *arena = arena_new();
    Diff diff = {.before = before,
                 .after = after,
                 .report = {.arena = arena, .profile = after, .options = options, .out = out}};
    find_names(&diff);
    diff.changes = profile_diff(arena, before, after);
    diff.views.at = NEW_ARRAY(arena, DiffView, diff.changes.count);
    diff.views.capacity = diff.changes.count;
    for (uint32_t i = 0; i < diff.changes.count; i++) {
        const LaunchChange *change = &diff.changes.launches[i];
        DiffView view = {change, side_new(before, change->before), side_new(after, change->after)};
        if (asked_for(options, &view.before) || asked_for(options, &view.after))
            *vec_add(arena, &diff.views) = view;
    }
    bool found = diff.views.count || !options->kernel;
    if (found)
        format->write(&diff);
    else
        diags_error(diags, "no launch of a kernel whose name matches \"%s\"", options->kernel);
    arena_free(arena);
    return found;
}

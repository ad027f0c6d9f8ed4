/* The findings of a launch: numbers, the lines that cause them, what usually helps. */
#include "report/page.h"
#include "rules/shapes.h"

#include <string.h>

enum { LINES_SHOWN = 5 };

static const char *source_text(const Report *report, const LaunchView *view,
                               const FindingLine *line) {
    const Profile *profile = report->profile;
    const char *text = line->file == NONE ? profile->modules.at[view->kernel->module].text
                                          : profile->files.at[line->file].text;
    const char *found = text_line(report->arena, text, line->line);
    while (found && (*found == ' ' || *found == '\t'))
        found++;
    return found ? found : profile->sites.at[line->site].text;
}

/* Where in it, and how the lanes lie. */
static const char *line_note(const Report *report, const LaunchView *view,
                             const FindingLine *line) {
    Arena *arena = report->arena;
    const char *inner = words_inner(arena, report->profile, line->site);
    const char *pattern = words_pattern(arena, report->profile, view->number, line->site);
    if (!inner)
        return pattern;
    return arena_printf(arena, "in %s%s%s", inner, pattern ? ": " : "", pattern ? pattern : "");
}

static void print_lines(const Report *report, const LaunchView *view, const Finding *finding) {
    static const Column columns[] = {
        {.head = "line", .left = true},
        {.group = "excess", .head = NULL}, /* the unit */
        {.head = "share"},
        {.head = "source", .left = true, .flexible = true},
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    Arena *arena = report->arena;
    Column *heads = NEW_ARRAY(arena, Column, COLUMNS);
    memcpy(heads, columns, sizeof columns);
    heads[1].head = finding->unit;
    Table *table = table_new(arena, heads, COLUMNS);
    uint32_t shown = finding->line_count < LINES_SHOWN ? finding->line_count : LINES_SHOWN;
    for (uint32_t i = 0; i < shown; i++) {
        const FindingLine *line = &finding->lines[i];
        table_row(table);
        table_cell(
            table, STYLE_PLAIN,
            arena_printf(arena, "%s:%u", text_file(report, line->file, view->kernel), line->line));
        table_cell(table, STYLE_PLAIN, words_count(arena, line->excess));
        table_cell(table, STYLE_PLAIN, words_percent(arena, line->excess, finding->excess));
        table_cell(table, STYLE_PLAIN, source_text(report, view, line));
        table_note(table, line_note(report, view, line));
    }
    table_print(table, report, 5);
    if (finding->line_count > shown)
        text_wrap(report, 5, STYLE_DIM,
                  arena_printf(arena, "and %u more", finding->line_count - shown));
}

/* What its accesses have in common, where they waste sectors. */
static void print_shape(const Report *report, const Shape *shape) {
    static const char program[] =
        " warplens fix -- PROGRAM ARGUMENT... says what to write instead.";
    static const char kernel[] = " warplens fix FILE -k KERNEL, with its launch and arguments, "
                                 "says what to write instead.";
    Arena *arena = report->arena;
    if (shape)
        text_wrap(report, 5, STYLE_PLAIN,
                  arena_printf(arena, "Shape: %s (%s).%s", shape_name(shape->kind),
                               words_shape(arena, report->profile, shape),
                               shape->kind == SHAPE_GATHER           ? ""
                               : profile_of_program(report->profile) ? program
                                                                     : kernel));
}

static const char *cycles(Arena *arena, double value) {
    return value > 0 ? words_count(arena, cost_cycles(value)) : "-";
}

/* Bounds, so that a claim about what hides behind what can be checked. */
static void print_stages(const Report *report, const LaunchView *view) {
    static const char bounds[] = "cycles busy";
    static const Column columns[] = {
        {.head = "stage", .left = true},
        {.group = bounds, .head = "at least"},
        {.group = bounds, .head = "at most"},
    };
    Arena *arena = report->arena;
    LaunchCost cost;
    if (!launch_cost(report->profile, view->number, &cost))
        return;
    text_title(report, "Stages");
    Table *table = table_new(arena, columns, sizeof columns / sizeof *columns);
    bool estimated = false;
    for (int s = 0; s < STAGE_COUNT; s++) {
        const Stage *stage = &cost.stage[s];
        if (stage->most == 0)
            continue;
        estimated |= stage->estimated && stage->least > 0;
        table_row(table);
        table_cell(table, STYLE_PLAIN, stage_name((StageId)s));
        table_cell(table, STYLE_PLAIN,
                   arena_printf(arena, "%s%s", stage->estimated && stage->least > 0 ? "~" : "",
                                cycles(arena, stage->least)));
        table_cell(table, STYLE_PLAIN, cycles(arena, stage->most));
    }
    table_print(table, report, 2);
    text_wrap(report, 2, STYLE_DIM,
              arena_printf(arena,
                           "Bounds from the counts, per SM at the boost clock of %s; no time that "
                           "the kernel takes: hits in caches, latencies and barriers are not "
                           "modelled.%s%s",
                           view->record->gpu, estimated ? " ~: an estimate." : "",
                           cost.memory_alone
                               ? " Instructions that access no memory were not counted."
                           : cost.matrices ? " The tensor cores' work is not among them."
                                           : ""));
}

/* Returns how many findings that were: its parts behind it are told with it. */
static uint32_t print_finding(const Report *report, const LaunchView *view, const Finding *finding,
                              const Finding *end, uint32_t number, const Shape *shape) {
    static const Style styles[] = {STYLE_PLAIN, STYLE_WARM, STYLE_HOT};
    Arena *arena = report->arena;
    const RuleInfo *rule = rule_info(finding->rule);
    fprintf(report->out, "%s  ", number > 1 ? "\n" : "");
    text_print(
        report, styles[finding->severity],
        arena_printf(arena, "%u. %s (%s)", number, rule->title, severity_name(finding->severity)));
    text_print(report, STYLE_DIM,
               arena_printf(arena, ", %s of the launch's wavefronts and sectors",
                            words_share(arena, finding->share)));
    fputc('\n', report->out);
    text_wrap(report, 5, STYLE_PLAIN, arena_printf(arena, "%s.", words_finding(arena, finding)));
    const Finding *next = finding + 1;
    for (; next < end && next->part; next++)
        text_wrap(report, 7, STYLE_PLAIN, arena_printf(arena, "%s.", words_finding(arena, next)));
    if (finding->weighed)
        text_wrap(report, 5, STYLE_PLAIN,
                  arena_printf(arena, "%s.", words_matters(arena, finding)));
    print_shape(report, shape);
    print_lines(report, view, finding);
    text_wrap(report, 5, STYLE_DIM,
              arena_printf(arena, "What usually helps: %s (%s)", rule->advice,
                           help_address(arena, rule->page)));
    return (uint32_t)(next - finding);
}

void page_findings(const Report *report, const LaunchView *view) {
    Arena *arena = report->arena;
    uint32_t shape_count, count;
    const Finding *findings = rules_run(arena, report->profile, view->number, &count);
    Shape *shapes = shapes_of(arena, report->profile, view->number, &shape_count);
    if (count)
        print_stages(report, view);
    text_title(report, "Findings");
    if (!count)
        text_wrap(report, 2, STYLE_PLAIN,
                  view->all.unmodelled || view->all.remote
                      ? "none: no access whose cost is modelled costs more than it must"
                      : "none: no access costs more than it must");
    uint32_t number = 0;
    for (uint32_t i = 0; i < count;)
        i += print_finding(report, view, &findings[i], findings + count, ++number,
                           finding_shape(shapes, shape_count, &findings[i]));
}

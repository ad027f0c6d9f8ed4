/* A comparison as data: docs/report-format.md. */
#include "report/diff.h"
#include "report/document.h"
#include "report/levels.h"

#include <stdlib.h>

/* Of each counter that is not 0 on both sides: [before, after]. */
static json_t *pairs_of(const Counters *before, const Counters *after) {
    json_t *pairs = json_object();
    for (int id = 0; id < COUNTER_COUNT; id++) {
        uint64_t was = before->at[id], is = after->at[id];
        if (was || is)
            json_object_set_new(pairs, counter_info((CounterId)id)->name,
                                json_pack("[I,I]", (json_int_t)was, (json_int_t)is));
    }
    return pairs;
}

static json_t *line_number(const LineCounts *line) {
    return line ? json_integer(line->line) : json_null();
}

static json_t *lines_of(const Diff *diff, const DiffView *view) {
    Arena *arena = diff->report.arena;
    uint32_t count;
    const LineChange *changes = diff_lines(arena, &diff->changes, view->change, &count);
    json_t *lines = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const LineChange *change = &changes[i];
        Counters before = line_counters(change->before), after = line_counters(change->after);
        json_array_append_new(lines, json_pack("{s:o,s:o,s:o,s:o,s:o}", "path",
                                               document_text(arena, diff_path(diff, view, change)),
                                               "before", line_number(change->before), "after",
                                               line_number(change->after), "text",
                                               document_text(arena, diff_text(diff, view, change)),
                                               "counters", pairs_of(&before, &after)));
    }
    return lines;
}

static json_t *status_of(const DiffSide *side) {
    return side->record ? json_string(launch_statuses[side->record->status]) : json_null();
}

static json_t *launch_of(const Diff *diff, const DiffView *view) {
    return json_pack(
        "{s:[o,o],s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "status", status_of(&view->before),
        status_of(&view->after), "kernel", document_text(diff->report.arena, diff_name(diff, view)),
        "demangled", document_text(diff->report.arena, diff_whole_name(diff, view)), "before",
        document_index(view->change->before), "after", document_index(view->change->after),
        "shared", pairs_of(&view->before.shared, &view->after.shared), "global",
        pairs_of(&view->before.global, &view->after.global), "all",
        pairs_of(&view->before.all, &view->after.all), "lines", lines_of(diff, view));
}

static LaunchView view_of_side(const DiffSide *side, uint32_t launch) {
    return (LaunchView){.number = launch,
                        .record = side->record,
                        .kernel = side->kernel,
                        .shared = side->shared,
                        .global = side->global,
                        .all = side->all,
                        .scale = side->scale};
}

/* Both memory charts, as SVG. */
static const char *diff_chart(const Diff *diff, const DiffView *view) {
    const DiffSide *sides[2] = {&view->before, &view->after};
    const uint32_t launches[2] = {view->change->before, view->change->after};
    const char *titles[2] = {"Before", "After"};
    const Levels *both[2] = {NULL, NULL};
    Levels levels[2];
    for (uint32_t s = 0; s < 2; s++) {
        if (!sides[s]->record)
            continue;
        const LaunchView own = view_of_side(sides[s], launches[s]);
        levels[s] = levels_of(sides[s]->profile, &own);
        both[s] = &levels[s];
    }
    return chart_memory(diff->report.arena, both, titles);
}

/* Of the launch that has changed most. */
void diff_svg(const Diff *diff) {
    const DiffView *most = NULL;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < diff->views.count; i++) {
        const DiffView *view = &diff->views.at[i];
        uint64_t change = 1;
        for (int id = 0; id < COUNTER_COUNT; id++) {
            const uint64_t was = view->before.all.at[id], is = view->after.all.at[id];
            change += was > is ? was - is : is - was;
        }
        if (change > largest)
            most = view;
        largest = change > largest ? change : largest;
    }
    const Levels *none[2] = {NULL, NULL};
    const char *titles[2] = {NULL, NULL};
    fputs(most ? diff_chart(diff, most) : chart_memory(diff->report.arena, none, titles),
          diff->report.out);
}

json_t *diff_document(const Diff *diff, bool drawn) {
    json_t *launches = json_array();
    for (uint32_t i = 0; i < diff->views.count; i++) {
        const DiffView *view = &diff->views.at[i];
        json_t *launch = launch_of(diff, view);
        if (drawn && counters_differ(&view->before.all, &view->after.all))
            json_object_set_new(launch, "memory_chart",
                                document_text(diff->report.arena, diff_chart(diff, view)));
        json_array_append_new(launches, launch);
    }
    return json_pack("{s:s,s:i,s:o,s:o,s:i,s:o,s:o}", "format", "warplens diff", "version", 1,
                     "before", document_text(diff->report.arena, diff->before->command), "after",
                     document_text(diff->report.arena, diff->after->command), "other_code",
                     (int)diff_other_code(&diff->changes), "counters", document_counter_table(),
                     "launches", launches);
}

void diff_json(const Diff *diff) {
    json_t *document = diff_document(diff, false);
    json_dumpf(document, diff->report.out, JSON_INDENT(1));
    fputc('\n', diff->report.out);
    json_decref(document);
}

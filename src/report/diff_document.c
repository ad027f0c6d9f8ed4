/* A comparison as data: docs/report-format.md. */
#include "report/diff.h"
#include "report/document.h"

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

json_t *diff_document(const Diff *diff) {
    json_t *launches = json_array();
    for (uint32_t i = 0; i < diff->views.count; i++)
        json_array_append_new(launches, launch_of(diff, &diff->views.at[i]));
    return json_pack("{s:s,s:i,s:o,s:o,s:i,s:o,s:o}", "format", "warplens diff", "version", 1,
                     "before", document_text(diff->report.arena, diff->before->command), "after",
                     document_text(diff->report.arena, diff->after->command), "other_code",
                     (int)diff_other_code(&diff->changes), "counters", document_counter_table(),
                     "launches", launches);
}

void diff_json(const Diff *diff) {
    json_t *document = diff_document(diff);
    json_dumpf(document, diff->report.out, JSON_INDENT(1));
    fputc('\n', diff->report.out);
    json_decref(document);
}

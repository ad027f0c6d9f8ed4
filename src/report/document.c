/* The document: launches with their counters by instruction and by line, and their findings. */
#include "report/document.h"
#include "isa/isa.h"
#include "rules/shapes.h"

#include <string.h>

static json_t *number(uint64_t value) {
    return json_integer((json_int_t)value);
}

/* ---- a launch ---- */

static json_t *sites_of(Document *document, const LaunchView *view) {
    json_t *sites = json_array(), **evidence = document_evidence(document, view);
    for (uint32_t i = 0; i < view->kernel->site_count; i++) {
        const Counters *counters = &view->record->counters[i];
        if (counters->requests)
            json_array_append_new(sites,
                                  json_pack("{s:i,s:o,s:O}", "site", (int)i, "counters",
                                            document_counters(counters), "evidence", evidence[i]));
        json_decref(evidence[i]);
    }
    return sites;
}

static json_t *lines_of(Document *document, const LaunchView *view) {
    const Report *report = document->report;
    uint32_t count;
    const LineCounts *lines = profile_lines(report->arena, report->profile, view->number, &count);
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(
            array,
            json_pack("{s:o,s:I,s:o,s:o,s:o,s:o}", "file",
                      document_index(document_file(document, lines[i].file)), "line",
                      (json_int_t)lines[i].line, "own", document_counters(&lines[i].own), "total",
                      document_counters(&lines[i].total), "warp_insts", number(lines[i].warp_insts),
                      "thread_insts", number(lines[i].thread_insts)));
    return array;
}

static json_t *stages_of(Document *document, const LaunchView *view) {
    LaunchCost cost;
    json_t *stages = json_array();
    bool known = launch_cost(document->report->profile, view->number, &cost);
    for (int s = 0; known && s < STAGE_COUNT; s++)
        json_array_append_new(stages,
                              json_pack("{s:s,s:o,s:o,s:b}", "stage", stage_name((StageId)s),
                                        "least", number(cost_cycles(cost.stage[s].least)), "most",
                                        number(cost_cycles(cost.stage[s].most)), "estimated",
                                        cost.stage[s].estimated));
    return stages;
}

/* A bound, where it is known. */
static json_t *bound(double value) {
    return value > 0 ? json_real((double)cost_cycles(value * 100) / 100) : json_null();
}

static json_t *matters_of(Document *document, const Finding *finding) {
    const Relief *relief = &finding->relief;
    if (!finding->matters)
        return json_null();
    return json_pack("{s:s,s:s,s:s,s:o,s:o,s:o}", "verdict", verdict_name(relief->verdict), "stage",
                     stage_name(relief->stage), "other", stage_name(relief->other), "least",
                     bound(relief->least), "most", bound(relief->most), "words",
                     document_text(document->arena, finding->matters));
}

static json_t *shape_of(Document *document, const Shape *shape) {
    Arena *arena = document->arena;
    if (!shape)
        return json_null();
    return json_pack("{s:s,s:o}", "name", shape_name(shape->kind), "words",
                     document_text(arena, words_shape(arena, document->report->profile, shape)));
}

static json_t *finding_of(Document *document, const LaunchView *view, const Finding *finding,
                          const Shape *shape) {
    json_t *lines = json_array();
    for (uint32_t i = 0; i < finding->line_count; i++) {
        const FindingLine *line = &finding->lines[i];
        json_array_append_new(lines, json_pack("{s:o,s:I,s:I,s:o}", "file",
                                               document_index(document_file(document, line->file)),
                                               "line", (json_int_t)line->line, "site",
                                               (json_int_t)(line->site - view->kernel->first_site),
                                               "excess", number(line->excess)));
    }
    return json_pack(
        "{s:s,s:s,s:b,s:f,s:o,s:o,s:s,s:o,s:o,s:o,s:o}", "rule", rule_info(finding->rule)->name,
        "severity", severity_name(finding->severity), "part", finding->part, "share",
        (double)(uint64_t)(finding->share * 1e4 + 0.5) / 1e4, "excess", number(finding->excess),
        "total", number(finding->total), "unit", finding->unit, "message",
        document_text(document->arena, finding->message), "matters", matters_of(document, finding),
        "shape", shape_of(document, shape), "lines", lines);
}

static json_t *findings_of(Document *document, const LaunchView *view, bool whole) {
    json_t *findings = json_array();
    uint32_t count = 0;
    Shape *shapes =
        whole ? shapes_of(document->arena, document->report->profile, view->number, &count) : NULL;
    for (uint32_t i = 0; i < view->finding_count; i++) {
        const Finding *finding = &view->findings[i];
        json_array_append_new(
            findings, finding_of(document, view, finding, finding_shape(shapes, count, finding)));
    }
    return findings;
}

static json_t *allocations_of(Document *document, const LaunchView *view) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < view->record->allocations.count; i++) {
        json_t *allocation = json_object();
        document_fields(document, allocation, TABLE_allocation, &view->record->allocations.at[i]);
        json_array_append_new(array, allocation);
    }
    return array;
}

/* Where it faulted, or null. */
static json_t *fault_at(Document *document, const LaunchRecord *record) {
    if (record->status != LAUNCH_FAULT || record->fault_location == NONE)
        return json_null();
    const SitePlace place = location_place(document->report->profile, record->fault_location);
    return json_pack("{s:o,s:I}", "file", document_index(document_file(document, place.file)),
                     "line", (json_int_t)place.line);
}

static json_t *launch_of(Document *document, const LaunchView *view, bool whole) {
    const LaunchRecord *record = view->record;
    json_t *launch =
        json_pack("{s:i,s:o,s:o,s:o}", "launch", (int)view->number, "kernel",
                  document_index(document_kernel(document, record->kernel)), "grid",
                  document_shape(record->grid), "block", document_shape(record->block));
    document_fields(document, launch, TABLE_launch, record);
    json_object_set_new(launch, "fault_at", fault_at(document, record));
    const Gpu *gpu = gpu_named(str_of(record->gpu));
    json_object_set_new(launch, "gpu_title",
                        document_text(document->arena, gpu ? gpu->title : NULL));
    json_object_set_new(launch, "findings", findings_of(document, view, whole));
    json_object_set_new(launch, "launches", number(record->launches));
    json_object_set_new(launch, "depth", number(record->depth));
    json_object_set_new(launch, "launched_by",
                        record->launches ? number(record->launched_by) : json_null());
    if (record->repeats)
        json_object_set_new(launch, "repeats", number(record->repeats));
    if (record->blocks_counted)
        json_object_set_new(launch, "sampled",
                            json_pack("{s:o}", "blocks", number(record->blocks_counted)));
    json_object_set_new(launch, "stages", stages_of(document, view));
    json_object_set_new(launch, "shared", document_counters(&view->shared));
    json_object_set_new(launch, "global", document_counters(&view->global));
    json_object_set_new(launch, "all", document_counters(&view->all));
    json_object_set_new(launch, "allocations", allocations_of(document, view));
    json_object_set_new(launch, "sites", whole ? sites_of(document, view) : json_null());
    json_object_set_new(launch, "lines", whole ? lines_of(document, view) : json_null());
    return launch;
}

/* ---- the document ---- */

static json_t *origin_of(Document *document) {
    const Profile *profile = document->report->profile;
    if (!profile->origins.count)
        return json_null();
    json_t *origin = json_object();
    document_fields(document, origin, TABLE_origin, &profile->origins.at[0]);
    return origin;
}

static json_t *rule_table(void) {
    json_t *rules = json_array();
    for (int id = 0; id < RULE_COUNT; id++) {
        const RuleInfo *info = rule_info((RuleId)id);
        json_array_append_new(rules, json_pack("{s:s,s:s,s:s,s:s+}", "name", info->name, "title",
                                               info->title, "advice", info->advice, "help",
                                               "docs/rules/", info->page));
    }
    return rules;
}

static uint32_t *no_rows(Arena *arena, uint32_t count) {
    uint32_t *rows = NEW_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = NONE;
    return rows;
}

json_t *document_new(const Report *report, const bool *whole) {
    const Profile *profile = report->profile;
    Document document = {.report = report,
                         .arena = report->arena,
                         .files = json_array(),
                         .kernels = json_array(),
                         .pictures = json_array(),
                         .file_rows = no_rows(report->arena, profile->files.count),
                         .kernel_rows = no_rows(report->arena, profile->kernels.count),
                         .names = text_names(report->arena, profile, report->options, NAME_WIDTH),
                         .picture_rows = map_new(report->arena)};
    json_t *launches = json_array();
    for (uint32_t i = 0; i < report->views.count; i++)
        json_array_append_new(launches,
                              launch_of(&document, &report->views.at[i], !whole || whole[i]));
    return json_pack("{s:s,s:i,s:o,s:o,s:i,s:o,s:o,s:o,s:o,s:o,s:o}", "format", "warplens report",
                     "version", 1, "command", document_text(report->arena, profile->command),
                     "origin", origin_of(&document), "launches_in_profile",
                     (int)profile->launches.count, "counters", document_counter_table(), "rules",
                     rule_table(), "files", document.files, "kernels", document.kernels, "launches",
                     launches, "pictures", document.pictures);
}

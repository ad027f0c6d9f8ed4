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

/* Of all kinds of instructions together; null where those that access no memory are not counted. */
static json_t *executed(const LaunchView *view, uint64_t insts) {
    return view->record->ran_on ? json_null() : number(insts);
}

static json_t *lines_of(Document *document, const LaunchView *view) {
    const Report *report = document->report;
    uint32_t count;
    const LineCounts *lines = profile_lines(document->arena, report->profile, view->number, &count);
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(
            array, json_pack("{s:o,s:I,s:o,s:o,s:o,s:o}", "file",
                             document_index(document_file(document, lines[i].file)), "line",
                             (json_int_t)lines[i].line, "own", document_counters(&lines[i].own),
                             "total", document_counters(&lines[i].total), "warp_insts",
                             executed(view, lines[i].warp_insts), "thread_insts",
                             executed(view, lines[i].thread_insts)));
    return array;
}

static json_t *stages_of(Document *document, const LaunchView *view) {
    LaunchCost cost;
    json_t *stages = json_array();
    bool known = launch_cost(document->report->profile, view->number, &cost);
    for (int s = known && cost.memory_alone ? STAGE_DATA : 0; known && s < STAGE_COUNT; s++)
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
    if (!finding->weighed)
        return json_null();
    json_t *matters =
        json_pack("{s:s,s:s,s:s,s:o,s:o,s:o}", "verdict", verdict_name(relief->verdict), "stage",
                  stage_name(relief->stage), "other", stage_name(relief->other), "least",
                  bound(relief->least), "most", bound(relief->most), "words",
                  document_text(document->arena, words_matters(document->arena, finding)));
    if (relief->seconds > 0)
        json_object_set_new(matters, "busy",
                            json_pack("[f,f]", relief->busy_least, relief->busy_most));
    if (relief->of_us > 0)
        json_object_set_new(matters, "saves",
                            json_pack("{s:f,s:f}", "us", relief->saved_us, "of_us", relief->of_us));
    return matters;
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
        document_text(document->arena, words_finding(document->arena, finding)), "matters",
        matters_of(document, finding), "shape", shape_of(document, shape), "lines", lines);
}

static json_t *findings_of(Document *document, const LaunchView *view) {
    const Profile *profile = document->report->profile;
    json_t *array = json_array();
    uint32_t shape_count, count;
    const Shape *shapes = shapes_of(document->arena, profile, view->number, &shape_count);
    const Finding *findings = rules_run(document->arena, profile, view->number, &count);
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, finding_of(document, view, &findings[i],
                                                finding_shape(shapes, shape_count, &findings[i])));
    return array;
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

json_t *document_launch(Document *document, uint32_t number_of_view) {
    const LaunchView *view = &document->report->views.at[number_of_view];
    const LaunchRecord *record = view->record;
    bool whole = !document->details || document->details[number_of_view] == DETAIL_ALL;
    json_t *launch =
        json_pack("{s:i,s:o,s:o,s:o}", "launch", (int)view->number, "kernel",
                  document_index(document_kernel(document, record->kernel)), "grid",
                  document_shape(record->grid), "block", document_shape(record->block));
    document_fields(document, launch, TABLE_launch, record);
    json_object_set_new(launch, "warp_insts", executed(view, record->warp_insts));
    json_object_set_new(launch, "thread_insts", executed(view, record->thread_insts));
    json_object_set_new(launch, "fault_at", fault_at(document, record));
    const Gpu *gpu = gpu_named(str_of(record->gpu));
    json_object_set_new(launch, "gpu_title",
                        document_text(document->arena, gpu ? gpu->title : NULL));
    json_object_set_new(launch, "finding_count", number(view->findings));
    json_object_set_new(launch, "findings", whole ? findings_of(document, view) : json_null());
    json_object_set_new(launch, "launches", number(record->launches));
    json_object_set_new(launch, "depth", number(record->depth));
    json_object_set_new(launch, "launched_by",
                        record->launches ? number(record->launched_by) : json_null());
    if (record->repeats)
        json_object_set_new(launch, "repeats", number(record->repeats));
    if (record->range)
        json_object_set_new(launch, "range", document_text(document->arena, record->range));
    if (record->device)
        json_object_set_new(launch, "device", number(record->device));
    if (record->blocks_counted)
        json_object_set_new(launch, "sampled",
                            json_pack("{s:o}", "blocks", number(record->blocks_counted)));
    if (record->ran_on && record->wall_seconds > 0)
        json_object_set_new(launch, "seconds", json_real(record->wall_seconds));
    if (record->representatives)
        json_object_set_new(launch, "representatives", number(record->representatives));
    json_object_set_new(launch, "stages", stages_of(document, view));
    json_object_set_new(launch, "shared", document_counters(&view->shared));
    json_object_set_new(launch, "global", document_counters(&view->global));
    json_object_set_new(launch, "all", document_counters(&view->all));
    json_object_set_new(launch, "allocations", allocations_of(document, view));
    document_machine(document, launch, view);
    document_caches(document, launch, view);
    document_levels(document, launch, view, document->details && whole);
    document_time(document, launch, view);
    json_object_set_new(launch, "sites", whole ? sites_of(document, view) : json_null());
    json_object_set_new(launch, "lines", whole ? lines_of(document, view) : json_null());
    return launch;
}

/* ---- launches of a kernel, added up ---- */

static json_t *sum_of(Document *document, const Row *row) {
    const LaunchRecord *record = row->first->record;
    return json_pack("{s:o,s:I,s:I,s:o,s:o,s:s,s:I,s:o,s:o,s:o}", "kernel",
                     document_index(document_kernel(document, record->kernel)), "launches",
                     (json_int_t)row->launches, "repeats", (json_int_t)row->repeats, "grid",
                     row->grids ? json_null() : document_shape(record->grid), "block",
                     row->blocks ? json_null() : document_shape(record->block), "status",
                     launch_statuses[row->status], "finding_count", (json_int_t)row->findings,
                     "thread_insts", executed(row->first, row->insts), "shared",
                     document_counters(&row->shared), "global", document_counters(&row->global));
}

json_t *document_sums(Document *document) {
    const Report *report = document->report;
    uint32_t kernels = report->profile->kernels.count;
    Row *rows = NEW_ARRAY(document->arena, Row, kernels);
    json_t *sums = json_array();
    for (uint32_t i = 0; document->details && i < report->views.count; i++)
        if (document->details[i] == DETAIL_SUM)
            row_add(&rows[report->views.at[i].record->kernel], &report->views.at[i]);
    for (uint32_t i = 0; i < kernels; i++)
        if (rows[i].launches)
            json_array_append_new(sums, sum_of(document, &rows[i]));
    return sums;
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

/* NULL: there are none, and the document has no such member. */
static json_t *host_calls_of(Document *document) {
    const Profile *profile = document->report->profile;
    json_t *calls = profile->host_calls.count ? json_array() : NULL;
    for (uint32_t i = 0; i < profile->host_calls.count; i++) {
        json_t *call = json_object();
        document_fields(document, call, TABLE_host_call, &profile->host_calls.at[i]);
        json_array_append_new(calls, call);
    }
    return calls;
}

static json_t *rule_table(Arena *arena) {
    json_t *rules = json_array();
    for (int id = 0; id < RULE_COUNT; id++) {
        const RuleInfo *info = rule_info((RuleId)id);
        json_array_append_new(rules,
                              json_pack("{s:s,s:s,s:s,s:s,s:s}", "name", info->name, "title",
                                        info->title, "means", help_means(info->page), "advice",
                                        info->advice, "help", help_address(arena, info->page)));
    }
    return rules;
}

static uint32_t *no_rows(Arena *arena, uint32_t count) {
    uint32_t *rows = NEW_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = NONE;
    return rows;
}

void document_begin(Document *document, const Report *report, const Detail *details) {
    const Profile *profile = report->profile;
    Arena *arena = report->arena;
    *document = (Document){.report = report,
                           .arena = arena_new(),
                           .details = details,
                           .files = json_array(),
                           .kernels = json_array(),
                           .pictures = json_array(),
                           .file_rows = no_rows(arena, profile->files.count),
                           .kernel_rows = no_rows(arena, profile->kernels.count),
                           .names = text_names(arena, profile, report->options, NAME_WIDTH),
                           .texts = NEW_ARRAY(arena, ListedModule *, profile->modules.count),
                           .picture_rows = map_new(arena)};
    if (!details)
        return;
    document->listed = NEW_ARRAY(arena, bool, profile->kernels.count);
    for (uint32_t i = 0; i < report->views.count; i++)
        if (details[i] == DETAIL_ALL)
            document->listed[report->views.at[i].record->kernel] = true;
}

void document_end(Document *document) {
    json_decref(document->files);
    json_decref(document->kernels);
    json_decref(document->pictures);
    arena_free(document->arena);
}

json_t *document_head(Document *document) {
    const Profile *profile = document->report->profile;
    return json_pack("{s:s,s:i,s:o,s:o,s:i,s:o*,s:o*,s:o,s:o}", "format", "warplens report",
                     "version", 1, "command", document_text(document->arena, profile->command),
                     "origin", origin_of(document), "launches_in_profile",
                     (int)profile->launches.count, "host_calls", host_calls_of(document), "defects",
                     document_defects(document), "counters", document_counter_table(), "rules",
                     rule_table(document->arena));
}

json_t *document_tables(Document *document) {
    return json_pack("{s:O,s:O,s:O}", "files", document->files, "kernels", document->kernels,
                     "pictures", document->pictures);
}

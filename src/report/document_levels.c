/* What a launch moves between levels of memory, its roofline, and, for the page, the picture of these. */
#include "report/document.h"
#include "report/levels.h"

static json_t *number(uint64_t value) {
    return json_integer((json_int_t)value);
}

/* A rate of hits, or null. */
static json_t *rate(double value) {
    return value < 0 ? json_null() : json_real((double)(int64_t)(value * 1e4 + 0.5) / 1e4);
}

static json_t *flows_of(const Levels *levels) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < levels->count; i++) {
        const Flow *flow = &levels->flow[i];
        json_array_append_new(
            array,
            json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o,s:o}", "from", level_name(flow->from), "to",
                      level_name(flow->to), "what", flow->what, "basis", flow_basis(flow->basis),
                      "requests", number(flow->requests), "wavefronts", number(flow->wavefronts),
                      "sectors", number(flow->sectors), "bytes", number(flow->bytes)));
    }
    return array;
}

static json_t *roofline_levels(const Roofline *roofline) {
    json_t *array = json_array();
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (roofline->bytes[level] > 0 && roofline->gbs[level] > 0)
            json_array_append_new(array,
                                  json_pack("{s:s,s:o,s:s,s:o}", "level", level_name(level),
                                            "bytes", number(cost_cycles(roofline->bytes[level])),
                                            "basis", flow_basis(roofline->basis[level]), "gbs",
                                            number(cost_cycles(roofline->gbs[level]))));
    return array;
}

static json_t *roofline_document(const Profile *profile, const LaunchView *view) {
    Roofline roofline;
    if (!roofline_of(profile, view, &roofline))
        return json_null();
    static const struct {
        RoofUnit unit;
        const char *operations, *gflops;
    } units[] = {{ROOF_FP32, "fp32_operations", "fp32_gflops"},
                 {ROOF_FP64, "fp64_operations", "fp64_gflops"},
                 {ROOF_TENSOR, "tensor_operations", "tensor_fp16_gflops"}};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        json_object_set_new(object, units[i].operations,
                            view->record->ran_on
                                ? json_null() /* they are not counted there */
                                : number(cost_cycles(roofline.operations[units[i].unit])));
        json_object_set_new(object, units[i].gflops,
                            number(cost_cycles(roofline.peak[units[i].unit])));
    }
    json_object_set_new(object, "levels", roofline_levels(&roofline));
    return object;
}

void document_levels(Document *document, json_t *launch, const LaunchView *view, bool drawn) {
    const Levels levels = levels_of(document->report->profile, view);
    json_object_set_new(launch, "levels",
                        json_pack("{s:b,s:o,s:o,s:o}", "modelled", levels.modelled, "l1_hit_rate",
                                  rate(levels.l1_rate), "l2_hit_rate", rate(levels.l2_rate),
                                  "flows", flows_of(&levels)));
    json_object_set_new(launch, "roofline", roofline_document(document->report->profile, view));
    if (!drawn || !levels.count)
        return;
    const Levels *both[2] = {&levels, NULL};
    const char *titles[2] = {"Between the kernel and memory", NULL};
    json_object_set_new(
        launch, "memory_chart",
        document_text(document->arena, chart_memory(document->arena, both, titles)));
}

/* What is known of a launch by its machine code: how often each instruction was executed, what classes of instructions
 * that makes, and what registers and shared memory leave room for. */
#include "report/document.h"

static json_t *number(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *inst_runs_of(Document *document, const LaunchRecord *record) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < record->inst_runs.count; i++) {
        json_t *run = json_object();
        document_fields(document, run, TABLE_inst_run, &record->inst_runs.at[i]);
        json_array_append_new(array, run);
    }
    return array;
}

/* Classes that were executed. */
static json_t *mix_of(const InstMix *mix) {
    json_t *array = json_array();
    for (int c = 0; c < INST_CLASSES; c++) {
        const InstClassInfo *info = inst_class_info((InstClass)c);
        if (mix->of[c].warps)
            json_array_append_new(array, json_pack("{s:s,s:s,s:s,s:o,s:o}", "class", info->id,
                                                   "name", info->name, "text", info->text,
                                                   "warp_insts", number(mix->of[c].warps),
                                                   "thread_insts", number(mix->of[c].threads)));
    }
    return array;
}

static json_t *occupancy_of(const Occupancy *occupancy) {
    json_t *limits = json_object(), *steps = json_array();
    for (int i = 0; i < OCCUPANCY_LIMITS; i++) {
        const OccupancyStep *step = &occupancy->steps[i];
        json_object_set_new(limits, occupancy_limits[i], number(occupancy->alone[i]));
        if (step->unit)
            json_array_append_new(steps,
                                  json_pack("{s:s,s:o,s:o,s:o,s:o}", "unit", step->unit, "from",
                                            number(step->from), "to", number(step->to), "blocks",
                                            number(step->blocks), "warps", number(step->warps)));
    }
    return json_pack("{s:o,s:o,s:o,s:o,s:s,s:o,s:o}", "blocks", number(occupancy->blocks), "warps",
                     number(occupancy->warps), "most_warps", number(occupancy->most_warps),
                     "block_warps", number(occupancy->block_warps), "limit", occupancy->limit,
                     "limits", limits, "steps", steps);
}

void document_machine(Document *document, json_t *launch, const LaunchView *view) {
    const Profile *profile = document->report->profile;
    InstMix mix;
    Occupancy occupancy;
    if (view->record->inst_runs.count)
        json_object_set_new(launch, "inst_runs", inst_runs_of(document, view->record));
    if (launch_mix(profile, view->number, &mix))
        json_object_set_new(launch, "mix", mix_of(&mix));
    if (launch_occupancy(profile, view->number, &occupancy))
        json_object_set_new(launch, "occupancy", occupancy_of(&occupancy));
}

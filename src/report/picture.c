/* `--format svg`: one picture. The memory chart of a launch; of the summary, the roofline of all kernels. */
#include "report/levels.h"

/* Of each kernel the launch that executed most, on the GPU of the first. */
const RoofPoint *roof_points(const Report *report, uint32_t *count) {
    const uint32_t kernels = report->profile->kernels.count;
    RoofPoint *points = NEW_ARRAY(report->arena, RoofPoint, kernels);
    const LaunchView **best = NEW_ARRAY(report->arena, const LaunchView *, kernels);
    *count = 0;
    for (uint32_t i = 0; i < report->views.count; i++) {
        const LaunchView *view = &report->views.at[i], **at = &best[view->record->kernel];
        const bool same =
            str_equal(str_of(view->record->gpu), str_of(report->views.at[0].record->gpu));
        if (same && (!*at || (*at)->record->warp_insts < view->record->warp_insts))
            *at = view;
    }
    for (uint32_t k = 0; k < kernels; k++) {
        RoofPoint *point = &points[*count];
        if (!best[k] || !roofline_of(report->profile, best[k], &point->roofline))
            continue;
        point->name = report->names[k];
        point->launch = best[k]->number;
        ++*count;
    }
    return points;
}

void write_svg(const Report *report) {
    const LaunchView *view = report->worst;
    uint32_t count = 0;
    const RoofPoint *points = roof_points(report, &count);
    if (report->options->pages == 1u << PAGE_SUMMARY && count) {
        fputs(chart_roofline(report->arena, points, count), report->out);
        return;
    }
    Levels levels =
        view ? levels_of(report->profile, view) : (Levels){.l1_rate = -1, .l2_rate = -1};
    const Levels *both[2] = {&levels, NULL};
    const char *titles[2] = {view ? arena_printf(report->arena, "%s, launch %u",
                                                 report->names[view->record->kernel], view->number)
                                  : "The profile has no launches",
                             NULL};
    fputs(chart_memory(report->arena, both, titles), report->out);
}

/* What `--time` estimates of a launch, and what mending each site would make of it. */
#include "report/document.h"

static json_t *sites_of(Document *document, const LaunchView *view) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < view->record->site_times.count; i++) {
        const SiteTime *row = &view->record->site_times.at[i];
        json_t *site =
            json_pack("{s:I}", "site", (json_int_t)(row->site - view->kernel->first_site));
        document_fields(document, site, TABLE_site_time, row);
        json_array_append_new(array, site);
    }
    return array;
}

void document_time(Document *document, json_t *launch, const LaunchView *view) {
    const LaunchRecord *record = view->record;
    if (record->time_us <= 0 && !record->time_because)
        return;
    json_t *time = json_pack(
        "{s:o,s:f,s:f,s:f,s:f,s:f,s:f,s:o,s:b}", "because",
        document_text(document->arena, record->time_because), "us", record->time_us, "least_us",
        record->time_least_us, "most_us", record->time_most_us, "clock_mhz", record->time_clock_mhz,
        "busy", record->time_busy, "mended_us", record->mended_us, "limit",
        document_text(document->arena, record->time_limit), "calibrated", record->time_calibrated);
    json_object_set_new(time, "sites", sites_of(document, view));
    json_object_set_new(launch, "time", time);
}

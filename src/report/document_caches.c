/* What `--caches` estimates of a launch: its sums, and a row for each site. */
#include "report/document.h"

enum { SECTOR = 32 };

static json_t *number(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *sites_of(Document *document, const LaunchView *view) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < view->record->cache_counts.count; i++) {
        const CacheCount *row = &view->record->cache_counts.at[i];
        json_t *site = json_pack("{s:o}", "site", number(row->site - view->kernel->first_site));
        document_fields(document, site, TABLE_cache_count, row);
        json_array_append_new(array, site);
    }
    return array;
}

void document_caches(Document *document, json_t *launch, const LaunchView *view) {
    const LaunchRecord *record = view->record;
    if (!record->l1_bytes && !record->caches_because)
        return;
    CacheCount sum = launch_caches(document->report->profile, view->number);
    json_t *caches = json_pack(
        "{s:o,s:o,s:o,s:o}", "because", document_text(document->arena, record->caches_because),
        "l1_bytes", number(record->l1_bytes), "dram_read_bytes", number(record->dram_read * SECTOR),
        "dram_written_bytes", number(record->dram_written * SECTOR));
    document_fields(document, caches, TABLE_cache_count, &sum);
    json_object_set_new(caches, "sites", sites_of(document, view));
    json_object_set_new(launch, "caches", caches);
}

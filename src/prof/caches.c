/* Sums of what `--caches` estimates. */
#include "prof/prof.h"

#include <stdlib.h>

/* All but the site. */
static void caches_add(CacheCount *into, const CacheCount *from) {
    into->l1_loads += from->l1_loads;
    into->l1_load_hits += from->l1_load_hits;
    into->l1_others += from->l1_others;
    into->l1_other_hits += from->l1_other_hits;
    into->l2_sectors += from->l2_sectors;
    into->l2_hits += from->l2_hits;
    into->dram_reads += from->dram_reads;
}

CacheCount launch_caches(const Profile *profile, uint32_t launch) {
    const LaunchRecord *record = &profile->launches.at[launch];
    CacheCount sum = {.site = NONE};
    for (uint32_t i = 0; i < record->cache_counts.count; i++)
        caches_add(&sum, &record->cache_counts.at[i]);
    return sum;
}

static int by_traffic(const void *a, const void *b) {
    const LineCaches *one = a, *other = b;
    uint64_t first = one->sum.l1_loads + one->sum.l1_others;
    uint64_t second = other->sum.l1_loads + other->sum.l1_others;
    if (first != second)
        return first > second ? -1 : 1;
    return one->place.line < other->place.line ? -1 : one->place.line > other->place.line;
}

LineCaches *launch_line_caches(Arena *arena, const Profile *profile, uint32_t launch,
                               uint32_t *count) {
    const LaunchRecord *record = &profile->launches.at[launch];
    *count = 0;
    if (!record->cache_counts.count)
        return NULL;
    LineCaches *lines = NEW_ARRAY(arena, LineCaches, record->cache_counts.count);
    for (uint32_t i = 0; i < record->cache_counts.count; i++) {
        const CacheCount *row = &record->cache_counts.at[i];
        SitePlace place = site_place(profile, &profile->sites.at[row->site]);
        uint32_t at = 0;
        while (at < *count &&
               (lines[at].place.file != place.file || lines[at].place.line != place.line))
            at++;
        if (at == *count)
            lines[(*count)++] = (LineCaches){.place = place, .sum = {.site = NONE}};
        caches_add(&lines[at].sum, row);
    }
    qsort(lines, *count, sizeof *lines, by_traffic);
    return lines;
}

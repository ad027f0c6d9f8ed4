/* What tables can be sorted by. */
#include "report/page.h"

#include <string.h>

static double worst(const Counters *counters) {
    return (double)counters_excess_wavefronts(counters) + (double)counters_excess_sectors(counters);
}

static double excess_wavefronts(const Counters *counters) {
    return (double)counters_excess_wavefronts(counters);
}

static double excess_sectors(const Counters *counters) {
    return (double)counters_excess_sectors(counters);
}

static double ratio(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

static double n_way(const Counters *counters) {
    return ratio(counters->wavefronts, counters->wavefronts_ideal);
}

static double sectors_per_request(const Counters *counters) {
    return ratio(counters->sectors, counters->requests);
}

const SortKey report_sort_keys[] = {
    {"worst", "wavefronts and sectors beyond their ideals", worst},
    {"excess_wavefronts", "wavefronts beyond their ideal", excess_wavefronts},
    {"excess_sectors", "sectors beyond their ideal", excess_sectors},
    {"n_way", "wavefronts / ideal wavefronts", n_way},
    {"sectors_per_request", "sectors / requests", sectors_per_request},
    {NULL, NULL, NULL},
};

static double time_us(const LaunchRecord *record) {
    return record->time_us;
}

const LaunchSortKey launch_sort_keys[] = {
    {"time", "the duration that --time estimates", time_us},
    {"saves", "what --time estimates that mending all accesses saves", record_saves_us},
    {NULL, NULL, NULL},
};

const LaunchSortKey *launch_sort_key(const char *name) {
    for (const LaunchSortKey *key = launch_sort_keys; key->name; key++)
        if (strcmp(key->name, name) == 0)
            return key;
    return NULL;
}

bool sort_value(const char *name, const Counters *counters, double *value) {
    for (const SortKey *key = report_sort_keys; key->name; key++)
        if (strcmp(key->name, name) == 0) {
            *value = key->value(counters);
            return true;
        }
    for (int id = 0; id < COUNTER_COUNT; id++)
        if (strcmp(counter_info((CounterId)id)->name, name) == 0) {
            *value = (double)counters->at[id];
            return true;
        }
    return false;
}

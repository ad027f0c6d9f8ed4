/* The parts of a launch that several machines have run, added up: counters of sites and locations, machine instructions, and what
 * fields.def calls a sum. What was recorded as evidence comes from one of them (exec/run/shard.c). */
#include "prof/merge.h"

#include <string.h>

struct Whole {
    Arena *arena;
    LaunchRecord launch;
    uint32_t left, sites;
    uint32_t *count_of; /* [locations of the result]: which of `counts`, plus 1 */
    VEC(LocationCount) counts;
    VEC(AccessPattern) patterns;
};

Whole *whole_new(uint32_t parts, uint32_t locations) {
    Arena *arena = arena_new();
    Whole *whole = NEW(arena, Whole);
    whole->arena = arena;
    whole->left = parts;
    whole->count_of = NEW_ARRAY(arena, uint32_t, locations + 1);
    return whole;
}

void whole_free(Whole *whole) {
    if (whole)
        arena_free(whole->arena);
}

static void add_sums(LaunchRecord *into, const LaunchRecord *from) {
    const ProfTable *table = &prof_tables[TABLE_launch];
    for (uint32_t i = 0; i < table->field_count; i++) {
        const ProfField *field = &table->fields[i];
        void *to = (char *)into + field->offset;
        const void *add = (const char *)from + field->offset;
        if (field->flags & SUM && field->kind == FIELD_REAL)
            *(double *)to += *(const double *)add;
        else if (field->flags & SUM)
            *(uint64_t *)to += *(const uint64_t *)add;
    }
}

static void begin(Whole *whole, const LaunchRecord *launch, uint32_t sites) {
    LaunchRecord *record = &whole->launch;
    *record = *launch;
    row_keep(whole->arena, &prof_tables[TABLE_launch], record);
    memset(&record->allocations, 0, sizeof record->allocations);
    memset(&record->inst_runs, 0, sizeof record->inst_runs);
    memset(&record->cache_counts, 0, sizeof record->cache_counts);
    whole->sites = sites;
    record->counters = NEW_ARRAY(whole->arena, Counters, sites + 1);
}

/* By their first instruction, in order: a branch is where it is on every machine. */
static void add_runs(Whole *whole, const LaunchRecord *from) {
    LaunchRecord *record = &whole->launch;
    for (uint32_t i = 0; i < from->inst_runs.count; i++) {
        const InstRun *run = &from->inst_runs.at[i];
        uint32_t at = 0;
        while (at < record->inst_runs.count && record->inst_runs.at[at].first < run->first)
            at++;
        bool known = at < record->inst_runs.count && record->inst_runs.at[at].first == run->first;
        if (known) {
            record->inst_runs.at[at].warps += run->warps;
            record->inst_runs.at[at].threads += run->threads;
            continue;
        }
        vec_add(whole->arena, &record->inst_runs);
        InstRun *place = &record->inst_runs.at[at];
        memmove(place + 1, place, (record->inst_runs.count - 1 - at) * sizeof *place);
        *place = *run;
    }
}

static void add_counts(Whole *whole, const Profile *from, uint32_t launch, const RowMap *map) {
    uint32_t count;
    const LocationCount *counts = launch_location_counts(from, launch, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t location = map->of[TABLE_location][counts[i].location];
        uint32_t *known = &whole->count_of[location];
        if (!*known) {
            *vec_add(whole->arena, &whole->counts) = (LocationCount){.location = location};
            *known = whole->counts.count;
        }
        whole->counts.at[*known - 1].warp_insts += counts[i].warp_insts;
        whole->counts.at[*known - 1].thread_insts += counts[i].thread_insts;
    }
}

static void add_patterns(Whole *whole, const Profile *from, uint32_t launch, uint32_t variables,
                         const RowMap *map) {
    uint32_t count;
    const AccessPattern *patterns = launch_patterns(from, launch, &count);
    for (uint32_t i = 0; i < count; i++) {
        AccessPattern row = patterns[i];
        row.site = map->of[TABLE_site][row.site];
        if (row.variable != NONE && row.space != SITE_SHARED)
            row.variable += variables;
        row_keep(whole->arena, &prof_tables[TABLE_pattern], &row);
        *vec_add(whole->arena, &whole->patterns) = row;
    }
}

bool whole_add(Whole *whole, const Profile *from, uint32_t launch, const LaunchRecord *translated,
               const RowMap *map) {
    const LaunchRecord *given = &from->launches.at[launch];
    uint32_t sites = from->kernels.at[given->kernel].site_count;
    if (!whole->launch.counters)
        begin(whole, translated, sites);
    else
        add_sums(&whole->launch, translated);
    for (uint32_t i = 0; i < sites; i++)
        counters_add(&whole->launch.counters[i], &given->counters[i]);
    add_runs(whole, given);
    add_counts(whole, from, launch, map);
    add_patterns(whole, from, launch, whole->launch.allocations.count, map);
    for (uint32_t i = 0; i < given->allocations.count; i++) {
        Allocation row = given->allocations.at[i];
        row_keep(whole->arena, &prof_tables[TABLE_allocation], &row);
        *vec_add(whole->arena, &whole->launch.allocations) = row;
    }
    return --whole->left == 0;
}

void whole_write(const Whole *whole, Store *store, uint32_t number, uint32_t first_site) {
    LaunchRecord record = whole->launch;
    record.status = record.blocks_run == record.blocks ? LAUNCH_DONE : LAUNCH_SAMPLED;
    record.part = record.parts = 0;
    record.launched_by = number;
    store_row(store, TABLE_launch, 0, number, &record);
    for (uint32_t i = 0; i < record.allocations.count; i++)
        store_row(store, TABLE_allocation, number, i, &record.allocations.at[i]);
    for (uint32_t i = 0; i < record.inst_runs.count; i++)
        store_row(store, TABLE_inst_run, number, i, &record.inst_runs.at[i]);
    for (uint32_t i = 0; i < whole->sites; i++)
        store_row(store, TABLE_count, number, first_site + i, &record.counters[i]);
    for (uint32_t i = 0; i < whole->counts.count; i++) {
        LocationCount row = whole->counts.at[i];
        row.launch = number;
        store_next(store, TABLE_location_count, &row);
    }
    for (uint32_t i = 0; i < whole->patterns.count; i++) {
        AccessPattern row = whole->patterns.at[i];
        row.launch = number;
        store_next(store, TABLE_pattern, &row);
    }
}

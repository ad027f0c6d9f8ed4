/* Sums by source line. A site lies at a chain of places: the line of the instruction, the line that
 * calls the inlined function that it came from, and so on out to the kernel's own code. Its counts
 * are in the total of every distinct (file, line) of that chain, once each, as other profilers do: a
 * recursive chain that passes a line twice does not count twice there. They are a line's own at one of
 * them, the user's (places.c). */
#include "prof/prof.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct LineTable {
    Arena *arena;
    const Profile *profile;
    Map *index; /* (file, line) -> row */
    VEC(LineCounts) rows;
    VEC(uint64_t) stamp; /* of a row: the number of the last chain that was added to it */
    uint64_t chain;
} LineTable;

static uint32_t row_of(LineTable *table, uint32_t file, uint32_t line) {
    uint32_t numbers[] = {file, line};
    uint64_t found;
    if (map_get(table->index, (Str){(const char *)numbers, sizeof numbers}, &found))
        return (uint32_t)found;
    char *key = arena_copy(table->arena, (const char *)numbers, sizeof numbers);
    map_put(table->index, (Str){key, sizeof numbers}, table->rows.count);
    *vec_add(table->arena, &table->rows) = (LineCounts){.file = file, .line = line};
    *vec_add(table->arena, &table->stamp) = 0;
    return table->rows.count - 1;
}

/* The row of a place in the current chain, or NONE where the chain has been there. */
static uint32_t row_once(LineTable *table, uint32_t file, uint32_t line) {
    uint32_t row = row_of(table, file, line);
    if (table->stamp.at[row] == table->chain)
        return NONE;
    table->stamp.at[row] = table->chain;
    return row;
}

static void add_site(LineTable *table, const Site *site, const Counters *counters) {
    table->chain++;
    if (site->location == NONE) {
        uint32_t row = row_of(table, NONE, site->ptx_line);
        counters_add(&table->rows.at[row].own, counters);
        counters_add(&table->rows.at[row].total, counters);
        return;
    }
    for (uint32_t at = site->location; at != NONE;
         at = table->profile->locations.at[at].inlined_at) {
        const Location *place = &table->profile->locations.at[at];
        uint32_t row = row_once(table, place->file, place->line);
        if (row == NONE)
            continue;
        counters_add(&table->rows.at[row].total, counters);
    }
    const SitePlace place = site_place(table->profile, site);
    counters_add(&table->rows.at[row_of(table, place.file, place.line)].own, counters);
}

static void add_insts(LineTable *table, const LocationCount *count) {
    table->chain++;
    for (uint32_t at = count->location; at != NONE;
         at = table->profile->locations.at[at].inlined_at) {
        const Location *place = &table->profile->locations.at[at];
        uint32_t row = row_once(table, place->file, place->line);
        if (row == NONE)
            continue;
        table->rows.at[row].warp_insts += count->warp_insts;
        table->rows.at[row].thread_insts += count->thread_insts;
    }
}

static int by_place(const void *left, const void *right) {
    const LineCounts *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* A table of the profile whose rows are in the order of their launches. */
typedef struct LaunchRows {
    const void *rows;
    uint32_t count;
    size_t row_bytes, launch_at; /* offset of the launch's number in a row */
} LaunchRows;
#define LAUNCH_ROWS(list, Row)                                                                     \
    (&(LaunchRows){(list).at, (list).count, sizeof(Row), offsetof(Row, launch)})

/* Index of the first row of that launch or of a later one. */
static uint32_t rows_begin(const LaunchRows *table, uint64_t launch) {
    uint32_t low = 0, high = table->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        uint32_t its;
        memcpy(&its, (const char *)table->rows + middle * table->row_bytes + table->launch_at,
               sizeof its);
        if (its < launch)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first row of a launch; NULL, and a count of 0, where it has none. */
static const void *rows_of_launch(const LaunchRows *table, uint32_t launch, uint32_t *count) {
    const uint32_t first = rows_begin(table, launch);
    *count = rows_begin(table, (uint64_t)launch + 1) - first;
    return *count ? (const char *)table->rows + first * table->row_bytes : NULL;
}

const LocationCount *launch_location_counts(const Profile *profile, uint32_t launch,
                                            uint32_t *count) {
    return rows_of_launch(LAUNCH_ROWS(profile->location_counts, LocationCount), launch, count);
}

const AccessPattern *launch_patterns(const Profile *profile, uint32_t launch, uint32_t *count) {
    return rows_of_launch(LAUNCH_ROWS(profile->patterns, AccessPattern), launch, count);
}

LineCounts *profile_lines(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    LineTable table = {.arena = arena, .profile = profile, .index = map_new(arena)};
    for (uint32_t i = 0; i < kernel->site_count; i++)
        if (record->counters[i].requests)
            add_site(&table, &profile->sites.at[kernel->first_site + i], &record->counters[i]);
    uint32_t counted;
    const LocationCount *counts = launch_location_counts(profile, launch, &counted);
    for (uint32_t i = 0; i < counted; i++)
        if (counts[i].warp_insts)
            add_insts(&table, &counts[i]);
    if (table.rows.count)
        qsort(table.rows.at, table.rows.count, sizeof *table.rows.at, by_place);
    *count = table.rows.count;
    return table.rows.at;
}

bool site_is_modelled(const Site *site) {
    return site->op < SITE_COPY;
}

bool site_in(const Site *site, const Counters *counters, SiteSpace space) {
    if (!site_is_modelled(site))
        return false;
    if (site->op == SITE_CP_ASYNC)
        return space == SITE_SHARED || space == SITE_GLOBAL;
    if (site->space != SITE_GENERIC)
        return site->space == space;
    return (space == SITE_SHARED && counters->wavefronts) ||
           (space == SITE_GLOBAL && counters->sectors) ||
           (space == SITE_CONST && counters->constants);
}

Counters profile_total(const Profile *profile, uint32_t launch, bool (*filter)(const Site *site)) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    Counters sum = {0};
    for (uint32_t i = 0; i < kernel->site_count; i++)
        if (!filter || filter(&profile->sites.at[kernel->first_site + i]))
            counters_add(&sum, &record->counters[i]);
    return sum;
}

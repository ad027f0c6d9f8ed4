/* The tables of fields.def as data, and where the rows of each lie in a Profile. */
#include "prof/fields.h"

#include <string.h>

const char *const site_ops[] = {
#define SITE_OP(id, name, code, words, text) name,
#include "prof/site_ops.def"
    NULL};
const char *const site_spaces[] = {"generic", "global", "shared", "local", "const", NULL};
const char *const launch_statuses[] = {"done", "sampled", "interrupted", "fault", NULL};

#define TABLE(Type, id, words)                                                                     \
    static const char id##_words[] = words;                                                        \
    static const ProfField id##_fields[] = {
#define FIELD(Type, kind, name, flags, words)                                                      \
    {#name, FIELD_##kind, flags, offsetof(Type, name), TABLE_NONE, NULL, words},
#define ENUM(Type, Enum, names, name, flags, words)                                                \
    {#name, FIELD_ENUM, flags, offsetof(Type, name), TABLE_NONE, names, words},
#define INDEX(Type, name, table, flags, words)                                                     \
    {#name, FIELD_INDEX, flags, offsetof(Type, name), TABLE_##table, NULL, words},
#define SHAPE(Type, name, words)                                                                   \
    {#name "_x", FIELD_U32, 0, offsetof(Type, name[0]), TABLE_NONE, NULL, words},                  \
        {#name "_y", FIELD_U32, 0, offsetof(Type, name[1]), TABLE_NONE, NULL, words},              \
        {#name "_z", FIELD_U32, 0, offsetof(Type, name[2]), TABLE_NONE, NULL, words},
#define END(Type)                                                                                  \
    }                                                                                              \
    ;
#include "prof/fields.def"

/* ---- where the rows are ---- */

#define ROOT(id, array)                                                                            \
    static const void *id##_rows(const Profile *profile, uint32_t parent, uint32_t *count,         \
                                 uint32_t *first) {                                                \
        (void)parent;                                                                              \
        *count = profile->array.count;                                                             \
        *first = 0;                                                                                \
        return profile->array.at;                                                                  \
    }                                                                                              \
    static void *id##_add(Profile *profile, uint32_t parent, uint32_t number) {                    \
        (void)parent;                                                                              \
        return number == profile->array.count ? vec_add(profile->arena, &profile->array) : NULL;   \
    }
ROOT(file, files)
ROOT(module, modules)
ROOT(location, locations)
ROOT(kernel, kernels)
ROOT(site, sites)
ROOT(launch, launches)
ROOT(location_count, location_counts)
ROOT(pattern, patterns)
ROOT(sass_line, sass_lines)
ROOT(origin, origins)

#define CHILD(id, parents, array)                                                                  \
    static const void *id##_rows(const Profile *profile, uint32_t parent, uint32_t *count,         \
                                 uint32_t *first) {                                                \
        *count = profile->parents.at[parent].array.count;                                          \
        *first = 0;                                                                                \
        return profile->parents.at[parent].array.at;                                               \
    }                                                                                              \
    static void *id##_add(Profile *profile, uint32_t parent, uint32_t number) {                    \
        return number == profile->parents.at[parent].array.count                                   \
                   ? vec_add(profile->arena, &profile->parents.at[parent].array)                   \
                   : NULL;                                                                         \
    }
CHILD(shared_variable, kernels, shared)
CHILD(sass, kernels, sass)
CHILD(allocation, launches, allocations)

/* Counters have a row for each site of the launch's kernel, whether it was executed or not. */
static const void *count_rows(const Profile *profile, uint32_t launch, uint32_t *count,
                              uint32_t *first) {
    const ProfKernel *kernel = &profile->kernels.at[profile->launches.at[launch].kernel];
    *count = profile->launches.at[launch].counters ? kernel->site_count : 0;
    *first = kernel->first_site;
    return profile->launches.at[launch].counters;
}

static void *count_add(Profile *profile, uint32_t launch, uint32_t site) {
    LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    if (!record->counters)
        record->counters = NEW_ARRAY(profile->arena, Counters, kernel->site_count);
    bool of_kernel = site >= kernel->first_site && site - kernel->first_site < kernel->site_count;
    return of_kernel ? &record->counters[site - kernel->first_site] : NULL;
}

#define IN(id, Type, parent, parent_column, number, later)                                         \
    [TABLE_##id] = {#id,                                                                           \
                    id##_words,                                                                    \
                    parent,                                                                        \
                    parent_column,                                                                 \
                    number,                                                                        \
                    id##_fields,                                                                   \
                    (uint32_t)(sizeof id##_fields / sizeof *id##_fields),                          \
                    later,                                                                         \
                    sizeof(Type),                                                                  \
                    id##_rows,                                                                     \
                    id##_add}
#define IN_PROFILE(id, Type) IN(id, Type, TABLE_NONE, NULL, "id", false)

const ProfTable prof_tables[TABLES] = {
    IN_PROFILE(file, SourceFile),
    IN_PROFILE(module, ProfModule),
    IN_PROFILE(location, Location),
    IN_PROFILE(kernel, ProfKernel),
    IN(shared_variable, SharedVariable, TABLE_kernel, "kernel", "number", false),
    IN_PROFILE(site, Site),
    IN_PROFILE(launch, LaunchRecord),
    IN(allocation, Allocation, TABLE_launch, "launch", "number", false),
    IN(count, Counters, TABLE_launch, "launch", "site", false),
    IN_PROFILE(location_count, LocationCount),
    IN_PROFILE(pattern, AccessPattern),
    IN_PROFILE(sass_line, SassLine),
    IN(sass, SassInst, TABLE_kernel, "kernel", "number", true),
    IN(origin, Origin, TABLE_NONE, NULL, "id", true),
};

uint32_t table_rows(const Profile *profile, TableId table) {
    uint32_t count, first;
    prof_tables[table].rows(profile, 0, &count, &first);
    return count;
}

/* ---- rows ---- */

bool field_is_set(const ProfField *field, const void *row) {
    const void *at = (const char *)row + field->offset;
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_ENUM:
        return *(const uint32_t *)at != 0;
    case FIELD_INDEX:
        return *(const uint32_t *)at != NONE;
    case FIELD_BOOL:
        return *(const bool *)at;
    case FIELD_TEXT:
    case FIELD_LANES:
        return *(const void *const *)at != NULL;
    case FIELD_U64:
    case FIELD_I64:
    case FIELD_REAL:
        break;
    }
    return *(const uint64_t *)at != 0;
}

const ProfField *row_lacks(const ProfTable *table, const void *row) {
    for (uint32_t i = 0; i < table->field_count; i++)
        if (table->fields[i].flags & NEEDED && !field_is_set(&table->fields[i], row))
            return &table->fields[i];
    return NULL;
}

void row_keep(Arena *arena, const ProfTable *table, void *row) {
    for (uint32_t i = 0; i < table->field_count; i++) {
        const ProfField *field = &table->fields[i];
        void *at = (char *)row + field->offset;
        if (field->kind == FIELD_TEXT && field_is_set(field, row)) {
            const char **text = at;
            *text = arena_copy(arena, *text, strlen(*text));
        } else if (field->kind == FIELD_LANES && field_is_set(field, row)) {
            const int64_t **lanes = at;
            *lanes = memcpy(NEW_ARRAY(arena, int64_t, FIELD_LANE_COUNT), *lanes,
                            FIELD_LANE_COUNT * sizeof **lanes);
        }
    }
}

bool pattern_fits(const Profile *profile, const AccessPattern *pattern) {
    const LaunchRecord *launch = &profile->launches.at[pattern->launch];
    uint32_t variables = pattern->space == SITE_SHARED
                             ? profile->kernels.at[launch->kernel].shared.count
                             : launch->allocations.count;
    return profile->sites.at[pattern->site].kernel == launch->kernel &&
           (pattern->variable == NONE || pattern->variable < variables);
}

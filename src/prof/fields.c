/* The tables of fields.def as data, and where the rows of each lie in a Profile. */
#include "prof/fields.h"

#include <math.h>
#include <string.h>

const char *const site_ops[] = {
#define SITE_OP(id, name, code, words, text, first, last) name,
#include "prof/site_ops.def"
    NULL};
const char *const site_spaces[] = {"generic", "global", "shared", "local", "const", NULL};
const char *const local_uses[] = {"none", "array", "spill", "call", NULL};
const char *const launch_statuses[] = {"done", "sampled", "interrupted", "fault", NULL};
const char *const defect_checks[] = {
#define CHECK(id, name) name,
#include "prof/checks.def"
    NULL};
const char *const defect_kinds[] = {
#define DEFECT(id, name, check, title) name,
#include "prof/checks.def"
    NULL};

/* The most that numbers of fields.def are. */
#define ANY UINT64_MAX
#define LINES_MOST INT32_MAX
#define BLOCKS_MOST INT64_MAX
#define DEVICES_MOST 64
#define SHARED_MOST (1 << 24)          /* addresses of a block's shared memory */
#define BYTES_MOST (UINT64_C(1) << 48) /* of global memory */
#define COUNT_MOST (UINT64_C(1) << 53) /* what readers of JSON keep exactly */
#define SECONDS_MOST UINT64_C(1000000000000)

#define TABLE(Type, id, words)                                                                     \
    static const char id##_words[] = words;                                                        \
    static const ProfField id##_fields[] = {
#define FIELD(Type, kind, name, flags, words)                                                      \
    {#name, FIELD_##kind, flags, 0, offsetof(Type, name), TABLE_NONE, NULL, words},
#define NUMBER(Type, kind, name, most, flags, words)                                               \
    {#name, FIELD_##kind, flags, most, offsetof(Type, name), TABLE_NONE, NULL, words},
#define ENUM(Type, Enum, names, name, flags, words)                                                \
    {#name, FIELD_ENUM, flags, 0, offsetof(Type, name), TABLE_NONE, names, words},
#define INDEX(Type, name, table, flags, words)                                                     \
    {#name, FIELD_INDEX, flags, 0, offsetof(Type, name), TABLE_##table, NULL, words},
#define SHAPE(Type, name, words)                                                                   \
    {#name "_x", FIELD_U32, 0, INT32_MAX, offsetof(Type, name[0]), TABLE_NONE, NULL, words},       \
        {#name "_y", FIELD_U32, 0, INT32_MAX, offsetof(Type, name[1]), TABLE_NONE, NULL, words},   \
        {#name "_z", FIELD_U32, 0, INT32_MAX, offsetof(Type, name[2]), TABLE_NONE, NULL, words},
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
    }                                                                                              \
    static void id##_room(Profile *profile, uint32_t rows) {                                       \
        if (profile->array.capacity > 0 || rows == 0)                                              \
            return;                                                                                \
        profile->array.at =                                                                        \
            arena_alloc_aligned(profile->arena, rows * sizeof *profile->array.at, 64);             \
        profile->array.capacity = rows;                                                            \
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
ROOT(host_call, host_calls)
ROOT(defect, defects)
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
CHILD(inst_run, launches, inst_runs)
CHILD(cache_count, launches, cache_counts)
CHILD(site_time, launches, site_times)

/* Counters have a row for each site of the launch's kernel, whether it was executed or not. */
static const void *count_rows(const Profile *profile, uint32_t launch, uint32_t *count,
                              uint32_t *first) {
    const ProfKernel *kernel = profile_kernel(profile, launch);
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

#define IN(id, Type, parent, parent_column, number, later, room)                                   \
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
                    id##_add,                                                                      \
                    room}
#define IN_PROFILE(id, Type) IN(id, Type, TABLE_NONE, NULL, "id", false, id##_room)

const ProfTable prof_tables[TABLES] = {
    IN_PROFILE(file, SourceFile),
    IN_PROFILE(module, ProfModule),
    IN_PROFILE(location, Location),
    IN_PROFILE(kernel, ProfKernel),
    IN(shared_variable, SharedVariable, TABLE_kernel, "kernel", "number", false, NULL),
    IN_PROFILE(site, Site),
    IN_PROFILE(launch, LaunchRecord),
    IN(allocation, Allocation, TABLE_launch, "launch", "number", false, NULL),
    IN(inst_run, InstRun, TABLE_launch, "launch", "number", true, NULL),
    IN(cache_count, CacheCount, TABLE_launch, "launch", "number", true, NULL),
    IN(site_time, SiteTime, TABLE_launch, "launch", "number", true, NULL),
    IN(count, Counters, TABLE_launch, "launch", "site", false, NULL),
    IN_PROFILE(location_count, LocationCount),
    IN_PROFILE(pattern, AccessPattern),
    IN_PROFILE(sass_line, SassLine),
    IN(sass, SassInst, TABLE_kernel, "kernel", "number", true, NULL),
    IN(host_call, HostCall, TABLE_NONE, NULL, "id", true, host_call_room),
    IN(defect, Defect, TABLE_NONE, NULL, "id", true, defect_room),
    IN(origin, Origin, TABLE_NONE, NULL, "id", true, origin_room),
};

uint32_t table_rows(const Profile *profile, TableId table) {
    uint32_t count, first;
    prof_tables[table].rows(profile, 0, &count, &first);
    return count;
}

/* ---- rows ---- */

static bool in_range(const ProfField *field, const void *row) {
    const void *at = (const char *)row + field->offset;
    int64_t number = 0;
    switch (field->kind) {
    case FIELD_U32:
        return *(const uint32_t *)at <= field->most;
    case FIELD_U64:
        return *(const uint64_t *)at <= field->most;
    case FIELD_I64:
        number = *(const int64_t *)at;
        return (number < 0 ? 0 - (uint64_t)number : (uint64_t)number) <= field->most;
    case FIELD_REAL: /* in which no NaN is */
        return fabs(*(const double *)at) <= (double)field->most;
    default:
        return true;
    }
}

/* ---- lanes ---- */

/* Bytes that a lane takes. */
static size_t lane_bytes(const int64_t lanes[FIELD_LANE_COUNT]) {
    uint64_t bits = 0; /* of a magnitude, with one for the sign */
    for (uint32_t l = 0; l < FIELD_LANE_COUNT; l++)
        bits |= (uint64_t)(lanes[l] ^ lanes[l] >> 63) << 1;
    return bits < UINT64_C(1) << 8    ? 1
           : bits < UINT64_C(1) << 16 ? 2
           : bits < UINT64_C(1) << 32 ? 4
                                      : 8;
}

/* Integers of one width after the other, each as a vector. */
#define PACKED_AS(Integer)                                                                         \
    case sizeof(Integer):                                                                          \
        for (uint32_t l = 0; l < FIELD_LANE_COUNT; l++) {                                          \
            const Integer one = (Integer)lanes[l];                                                 \
            memcpy(bytes + l * sizeof one, &one, sizeof one);                                      \
        }                                                                                          \
        break;
#define UNPACKED_AS(Integer)                                                                       \
    case sizeof(Integer):                                                                          \
        for (uint32_t l = 0; l < FIELD_LANE_COUNT; l++) {                                          \
            Integer one;                                                                           \
            memcpy(&one, bytes + l * sizeof one, sizeof one);                                      \
            lanes[l] = one;                                                                        \
        }                                                                                          \
        return true;

size_t lanes_pack(const int64_t lanes[FIELD_LANE_COUNT], uint8_t bytes[PACKED_MOST]) {
    const size_t each = lane_bytes(lanes);
    switch (each) {
        PACKED_AS(int8_t)
        PACKED_AS(int16_t)
        PACKED_AS(int32_t)
        PACKED_AS(int64_t)
    }
    return FIELD_LANE_COUNT * each;
}

bool lanes_unpack(const uint8_t *bytes, size_t size, int64_t lanes[FIELD_LANE_COUNT]) {
    switch (size % FIELD_LANE_COUNT ? 0 : size / FIELD_LANE_COUNT) {
        UNPACKED_AS(int8_t)
        UNPACKED_AS(int16_t)
        UNPACKED_AS(int32_t)
        UNPACKED_AS(int64_t)
    }
    return false;
}

bool field_fault(const ProfField *field, const void *row) {
    return (field->flags & NEEDED && !field_is_set(field, row)) || !in_range(field, row);
}

const ProfField *row_fault(const ProfTable *table, const void *row) {
    for (uint32_t i = 0; i < table->field_count; i++)
        if (field_fault(&table->fields[i], row))
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

static bool is_power(uint32_t number) {
    return number && (number & (number - 1)) == 0;
}

/* Elements that a merged access asks for lie in it. */
static bool merged_fits(const Site *site) {
    uint32_t elements = site->merged_element ? site->width / site->merged_element : 0;
    return !site->merged_used || (is_power(site->merged_element) && elements && elements <= 8 &&
                                  site->merged_used >> elements == 0);
}

enum {
    SITE_ACCESS_TRY = 11
}; /* of site_ops.def's atomics the one that has a number behind the others */

/* What the executor can ask the memory model. */
static bool access_fits(const Site *site, const AccessPattern *pattern) {
    static const uint32_t kinds[][2] = {
#define SITE_OP(id, name, code, words, text, first, last) {first, last},
#include "prof/site_ops.def"
    };
    bool matrices = site->op == SITE_LDMATRIX || site->op == SITE_STMATRIX;
    bool tries = site->op == SITE_ATOMIC && site->access == SITE_ACCESS_TRY;
    bool fits = site->access >= kinds[site->op][0] && site->access <= kinds[site->op][1];
    return (fits || tries) && is_power(site->width) &&
           (pattern->space != SITE_SHARED || site->width <= 16) &&
           matrices == (site->matrices > 0) &&
           (site->op == SITE_CP_ASYNC) == (pattern->source != NULL) && merged_fits(site);
}

bool pattern_fits(const Profile *profile, const AccessPattern *pattern) {
    const LaunchRecord *launch = &profile->launches.at[pattern->launch];
    uint32_t variables = pattern->space == SITE_SHARED
                             ? profile->kernels.at[launch->kernel].shared.count
                             : launch->allocations.count;
    const Site *site = &profile->sites.at[pattern->site];
    return site->kernel == launch->kernel && access_fits(site, pattern) &&
           (pattern->variable == NONE || pattern->variable < variables);
}

/* The schema of the profile file: a row here is a column there. docs/profile-format.md says what
 * each means (a test compares the two lists). Tables stand in an order in which every reference
 * points to a table above, or to an earlier row of its own. */
#include "prof/store.h"

#define COLUMNS(list) (list), (uint32_t)(sizeof(list) / sizeof *(list))

static const char *const op_names[] = {"load",     "store",    "atomic",   "reduction",
                                       "ldmatrix", "stmatrix", "cp_async", "copy",
                                       "wgmma",    "texture",  NULL};
static const char *const space_names[] = {"generic", "global", "shared", "local", "const", NULL};
static const char *const status_names[] = {"done", "sampled", "interrupted", "fault", NULL};

#define FIELD(Type, field, kind)                                                                   \
    { #field, kind, offsetof(Type, field), TABLE_NONE, NULL, false }
#define FIELD_AS(Type, name, field, kind)                                                          \
    { name, kind, offsetof(Type, field), TABLE_NONE, NULL, false }
/* Came later: older files do not have it. */
#define LATER(Type, field, kind)                                                                   \
    { #field, kind, offsetof(Type, field), TABLE_NONE, NULL, true }
#define LATER_AS(Type, name, field, kind)                                                          \
    { name, kind, offsetof(Type, field), TABLE_NONE, NULL, true }
#define INDEX(Type, field, target)                                                                 \
    { #field, COLUMN_INDEX, offsetof(Type, field), target, NULL, false }
#define NAMED(Type, field, names)                                                                  \
    { #field, COLUMN_NAME, offsetof(Type, field), TABLE_NONE, names, false }

static const Column file_columns[] = {
    FIELD(SourceFile, path, COLUMN_TEXT),
    FIELD(SourceFile, text, COLUMN_TEXT),
    FIELD(SourceFile, size, COLUMN_U64),
    FIELD(SourceFile, hash, COLUMN_U64),
};
static const Column module_columns[] = {
    FIELD(ProfModule, name, COLUMN_TEXT),   FIELD(ProfModule, text, COLUMN_TEXT),
    FIELD(ProfModule, hash, COLUMN_U64),    FIELD(ProfModule, version, COLUMN_TEXT),
    FIELD(ProfModule, target, COLUMN_TEXT), FIELD(ProfModule, has_lines, COLUMN_BOOL),
};
static const Column location_columns[] = {
    INDEX(Location, file, TABLE_FILE),           FIELD(Location, line, COLUMN_U32),
    FIELD(Location, column, COLUMN_U32),         FIELD(Location, function, COLUMN_TEXT),
    INDEX(Location, inlined_at, TABLE_LOCATION),
};
static const Column kernel_columns[] = {
    INDEX(ProfKernel, module, TABLE_MODULE),   FIELD(ProfKernel, name, COLUMN_TEXT),
    FIELD(ProfKernel, demangled, COLUMN_TEXT), INDEX(ProfKernel, location, TABLE_LOCATION),
    FIELD(ProfKernel, ptx_line, COLUMN_U32),   FIELD(ProfKernel, first_site, COLUMN_U32),
    FIELD(ProfKernel, site_count, COLUMN_U32), FIELD(ProfKernel, registers, COLUMN_U32),
};
static const Column shared_variable_columns[] = {
    FIELD(SharedVariable, name, COLUMN_TEXT),    FIELD(SharedVariable, symbol, COLUMN_TEXT),
    FIELD(SharedVariable, offset, COLUMN_U32),   FIELD(SharedVariable, bytes, COLUMN_U32),
    FIELD(SharedVariable, align, COLUMN_U32),    FIELD(SharedVariable, element_bytes, COLUMN_U32),
    FIELD(SharedVariable, dynamic, COLUMN_BOOL),
};
static const Column site_columns[] = {
    INDEX(Site, kernel, TABLE_KERNEL),
    INDEX(Site, location, TABLE_LOCATION),
    FIELD(Site, ptx_line, COLUMN_U32),
    FIELD(Site, text, COLUMN_TEXT),
    NAMED(Site, op, op_names),
    NAMED(Site, space, space_names),
    FIELD(Site, width, COLUMN_U32),
    FIELD(Site, access, COLUMN_U32),
    FIELD(Site, matrices, COLUMN_U32),
    FIELD(Site, accesses, COLUMN_U32),
    LATER(Site, merged_element, COLUMN_U32),
    LATER(Site, merged_used, COLUMN_U32),
    LATER(Site, block, COLUMN_U32),
    LATER(Site, guard, COLUMN_U32),
    LATER(Site, base, COLUMN_U32),
    LATER(Site, offset, COLUMN_I64),
};
static const Column launch_columns[] = {
    INDEX(LaunchRecord, kernel, TABLE_KERNEL),
    FIELD_AS(LaunchRecord, "grid_x", grid[0], COLUMN_U32),
    FIELD_AS(LaunchRecord, "grid_y", grid[1], COLUMN_U32),
    FIELD_AS(LaunchRecord, "grid_z", grid[2], COLUMN_U32),
    FIELD_AS(LaunchRecord, "block_x", block[0], COLUMN_U32),
    FIELD_AS(LaunchRecord, "block_y", block[1], COLUMN_U32),
    FIELD_AS(LaunchRecord, "block_z", block[2], COLUMN_U32),
    FIELD(LaunchRecord, dynamic_shared, COLUMN_U32),
    FIELD(LaunchRecord, gpu, COLUMN_TEXT),
    FIELD(LaunchRecord, gpu_measured, COLUMN_BOOL),
    NAMED(LaunchRecord, status, status_names),
    FIELD(LaunchRecord, blocks, COLUMN_U64),
    FIELD(LaunchRecord, blocks_run, COLUMN_U64),
    FIELD(LaunchRecord, evidence_blocks, COLUMN_U64),
    LATER(LaunchRecord, blocks_counted, COLUMN_U64),
    LATER_AS(LaunchRecord, "loaded_sectors", footprint.loaded_sectors, COLUMN_U64),
    LATER_AS(LaunchRecord, "loaded_bytes", footprint.loaded_bytes, COLUMN_U64),
    LATER_AS(LaunchRecord, "stored_sectors", footprint.stored_sectors, COLUMN_U64),
    LATER_AS(LaunchRecord, "stored_bytes", footprint.stored_bytes, COLUMN_U64),
    LATER_AS(LaunchRecord, "loaded_by_blocks", footprint.loaded_by_blocks, COLUMN_U64),
    FIELD(LaunchRecord, warp_insts, COLUMN_U64),
    FIELD(LaunchRecord, thread_insts, COLUMN_U64),
    LATER_AS(LaunchRecord, "fp32_flops", arithmetic.fp32_flops, COLUMN_U64),
    LATER_AS(LaunchRecord, "fp64_flops", arithmetic.fp64_flops, COLUMN_U64),
    LATER_AS(LaunchRecord, "matrix_insts", arithmetic.matrix_insts, COLUMN_U64),
    FIELD(LaunchRecord, wall_seconds, COLUMN_REAL),
    FIELD(LaunchRecord, cpu_seconds, COLUMN_REAL),
    LATER(LaunchRecord, compile_seconds, COLUMN_REAL),
    LATER(LaunchRecord, launches, COLUMN_U32),
    LATER(LaunchRecord, depth, COLUMN_U32),
    LATER(LaunchRecord, launched_by, COLUMN_U32),
    FIELD(LaunchRecord, fault, COLUMN_TEXT),
};
static const Column allocation_columns[] = {
    FIELD(Allocation, name, COLUMN_TEXT),
    FIELD(Allocation, bytes, COLUMN_U64),
    FIELD(Allocation, element_bytes, COLUMN_U32),
};
static const Column count_columns[] = {
#define COUNTER(name, unit, text)                                                                  \
    {#name, COLUMN_U64, offsetof(Counters, name), TABLE_NONE, NULL, true},
#include "prof/counters.def"
};
static const Column location_count_columns[] = {
    INDEX(LocationCount, launch, TABLE_LAUNCH),
    INDEX(LocationCount, location, TABLE_LOCATION),
    FIELD(LocationCount, warp_insts, COLUMN_U64),
    FIELD(LocationCount, thread_insts, COLUMN_U64),
};
static const Column pattern_columns[] = {
    INDEX(AccessPattern, launch, TABLE_LAUNCH),   INDEX(AccessPattern, site, TABLE_SITE),
    NAMED(AccessPattern, space, space_names),     INDEX(AccessPattern, variable, TABLE_NONE),
    FIELD(AccessPattern, base, COLUMN_U64),       LATER(AccessPattern, first, COLUMN_U64),
    FIELD(AccessPattern, mask, COLUMN_U32),       FIELD(AccessPattern, count, COLUMN_U64),
    LATER(AccessPattern, no_change, COLUMN_BOOL), FIELD(AccessPattern, affine, COLUMN_BOOL),
    FIELD(AccessPattern, stride, COLUMN_I64),     FIELD(AccessPattern, delta, COLUMN_LANES),
    FIELD(AccessPattern, source, COLUMN_LANES),
};
static const Column sass_line_columns[] = {
    INDEX(SassLine, kernel, TABLE_KERNEL),  INDEX(SassLine, file, TABLE_FILE),
    FIELD(SassLine, line, COLUMN_U32),      FIELD(SassLine, operation, COLUMN_TEXT),
    FIELD(SassLine, ptx, COLUMN_U32),       FIELD(SassLine, sass, COLUMN_U32),
    FIELD(SassLine, ptx_bytes, COLUMN_U32), FIELD(SassLine, sass_bytes, COLUMN_U32),
};
static const Column sass_columns[] = {
    INDEX(SassInst, location, TABLE_LOCATION),
    FIELD(SassInst, text, COLUMN_TEXT),
};

/* ---- where the rows are ---- */

#define ARRAY_OF_PROFILE(name, field)                                                              \
    static const void *name##_rows(const Profile *profile, uint32_t parent, uint32_t *count,       \
                                   uint32_t *first) {                                              \
        (void)parent;                                                                              \
        *count = profile->field.count;                                                             \
        *first = 0;                                                                                \
        return profile->field.at;                                                                  \
    }                                                                                              \
    static void *name##_add(Profile *profile, uint32_t parent, uint32_t number) {                  \
        (void)parent;                                                                              \
        return number == profile->field.count ? vec_add(profile->arena, &profile->field) : NULL;   \
    }
ARRAY_OF_PROFILE(file, files)
ARRAY_OF_PROFILE(module, modules)
ARRAY_OF_PROFILE(location, locations)
ARRAY_OF_PROFILE(kernel, kernels)
ARRAY_OF_PROFILE(site, sites)
ARRAY_OF_PROFILE(launch, launches)
ARRAY_OF_PROFILE(location_count, location_counts)
ARRAY_OF_PROFILE(pattern, patterns)
ARRAY_OF_PROFILE(sass_line, sass_lines)

#define ARRAY_OF_ROW(name, parents, field)                                                         \
    static const void *name##_rows(const Profile *profile, uint32_t parent, uint32_t *count,       \
                                   uint32_t *first) {                                              \
        *count = profile->parents.at[parent].field.count;                                          \
        *first = 0;                                                                                \
        return profile->parents.at[parent].field.at;                                               \
    }                                                                                              \
    static void *name##_add(Profile *profile, uint32_t parent, uint32_t number) {                  \
        return number == profile->parents.at[parent].field.count                                   \
                   ? vec_add(profile->arena, &profile->parents.at[parent].field)                   \
                   : NULL;                                                                         \
    }
ARRAY_OF_ROW(shared_variable, kernels, shared)
ARRAY_OF_ROW(allocation, launches, allocations)
ARRAY_OF_ROW(sass, kernels, sass)

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

#define ROOT(id, Type)                                                                             \
    { #id, TABLE_NONE, NULL, NULL, COLUMNS(id##_columns), false, sizeof(Type), id##_rows, id##_add }
#define CHILD(id, Type, parent, key, number, optional)                                             \
    { #id, parent, key, number, COLUMNS(id##_columns), optional, sizeof(Type), id##_rows, id##_add }

const Table store_tables[TABLES] = {
    [TABLE_FILE] = ROOT(file, SourceFile),
    [TABLE_MODULE] = ROOT(module, ProfModule),
    [TABLE_LOCATION] = ROOT(location, Location),
    [TABLE_KERNEL] = ROOT(kernel, ProfKernel),
    [TABLE_SHARED_VARIABLE] =
        CHILD(shared_variable, SharedVariable, TABLE_KERNEL, "kernel", "number", false),
    [TABLE_SITE] = ROOT(site, Site),
    [TABLE_LAUNCH] = ROOT(launch, LaunchRecord),
    [TABLE_ALLOCATION] = CHILD(allocation, Allocation, TABLE_LAUNCH, "launch", "number", false),
    [TABLE_COUNT_] = CHILD(count, Counters, TABLE_LAUNCH, "launch", "site", false),
    [TABLE_LOCATION_COUNT] = ROOT(location_count, LocationCount),
    [TABLE_PATTERN] = ROOT(pattern, AccessPattern),
    [TABLE_SASS_LINE] = ROOT(sass_line, SassLine),
    [TABLE_SASS] = CHILD(sass, SassInst, TABLE_KERNEL, "kernel", "number", true),
};

uint32_t store_rows(const Profile *profile, TableId table) {
    uint32_t count, first;
    store_tables[table].rows(profile, 0, &count, &first);
    return count;
}

/* site_line: every distinct place of a site's inlining chain (depth 0: its own).
 * line_count: what profile_lines() computes - a line has the counts of all sites whose chain passes
 * it. */
const char store_views[] =
    "CREATE VIEW site_line AS\n"
    "WITH RECURSIVE chain(site, location, depth) AS (\n"
    "  SELECT id, location, 0 FROM site WHERE location IS NOT NULL\n"
    "  UNION ALL\n"
    "  SELECT chain.site, location.inlined_at, depth + 1 FROM chain\n"
    "  JOIN location ON location.id = chain.location WHERE location.inlined_at IS NOT NULL)\n"
    "SELECT site, file, line, min(depth) AS depth FROM chain\n"
    "JOIN location ON location.id = chain.location GROUP BY site, file, line\n"
    "UNION ALL SELECT id, NULL, ptx_line, 0 FROM site WHERE location IS NULL;\n"
    "CREATE VIEW line_count AS\n"
    "SELECT launch, file, line"
#define COUNTER(name, unit, text) ", sum(" #name ") AS " #name
#include "prof/counters.def"
    "\nFROM count JOIN site_line USING (site) GROUP BY launch, file, line\n"
    "HAVING sum(requests) > 0;\n";

/* Two profiles side by side: launches by kernel and order, lines through the edits of their source. */
#include "prof/prof.h"

#include <string.h>

/* ---- launches ---- */

/* The name without template arguments and parameters: "blockScan" of "void blockScan<0>(int)". */
static Str base_name(const char *demangled) {
    size_t end = strcspn(demangled, "<("), start = end;
    while (start && demangled[start - 1] != ' ')
        start--;
    return (Str){demangled + start, end - start};
}

static Str whole_name(const char *demangled) {
    return str_of(demangled);
}

/* Pairs each free launch of `after` with the first free one of `before` whose kernel has the name. The free
 * ones of a name are a list: its first in a map, and `next`. */
static void pair_launches(Arena *arena, const Profile *before, const Profile *after,
                          uint32_t *partner, bool *taken, Str (*name_of)(const char *demangled)) {
    Map *first = map_new(arena);
    uint32_t *next = NEW_ARRAY(arena, uint32_t, before->launches.count);
    for (uint32_t j = before->launches.count; j-- > 0;) {
        Str name = name_of(profile_kernel(before, j)->demangled);
        uint64_t rest = NONE;
        if (taken[j])
            continue;
        map_get(first, name, &rest);
        next[j] = (uint32_t)rest;
        map_put(first, name, j);
    }
    for (uint32_t i = 0; i < after->launches.count; i++) {
        Str name = name_of(profile_kernel(after, i)->demangled);
        uint64_t j = NONE;
        if (partner[i] != NONE || !map_get(first, name, &j) || j == NONE)
            continue;
        partner[i] = (uint32_t)j;
        taken[j] = true;
        map_put(first, name, next[j]);
    }
}

/* ---- files and lines ---- */

typedef struct FileMap {
    uint32_t file; /* of after, or NONE */
    bool mapped;   /* lines have been found, where there are texts */
    uint32_t *lines, count;
} FileMap;

typedef struct Comparison {
    Arena *arena;
    const Profile *before, *after;
    FileMap *files; /* of before */
} Comparison;

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file of the same path; else the only one with the same last part. */
static uint32_t file_there(const Profile *after, const char *path) {
    uint32_t found = NONE, alike = 0;
    for (uint32_t i = 0; i < after->files.count; i++) {
        if (strcmp(after->files.at[i].path, path) == 0)
            return i;
        if (strcmp(last_part(after->files.at[i].path), last_part(path)) == 0) {
            found = i;
            alike++;
        }
    }
    return alike == 1 ? found : NONE;
}

static bool has_partner(const Comparison *comparison, uint32_t file) {
    for (uint32_t i = 0; i < comparison->before->files.count; i++)
        if (comparison->files[i].file == file)
            return true;
    return false;
}

/* The file that defines a launch's kernel, or NONE. */
static uint32_t source_of(const Profile *profile, uint32_t launch) {
    uint32_t location = profile_kernel(profile, launch)->location;
    return location == NONE ? NONE : profile->locations.at[location].file;
}

/* Variants of a kernel may lie in files of different names: those that define two kernels that are
 * compared belong together, unless another file has the name. */
static void pair_sources(Comparison *comparison, const uint32_t *partner) {
    for (uint32_t i = 0; i < comparison->after->launches.count; i++) {
        if (partner[i] == NONE)
            continue;
        uint32_t from = source_of(comparison->before, partner[i]);
        uint32_t to = source_of(comparison->after, i);
        if (from != NONE && to != NONE && comparison->files[from].file == NONE &&
            !has_partner(comparison, to))
            comparison->files[from].file = to;
    }
}

static FileMap *map_of(Comparison *comparison, uint32_t file) {
    FileMap *map = &comparison->files[file];
    const SourceFile *from = &comparison->before->files.at[file];
    if (map->mapped || map->file == NONE)
        return map;
    const SourceFile *to = &comparison->after->files.at[map->file];
    map->mapped = true;
    if (from->text && to->text && from->hash != to->hash)
        map->lines = line_map(comparison->arena, from->text, to->text, &map->count);
    return map;
}

/* Where a line of before is in after; lines of PTX, and those without a text, keep their number. */
static bool line_there(Comparison *comparison, const LineCounts *line, uint32_t *file,
                       uint32_t *number) {
    *file = NONE;
    *number = line->line;
    if (line->file == NONE)
        return true;
    const FileMap *map = map_of(comparison, line->file);
    *file = map->file;
    if (map->lines && line->line && line->line <= map->count)
        *number = map->lines[line->line - 1] == NONE ? 0 : map->lines[line->line - 1] + 1;
    return *file != NONE && *number;
}

static uint32_t row_of(const LineCounts *lines, uint32_t count, uint32_t file, uint32_t line) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (lines[middle].file < file || (lines[middle].file == file && lines[middle].line < line))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && lines[low].file == file && lines[low].line == line ? low : NONE;
}

/* ---- the whole ---- */

ProfileDiff profile_diff(Arena *arena, const Profile *before, const Profile *after) {
    uint32_t count = after->launches.count;
    Comparison *comparison = NEW(arena, Comparison);
    ProfileDiff diff = {.launches = NEW_ARRAY(arena, LaunchChange, before->launches.count + count),
                        .comparison = comparison};
    uint32_t *partner = NEW_ARRAY(arena, uint32_t, count);
    bool *taken = NEW_ARRAY(arena, bool, before->launches.count);
    *comparison = (Comparison){.arena = arena,
                               .before = before,
                               .after = after,
                               .files = NEW_ARRAY(arena, FileMap, before->files.count)};
    for (uint32_t i = 0; i < before->files.count; i++)
        comparison->files[i].file = file_there(after, before->files.at[i].path);
    for (uint32_t i = 0; i < count; i++)
        partner[i] = NONE;
    pair_launches(arena, before, after, partner, taken, whole_name);
    pair_launches(arena, before, after, partner, taken, base_name);
    pair_sources(comparison, partner);
    for (uint32_t i = 0; i < count; i++)
        diff.launches[diff.count++] = (LaunchChange){partner[i], i};
    for (uint32_t j = 0; j < before->launches.count; j++)
        if (!taken[j])
            diff.launches[diff.count++] = (LaunchChange){j, NONE};
    return diff;
}

static bool is_machine_code(const Profile *profile, uint32_t launch) {
    return profile_kernel(profile, launch)->machine_code;
}

uint32_t diff_other_code(const ProfileDiff *diff) {
    const Comparison *comparison = diff->comparison;
    uint32_t count = 0;
    for (uint32_t i = 0; i < diff->count; i++) {
        const LaunchChange *change = &diff->launches[i];
        count += change->before != NONE && change->after != NONE &&
                 is_machine_code(comparison->before, change->before) !=
                     is_machine_code(comparison->after, change->after);
    }
    return count;
}

/* ---- the lines of a launch ---- */

typedef struct ChangeList {
    VEC(LineChange) changes;
} ChangeList;

static void add_change(Arena *arena, ChangeList *list, const LineCounts *before,
                       const LineCounts *after) {
    bool traffic = (before && before->own.requests) || (after && after->own.requests);
    if (traffic)
        *vec_add(arena, &list->changes) = (LineChange){before, after};
}

LineChange *diff_lines(Arena *arena, const ProfileDiff *diff, const LaunchChange *change,
                       uint32_t *count) {
    Comparison *comparison = diff->comparison;
    uint32_t before_count = 0, after_count = 0;
    const LineCounts *before = NULL, *after = NULL;
    ChangeList list = {0};
    if (change->before != NONE)
        before = profile_lines(arena, comparison->before, change->before, &before_count);
    if (change->after != NONE)
        after = profile_lines(arena, comparison->after, change->after, &after_count);
    const LineCounts **partner = NEW_ARRAY(arena, const LineCounts *, after_count);
    for (uint32_t i = 0; i < before_count; i++) {
        uint32_t file, line;
        uint32_t row = line_there(comparison, &before[i], &file, &line)
                           ? row_of(after, after_count, file, line)
                           : NONE;
        if (row != NONE && !partner[row])
            partner[row] = &before[i];
        else
            add_change(arena, &list, &before[i], NULL);
    }
    for (uint32_t i = 0; i < after_count; i++)
        add_change(arena, &list, partner[i], &after[i]);
    *count = list.changes.count;
    return list.changes.at;
}

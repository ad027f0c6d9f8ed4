/* Several profiles become one file: their launches in order, what they have in common once, parts of a launch added up. Of the inputs
 * one is in memory at a time, beside what they have in common and a few words for each launch. */
#include "prof/merge.h"

#include <stdlib.h>
#include <string.h>

/* A launch of an input. */
typedef struct Entry {
    uint32_t source, launch;
    uint32_t group; /* of parts; NONE */
    /* The order: launches that were shared out (run --shard) go by process and number, from where the first of their program is;
     * others stay where they are. */
    uint64_t anchor, process, number, position;
} Entry;

/* Launches that are parts of one. */
typedef struct Group {
    uint32_t parts, found;
    uint32_t kernel; /* of the result */
    bool *has;       /* [parts + 1] */
    uint32_t next;   /* of the same key, plus 1 */
    uint32_t number; /* in the result; NONE: not yet */
    Whole *whole;    /* while it is written */
} Group;

typedef struct Source {
    const char *path;
    uint32_t launches;
    uint32_t *number, *group; /* [launches]: in the result; of its parts, or NONE */
} Source;

/* A GPU that launches have, and the first input that has such ones. */
typedef struct GpuSeen {
    const char *name;
    uint32_t source;
} GpuSeen;

typedef struct Merge {
    Arena *arena;
    Diags *diags;
    Source *sources;
    uint32_t count;
    Profile *into;
    Common *common;
    VEC(Entry) entries;
    VEC(Group) groups;
    Map *first_group; /* by part_key, plus 1 */
    Map *programs;    /* whose launches were shared out: the anchor of each */
    VEC(GpuSeen) gpus;
    const MergeWatch *watch;
    Store out;
} Merge;

/* ---- who made them ---- */

/* The words of both lists, which have ", " between them, each once, in order. */
static const char *join_lists(Arena *arena, const char *a, const char *b) {
    const char *joined = NULL;
    if (!a || !b || strcmp(a, b) == 0)
        return a ? a : b;
    while (*a || *b) {
        size_t first = strcspn(a, ","), second = strcspn(b, ",");
        int order = !*a ? 1 : !*b ? -1 : strncmp(a, b, first > second ? first : second);
        const char *word = order <= 0 ? a : b;
        int length = (int)(order <= 0 ? first : second);
        joined = joined ? arena_printf(arena, "%s, %.*s", joined, length, word)
                        : arena_printf(arena, "%.*s", length, word);
        a += order <= 0 ? first + strspn(a + first, ", ") : 0;
        b += order >= 0 ? second + strspn(b + second, ", ") : 0;
    }
    return joined;
}

static const char *smaller(Arena *arena, const char *a, const char *b) {
    const char *chosen = !a || !b ? (a ? a : b) : strcmp(a, b) <= 0 ? a : b;
    return chosen ? arena_copy(arena, chosen, strlen(chosen)) : NULL;
}

static void join_origin(Profile *into, const Profile *from) {
    const ProfTable *table = &prof_tables[TABLE_origin];
    if (!from->origins.count)
        return;
    if (!into->origins.count) {
        *vec_add(into->arena, &into->origins) = from->origins.at[0];
        row_keep(into->arena, table, &into->origins.at[0]);
        return;
    }
    Origin *origin = &into->origins.at[0], other = from->origins.at[0];
    row_keep(into->arena, table, &other);
    const char *date = smaller(into->arena, origin->date, other.date);
    for (uint32_t i = 0; i < table->field_count; i++) {
        const char **to = (void *)((char *)origin + table->fields[i].offset);
        const char *const *add = (const void *)((const char *)&other + table->fields[i].offset);
        *to = join_lists(into->arena, *to, *add);
    }
    origin->date = date;
}

static void join_about(Merge *merge, const Profile *from, bool first) {
    Profile *into = merge->into;
    into->command = smaller(into->arena, into->command, from->command);
    if (first || !from->root)
        into->root = from->root ? arena_copy(into->arena, from->root, strlen(from->root)) : NULL;
    else if (into->root)
        into->root = root_of_both(into->arena, into->root, from->root);
    join_origin(into, from);
    for (uint32_t i = 0; i < from->host_calls.count; i++)
        profile_call(into, &from->host_calls.at[i]);
}

/* ---- survey ---- */

/* The group that the part belongs to: the first of its key that lacks it. */
static uint32_t group_of(Merge *merge, const LaunchRecord *launch) {
    if (!launch->parts || launch->part < 1 || launch->part > launch->parts ||
        (launch->status != LAUNCH_DONE && launch->status != LAUNCH_SAMPLED))
        return NONE;
    Str key = part_key(merge->arena, launch);
    uint64_t at = 0;
    map_get(merge->first_group, key, &at);
    uint32_t last = NONE;
    for (; at; at = merge->groups.at[last].next) {
        last = (uint32_t)at - 1;
        if (!merge->groups.at[last].has[launch->part])
            break;
    }
    if (!at) {
        uint32_t number = merge->groups.count;
        *vec_add(merge->arena, &merge->groups) =
            (Group){.parts = launch->parts,
                    .kernel = launch->kernel,
                    .number = NONE,
                    .has = NEW_ARRAY(merge->arena, bool, launch->parts + 1)};
        if (last == NONE)
            map_put(merge->first_group, key, number + 1);
        else
            merge->groups.at[last].next = number + 1;
        last = number;
    }
    merge->groups.at[last].has[launch->part] = true;
    merge->groups.at[last].found++;
    return last;
}

static uint64_t anchor_of(Merge *merge, const Profile *from, const LaunchRecord *launch,
                          uint64_t position) {
    const char *program = from->origins.count ? from->origins.at[0].program : NULL;
    uint64_t anchor = position;
    if (!launch->number)
        return position;
    Str name = str_of(program ? program : "");
    if (!map_get(merge->programs, name, &anchor))
        map_put(merge->programs, (Str){arena_copy(merge->arena, name.at, name.length), name.length},
                position);
    return anchor;
}

static void see_gpu(Merge *merge, const char *name, uint32_t source) {
    for (uint32_t i = 0; i < merge->gpus.count; i++)
        if (strcmp(merge->gpus.at[i].name, name) == 0)
            return;
    *vec_add(merge->arena, &merge->gpus) =
        (GpuSeen){arena_copy(merge->arena, name, strlen(name)), source};
}

static void survey_launch(Merge *merge, uint32_t source, const Profile *from, uint32_t number,
                          const RowMap *map) {
    LaunchRecord launch = from->launches.at[number];
    row_translate(map, TABLE_launch, &launch);
    uint64_t position = merge->entries.count;
    uint32_t group = group_of(merge, &launch);
    merge->sources[source].group[number] = group;
    *vec_add(merge->arena, &merge->entries) =
        (Entry){.source = source,
                .launch = number,
                .group = group,
                .anchor = anchor_of(merge, from, &launch, position),
                .process = launch.process,
                .number = launch.number,
                .position = position};
    see_gpu(merge, launch.gpu, source);
}

/* Baselines that are inside an input stay there. */
static void tell_baselines(Merge *merge, Store *store) {
    if (store->failed || !store_has_table(store, "baseline"))
        return;
    diags_add(merge->diags, DIAG_NOTE, (Place){0}, "%s: the baselines that it has are not merged",
              store->path);
}

static bool survey(Merge *merge, uint32_t number) {
    Source *source = &merge->sources[number];
    Store store = store_new(source->path, merge->diags);
    store_open(&store);
    Profile *from = store_survey(&store);
    tell_baselines(merge, &store);
    if (from) {
        RowMap map = common_add(merge->common, store.scratch, from);
        source->launches = from->launches.count;
        source->number = NEW_ARRAY(merge->arena, uint32_t, source->launches + 1);
        source->group = NEW_ARRAY(merge->arena, uint32_t, source->launches + 1);
        for (uint32_t i = 0; i < source->launches; i++)
            survey_launch(merge, number, from, i, &map);
        join_about(merge, from, number == 0);
    }
    profile_free(from);
    store_close(&store);
    return from != NULL;
}

/* ---- what the survey says ---- */

static void tell_gpus(Merge *merge) {
    const char *all = "";
    for (uint32_t i = 0; i < merge->gpus.count; i++)
        all = arena_printf(merge->arena, "%s%s%s (%s)", all, i ? ", " : "", merge->gpus.at[i].name,
                           merge->sources[merge->gpus.at[i].source].path);
    if (merge->gpus.count > 1)
        diags_add(merge->diags, DIAG_NOTE, (Place){0}, "launches are of different GPUs: %s", all);
}

static void tell_files(Merge *merge) {
    Map *seen = map_new(merge->arena);
    for (uint32_t i = 0; i < merge->into->files.count; i++) {
        Str path = str_of(merge->into->files.at[i].path);
        uint64_t times = 0;
        map_get(seen, path, &times);
        if (times == 1)
            diags_add(merge->diags, DIAG_NOTE, (Place){0},
                      "%s is not the same in all of the profiles: each text is kept", path.at);
        map_put(seen, path, times + 1);
    }
}

static void tell_parts(Merge *merge) {
    for (uint32_t i = 0; i < merge->groups.count; i++) {
        const Group *group = &merge->groups.at[i];
        const char *missing = "";
        for (uint32_t part = 1; part <= group->parts && strlen(missing) < 60; part++)
            if (!group->has[part])
                missing = arena_printf(merge->arena, "%s%s%u", missing, *missing ? ", " : "", part);
        if (group->found < group->parts)
            diags_add(merge->diags, DIAG_NOTE, (Place){0},
                      "of a launch of %s %u of %u parts are there, and stay apart (missing: %s)",
                      merge->into->kernels.at[group->kernel].demangled, group->found, group->parts,
                      missing);
    }
}

static int in_order(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    if (a->anchor != b->anchor)
        return a->anchor < b->anchor ? -1 : 1;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

/* Numbers of the result. A launch that is there in parts goes where the first of them is. */
static void number_launches(Merge *merge) {
    uint32_t next = 0;
    if (merge->entries.count)
        qsort(merge->entries.at, merge->entries.count, sizeof *merge->entries.at, in_order);
    for (uint32_t i = 0; i < merge->entries.count; i++) {
        const Entry *entry = &merge->entries.at[i];
        Source *source = &merge->sources[entry->source];
        Group *group = entry->group == NONE ? NULL : &merge->groups.at[entry->group];
        if (!group || group->found < group->parts) {
            source->group[entry->launch] = NONE;
            source->number[entry->launch] = next++;
            continue;
        }
        if (group->number == NONE)
            group->number = next++;
        source->number[entry->launch] = group->number;
    }
}

/* ---- writing ---- */

static void write_common(Merge *merge, bool defects) {
    for (TableId id = 0; id < TABLES; id++) {
        TableId parent = prof_tables[id].parent;
        if (store_of_launches(id) || (id == TABLE_defect) != defects)
            continue;
        uint32_t parents = parent == TABLE_NONE ? 1 : table_rows(merge->into, parent);
        for (uint32_t i = 0; i < parents; i++)
            store_rows(&merge->out, id, merge->into, i, i);
    }
}

static void write_children(Merge *merge, const Profile *from, uint32_t launch, uint32_t number,
                           const RowMap *map) {
    union {
        Allocation allocation;
        InstRun run;
        CacheCount caches;
        Counters counters;
    } row;
    for (TableId id = 0; id < TABLES; id++) {
        const ProfTable *table = &prof_tables[id];
        uint32_t count, first;
        if (table->parent != TABLE_launch)
            continue;
        const char *rows = table->rows(from, launch, &count, &first);
        for (uint32_t i = 0; i < count; i++) {
            memcpy(&row, rows + i * table->row_bytes, table->row_bytes);
            row_translate(map, id, &row);
            store_row(&merge->out, id, number,
                      id == TABLE_count ? map->of[TABLE_site][first + i] : first + i, &row);
        }
    }
}

static void write_part(Merge *merge, Group *group, const Profile *from, uint32_t launch,
                       const LaunchRecord *translated, const RowMap *map) {
    if (!group->whole)
        group->whole = whole_new(group->parts, merge->into->locations.count);
    if (!whole_add(group->whole, from, launch, translated, map))
        return;
    whole_write(group->whole, &merge->out, group->number,
                merge->into->kernels.at[group->kernel].first_site);
    whole_free(group->whole);
    group->whole = NULL;
}

static void write_launches(Merge *merge, const Source *source, const Profile *from,
                           const RowMap *map) {
    for (uint32_t i = 0; i < from->launches.count; i++) {
        LaunchRecord launch = from->launches.at[i];
        row_translate(map, TABLE_launch, &launch);
        if (source->group[i] != NONE) {
            write_part(merge, &merge->groups.at[source->group[i]], from, i, &launch, map);
            continue;
        }
        store_row(&merge->out, TABLE_launch, 0, source->number[i], &launch);
        write_children(merge, from, i, source->number[i], map);
    }
}

static void write_recorded(Merge *merge, const Source *source, const Profile *from,
                           const RowMap *map) {
    for (uint32_t i = 0; i < from->location_counts.count; i++) {
        LocationCount row = from->location_counts.at[i];
        bool apart = source->group[row.launch] == NONE;
        row_translate(map, TABLE_location_count, &row);
        if (apart)
            store_next(&merge->out, TABLE_location_count, &row);
    }
    for (uint32_t i = 0; i < from->patterns.count; i++) {
        AccessPattern row = from->patterns.at[i];
        bool apart = source->group[row.launch] == NONE;
        row_translate(map, TABLE_pattern, &row);
        if (apart)
            store_next(&merge->out, TABLE_pattern, &row);
    }
}

/* Equal ones become one, which is told of the first launch that has it. */
static void add_defects(Profile *into, const Profile *from, const RowMap *map) {
    for (uint32_t i = 0; i < from->defects.count; i++) {
        Defect row = from->defects.at[i];
        row_translate(map, TABLE_defect, &row);
        uint32_t known = into->defects.count;
        Defect *at = profile_defect(into, into->arena, &row);
        if (into->defects.count > known || row.launch == NONE || row.launch >= at->launch)
            continue;
        uint64_t count = at->count;
        *at = row;
        at->count = count;
        row_keep(into->arena, &prof_tables[TABLE_defect], at);
    }
}

/* A file that has become another one meanwhile is refused: rows of it would be missing. */
static bool is_as_surveyed(const Source *source, const Profile *into, const Profile *from,
                           uint32_t kernels) {
    return into->kernels.count == kernels && from->launches.count == source->launches;
}

static void write_source(Merge *merge, const Source *source) {
    Store store = store_new(source->path, merge->diags);
    store_open(&store);
    Profile *from = store_read(&store);
    merge->out.failed |= from == NULL;
    if (from) {
        uint32_t kernels = merge->into->kernels.count;
        RowMap map = common_add(merge->common, store.scratch, from);
        map.of[TABLE_launch] = source->number;
        if (!is_as_surveyed(source, merge->into, from, kernels)) {
            store_fail(&store, "was changed while it was read");
            merge->out.failed = true;
        } else {
            write_launches(merge, source, from, &map);
            write_recorded(merge, source, from, &map);
            add_defects(merge->into, from, &map);
        }
    }
    profile_free(from);
    store_close(&store);
}

static void tell(const Merge *merge, uint32_t done) {
    if (merge->watch && merge->watch->step)
        merge->watch->step(merge->watch->context, done, 2 * merge->count);
}

static bool write_all(Merge *merge, const char *output) {
    merge->out = store_new(output, merge->diags);
    store_create(&merge->out);
    store_begin(&merge->out, merge->into);
    write_common(merge, false);
    for (uint32_t i = 0; i < merge->count && !merge->out.failed; i++) {
        tell(merge, merge->count + i);
        write_source(merge, &merge->sources[i]);
    }
    write_common(merge, true);
    store_end(&merge->out);
    return store_finish(&merge->out);
}

bool profiles_merge(const char *const *paths, uint32_t count, const char *output,
                    const MergeWatch *watch, Diags *diags) {
    Arena *arena = arena_new();
    Merge merge = {.arena = arena,
                   .diags = diags,
                   .sources = NEW_ARRAY(arena, Source, count + 1),
                   .count = count,
                   .into = profile_new(),
                   .first_group = map_new(arena),
                   .programs = map_new(arena),
                   .watch = watch};
    merge.common = common_new(arena, merge.into);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        merge.sources[i].path = paths[i];
        tell(&merge, i);
        good = survey(&merge, i);
    }
    if (good) {
        tell_gpus(&merge);
        tell_files(&merge);
        tell_parts(&merge);
        number_launches(&merge);
        good = write_all(&merge, output);
    }
    tell(&merge, 2 * count);
    for (uint32_t i = 0; i < merge.groups.count; i++)
        whole_free(merge.groups.at[i].whole);
    profile_free(merge.into);
    arena_free(arena);
    return good;
}

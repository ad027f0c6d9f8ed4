/* A recorded access of a profile, to be drawn: of a line the most frequent first, else the costliest. */
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Accesses that differ in nothing but where they begin. */
typedef struct RecordedAccess {
    const AccessPattern *pattern; /* the first of them */
    Picture picture;
    bool banks;
    uint64_t executions;
    uint32_t places; /* patterns that were recorded */
} RecordedAccess;

typedef struct RecordedList {
    VEC(RecordedAccess) list;
    uint64_t executions;
} RecordedList;

typedef struct RecordedQuery {
    Arena *arena;
    const ReportOptions *options; /* launch, kernel, file, line */
    Diags *diags;
} RecordedQuery;

static bool is_asked(const RecordedQuery *run, const Profile *profile,
                     const AccessPattern *pattern) {
    const LaunchRecord *launch = &profile->launches.at[pattern->launch];
    return (run->options->launch == NONE || run->options->launch == pattern->launch) &&
           kernel_chosen(run->options, &profile->kernels.at[launch->kernel]) &&
           site_chosen(run->options, profile, &profile->sites.at[pattern->site]);
}

/* ---- which launch, which access ---- */

static bool picture(const Profile *profile, const AccessPattern *pattern,
                    RecordedAccess *recorded) {
    *recorded = (RecordedAccess){
        .pattern = pattern, .banks = true, .executions = pattern->count, .places = 1};
    if (picture_banks(profile, pattern, &recorded->picture))
        return true;
    recorded->banks = false;
    return picture_sectors(profile, pattern, &recorded->picture);
}

static uint64_t excess(const RecordedAccess *recorded) {
    const Picture *picture = &recorded->picture;
    return picture->cost > picture->ideal ? (picture->cost - picture->ideal) * recorded->executions
                                          : 0;
}

/* The launch whose asked accesses cost most beyond their ideal; NONE: nothing was recorded. */
static uint32_t worst_launch(const RecordedQuery *run, const Profile *profile) {
    uint64_t *sum = NEW_ARRAY(run->arena, uint64_t, profile->launches.count + 1);
    uint32_t worst = NONE;
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        RecordedAccess recorded;
        if (!is_asked(run, profile, pattern) || !picture(profile, pattern, &recorded))
            continue;
        sum[pattern->launch] += excess(&recorded);
        if (worst == NONE || sum[pattern->launch] > sum[worst])
            worst = pattern->launch;
    }
    return worst;
}

/* What accesses that are shown as one have in common. */
static Str key_of(const RecordedQuery *run, const Profile *profile,
                  const RecordedAccess *recorded) {
    const AccessPattern *pattern = recorded->pattern;
    const Site *site = &profile->sites.at[pattern->site];
    const int64_t head[] = {
        site->access,  site->width,     site->matrices,         pattern->space, pattern->variable,
        pattern->mask, recorded->banks, recorded->picture.cost, site->location};
    size_t lanes = WARP_LANES * sizeof *pattern->delta;
    char *key = arena_alloc(run->arena, sizeof head + 2 * lanes);
    memcpy(key, head, sizeof head);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        bool active = pattern->mask >> lane & 1;
        int64_t values[2] = {active ? pattern->delta[lane] : 0,
                             active && pattern->source ? pattern->source[lane] : 0};
        memcpy(key + sizeof head + lane * sizeof values, values, sizeof values);
    }
    return (Str){key, sizeof head + 2 * lanes};
}

static RecordedList recorded_of(const RecordedQuery *run, const Profile *profile, uint32_t launch) {
    RecordedList all = {0};
    Map *rows = map_new(run->arena);
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        RecordedAccess recorded;
        uint64_t row;
        if (pattern->launch != launch || !is_asked(run, profile, pattern) ||
            !picture(profile, pattern, &recorded))
            continue;
        all.executions += pattern->count;
        Str key = key_of(run, profile, &recorded);
        if (map_get(rows, key, &row)) {
            all.list.at[row].executions += pattern->count;
            all.list.at[row].places++;
            continue;
        }
        map_put(rows, key, all.list.count);
        *vec_add(run->arena, &all.list) = recorded;
    }
    return all;
}

/* The most frequent first; without a line, the costliest. */
static int by_executions(const void *left, const void *right) {
    const RecordedAccess *a = left, *b = right;
    if (a->executions != b->executions)
        return a->executions > b->executions ? -1 : 1;
    return a->pattern < b->pattern ? -1 : 1;
}

static int by_excess(const void *left, const void *right) {
    uint64_t a = excess(left), b = excess(right);
    return a != b ? (a > b ? -1 : 1) : by_executions(left, right);
}

/* ---- words ---- */

static const char *place_of(const RecordedQuery *run, const Profile *profile, const Site *site) {
    if (site->location == NONE || profile->locations.at[site->location].file == NONE)
        return arena_printf(run->arena, "line %" PRIu32 " of the %s", site->ptx_line,
                            profile->modules.at[profile->kernels.at[site->kernel].module].no_ptx
                                ? "machine code"
                                : "PTX");
    const Location *place = &profile->locations.at[site->location];
    const char *path = profile->files.at[place->file].path, *slash = strrchr(path, '/');
    return arena_printf(run->arena, "%s:%" PRIu32, slash ? slash + 1 : path, place->line);
}

/* "tile + 256" */
static void name_elements(const RecordedQuery *run, const Profile *profile,
                          const RecordedAccess *recorded, Drawing *drawing) {
    const AccessPattern *pattern = recorded->pattern;
    const LaunchRecord *launch = &profile->launches.at[pattern->launch];
    if (!recorded->banks || pattern->variable == NONE)
        return;
    const char *name =
        name_last(profile->kernels.at[launch->kernel].shared.at[pattern->variable].name);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (pattern->mask >> lane & 1)
            drawing->element[lane] =
                arena_printf(run->arena, "%s + %" PRId64, name,
                             (int64_t)(pattern->base + (uint64_t)pattern->delta[lane]));
}

static const char *choice_words(const RecordedQuery *run, const RecordedList *all,
                                uint32_t chosen) {
    const RecordedAccess *recorded = &all->list.at[chosen];
    Arena *arena = run->arena;
    const char *places = recorded->places > 1 ? arena_printf(arena, ", from %s places on",
                                                             words_count(arena, recorded->places))
                                              : "";
    return arena_printf(arena,
                        "pattern %" PRIu32 " of %" PRIu32 ": %s of %s recorded executions%s%s",
                        chosen + 1, all->list.count, words_count(arena, recorded->executions),
                        words_count(arena, all->executions), places,
                        all->list.count > 1 ? "; --pattern N shows others" : "");
}

/* Which patterns are not there to be chosen; NULL: all that were recorded are. */
static const char *others_words(Arena *arena, const LaunchRecord *launch) {
    if (launch->evidence_others == 0)
        return NULL;
    return arena_printf(arena,
                        "%s recorded executions in the launch are of patterns that are not kept",
                        words_count(arena, launch->evidence_others));
}

static void explain(const RecordedQuery *run, const Profile *profile, const RecordedList *all,
                    uint32_t chosen, Drawing *drawing) {
    const RecordedAccess *recorded = &all->list.at[chosen];
    const Site *site = &profile->sites.at[recorded->pattern->site];
    const LaunchRecord *launch = &profile->launches.at[recorded->pattern->launch];
    const char **notes = NEW_ARRAY(run->arena, const char *, 4);
    *drawing = (Drawing){
        .subject = arena_printf(run->arena, "%s: %s", place_of(run, profile, site), site->text),
        .notes = notes,
        .picture = recorded->picture,
        .sectors = !recorded->banks,
        .bank_bytes = BANK_BYTES,
    };
    notes[drawing->note_count++] =
        arena_printf(run->arena, "launch %" PRIu32 ", %s", recorded->pattern->launch,
                     profile->kernels.at[launch->kernel].demangled);
    notes[drawing->note_count++] = words_access(run->arena, profile, recorded->pattern);
    notes[drawing->note_count++] = choice_words(run, all, chosen);
    const char *others = others_words(run->arena, launch);
    if (others)
        notes[drawing->note_count++] = others;
    name_elements(run, profile, recorded, drawing);
}

bool drawing_recorded(Arena *arena, const Profile *profile, const ReportOptions *options,
                      uint32_t pattern, Drawing *drawing, Diags *diags) {
    const RecordedQuery asked = {arena, options, diags}, *run = &asked;
    if (options->launch != NONE && options->launch >= profile->launches.count) {
        diags_error(diags,
                    "there is no launch %" PRIu32 ": the profile has %" PRIu32 ", counted from 0",
                    options->launch, profile->launches.count);
        return false;
    }
    RecordedList all = recorded_of(run, profile, worst_launch(run, profile));
    if (all.list.count)
        qsort(all.list.at, all.list.count, sizeof *all.list.at,
              options->line ? by_executions : by_excess);
    uint32_t chosen = pattern ? pattern - 1 : 0;
    if (!all.list.count) {
        diags_error(diags, "no access to shared or global memory was recorded for what is asked%s",
                    options->line ? " (`warplens report` has the lines)" : "");
        return false;
    }
    if (chosen >= all.list.count) {
        diags_error(diags, "there is no pattern %" PRIu32 ": %" PRIu32 " were recorded", pattern,
                    all.list.count);
        return false;
    }
    explain(run, profile, &all, chosen, drawing);
    return true;
}

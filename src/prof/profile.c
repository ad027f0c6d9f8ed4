/* The Profile in memory: made, freed, its counters as a table, its files and locations interned.
 *
 * Interning uses two maps that no reader of a Profile needs to know of; they lie behind it in the
 * same allocation. They are brought up to date when something is interned, so rows that were added
 * to the arrays directly (by profile_load) are found as well. */
#include "prof/prof.h"

#include <string.h>

typedef struct InternedProfile {
    Profile profile; /* first: a Profile * made by profile_new is an Interned * */
    Map *files, *locations;
    uint32_t files_known, locations_known; /* rows that the maps have */
} InternedProfile;

Profile *profile_new(void) {
    Arena *arena = arena_new();
    InternedProfile *interned = NEW(arena, InternedProfile);
    interned->profile.arena = arena;
    interned->files = map_new(arena);
    interned->locations = map_new(arena);
    return &interned->profile;
}

void profile_forget(Profile *profile) {
    profile->launches.count = 0;
    profile->location_counts.count = 0;
    profile->patterns.count = 0;
    profile->defects.count = 0;
}

/* The number of a launch when some are gone; NONE: it is one of them, or none. */
static uint32_t moved_up(uint32_t launch, uint32_t first, uint32_t count) {
    if (launch == NONE || launch < first)
        return launch;
    return launch - first < count ? NONE : launch - count;
}

/* Rows that have a launch, without those of launches that are gone. */
#define KEEP_ROWS(rows, first, gone)                                                               \
    do {                                                                                           \
        uint32_t kept = 0;                                                                         \
        for (uint32_t row = 0; row < (rows)->count; row++) {                                       \
            uint32_t old = (rows)->at[row].launch, now = moved_up(old, first, gone);               \
            (rows)->at[kept] = (rows)->at[row];                                                    \
            (rows)->at[kept].launch = now;                                                         \
            kept += now != NONE || old == NONE;                                                    \
        }                                                                                          \
        (rows)->count = kept;                                                                      \
    } while (0)

void profile_forget_launches(Profile *profile, uint32_t first, uint32_t count) {
    for (uint32_t i = first + count; i < profile->launches.count; i++) {
        LaunchRecord *record = &profile->launches.at[i - count];
        *record = profile->launches.at[i];
        record->launched_by = moved_up(record->launched_by, first, count);
    }
    profile->launches.count -= count;
    KEEP_ROWS(&profile->location_counts, first, count);
    KEEP_ROWS(&profile->patterns, first, count);
    KEEP_ROWS(&profile->defects, first, count);
}

/* Of the program itself the text alone tells where. */
static bool is_same(const Defect *a, const Defect *b) {
    bool same = a->kind == b->kind && a->kernel == b->kernel && a->location == b->location &&
                a->other_location == b->other_location && a->benign == b->benign;
    return same && (a->kernel != NONE || strcmp(a->message, b->message) == 0);
}

Defect *profile_defect(Profile *profile, Arena *arena, const Defect *defect) {
    for (uint32_t i = 0; i < profile->defects.count; i++)
        if (is_same(&profile->defects.at[i], defect)) {
            profile->defects.at[i].count += defect->count;
            return &profile->defects.at[i];
        }
    Defect *added = vec_add(profile->arena, &profile->defects);
    *added = *defect;
    added->message = arena_copy(arena, defect->message, strlen(defect->message));
    if (defect->variable)
        added->variable = arena_copy(arena, defect->variable, strlen(defect->variable));
    return added;
}

void profile_call(Profile *profile, const HostCall *call) {
    for (uint32_t i = 0; i < profile->host_calls.count; i++) {
        HostCall *known = &profile->host_calls.at[i];
        if (strcmp(known->function, call->function) == 0 &&
            strcmp(known->library, call->library) == 0) {
            known->calls += call->calls;
            return;
        }
    }
    HostCall *added = vec_add(profile->arena, &profile->host_calls);
    *added = *call;
    added->library = arena_copy(profile->arena, call->library, strlen(call->library));
    added->function = arena_copy(profile->arena, call->function, strlen(call->function));
}

void profile_free(Profile *profile) {
    if (profile)
        arena_free(profile->arena);
}

/* ---- counters ---- */

static const CounterInfo infos[] = {
#define COUNTER(name, unit, text) {#name, unit, text},
#include "prof/counters.def"
};

const CounterInfo *counter_info(CounterId id) {
    return &infos[id];
}

void counters_add(Counters *into, const Counters *from) {
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        into->at[i] += from->at[i];
}

uint64_t counters_excess_wavefronts(const Counters *counters) {
    return counters->wavefronts > counters->wavefronts_ideal
               ? counters->wavefronts - counters->wavefronts_ideal
               : 0;
}

uint64_t counters_excess_sectors(const Counters *counters) {
    return counters->sectors > counters->sectors_ideal ? counters->sectors - counters->sectors_ideal
                                                       : 0;
}

/* ---- interning ---- */

static void know_files(InternedProfile *interned) {
    Profile *profile = &interned->profile;
    for (; interned->files_known < profile->files.count; interned->files_known++) {
        const char *path = profile->files.at[interned->files_known].path;
        map_put(interned->files, str_of(path), interned->files_known);
    }
}

uint32_t profile_file(Profile *profile, const char *path) {
    InternedProfile *interned = (InternedProfile *)profile;
    know_files(interned);
    uint64_t found;
    if (map_get(interned->files, str_of(path), &found))
        return (uint32_t)found;
    *vec_add(profile->arena, &profile->files) =
        (SourceFile){.path = arena_copy(profile->arena, path, strlen(path))};
    return profile->files.count - 1;
}

/* What makes a location: its numbers, then the name of its function (with a mark, as a NULL name
 * and an empty one are not equal). */
static Str location_key(Arena *arena, const Location *location) {
    const char *function = location->function;
    size_t name = function ? strlen(function) + 1 : 0;
    uint32_t numbers[] = {location->file, location->line, location->column, location->inlined_at};
    char *key = arena_alloc(arena, sizeof numbers + name);
    memcpy(key, numbers, sizeof numbers);
    if (function)
        memcpy(key + sizeof numbers, function, name);
    return (Str){key, sizeof numbers + name};
}

static void know_locations(InternedProfile *interned) {
    Profile *profile = &interned->profile;
    for (; interned->locations_known < profile->locations.count; interned->locations_known++) {
        const Location *location = &profile->locations.at[interned->locations_known];
        map_put(interned->locations, location_key(profile->arena, location),
                interned->locations_known);
    }
}

uint32_t profile_location(Profile *profile, uint32_t file, uint32_t line, uint32_t column,
                          const char *function, uint32_t inlined_at) {
    InternedProfile *interned = (InternedProfile *)profile;
    know_locations(interned);
    Location wanted = {file, line, column, function, inlined_at};
    Arena *scratch = arena_new();
    uint64_t found;
    bool known = map_get(interned->locations, location_key(scratch, &wanted), &found);
    arena_free(scratch);
    if (known)
        return (uint32_t)found;
    if (function)
        wanted.function = arena_copy(profile->arena, function, strlen(function));
    *vec_add(profile->arena, &profile->locations) = wanted;
    return profile->locations.count - 1;
}

bool profile_of_program(const Profile *profile) {
    static const char run[] = "warplens run";
    return profile->command && strncmp(profile->command, run, strlen(run)) == 0;
}

/* How the lanes of a recorded access lie, in words: at one stride, or in rows and columns, as the lanes of
 * a block 16 wide, the row addresses of ldmatrix, and everything computed with lane % 16 and lane / 16. */
#include "rules/rules.h"

/* Active lane i lies at the sum over levels of (i / lanes of all levels before it % lanes) * stride. */
typedef struct Level {
    uint32_t lanes;
    uint64_t stride; /* modulo 2^64: a file may hold any numbers */
} Level;

enum { LEVELS_MOST = 3 };

typedef struct Lattice {
    Level level[LEVELS_MOST];
    uint32_t count;
} Lattice;

/* From every `unit`th lane as many as lie at one stride, so that groups of them make up all lanes. */
static Level next_level(const uint64_t *place, uint32_t lanes, uint32_t unit) {
    Level level = {.lanes = 1, .stride = place[unit] - place[0]};
    uint32_t run = 2;
    while (run * unit < lanes && place[run * unit] - place[(run - 1) * unit] == level.stride)
        run++;
    for (uint32_t n = 2; n <= run; n++)
        if (lanes % (unit * n) == 0)
            level.lanes = n;
    return level;
}

static uint64_t place_in(const Lattice *lattice, uint32_t lane) {
    uint64_t place = 0;
    for (uint32_t i = 0; i < lattice->count; lane /= lattice->level[i++].lanes)
        place += lane % lattice->level[i].lanes * lattice->level[i].stride;
    return place;
}

/* false: the lanes lie otherwise. */
static bool find_lattice(const AccessPattern *pattern, Lattice *lattice) {
    uint64_t place[WARP_LANES];
    uint32_t lanes = 0, unit = 1;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        if (pattern->mask >> l & 1)
            place[lanes++] = (uint64_t)pattern->delta[l];
    *lattice = (Lattice){0};
    while (unit < lanes) {
        Level level = next_level(place, lanes, unit);
        if (level.lanes == 1 || lattice->count == LEVELS_MOST)
            return false;
        lattice->level[lattice->count++] = level;
        unit *= level.lanes;
    }
    for (uint32_t i = 0; i < lanes; i++)
        if (place[i] - place[0] != place_in(lattice, i))
            return false;
    return true;
}

/* ---- in words ---- */

static uint64_t magnitude(uint64_t stride) {
    return (int64_t)stride < 0 ? -stride : stride;
}

static const char *distance(Arena *arena, uint64_t stride) {
    return words_count(arena, magnitude(stride));
}

/* Of two levels. */
static const char *rows_words(Arena *arena, const Level *inner, const Level *outer,
                              uint32_t width) {
    const char *near = distance(arena, inner->stride), *far = distance(arena, outer->stride);
    if (inner->stride == 0)
        return arena_printf(arena, "%u places %s bytes apart, %u lanes at each", outer->lanes, far,
                            inner->lanes);
    if (outer->stride == 0)
        return arena_printf(arena, "%u places %s bytes apart, %u lanes at each", inner->lanes, near,
                            outer->lanes);
    if (magnitude(inner->stride) == width)
        return arena_printf(arena, "%u rows %s bytes apart, %u lanes side by side in each",
                            outer->lanes, far, inner->lanes);
    if (magnitude(outer->stride) < magnitude(inner->stride))
        return arena_printf(arena, "%u rows %s bytes apart, %u columns %s bytes apart",
                            inner->lanes, near, outer->lanes, far);
    return arena_printf(arena, "%u groups %s bytes apart, %u lanes %s bytes apart in each",
                        outer->lanes, far, inner->lanes, near);
}

static const char *lattice_words(Arena *arena, const Lattice *lattice, uint32_t width) {
    const Level *level = lattice->level;
    const char *rows = rows_words(arena, &level[0], &level[1], width);
    if (lattice->count == 2)
        return rows;
    if (level[2].stride == 0)
        return arena_printf(arena, "%s; the same %u times", rows, level[2].lanes);
    return arena_printf(arena, "%s; %u times that, %s bytes apart", rows, level[2].lanes,
                        distance(arena, level[2].stride));
}

static const char *variable_of(Arena *arena, const Profile *profile, const AccessPattern *pattern) {
    const LaunchRecord *launch = &profile->launches.at[pattern->launch];
    if (pattern->variable == NONE)
        return "";
    const char *name = pattern->space == SITE_SHARED
                           ? profile->kernels.at[launch->kernel].shared.at[pattern->variable].name
                           : launch->allocations.at[pattern->variable].name;
    return name ? arena_printf(arena, " in %s", name_last(name)) : "";
}

const char *words_access(Arena *arena, const Profile *profile, const AccessPattern *pattern) {
    uint32_t width = profile->sites.at[pattern->site].width;
    const char *where = variable_of(arena, profile, pattern);
    Lattice lattice;
    if (!find_lattice(pattern, &lattice))
        return arena_printf(arena, "lanes use %u bytes each, without a common stride%s", width,
                            where);
    if (lattice.count == 0 || (lattice.count == 1 && lattice.level[0].stride == 0))
        return arena_printf(arena, "all lanes use the same %u bytes%s", width, where);
    if (lattice.count == 1)
        return arena_printf(arena, "lanes use %u bytes each, %s bytes apart%s", width,
                            distance(arena, lattice.level[0].stride), where);
    return arena_printf(arena, "lanes use %u bytes each%s: %s", width, where,
                        lattice_words(arena, &lattice, width));
}

const char *words_pattern(Arena *arena, const Profile *profile, uint32_t launch, uint32_t site) {
    const AccessPattern *best = NULL;
    uint32_t count;
    const AccessPattern *patterns = launch_patterns(profile, launch, &count);
    for (uint32_t i = 0; i < count; i++)
        if (patterns[i].site == site && (!best || patterns[i].count > best->count))
            best = &patterns[i];
    return best ? words_access(arena, profile, best) : NULL;
}

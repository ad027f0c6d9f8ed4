/* All changes of a launch's accesses to global memory: those of what threads access, and those of how
 * arrays are stored. */
#include "fix/global.h"

/* Atomics come one by one. */
static bool only_plain(const Profile *profile, const Shape *shape) {
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        SiteOp op = profile->sites.at[shape->sites.at[i].site].op;
        if (op != SITE_LOAD && op != SITE_STORE)
            return false;
    }
    return true;
}

static bool better(const Change *a, const Change *b) {
    if (a->sectors != b->sectors)
        return a->sectors < b->sectors;
    return a->requests < b->requests;
}

static void rank(GlobalFix *fix) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < fix->count; i++) {
        Change one = fix->changes[i];
        bool saves = one.sectors < fix->shape.sectors || one.requests < fix->shape.requests;
        if (!saves || one.sectors > fix->shape.sectors)
            continue;
        uint32_t at = kept++;
        for (; at > 0 && better(&one, &fix->changes[at - 1]); at--)
            fix->changes[at] = fix->changes[at - 1];
        fix->changes[at] = one;
    }
    fix->count = kept;
}

/* Next to a walk down columns: rows that are read for what is written, or the other way round, of a matrix as large. (A vector
 * that a matrix is multiplied with is read along it, too, and no tile helps it.) */
static bool beside_rows(const LaunchRecord *record, const Shape *shapes, uint32_t count,
                        const Shape *columns) {
    const uint64_t bytes = record->allocations.at[columns->variable].bytes;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++)
        if (record->allocations.at[shapes[i].variable].bytes * 2 >= bytes)
            rows += shapes[i].side_by_side;
    return rows * 2 >= columns->requests;
}

GlobalFix *global_fixes(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count) {
    Shape *shapes = shapes_of(arena, profile, launch, count);
    GlobalFix *fixes = NEW_ARRAY(arena, GlobalFix, *count + 1);
    for (uint32_t i = 0; i < *count; i++) {
        fixes[i].shape = shapes[i];
        fixes[i].beside_rows =
            beside_rows(&profile->launches.at[launch], shapes, *count, &shapes[i]);
        if (!only_plain(profile, &shapes[i]))
            continue;
        global_accesses(profile, launch, &fixes[i]);
        rank(&fixes[i]);
        global_storages(profile, launch, &fixes[i]);
    }
    return fixes;
}

void global_price(const Profile *profile, uint32_t launch, GlobalFix *fixes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kept = 0;
        for (uint32_t r = 0; r < fixes[i].count; r++) {
            Change one = fixes[i].changes[r];
            if (one.kind == CHANGE_TILE)
                global_tile(profile, launch, &fixes[i], &one);
            if (!one.stores || global_storage_price(profile, launch, &fixes[i].shape, &one))
                fixes[i].changes[kept++] = one;
        }
        fixes[i].count = kept;
        rank(&fixes[i]);
    }
}

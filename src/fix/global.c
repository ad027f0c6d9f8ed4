/* Changes that change what threads access: vector accesses, tiles, wider blocks, wider elements. Their
 * promises are prices of rewritten addresses; nothing of them can be run without the rewritten kernel. */
#include "fix/global.h"

#include <stdlib.h>

/* ---- the recorded accesses of a shape's sites ---- */

typedef struct Price {
    double requests, sectors;
} Price;

typedef struct Uses {
    const Profile *profile;
    uint32_t launch;
    const GlobalFix *fix;
} Uses;

static bool of_site(const Uses *uses, const AccessPattern *pattern, uint32_t site) {
    return pattern->launch == uses->launch && pattern->space == SITE_GLOBAL &&
           pattern->site == site && pattern->variable == uses->fix->shape.variable;
}

typedef Price (*Rewrite)(const AccessPattern *pattern, uint32_t width, const void *how);

static Price price_site(const Uses *uses, const ShapeSite *site, Rewrite rewrite, const void *how) {
    Price sum = {0, 0};
    for (uint32_t i = 0; i < uses->profile->patterns.count; i++) {
        const AccessPattern *pattern = &uses->profile->patterns.at[i];
        if (!of_site(uses, pattern, site->site))
            continue;
        Price one = rewrite(pattern, uses->profile->sites.at[site->site].width, how);
        sum.requests += one.requests * (double)pattern->count;
        sum.sectors += one.sectors * (double)pattern->count;
    }
    return sum;
}

static Price price_all(const Uses *uses, Rewrite rewrite, const void *how) {
    Price sum = {0, 0};
    for (uint32_t i = 0; i < uses->fix->shape.sites.count; i++) {
        Price one = price_site(uses, &uses->fix->shape.sites.at[i], rewrite, how);
        sum.requests += one.requests;
        sum.sectors += one.sectors;
    }
    return sum;
}

static void add(GlobalFix *fix, ChangeKind kind, Price price, uint32_t vector) {
    if (fix->count < CHANGES)
        fix->changes[fix->count++] = (Change){.kind = kind,
                                              .requests = (uint64_t)(price.requests + 0.5),
                                              .sectors = (uint64_t)(price.sectors + 0.5),
                                              .vector = vector};
}

/* Lanes side by side from an address on; those that are active stay so. */
static uint32_t row_sectors(const AccessPattern *pattern, uint64_t base, uint32_t width) {
    uint64_t address[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = base + (uint64_t)l * width;
    return mem_global(&(Access){.space = SPACE_GLOBAL,
                                .width = width,
                                .mask = pattern->mask,
                                .address = address})
        .sectors;
}

/* ---- a tile turned round: 32 accesses down columns become 32 along rows ---- */

/* A tile begins at a column that is a multiple of its width; each of the pattern's lanes stands for one
 * of its rows. */
static Price turned(const AccessPattern *pattern, uint32_t width, const void *how) {
    uint64_t tile = (uint64_t)WARP_LANES * width, stride = *(const uint64_t *)how;
    double sectors = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t offset = pattern->first + (uint64_t)pattern->delta[l];
        if (pattern->mask >> l & 1)
            sectors += row_sectors(pattern, offset - offset % stride % tile, width);
    }
    return (Price){1, sectors / __builtin_popcount(pattern->mask)};
}

/* ---- wider blocks: the same lanes in one row ---- */

static Price in_one_row(const AccessPattern *pattern, uint32_t width, const void *how) {
    (void)how;
    uint64_t row = (uint64_t)WARP_LANES * width;
    return (Price){1, row_sectors(pattern, pattern->base - pattern->base % row, width)};
}

/* ---- several elements a lane: as many requests become one ---- */

static Price widened(const AccessPattern *pattern, uint32_t width, const void *how) {
    uint32_t wide = *(const uint32_t *)how, together = wide / width;
    uint64_t row = (uint64_t)WARP_LANES * wide;
    return (Price){1.0 / together,
                   (double)row_sectors(pattern, pattern->base - pattern->base % row, wide) /
                       together};
}

/* ---- vector accesses ---- */

/* The first scalar's addresses, with the vector's width. */
static Price vectored(const AccessPattern *pattern, uint32_t width, const void *how) {
    (void)width;
    return (Price){1, shape_price(pattern, *(const uint32_t *)how, pattern->base).sectors};
}

static bool all_aligned(const Uses *uses, uint32_t site, uint32_t to) {
    for (uint32_t i = 0; i < uses->profile->patterns.count; i++) {
        const AccessPattern *pattern = &uses->profile->patterns.at[i];
        if (of_site(uses, pattern, site) && pattern->base % to)
            return false;
    }
    return uses->fix->shape.stride % to == 0;
}

/* Takes up to a 16-byte vector from the run's front; returns how many scalars it replaces. */
static uint32_t take_vector(const Uses *uses, const uint32_t *run, uint32_t count, Price *sum,
                            uint32_t *widest) {
    const ShapeSite *first = &uses->fix->shape.sites.at[run[0]];
    uint32_t width = uses->profile->sites.at[first->site].width;
    for (uint32_t vector = 16; vector > width; vector /= 2) {
        if (vector / width > count || !all_aligned(uses, first->site, vector))
            continue;
        Price one = price_site(uses, first, vectored, &vector);
        sum->requests += one.requests;
        sum->sectors += one.sectors;
        *widest = vector > *widest ? vector : *widest;
        return vector / width;
    }
    sum->requests += (double)first->requests;
    sum->sectors += (double)first->sectors;
    return 1;
}

static bool begins_run(const Uses *uses, uint32_t at) {
    const Shape *shape = &uses->fix->shape;
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        uint32_t run[WARP_LANES];
        if (i != at && shape_run(uses->profile, shape, i, run) > 1 && run[1] == at)
            return false;
    }
    return true;
}

static void add_vectors(const Uses *uses, GlobalFix *fix) {
    Price sum = {0, 0};
    uint32_t widest = 0;
    for (uint32_t i = 0; i < fix->shape.sites.count; i++) {
        uint32_t run[WARP_LANES];
        if (!begins_run(uses, i))
            continue;
        uint32_t count = shape_run(uses->profile, &fix->shape, i, run);
        for (uint32_t at = 0; at < count;)
            at += take_vector(uses, run + at, count - at, &sum, &widest);
    }
    if (widest)
        add(fix, CHANGE_VECTOR, sum, widest);
}

/* ---- all ---- */

void global_tile(const Profile *profile, uint32_t launch, const GlobalFix *fix, Change *change) {
    Uses uses = {profile, launch, fix};
    Price sum = price_all(&uses, turned, &fix->shape.stride);
    change->requests = (uint64_t)(sum.requests + 0.5);
    change->sectors = (uint64_t)(sum.sectors + 0.5);
}

/* Atomics come one by one. */
static bool only_plain(const Profile *profile, const Shape *shape) {
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        SiteOp op = profile->sites.at[shape->sites.at[i].site].op;
        if (op != SITE_LOAD && op != SITE_STORE)
            return false;
    }
    return true;
}

static void add_widening(const Uses *uses, GlobalFix *fix) {
    uint32_t width = fix->shape.width, wide = 4;
    if (fix->shape.requests < wide / width)
        return;
    for (uint32_t i = 0; i < fix->shape.sites.count; i++)
        if (uses->profile->sites.at[fix->shape.sites.at[i].site].width != width)
            return;
    if ((fix->shape.phases & ~0x11111111u) == 0 || width == 2)
        add(fix, CHANGE_WIDEN, price_all(uses, widened, &wide), wide);
}

static void find_changes(const Profile *profile, uint32_t launch, GlobalFix *fix) {
    Uses uses = {profile, launch, fix};
    switch (fix->shape.kind) {
    case SHAPE_STRUCTURES:
    case SHAPE_NEIGHBOURS:
        add_vectors(&uses, fix);
        break;
    case SHAPE_COLUMNS:
        add(fix, CHANGE_TILE, (Price){0, 0}, 0);
        global_tile(profile, launch, fix, &fix->changes[0]);
        break;
    case SHAPE_SHORT_ROWS:
        add(fix, CHANGE_ROWS, price_all(&uses, in_one_row, NULL), 0);
        break;
    case SHAPE_NARROW:
        add_widening(&uses, fix);
        break;
    default:
        break;
    }
}

static bool better(const Change *a, const Change *b) {
    if (a->sectors != b->sectors)
        return a->sectors < b->sectors;
    return a->requests < b->requests;
}

void global_rank(GlobalFix *fix) {
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

/* Next to a walk down columns: rows that are read for what is written, or the other way round. */
static bool beside_rows(const Shape *shapes, uint32_t count, const Shape *columns) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++)
        rows += shapes[i].side_by_side;
    return rows * 2 >= columns->requests;
}

GlobalFix *global_fixes(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count) {
    Shape *shapes = shapes_of(arena, profile, launch, count);
    GlobalFix *fixes = NEW_ARRAY(arena, GlobalFix, *count + 1);
    for (uint32_t i = 0; i < *count; i++) {
        fixes[i].shape = shapes[i];
        fixes[i].beside_rows = beside_rows(shapes, *count, &shapes[i]);
        if (!only_plain(profile, &shapes[i]))
            continue;
        find_changes(profile, launch, &fixes[i]);
        global_rank(&fixes[i]);
        global_storages(profile, launch, &fixes[i]);
    }
    return fixes;
}

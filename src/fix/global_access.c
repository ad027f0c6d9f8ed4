/* Changes that change what threads access: vector accesses, tiles, wider blocks, wider elements. Their
 * promises are prices of rewritten addresses; nothing of them can be run without the rewritten kernel. */
#include "fix/global.h"

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

typedef Price (*PriceOf)(const AccessPattern *pattern, uint32_t width, const void *how);

static Price price_site(const Uses *uses, const ShapeSite *site, PriceOf rewrite, const void *how) {
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

static Price price_all(const Uses *uses, PriceOf rewrite, const void *how) {
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

void global_accesses(const Profile *profile, uint32_t launch, GlobalFix *fix) {
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

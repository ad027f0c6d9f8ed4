/* Shapes: what the accesses to an array of global memory have in common. From the recorded addresses: how
 * lanes lie to each other, whether an instruction visits one place of a row or several, where rows begin.
 * From the code: which instructions of a block use the same base register at which distance. */
#include "rules/shapes.h"

#include <stdlib.h>
#include <string.h>

/* ---- how the lanes of one access lie ---- */

typedef enum Lie { LIE_ALONE, LIE_UNIT, LIE_ROWS, LIE_STRIDED, LIE_IRREGULAR, LIES } Lie;

/* Steps between neighbouring active lanes. */
typedef struct Steps {
    uint32_t count, same; /* of them: the most frequent */
    int64_t step;
    int64_t other; /* of those that differ from it: the first, and whether all are that */
    bool regular;
} Steps;

/* A file may hold any numbers: differences wrap round. */
static int64_t difference(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* INT64_MAX for what has no magnitude. */
static int64_t magnitude(int64_t step) {
    return step == INT64_MIN ? INT64_MAX : step < 0 ? -step : step;
}

static Steps steps_of(const AccessPattern *pattern) {
    Steps steps = {.regular = true};
    int64_t all[WARP_LANES];
    for (uint32_t l = 1; l < WARP_LANES; l++)
        if ((pattern->mask >> (l - 1) & 3) == 3)
            all[steps.count++] = difference(pattern->delta[l], pattern->delta[l - 1]);
    for (uint32_t i = 0; i < steps.count; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < steps.count; k++)
            same += all[k] == all[i];
        if (same > steps.same) {
            steps.same = same;
            steps.step = all[i];
        }
    }
    bool seen = false;
    for (uint32_t i = 0; i < steps.count; i++) {
        if (all[i] == steps.step)
            continue;
        steps.regular &= !seen || all[i] == steps.other;
        steps.other = all[i];
        seen = true;
    }
    return steps;
}

/* *step: of STRIDED from lane to lane, of ROWS from one row's begin to the next one's. */
static Lie lie_of(const AccessPattern *pattern, uint32_t width, int64_t *step) {
    Steps steps = steps_of(pattern);
    *step = steps.step;
    if (steps.count == 0 || steps.step == 0)
        return LIE_ALONE;
    bool unit = magnitude(steps.step) == (int64_t)width;
    if (unit && steps.same == steps.count)
        return LIE_UNIT;
    if (unit && steps.regular && steps.same * 2 >= steps.count) {
        uint32_t rows = steps.count - steps.same + 1, lanes = (steps.count + 1) / rows;
        int64_t row = steps.step * ((int64_t)lanes - 1); /* a step is a width here */
        *step = magnitude(difference(steps.other, -row));
        return LIE_ROWS;
    }
    return !unit && steps.same * 4 >= steps.count * 3 ? LIE_STRIDED : LIE_IRREGULAR;
}

GlobalCost shape_price(const AccessPattern *pattern, uint32_t width, uint64_t base) {
    uint64_t address[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = base + (uint64_t)pattern->delta[l];
    return mem_global(&(Access){
        .space = SPACE_GLOBAL, .width = width, .mask = pattern->mask, .address = address});
}

/* ---- what was recorded of an instruction in an array ---- */

typedef struct Lot {
    ShapeSite site;
    uint32_t variable;
    uint64_t excess[LIES], seen[LIES];
    int64_t step;         /* of STRIDED: the one with most of its excess; of ROWS the last */
    uint64_t step_weight; /* while it is being found */
    uint64_t residue;     /* of STRIDED: place in the row */
    bool walks;           /* and it is not always the same */
    bool placed;
    uint32_t row_bytes; /* of ROWS: of the lanes that lie side by side */
    uint32_t phases;    /* set of base modulo 32, in elements of the width: bit 0 … 31 */
} Lot;

typedef struct Lots {
    VEC(Lot) list;
} Lots;

static bool concerns(const Profile *profile, const AccessPattern *pattern) {
    const Site *site = &profile->sites.at[pattern->site];
    bool plain = site->op == SITE_LOAD || site->op == SITE_STORE || site->op == SITE_ATOMIC ||
                 site->op == SITE_REDUCTION;
    return pattern->space == SITE_GLOBAL && plain && site->width && site->width <= SECTOR_BYTES &&
           !pattern->source && pattern->variable != NONE &&
           (site->width & (site->width - 1)) == 0 && pattern->mask;
}

static Lot *lot_of(Arena *arena, Lots *lots, const AccessPattern *pattern) {
    for (uint32_t i = lots->list.count; i-- > 0;) {
        Lot *lot = &lots->list.at[i];
        if (lot->site.site == pattern->site && lot->variable == pattern->variable)
            return lot;
    }
    Lot *lot = vec_add(arena, &lots->list);
    *lot =
        (Lot){.site = {.site = pattern->site, .first = UINT64_MAX}, .variable = pattern->variable};
    return lot;
}

/* The step that carries most, if one carries more than half. */
static void vote(Lot *lot, int64_t step, uint64_t weight) {
    step = magnitude(step);
    if (lot->step == step) {
        lot->step_weight += weight;
    } else if (lot->step_weight >= weight) {
        lot->step_weight -= weight;
    } else {
        lot->step = step;
        lot->step_weight = weight - lot->step_weight;
    }
}

static void add_pattern(Lot *lot, const AccessPattern *pattern, uint32_t width) {
    int64_t step;
    Lie lie = lie_of(pattern, width, &step);
    GlobalCost cost = shape_price(pattern, width, pattern->base);
    uint64_t excess = cost.sectors > cost.ideal ? cost.sectors - cost.ideal : 0;
    lot->site.requests += pattern->count;
    lot->site.sectors += cost.sectors * pattern->count;
    lot->site.ideal += cost.ideal * pattern->count;
    lot->seen[lie] += pattern->count;
    lot->excess[lie] += excess * pattern->count;
    lot->site.first = pattern->first < lot->site.first ? pattern->first : lot->site.first;
    lot->phases |= 1u << pattern->base % SECTOR_BYTES / (width < SECTOR_BYTES ? width : 1) % 32;
    if (lie == LIE_STRIDED)
        vote(lot, step, excess * pattern->count);
    if (lie == LIE_ROWS) {
        Steps steps = steps_of(pattern);
        lot->step = step;
        lot->row_bytes = (steps.count + 1) / (steps.count - steps.same + 1) * width;
    }
}

static Lie lie_of_lot(const Lot *lot) {
    uint32_t by_excess = 0, by_count = 0;
    for (uint32_t lie = 0; lie < LIES; lie++) {
        by_excess = lot->excess[lie] > lot->excess[by_excess] ? lie : by_excess;
        by_count = lot->seen[lie] > lot->seen[by_count] ? lie : by_count;
    }
    return (Lie)(lot->excess[by_excess] ? by_excess : by_count);
}

/* Does the instruction visit several places of a row? */
static void add_residue(Lot *lot, const AccessPattern *pattern, uint32_t width) {
    int64_t step;
    if (lot->step == 0 || lie_of(pattern, width, &step) != LIE_STRIDED ||
        magnitude(step) != lot->step)
        return;
    uint64_t residue = pattern->first % (uint64_t)lot->step;
    lot->walks |= lot->placed && residue != lot->residue;
    if (!lot->placed || residue < lot->residue)
        lot->residue = residue;
    lot->placed = true;
}

static void find_lots(Arena *arena, Lots *lots, const Profile *profile, uint32_t launch) {
    uint32_t count;
    const AccessPattern *patterns = launch_patterns(profile, launch, &count);
    for (uint32_t i = 0; i < count; i++)
        if (concerns(profile, &patterns[i]))
            add_pattern(lot_of(arena, lots, &patterns[i]), &patterns[i],
                        profile->sites.at[patterns[i].site].width);
    for (uint32_t i = 0; i < count; i++) {
        const AccessPattern *pattern = &patterns[i];
        if (!concerns(profile, pattern))
            continue;
        Lot *lot = lot_of(arena, lots, pattern);
        if (lie_of_lot(lot) == LIE_STRIDED)
            add_residue(lot, pattern, profile->sites.at[pattern->site].width);
    }
}

/* ---- shapes ---- */

static ShapeKind kind_of(const Lot *lot, uint32_t width) {
    bool wasteful = lot->site.sectors > lot->site.ideal;
    switch (lie_of_lot(lot)) {
    case LIE_STRIDED:
        return !wasteful || lot->step == 0 ? SHAPE_IDEAL
               : lot->walks                ? SHAPE_COLUMNS
                                           : SHAPE_STRUCTURES;
    case LIE_ROWS:
        if (wasteful)
            return lot->row_bytes < SECTOR_BYTES ? SHAPE_SHORT_ROWS : SHAPE_MISALIGNED;
        return SHAPE_IDEAL;
    case LIE_UNIT:
        return wasteful ? SHAPE_MISALIGNED : width <= 2 ? SHAPE_NARROW : SHAPE_IDEAL;
    default:
        return wasteful ? SHAPE_GATHER : SHAPE_IDEAL;
    }
}

typedef struct Shapes {
    VEC(Shape) list;
} Shapes;

static Shape *shape_of(Arena *arena, Shapes *shapes, ShapeKind kind, uint32_t variable,
                       uint64_t stride) {
    for (uint32_t i = 0; i < shapes->list.count; i++) {
        Shape *shape = &shapes->list.at[i];
        if (shape->kind == kind && shape->variable == variable && shape->stride == stride)
            return shape;
    }
    Shape *shape = vec_add(arena, &shapes->list);
    *shape = (Shape){.kind = kind, .variable = variable, .stride = stride};
    return shape;
}

static void add_lot(Arena *arena, Shapes *shapes, Lot *lot, const Site *site, ShapeKind kind) {
    bool strided = kind == SHAPE_STRUCTURES || kind == SHAPE_COLUMNS;
    Shape *shape = shape_of(arena, shapes, kind, lot->variable, strided ? (uint64_t)lot->step : 0);
    lot->site.offset = strided ? lot->residue : 0;
    *vec_add(arena, &shape->sites) = lot->site;
    shape->requests += lot->site.requests;
    shape->sectors += lot->site.sectors;
    shape->ideal += lot->site.ideal;
    shape->phases |= lot->phases;
    shape->side_by_side += lot->seen[LIE_UNIT] + lot->seen[LIE_ROWS];
    shape->width = site->width > shape->width ? site->width : shape->width;
    if (kind == SHAPE_SHORT_ROWS)
        shape->row_bytes = lot->row_bytes;
    if (lie_of_lot(lot) == LIE_ROWS)
        shape->pitch = (uint64_t)lot->step;
}

/* Where one instruction of an array walks along its rows, the others walk down columns as well. */
static bool columns_beside(const Lots *lots, const Lot *lot) {
    for (uint32_t i = 0; i < lots->list.count; i++) {
        const Lot *other = &lots->list.at[i];
        if (other->variable == lot->variable && other->walks && other->step == lot->step &&
            lie_of_lot(other) == LIE_STRIDED)
            return true;
    }
    return false;
}

static int by_offset(const void *left, const void *right) {
    const ShapeSite *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->site < b->site ? -1 : a->site > b->site;
}

static int by_excess(const void *left, const void *right) {
    const Shape *a = left, *b = right;
    uint64_t of_a = a->sectors - a->ideal, of_b = b->sectors - b->ideal;
    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* ---- neighbours: fields that one vector access would take ---- */

/* What executes one executes the other, with addresses that are a constant apart. */
static bool same_base(const Site *a, const Site *b) {
    return a->block && a->block == b->block && a->guard == b->guard && a->base &&
           a->base == b->base;
}

/* The next field of the same structure: the same kind of access, as often, right behind. */
static bool follows(const Profile *profile, const ShapeSite *a, const ShapeSite *b) {
    const Site *left = &profile->sites.at[a->site], *right = &profile->sites.at[b->site];
    return left->op == right->op && left->width == right->width && a->requests == b->requests &&
           b->offset == a->offset + left->width && same_base(left, right) &&
           difference(right->offset, left->offset) == left->width;
}

uint32_t shape_run(const Profile *profile, const Shape *shape, uint32_t first,
                   uint32_t run[WARP_LANES]) {
    uint32_t count = 0;
    run[count++] = first;
    for (bool found = true; found && count < WARP_LANES;) {
        found = false;
        for (uint32_t i = 0; i < shape->sites.count && !found; i++) {
            found = follows(profile, &shape->sites.at[run[count - 1]], &shape->sites.at[i]);
            if (found)
                run[count++] = i;
        }
    }
    return count;
}

/* Are structures of 2 to 16 bytes loaded, or stored, in scalars that fill them? */
static bool is_neighbours(const Profile *profile, const Shape *shape) {
    if (shape->stride > 16 || (shape->stride & (shape->stride - 1)))
        return false;
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        const ShapeSite *one = &shape->sites.at[i];
        uint32_t run[WARP_LANES];
        uint64_t width = profile->sites.at[one->site].width;
        if (one->offset == 0 && shape_run(profile, shape, i, run) * width == shape->stride)
            return true;
    }
    return false;
}

/* ---- the pitch of rows that begin within a sector ---- */

static uint64_t first_of(const Shape *shape, uint32_t site) {
    for (uint32_t i = 0; i < shape->sites.count; i++)
        if (shape->sites.at[i].site == site)
            return shape->sites.at[i].first;
    return UINT64_MAX;
}

/* Warps of a row are whole sectors apart, so the first that is not is the second row's first. */
static uint64_t pitch_of(const Profile *profile, uint32_t launch, const Shape *shape) {
    uint32_t count;
    const AccessPattern *patterns = launch_patterns(profile, launch, &count);
    uint64_t pitch = UINT64_MAX;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            const AccessPattern *pattern = &patterns[i];
            if (!concerns(profile, pattern) || pattern->variable != shape->variable)
                continue;
            uint64_t first = first_of(shape, pattern->site);
            if (first == UINT64_MAX || (pattern->first - first) % SECTOR_BYTES == 0)
                continue;
            uint64_t apart = pattern->first - first;
            if (pass == 0)
                pitch = apart < pitch ? apart : pitch;
            else if (apart % pitch % SECTOR_BYTES)
                return 0;
        }
    }
    return pitch == UINT64_MAX ? 0 : pitch;
}

/* ---- all ---- */

static void finish(const Profile *profile, uint32_t launch, Shape *shape) {
    qsort(shape->sites.at, shape->sites.count, sizeof *shape->sites.at, by_offset);
    if (shape->kind == SHAPE_STRUCTURES && is_neighbours(profile, shape))
        shape->kind = SHAPE_NEIGHBOURS;
    if (shape->kind == SHAPE_MISALIGNED && shape->pitch == 0)
        shape->pitch = pitch_of(profile, launch, shape);
}

Shape *shapes_of(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count) {
    Lots lots = {0};
    Shapes shapes = {0};
    find_lots(arena, &lots, profile, launch);
    for (uint32_t i = 0; i < lots.list.count; i++) {
        Lot *lot = &lots.list.at[i];
        const Site *site = &profile->sites.at[lot->site.site];
        ShapeKind kind = kind_of(lot, site->width);
        if (kind == SHAPE_STRUCTURES && columns_beside(&lots, lot))
            kind = SHAPE_COLUMNS;
        add_lot(arena, &shapes, lot, site, kind);
    }
    for (uint32_t i = 0; i < shapes.list.count; i++)
        finish(profile, launch, &shapes.list.at[i]);
    if (shapes.list.count)
        qsort(shapes.list.at, shapes.list.count, sizeof *shapes.list.at, by_excess);
    *count = shapes.list.count;
    return shapes.list.at;
}

const Shape *finding_shape(const Shape *shapes, uint32_t count, const Finding *finding) {
    if (finding->line_count == 0 || finding->rule == RULE_local_memory ||
        strcmp(finding->unit, "sectors") != 0)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < shapes[i].sites.count; k++)
            if (shapes[i].sites.at[k].site == finding->lines[0].site &&
                shapes[i].sectors > shapes[i].ideal)
                return &shapes[i];
    return NULL;
}

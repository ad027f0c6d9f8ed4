/* shapes.h: what the accesses to an array of global memory have in common, and what that suggests.
 * Findings name it; fix/ computes what a change would save.
 *
 * Invariants
 *   - A pure function of a profile: recorded addresses, and what the instructions compute them from.
 *   - Of each array, an instruction belongs to one shape. cp.async belongs to none. */
#pragma once

#include "mem/mem.h"
#include "rules/rules.h"

typedef enum ShapeKind {
    SHAPE_STRUCTURES, /* lanes are one structure apart; an instruction uses one place of it */
    SHAPE_NEIGHBOURS, /* the same, and one vector access would take the whole structure */
    SHAPE_COLUMNS,    /* lanes are one row apart, and an instruction visits many places of a row */
    SHAPE_MISALIGNED, /* lanes lie side by side, but begin within a sector */
    SHAPE_SHORT_ROWS, /* a few lanes lie side by side, then comes the next row */
    SHAPE_NARROW,     /* ideal, with 1 or 2 bytes a lane */
    SHAPE_GATHER,     /* no common stride */
    SHAPE_IDEAL       /* side by side, or all at one place */
} ShapeKind;

typedef struct ShapeSite {
    uint32_t site;
    uint64_t requests, sectors, ideal; /* of its recorded executions */
    uint64_t first;                    /* the lowest offset of a first lane */
    uint64_t offset;                   /* STRUCTURES, NEIGHBOURS: in the structure */
} ShapeSite;

typedef struct Shape {
    ShapeKind kind;
    uint32_t variable;     /* in launch.allocations */
    uint64_t stride;       /* STRUCTURES, NEIGHBOURS, COLUMNS: bytes from lane to lane */
    uint64_t pitch;        /* MISALIGNED: from row to row; 0: no rows are seen */
    uint32_t row_bytes;    /* SHORT_ROWS: of the lanes that lie side by side */
    uint32_t width;        /* the widest of its accesses, bytes a lane */
    uint32_t phases;       /* set of where in a sector they begin, in elements */
    uint64_t side_by_side; /* executions in which lanes lie so */
    uint64_t requests, sectors, ideal; /* of the recorded executions */
    VEC(ShapeSite) sites;              /* by offset */
} Shape;

/* ---- shapes.c ---- */

/* The shapes of a launch, by what they cost beyond the ideal. */
Shape *shapes_of(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count);
/* What wastes most in a finding about sectors: the shape that its worst line's instruction belongs to; NULL
 * without evidence, or where the waste is not in the shape. */
const Shape *finding_shape(const Shape *shapes, uint32_t count, const Finding *finding);
/* A recorded access at another base. */
GlobalCost shape_price(const AccessPattern *pattern, uint32_t width, uint64_t base);
/* From site `first` of the shape: the accesses that lie side by side in the structure, at constant
 * distances from one register and in one basic block. Returns how many. */
uint32_t shape_run(const Profile *profile, const Shape *shape, uint32_t first,
                   uint32_t run[WARP_LANES]);

/* ---- shape_words.c ---- */

const char *shape_name(ShapeKind kind); /* "array of structures" */
/* "lanes are 24 bytes apart, each access uses 8 of them". */
const char *words_shape(Arena *arena, const Profile *profile, const Shape *shape);

/* levels.h: what a launch moves between its kernel and each level of memory, and what that is against what it computes.
 * Private to report/.
 *
 * Counts are of the blocks that ran, as in all of the report. What is estimated (`--caches`), or no more than a bound, says so. */
#pragma once

#include "report/page.h"

typedef enum Level {
    LEVEL_KERNEL,
    LEVEL_SHARED,
    LEVEL_OTHERS, /* shared memory of other blocks of the cluster */
    LEVEL_L1,
    LEVEL_L2,
    LEVEL_DRAM,
    LEVEL_COUNT
} Level;
const char *level_name(Level level); /* "shared memory" */

typedef enum FlowBasis { FLOW_COUNTED, FLOW_ESTIMATED, FLOW_AT_MOST } FlowBasis;
const char *flow_basis(FlowBasis basis); /* "at most" */

/* Bytes from one level to another, and what asks for them. */
typedef struct Flow {
    Level from, to;
    const char *what; /* "loads" */
    FlowBasis basis;
    uint64_t requests, wavefronts, sectors; /* 0: it has none */
    uint64_t bytes;                         /* that move */
} Flow;

enum { FLOWS_MOST = 32 };
typedef struct Levels {
    Flow flow[FLOWS_MOST]; /* those with bytes */
    uint32_t count;
    bool modelled;           /* by --caches */
    double l1_rate, l2_rate; /* of hits, estimated: 0 to 1; below 0: not known */
} Levels;
Levels levels_of(const Profile *profile, const LaunchView *view);

/* ---- roofline.c ---- */

typedef enum RoofUnit { ROOF_FP32, ROOF_FP64, ROOF_TENSOR, ROOF_UNITS } RoofUnit;
const char *roof_unit(RoofUnit unit); /* "FP32" */

/* Operations and bytes of a launch, of all its blocks. */
typedef struct Roofline {
    double operations[ROOF_UNITS];
    double bytes[LEVEL_COUNT]; /* to and from: shared memory, L1, L2, DRAM; 0: none, or not known */
    FlowBasis basis[LEVEL_COUNT];
    double gbs[LEVEL_COUNT]; /* what the GPU moves at best, in 10^9 bytes a second; 0: no ceiling */
    double peak[ROOF_UNITS]; /* 10^9 operations a second; tensor cores': of FP16, 0: not known */
    double seconds;          /* that it takes; 0: not known */
    FlowBasis seconds_basis;
} Roofline;
/* false: the GPU is not known, or nothing ran. */
bool roofline_of(const Profile *profile, const LaunchView *view, Roofline *roofline);
/* Operations a second (10^9) that the roof allows at `intensity` operations a byte of the level, by the unit. */
double roof_at(const Roofline *roofline, Level level, RoofUnit unit, double intensity);

/* ---- chart_memory.c, chart_roofline.c: pictures, as SVG ---- */

/* One picture, or two beside each other with one scale, of which each is NULL where there is none. titles: of each. */
const char *chart_memory(Arena *arena, const Levels *levels[2], const char *titles[2]);

typedef struct RoofPoint {
    const char *name;
    uint32_t launch;
    Roofline roofline;
} RoofPoint;
/* Of each kernel the launch that executed most, on the GPU of the first (picture.c). */
const RoofPoint *roof_points(const Report *report, uint32_t *count);
/* count: at least one. */
const char *chart_roofline(Arena *arena, const RoofPoint *points, uint32_t count);

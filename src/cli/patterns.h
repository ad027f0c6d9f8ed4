/* patterns: tables of lane addresses, as in tests/ground-truth/h100 - one warp and one instruction
 * a row, with or without what a GPU measured - read into accesses that the memory model can
 * evaluate.
 *
 * Columns are found by name. `instruction` and either lane0 … lane31, or shared0 … shared31 and
 * global0 … global31 (cp.async), are required; -1 is a lane that is not active. Columns that are
 * known by no name are ignored.
 *
 * A cp.async row with lanes alone gives the destinations: the lanes copy consecutive elements of an
 * aligned array. */
#pragma once

#include "mem/mem.h"
#include "prof/prof.h"

typedef enum Figure {
    FIGURE_WAVEFRONTS,
    FIGURE_WAVEFRONTS_IDEAL,
    FIGURE_SECTORS,
    FIGURE_SECTORS_IDEAL,
    FIGURE_TAG_REQUESTS,
    FIGURE_COUNT
} Figure;

typedef struct PatternRow {
    uint32_t line;
    Str instruction;
    Access access;
    bool computed_known[FIGURE_COUNT], measured_known[FIGURE_COUNT];
    uint64_t computed[FIGURE_COUNT], measured[FIGURE_COUNT];
    /* its wavefronts were measured by the hardware, which does not see copies by .cg */
    bool unseen;
    bool exact; /* every measured figure equals the computed one */
} PatternRow;

typedef struct PatternTable {
    const char *file;
    bool other;    /* a table, but not of lane addresses: nothing was read */
    bool measured; /* some column holds measured figures */
    VEC(PatternRow) rows;
    uint32_t exact; /* rows */
} PatternTable;

const char *figure_name(Figure figure); /* "wavefronts_ideal" */

/* NULL, with errors in diags, for a file that cannot be read or is malformed. */
PatternTable *patterns_read(Arena *arena, const char *file, Diags *diags);

/* Puts what was counted elsewhere, Counters[rows], in place of what the model on this machine computes. Returns how many rows differ
 * from it. */
uint32_t patterns_counted(PatternTable *table, const Counters *counted);

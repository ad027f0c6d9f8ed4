/* movements: tables of what moves bytes without being an access of lanes to their own memory, as in
 * tests/ground-truth/h200, a row for one instruction: bulk copies (columns from, to, bytes), boxes of
 * tensors (type, address, extents, strides, box, steps, swizzle, lower, upper, at, offsets, shared; lists are
 * divided by blanks), matrices of wgmma (descriptor_a, or `registers`), and accesses to a cluster's shared
 * memory (lane0 … lane31, block0 … block31, or `own`). Measured are copy_sectors, matrix_wavefronts,
 * remote_sectors, remote_lines, remote_wavefronts. */
#pragma once

#include "cli/csv.h"

enum { MOVEMENT_FIGURES = 5 };

typedef struct MovementRow {
    uint32_t line;
    Str instruction;
    bool computed_known[MOVEMENT_FIGURES], measured_known[MOVEMENT_FIGURES];
    uint64_t computed[MOVEMENT_FIGURES], measured[MOVEMENT_FIGURES];
    bool exact; /* every measured figure equals the computed one */
} MovementRow;

typedef struct MovementTable {
    const char *file;
    bool measured; /* some column holds measured figures */
    VEC(MovementRow) rows;
    uint32_t exact; /* rows */
} MovementTable;

const char *movement_figure(uint32_t figure); /* "copy_sectors" */
/* Whether the file's columns are of such a table. */
bool movements_there(const Csv *csv);
/* NULL, with errors in diags, where a row cannot be evaluated. */
MovementTable *movements_read(Arena *arena, const Csv *csv, Diags *diags);

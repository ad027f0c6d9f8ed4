/* row: one access, to be counted by the rules alone, without a program that makes it: as a patch counts it. */
#pragma once

#include "probe/device/sums.h"
#include "probe/device/table.h"

typedef struct ProbeRow {
    uint64_t address[PROBE_LANES], source[PROBE_LANES]; /* source: of a copy */
    uint32_t mask;
    uint8_t part; /* a ProbePart, of copies PROBE_COPY */
    uint8_t write, width, matrices;
} ProbeRow;

/* A copy adds to three parts of its instruction, other accesses to one. */
enum { ROW_OWN, ROW_SOURCE, ROW_CG, ROW_PARTS };

typedef struct ProbeRowSums {
    RuleSums at[ROW_PARTS];
} ProbeRowSums;

PROBE_CODE void sums_of_row(LaneSet warp, const ProbeRow *row, Lanes64 address, Lanes64 source,
                            ProbeRowSums *sums) {
    uint32_t width = row->width;
    switch (row->part) {
    case PROBE_GLOBAL:
        sums->at[ROW_OWN] = sums_global(warp, address, width);
        break;
    case PROBE_LOCAL:
        sums->at[ROW_OWN] = sums_local(warp, address, width);
        break;
    case PROBE_ATOMIC:
        sums->at[ROW_OWN] = sums_atomic(warp, address, width);
        break;
    case PROBE_MATRIX:
        sums->at[ROW_OWN] = sums_matrix(warp, address, row->matrices);
        break;
    case PROBE_COPY: {
        CopySums ca = sums_copy_ca(warp, address, source, width);
        sums->at[ROW_OWN] = ca.shared;
        sums->at[ROW_SOURCE] = ca.source;
        if (width == 16)
            sums->at[ROW_CG] = sums_copy_cg(warp, address, source);
        break;
    }
    default: /* PROBE_SHARED */
        sums->at[ROW_OWN] =
            row->write ? sums_store(warp, address, width) : sums_load(warp, address, width);
    }
}

/* sim.h: one SM with its resident warps. Private to timing. */
#pragma once

#include "timing/timing.h"

/* What a warp waited for before an instruction. */
typedef enum WaitKind {
    WAIT_TURN, /* others were issued, or its unit was busy */
    WAIT_ARITHMETIC,
    WAIT_SHARED,
    WAIT_MEMORY,
    WAIT_BARRIER,
    WAIT_KINDS
} WaitKind;

typedef struct SimResult {
    double clocks;                     /* until the last block has ended */
    const double *ends;                /* [blocks]: when each ended, ascending */
    double issued;                     /* warp instructions */
    double unit_busy[TIME_UNIT_COUNT]; /* clocks, of all four parts */
    double l2_busy, dram_busy;
    double atomic_busy; /* what atomics wait for each other, and what else is done where they are */
    double waited[WAIT_KINDS]; /* clocks of warps */
    double traced, between;    /* of the traces, and of what the warps execute between windows */
} SimResult;

typedef struct SimSetup {
    const TimeLaunch *launch;
    const TimeMend *mends; /* [sites]; NULL: none */
    uint32_t first;        /* of the traced blocks */
    /* [blocks]: the traced block that each is; NULL: one after the other, from the first */
    const uint32_t *order;
    uint32_t blocks;     /* that run on the SM, one after the other as there is room */
    double l2_share;     /* of L2, in that of one of an H200's 132 SMs, when all have work */
    double l2_wide;      /* how much longer its slices take to move a sector */
    double l2_copies;    /* of what is written, by those of an H200 */
    double dram_bytes;   /* a clock, of this SM */
    double begin_clocks; /* from a block that begins to the SM's next one, at least */
    double atomic_sms;   /* SMs whose atomics meet */
    double slower[TIME_UNIT_COUNT]; /* than an H200's, the units of this GPU; 1: as fast */
} SimSetup;

SimResult sim_run(Arena *arena, const SimSetup *setup);

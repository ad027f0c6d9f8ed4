/* uneven.h: grids of which some blocks have far more to do than others. Private to timing. */
#pragma once

#include "timing/timing.h"

/* What one SM executes of such a grid, one traced block after the other. */
typedef struct UnevenOrder {
    /* [count]: of the traced blocks; NULL: blocks are even enough, or their sizes are not known */
    const uint32_t *order;
    uint32_t count;
    double longer; /* what all of the SM's blocks execute, by what these do */
} UnevenOrder;

/* Of `sms` SMs that have blocks, whose traces may have `events` in all. */
UnevenOrder uneven_order(Arena *arena, const TimeLaunch *launch, uint32_t sms, uint64_t events);

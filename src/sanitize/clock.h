/* clock.h: what a thread knows of others. Private to sanitize. */
#pragma once

#include "base/base.h"

enum { WARP_ALL = 63 /* in a fact: each warp of the block that has threads */ };

/* All that these lanes of that warp did until `time` (included), in each of the blocks first … last. */
typedef struct Fact {
    uint32_t first, last;
    uint32_t warp;
    uint32_t lanes;
    uint32_t time;
} Fact;

/* Facts that do not change any more. Shared by all who know just that; NULL: nothing. */
typedef struct Clock {
    uint32_t holders, count;
    Fact facts[];
} Clock;

Clock *clock_hold(Clock *clock); /* NULL is allowed, here and below */
void clock_drop(Clock *clock);
void clock_set(Clock **place, Clock *clock); /* holds the one, drops the other */
/* The latest moment of that lane that is known; 0: none. */
uint32_t clock_time(const Clock *clock, uint32_t block, uint32_t warp, uint32_t lane);

/* Facts that become a Clock. */
typedef struct Facts {
    Fact *at;
    uint32_t count, capacity;
} Facts;

void facts_add(Facts *facts, Fact fact);
void facts_add_clock(Facts *facts, const Clock *clock);
/* Those that others say too are left out. Held; NULL where there are none. The facts are empty again. */
Clock *facts_clock(Facts *facts);
void facts_free(Facts *facts);

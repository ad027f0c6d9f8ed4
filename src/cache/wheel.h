/* wheel.h: who goes on when, within a window of time. Private to cache/. */
#pragma once

#include "base/base.h"

enum { WHEEL_SLOTS = 8192, WHEEL_NEAR = 64, WHEEL_NEAR_CLOCKS = 8 };
#define WHEEL_NONE UINT32_MAX

typedef struct Wheel {
    uint64_t now;
    struct { /* of its list; WHEEL_NONE: nobody */
        uint32_t first, last;
    } slots[WHEEL_SLOTS];
    uint64_t used[WHEEL_SLOTS / 64]; /* slots that have anybody */
    uint32_t *next;                  /* of each member */
    uint32_t count;
    /* Those of the next clocks, taken out already, as nobody can come before them: adding is for WHEEL_NEAR_CLOCKS later, at
     * least, once somebody was taken. */
    uint32_t near[WHEEL_NEAR], near_first, near_count;
    uint64_t near_when[WHEEL_NEAR];
} Wheel;

void wheel_begin(Wheel *wheel, Arena *arena, uint32_t members);
/* Behind all who are there for the same time; not before now, and at most a window later. */
void wheel_add(Wheel *wheel, uint32_t member, uint64_t when);
/* Whether who comes next has changed: it is in near, from near_first on. */
bool wheel_gather(Wheel *wheel);
uint32_t
wheel_take(Wheel *wheel); /* the first, and time goes on to it; WHEEL_NONE: there is none */

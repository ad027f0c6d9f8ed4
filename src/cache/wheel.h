/* wheel.h: who goes on when, within a window of time. Private to cache/. */
#pragma once

#include "base/base.h"

enum { WHEEL_SLOTS = 8192 };
#define WHEEL_NONE UINT32_MAX

typedef struct Wheel {
    uint64_t now;
    uint32_t first[WHEEL_SLOTS], last[WHEEL_SLOTS];
    uint64_t used[WHEEL_SLOTS / 64]; /* slots that have anybody */
    uint32_t *next;                  /* of each member */
    uint32_t count;
} Wheel;

void wheel_begin(Wheel *wheel, Arena *arena, uint32_t members);
/* Behind all who are there for the same time; not before now, and at most a window later. */
void wheel_add(Wheel *wheel, uint32_t member, uint64_t when);
uint32_t
wheel_take(Wheel *wheel); /* the first, and time goes on to it; WHEEL_NONE: there is none */

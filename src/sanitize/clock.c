/* Clocks: short lists of facts. A clock of a whole grid stays short, since blocks of a kernel do alike: facts that
 * differ in the block alone become one for a range of blocks. */
#include "sanitize/clock.h"

#include <stdlib.h>
#include <string.h>

Clock *clock_hold(Clock *clock) {
    if (clock)
        clock->holders++;
    return clock;
}

void clock_drop(Clock *clock) {
    if (clock && --clock->holders == 0)
        free(clock);
}

void clock_set(Clock **place, Clock *clock) {
    clock_hold(clock);
    clock_drop(*place);
    *place = clock;
}

uint32_t clock_time(const Clock *clock, uint32_t block, uint32_t warp, uint32_t lane) {
    uint32_t time = 0;
    for (uint32_t i = 0; clock && i < clock->count; i++) {
        const Fact *fact = &clock->facts[i];
        bool meant = fact->warp == warp ? fact->lanes >> lane & 1
                                        : fact->warp == WARP_ALL && warp < WARP_ALL;
        if (meant && block >= fact->first && block <= fact->last && fact->time > time)
            time = fact->time;
    }
    return time;
}

/* ---- making them ---- */

void facts_add(Facts *facts, Fact fact) {
    if (facts->count == facts->capacity) {
        facts->capacity = facts->capacity ? 2 * facts->capacity : 64;
        facts->at = realloc(facts->at, facts->capacity * sizeof *facts->at);
        if (!facts->at)
            out_of_memory();
    }
    facts->at[facts->count++] = fact;
}

void facts_add_clock(Facts *facts, const Clock *clock) {
    for (uint32_t i = 0; clock && i < clock->count; i++)
        facts_add(facts, clock->facts[i]);
}

void facts_free(Facts *facts) {
    free(facts->at);
    *facts = (Facts){0};
}

#define COMPARE(member)                                                                            \
    if (a->member != b->member)                                                                    \
    return a->member < b->member ? -1 : 1

static int by_place(const void *left, const void *right) {
    const Fact *a = left, *b = right;
    COMPARE(warp);
    COMPARE(time);
    COMPARE(first);
    COMPARE(last);
    COMPARE(lanes);
    return 0;
}

/* Those of a range of blocks behind each other; later ones first. */
static int by_lanes(const void *left, const void *right) {
    const Fact *a = left, *b = right;
    COMPARE(warp);
    COMPARE(lanes);
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    COMPARE(first);
    COMPARE(last);
    return 0;
}

static void join_lanes(Facts *facts) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->count; i++) {
        Fact *last = kept ? &facts->at[kept - 1] : NULL, *fact = &facts->at[i];
        if (last && last->warp == fact->warp && last->time == fact->time &&
            last->first == fact->first && last->last == fact->last)
            last->lanes |= fact->lanes;
        else
            facts->at[kept++] = *fact;
    }
    facts->count = kept;
}

static void join_blocks(Facts *facts) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->count; i++) {
        Fact *last = kept ? &facts->at[kept - 1] : NULL, *fact = &facts->at[i];
        if (last && last->warp == fact->warp && last->lanes == fact->lanes &&
            last->time == fact->time && fact->first <= (uint64_t)last->last + 1)
            last->last = last->last > fact->last ? last->last : fact->last;
        else
            facts->at[kept++] = *fact;
    }
    facts->count = kept;
}

/* Whoever knows b knows a. */
static bool says(const Fact *b, const Fact *a) {
    bool lanes =
        b->warp == a->warp ? !(a->lanes & ~b->lanes) : b->warp == WARP_ALL && a->warp < WARP_ALL;
    return lanes && b->time >= a->time && b->first <= a->first && b->last >= a->last;
}

/* Facts of whole blocks stand behind those of their warps, which have lower numbers; more than a few are not
 * compared with all others: what is said twice is no harm. */
static void leave_out(Facts *facts) {
    enum { NEAR = 48 };
    uint32_t kept = 0, whole = 0, whole_end = 0;
    while (whole < facts->count && facts->at[whole].warp < WARP_ALL)
        whole++;
    for (whole_end = whole; whole_end < facts->count && facts->at[whole_end].warp == WARP_ALL;)
        whole_end++;
    for (uint32_t i = 0; i < facts->count; i++) {
        Fact fact = facts->at[i];
        bool said = false;
        for (uint32_t j = kept > NEAR ? kept - NEAR : 0; j < kept && !said; j++)
            said = says(&facts->at[j], &fact);
        for (uint32_t j = i + 1; j < facts->count && j < i + NEAR && !said; j++)
            said = says(&facts->at[j], &fact);
        for (uint32_t j = whole; i < whole && j < whole_end && j < whole + NEAR && !said; j++)
            said = says(&facts->at[j], &fact);
        if (!said)
            facts->at[kept++] = fact;
    }
    facts->count = kept;
}

Clock *facts_clock(Facts *facts) {
    if (facts->count > 1) {
        qsort(facts->at, facts->count, sizeof *facts->at, by_place);
        join_lanes(facts);
        qsort(facts->at, facts->count, sizeof *facts->at, by_lanes);
        join_blocks(facts);
        leave_out(facts);
    }
    if (facts->count == 0)
        return NULL;
    Clock *clock = malloc(sizeof *clock + facts->count * sizeof *facts->at);
    if (!clock)
        out_of_memory();
    clock->holders = 1;
    clock->count = facts->count;
    memcpy(clock->facts, facts->at, facts->count * sizeof *facts->at);
    facts->count = 0;
    return clock;
}

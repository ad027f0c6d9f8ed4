/* fix: finds layouts of shared arrays that cost fewer wavefronts than the present one, from recorded
 * evidence alone.
 *
 * Invariants
 *   - A pure function of a profile and a launch; nothing is run. The memory model that counted the
 *     evidence prices the candidates, so a promise and what a run with the layout counts are equal
 *     (for the executions that were recorded).
 *   - A layout that some recorded access does not survive (a vector access torn apart, or off its
 *     alignment) is no candidate.
 *
 * What it does not do: run the kernel (cli/fix.c does, for the proof), or change source. */
#pragma once

#include "mem/mem.h"
#include "prof/prof.h"

typedef struct Candidate {
    Layout layout;
    uint64_t wavefronts;
    uint64_t bytes; /* of the array then */
} Candidate;

typedef struct ArrayFix {
    uint32_t variable;                    /* in the kernel's shared */
    uint64_t bytes;                       /* of the array; of a dynamic one as launched */
    uint32_t element;                     /* bytes of an element, as most accesses have it */
    uint64_t wavefronts, ideal, requests; /* of the recorded executions of accesses to it */
    Candidate best[3]; /* of each kind at most one, the cheapest first: wavefronts, then bytes */
    uint32_t count;    /* 0: nothing is better than what is there */
} ArrayFix;

/* ---- search.c ---- */

/* One for each shared variable that was accessed, in the kernel's order. */
ArrayFix *fix_arrays(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count);

/* ---- price.c ---- */

/* One recorded access to an array. */
typedef struct Use {
    const AccessPattern *pattern;
    const Site *site;
} Use;

/* Wavefronts (and the ideal of them) of one execution with another layout; false: the access does not
 * survive it. */
bool fix_price(const Use *use, uint64_t array_offset, const Layout *layout, SharedCost *cost);

/* ---- words.c ---- */

/* "4 bytes of padding after every 128"; "Swizzle<5,0,5>: i ^ (i >> 5 & 31)". */
const char *fix_words(Arena *arena, const Layout *layout, uint32_t element);

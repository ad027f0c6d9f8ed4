/* fix: finds layouts of shared arrays that cost fewer wavefronts than the present one, from recorded
 * evidence alone.
 *
 * Invariants
 *   - A pure function of a profile and launches of a kernel; nothing is run. The memory model that
 *     counted the evidence prices the candidates, so a promise and what a run with the layout counts
 *     are equal (for the executions that were recorded).
 *   - A layout that some recorded access does not survive (a vector access torn apart, or off its
 *     alignment), or that no block has room for, is no candidate.
 *
 * What it does not do: run the kernel (session/proof.c does, for the proof), or change source (rewrite/). */
#pragma once

#include "mem/mem.h"
#include "prof/prof.h"

/* Which of the layouts that help is chosen. */
typedef enum FixPreference {
    PREFER_LEAST_CHANGE, /* what changes the source least, of those that save most */
    PREFER_PADDING,      /* the best of that kind, if there is one; then as above */
    PREFER_SWIZZLE,      /* of swizzles and XOR maps */
    PREFER_NONE          /* the fewest wavefronts, then bytes */
} FixPreference;

/* Launches of one kernel whose evidence is looked at together. */
typedef struct FixScope {
    const Profile *profile;
    const uint32_t *launches;
    uint32_t count; /* at least one */
    /* Groups of lanes that the search of an array's XOR maps prices at most; 0: half a second's. */
    uint32_t effort;
    FixPreference prefer;
} FixScope;

typedef struct Candidate {
    Layout layout;
    uint64_t wavefronts;
    uint64_t bytes;         /* of the array then */
    uint32_t blocks_per_sm; /* as far as is known: registers may not be */
    bool also;              /* as good as another of its kind, and perhaps easier to write */
} Candidate;

/* What people do first, where it is not as good as what was found. */
typedef struct Remedy {
    Layout layout;
    bool possible; /* false: it would tear an access apart, or a block has no room for it */
    uint64_t wavefronts;
} Remedy;

typedef enum FixVerdict {
    FIX_FOUND,
    FIX_IDEAL, /* no access has a conflict */
    FIX_WORDS, /* each access by itself takes as many wavefronts wherever its words are */
    FIX_DATA,  /* addresses depend on data: hardly two accesses are alike */
    FIX_NONE   /* nothing that was tried saves a tenth of the excess */
} FixVerdict;

enum { CANDIDATES = 12, REMEDIES = 4 };

/* What an array consists of: elements as the source declares them where the profile has it, else of the size that
 * most accesses have. */
typedef struct ArrayElement {
    uint32_t bytes;
    const char *type; /* "half"; NULL: not known */
} ArrayElement;

typedef struct ArrayFix {
    uint32_t variable;                    /* in the kernel's shared */
    uint64_t bytes;                       /* of the array; of a dynamic one as launched */
    uint32_t element;                     /* bytes of an element, as most accesses have it */
    ArrayElement declared;                /* for words */
    uint32_t row;                         /* bytes from lane to lane where most is lost; 0: none */
    uint32_t whole;                       /* bytes that the widest access keeps together */
    uint32_t blocks_per_sm;               /* now */
    uint64_t spare;                       /* bytes that it may grow by */
    uint64_t wavefronts, ideal, requests; /* of the recorded executions of accesses to it */
    uint64_t patterns;                    /* that differ, of them */
    /* Of each kind the best, and some that are `also` as good; the cheapest first: wavefronts, then
     * bytes. 0: nothing is better than what is there, and `verdict` says why. */
    Candidate best[CANDIDATES];
    uint32_t count;
    Remedy remedies[REMEDIES];
    uint32_t remedy_count;
    /* Lanes step ever further apart, from turn to turn: by `tree_first` elements, twice that, … `tree_last`. 0: they do not. */
    uint32_t tree_first, tree_last;
    FixVerdict verdict;
} ArrayFix;

/* ---- search.c ---- */

/* One for each shared variable that was accessed, in the kernel's order. */
ArrayFix *fix_arrays(Arena *arena, const FixScope *scope, uint32_t *count);

/* ---- prefer.c ---- */

/* Is it of the kind that is preferred, if one is? */
bool fix_wanted(FixPreference prefer, const Layout *layout);
/* Is `a` to be chosen before `b`? Both are of the array. */
bool fix_preferred(const ArrayFix *array, FixPreference prefer, const Candidate *a,
                   const Candidate *b);

/* ---- sketch.c: changes of what threads do, which are shown and neither written nor tried ---- */

/* Of a tree whose threads step apart, lines of C++ in which they stay together; NULL: the array has none. name: of the array */
const char *sketch_tree(Arena *arena, const ArrayFix *array, const char *name);

/* ---- price.c ---- */

/* One recorded access to an array, or several that cost the same with every layout. */
typedef struct Use {
    const AccessPattern *pattern;
    const Site *site;
    uint64_t count; /* executions */
} Use;

/* Wavefronts (and the ideal of them) of one execution with another layout; false: the access does not
 * survive it. */
bool fix_price(const Use *use, uint64_t array_offset, const Layout *layout, SharedCost *cost);
/* Wavefronts of all recorded executions where each array i has layouts[i] and lies where it does then:
 * an array that grows moves those behind it. */
uint64_t fix_promise(Arena *arena, const FixScope *scope, const ArrayFix *arrays, uint32_t count,
                     const Layout *const *layouts);

/* ---- words.c ---- */

/* Of a kernel's shared variable, which has so many bytes. */
ArrayElement array_element(Arena *arena, const Profile *profile, const ProfKernel *kernel,
                           uint32_t variable, uint64_t bytes);
/* "8 halves (16 bytes)", "1 element (4 bytes)", "6 bytes" */
const char *elements_words(Arena *arena, uint64_t bytes, const ArrayElement *element);
/* "1 float (4 bytes) of padding after every 32"; "Swizzle<5,0,5>: i ^ (i >> 5 & 31)". */
const char *fix_words(Arena *arena, const Layout *layout, const ArrayElement *element);

/* What the files of the search share; fix.h is the layer's header. */
#pragma once

#include "fix/fix.h"

enum {
    PITCHES = 48,
    PADDING_MOST = 63 * BANK_BYTES,
    BASE_LEAST = 2, /* of swizzles: words stay whole */
    BASE_MOST = 4   /* 16 bytes: the widest access */
};

typedef struct Pitches {
    uint32_t at[PITCHES], count;
} Pitches;

typedef struct Search {
    Arena *arena;
    const FixScope *scope;
    const SharedVariable *variable;
    ArrayFix *fix;
    uint64_t room; /* bytes that the array can have */
    bool by_data;  /* addresses depend on data */
    VEC(Use) uses; /* that differ; what loses most comes first */
    Pitches pitches;
} Search;

/* ---- uses.c: the evidence ---- */

/* The accesses to variable number `variable`, equal ones as one. */
void uses_find(Search *search, uint32_t variable);
/* The sums of fix, and the order of uses. */
void uses_sum(Search *search);
/* Whether lanes step ever further apart. */
void uses_tree(Search *search);
/* Where rows may end: what lanes and warps step by, powers of two. */
void uses_pitches(Search *search);

/* ---- candidate.c ---- */

/* Wavefronts of all uses. false: not possible, or more than `most`. */
bool candidate_price(const Search *search, const Layout *layout, uint64_t most,
                     uint64_t *wavefronts);
/* Becomes the best, if it is cheaper. */
void candidate_try(const Search *search, const Layout *layout, Candidate *best);
bool candidate_cheaper(const Candidate *a, const Candidate *b);

/* ---- xor.c ---- */

/* The cheapest map of LAYOUT_XORED, if it is cheaper than *best. */
void search_xors(const Search *search, Candidate *best);

/* ---- remedies.c ---- */

void search_remedies(const Search *search);
/* Are most ways in which lanes lie hardly seen twice? */
bool search_depends_on_data(const Search *search);
/* Why nothing helps. */
FixVerdict search_verdict(const Search *search);

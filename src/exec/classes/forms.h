/* forms: how a value of one block becomes that of another, and under which conditions. Private to the room.
 *
 * A block is executed, and another one is at s' where it is at s. A lane's value there is `value + T`, T = the sum of
 * factor * (s' - s) over symbols: the place of the block in the grid, and values that are one for the block and follow
 * from that place by a short program (symbols.c). A Linear is these factors; a Need says for which T something holds.
 *
 * Invariants
 *   - Everything is interned: equal numbers are equal things, and answers for pairs of numbers are kept.
 *   - T is computed as an integer, in one way from a Linear. Values of n bits equal value + T modulo 2^n; where more is
 *     claimed (a wider value, a quotient, an order), Needs say for which T it is so.
 *   - Nothing is guessed: what has no Linear is the same where all that it was made of is the same (form_pinned). */
#pragma once

#include "base/base.h"

typedef uint32_t FormId;
/* The same in every block; what memory held, or something else that no index decides. */
enum { FORM_SAME, FORM_DATA };

/* The first symbols are the place of the block (of the cluster, where there are clusters): x, y, z. */
enum { PLACES = 3, TERMS_MOST = 6 };

/* The number of a loop's turn, counted from the one at hand (turns.h): the last of all symbols. It is 0 in every block, so
 * that the conditions of a class are without it: form_still, linear_still. */
#define TURN_SYMBOL (UINT64_C(1) << 32)

typedef struct Term {
    uint64_t symbol;
    int64_t factor;
} Term;

/* Linear number 0 has none. In the order of the symbols. */
typedef struct Linear {
    uint32_t count;
    const Term *at;
} Linear;

/* T of the linear lies in [low, high] and is a multiple of modulus. */
typedef struct Need {
    uint64_t linear;
    int64_t low, high;
    uint64_t modulus;
} Need;

/* Number 0: none. In the order of the linears, each once. */
typedef struct Needs {
    uint32_t count;
    const Need *at;
} Needs;

typedef struct Form {
    uint32_t linear, needs;
} Form;

typedef struct Forms Forms;
Forms *forms_new(Arena *arena);
/* There are so many that they cost too much. */
bool forms_many(const Forms *forms);

uint32_t linear_of(Forms *forms, const Term *terms, uint32_t count); /* sorted, without zeros */
Linear linear_at(const Forms *forms, uint32_t linear);
/* a + sign * b as integers. false: it has too many terms, or too large ones. */
bool linear_sum(Forms *forms, uint32_t a, uint32_t b, int64_t sign, uint32_t *sum);
/* Whether T is a multiple of the number in every block. */
bool linear_divisible(const Forms *forms, uint32_t linear, uint64_t by);

Needs needs_at(const Forms *forms, uint32_t needs);
uint32_t needs_with(Forms *forms, uint32_t needs, Need one);
uint32_t needs_both(Forms *forms, uint32_t a, uint32_t b);
/* The greatest one. */
uint64_t common_divisor(uint64_t a, uint64_t b);
/* What both ask for, into the first. */
void need_meet(Need *into, const Need *other);

Form form_at(const Forms *forms, FormId id); /* not FORM_DATA */
FormId form_of(Forms *forms, uint32_t linear, uint32_t needs);
FormId form_needing(Forms *forms, FormId id, uint32_t needs); /* more */
/* The same value where all that the form depends on is the same. */
FormId form_pinned(Forms *forms, FormId id);
/* Of both: pinned. FORM_DATA if one is. */
FormId form_joined(Forms *forms, FormId a, FormId b);
/* a + sign * b and a * factor, modulo 2^bits: 32 or 64. */
FormId form_sum(Forms *forms, FormId a, FormId b, int64_t sign, uint32_t bits);
FormId form_times(Forms *forms, FormId a, uint64_t factor, uint32_t bits);
/* Where T is a multiple of `by` in every block: T / by. */
FormId form_divided(Forms *forms, FormId a, uint64_t by);
/* The low 32 bits. */
FormId form_narrowed(Forms *forms, FormId a);

/* ---- the turns of a loop ---- */

/* The linear without the turn, and the turn's factor in it. */
uint32_t linear_still(Forms *forms, uint32_t linear, int64_t *factor);
bool needs_turn(const Forms *forms, uint32_t needs); /* one of them does */
/* The value moves by so much with each turn. */
FormId form_turning(Forms *forms, FormId id, int64_t factor);
/* The same in the turn at hand. */
FormId form_still(Forms *forms, FormId id);
